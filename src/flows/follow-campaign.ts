import type { Client } from "../api/client.ts";
import { type CampaignStatus, type Counts, countNames } from "../contract/campaign.ts";
import { BposError } from "../errors.ts";
import type { Journal } from "../journal/open.ts";
import { callsOf, type SendScope } from "../journal/sends.ts";
import { numberOf } from "./loose-values.ts";

/** The status of one or more campaigns, their counts summed as the service gave them. */
export interface CampaignsStatus {
  campaigns: CampaignStatus[];
  counts: Counts;
  /** Recipients that the service counts and does not list. */
  recipients_hidden: number;
}

/** What one campaign does not list of the recipients that it counts; never less than none. */
function hiddenOf({ counts, recipients }: CampaignStatus): number {
  const listed = Array.isArray(recipients) ? recipients.length : 0;
  return Math.max(0, (numberOf(counts?.total_recipients) ?? 0) - listed);
}

/** Sums each count over the campaigns that give it; a count that none gives stays absent. */
function sumOf(campaigns: readonly CampaignStatus[]): Counts {
  const counts: Counts = {};
  for (const name of countNames) {
    const given = campaigns
      .map((campaign) => numberOf(campaign.counts?.[name]))
      .filter((value) => value !== undefined);
    if (given.length > 0) counts[name] = given.reduce((sum, value) => sum + value, 0);
  }
  return counts;
}

/**
 * The campaigns that a reference stands for by the journal, oldest first, and how many of its calls have no answer.
 * Throws `send_not_found`, and `send_open` when no call has one.
 */
export function campaignsOfRef(journal: Journal, scope: SendScope): { ids: string[]; open: number } {
  const calls = callsOf(journal, scope);
  const ids = calls.map((call) => call.campaign_id).filter((id) => id !== null);
  if (calls.length === 0) throw new BposError("send_not_found", { ref: scope.ref });
  if (ids.length === 0) throw new BposError("send_open", { ref: scope.ref });
  return { ids, open: calls.length - ids.length };
}

/** Reads the status of each campaign, in the order of the ids (`spec.md` 4.4). */
export async function readCampaigns(
  client: Client,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<CampaignsStatus & { mismatches: string[] }> {
  const campaigns: CampaignStatus[] = [];
  const mismatches: string[] = [];
  for (const id of ids) {
    const answer = await client.readCampaign(id, signal ? { signal } : {});
    campaigns.push(answer.body);
    mismatches.push(...answer.mismatches);
  }
  return {
    campaigns,
    counts: sumOf(campaigns),
    recipients_hidden: campaigns.reduce((sum, campaign) => sum + hiddenOf(campaign), 0),
    mismatches,
  };
}
