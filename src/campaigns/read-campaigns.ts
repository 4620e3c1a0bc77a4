import pMap from "p-map";
import type * as z from "zod";
import type { Client } from "../api/client.ts";
import { toNumber, toText } from "../api/json.ts";
import { list } from "../cli/display/values.ts";
import { type CampaignStatus, type Counts, countNames } from "../contract/campaign.ts";
import { countFailures, failureMessages } from "./failures.ts";
import type { severalSchema } from "./status-schema.ts";

/** Several campaigns, with the sums of their counts. */
export type CampaignsStatus = z.infer<typeof severalSchema>;

function sumCounts(campaigns: readonly CampaignStatus[]): Counts {
  const counts: Counts = {};
  for (const name of countNames) {
    const given = campaigns.flatMap((campaign) => toNumber(campaign.counts?.[name]) ?? []);
    if (given.length > 0) counts[name] = given.reduce((sum, value) => sum + value, 0);
  }
  return counts;
}

/** Reads these campaigns, eight at once, and sums their counts. `mismatches`: where an answer breaks the contract. */
export async function readCampaigns(
  client: Pick<Client, "readCampaign">,
  ids: readonly string[],
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (done: number, total: number) => void },
): Promise<CampaignsStatus & { mismatches: string[] }> {
  const stop = new AbortController();
  let done = 0;
  const readOne = async (id: string) => {
    // Its own signal: Node reports many listeners on one as a leak.
    const { body, mismatches } = await client.readCampaign(id, {
      signal: AbortSignal.any([signal, stop.signal]),
    });
    onProgress?.(++done, ids.length);
    const swapped = body.campaign_id === id ? [] : [`campaign_id: ${body.campaign_id} instead of ${id}`];
    return { body, mismatches: [...mismatches, ...swapped] };
  };
  const answers = await pMap(ids, readOne, { concurrency: 8 }).catch((error: unknown) => {
    stop.abort();
    throw error;
  });
  const campaigns = answers.map(({ body }) => body);
  const countHidden = (campaign: CampaignStatus): number =>
    Math.max(0, (toNumber(campaign.counts?.total_recipients) ?? 0) - list(campaign.recipients).length);
  return {
    campaigns,
    counts: sumCounts(campaigns),
    recipients_hidden: campaigns.reduce((sum, campaign) => sum + countHidden(campaign), 0),
    errors: countFailures(campaigns.flatMap(({ recipients }) => failureMessages(recipients))),
    mismatches: answers.flatMap(({ mismatches }) => mismatches),
  };
}

/** True if every status of a campaign is final, by the rules of `docs/how-to/campaign.md`, Status. */
export function isFinal(campaign: CampaignStatus): boolean {
  const statuses = list(campaign.recipients).map((recipient) => toText(recipient["status"]));
  if (statuses.some((status) => status === "pending" || status === "sent")) return false;
  const pending = toNumber(campaign.counts?.pending);
  if (pending !== undefined) return pending === 0;
  const total = toNumber(campaign.counts?.total_recipients) ?? statuses.length;
  return statuses.length > 0 && statuses.length >= total && !statuses.includes(null);
}
