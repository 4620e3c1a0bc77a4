import type { Client } from "../api/client.ts";
import { type CampaignStatus, type Counts, countNames } from "../contract/campaign.ts";

/** The status of one or more campaigns, their counts summed as the service gave them. */
export interface CampaignsStatus {
  campaigns: CampaignStatus[];
  counts: Counts;
  /** Recipients that the service counts and does not list. */
  recipients_hidden: number;
}

/** What one campaign does not list of the recipients that it counts. */
function hiddenOf(campaign: CampaignStatus): number {
  const total = campaign.counts?.total_recipients;
  return typeof total === "number" ? Math.max(0, total - (campaign.recipients ?? []).length) : 0;
}

/** Sums each count over the campaigns that give it; a count that none gives stays absent. */
function sumOf(campaigns: readonly CampaignStatus[]): Counts {
  const counts: Counts = {};
  for (const name of countNames) {
    const given = campaigns
      .map((campaign) => campaign.counts?.[name])
      .filter((value) => typeof value === "number");
    if (given.length > 0) counts[name] = given.reduce((sum, value) => sum + value, 0);
  }
  return counts;
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
