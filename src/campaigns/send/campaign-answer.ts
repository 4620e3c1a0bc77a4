import { parseJson } from "../../api/json.ts";
import { numberOf, textOf } from "../../api/loose-values.ts";

/** What the service says of one campaign, in shapes that can be counted on. */
export interface CampaignAnswer {
  campaign_id: string | null;
  status: string | null;
  campaign_name: string | null;
  replayed: boolean;
  recipients: { added: number; duplicates: number; errors: string[] };
}

function errorsOf(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.map(textOf).filter((text) => text !== null);
}

/**
 * Reads an answer as the journal keeps it, however odd: nothing in it can stop a report. Where it differs from the
 * specification (`spec.md` 4.3) is in the client's `mismatches`.
 */
export function readCampaignAnswer(text: string): CampaignAnswer {
  const answer = parseJson(text) as Record<string, unknown>;
  const { added, duplicates, errors } = (answer["recipients"] ?? {}) as Record<string, unknown>;
  return {
    campaign_id: textOf(answer["campaign_id"]),
    status: textOf(answer["status"]),
    campaign_name: textOf(answer["campaign_name"]),
    replayed: answer["replayed"] === true,
    recipients: {
      added: numberOf(added) ?? 0,
      duplicates: numberOf(duplicates) ?? 0,
      errors: errorsOf(errors),
    },
  };
}
