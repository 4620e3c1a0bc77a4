import type { CampaignRequest } from "../../contract/campaign.ts";
import type { Sends } from "../../journal/records/sends.ts";
import { digits } from "../person.ts";

export type KnownRecipient = { line: number | undefined; variables: readonly string[] };

/** The recipients of each campaign that are in the journal, by the digits of their phone. */
export type KnownRecipients = ReadonlyMap<string, ReadonlyMap<string, KnownRecipient>>;

export async function knownRecipients(
  sends: Sends,
  branch: string,
  campaignIds: readonly string[],
): Promise<KnownRecipients> {
  const known = new Map<string, Map<string, KnownRecipient>>();
  for (const { campaign_id, body, lines: kept } of await sends.bodies(branch, campaignIds)) {
    const { recipients } = JSON.parse(body) as CampaignRequest;
    const lines = JSON.parse(kept ?? "[]") as number[];
    const entries = recipients.map(
      ({ phone, params }, at) => [digits(phone), { line: lines[at], variables: params }] as const,
    );
    known.set(campaign_id, new Map(entries));
  }
  return known;
}
