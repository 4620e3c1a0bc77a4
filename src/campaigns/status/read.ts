import pMap from "p-map";
import type { Client } from "../../api/client.ts";
import { numberOf, textOf } from "../../api/json.ts";
import {
  type CampaignRequest,
  type CampaignStatus,
  type Counts,
  countNames,
} from "../../contract/campaign.ts";
import { BposError } from "../../errors.ts";
import type { SendScope, Sends } from "../../journal/sends.ts";

/** The status of one or more campaigns, their counts summed as the service gave them. */
export interface CampaignsStatus {
  campaigns: CampaignStatus[];
  counts: Counts;
  /** Recipients that the service counts and does not list. */
  recipients_hidden: number;
}

export type StatusReading = CampaignsStatus & {
  mismatches: string[];
  /** The campaigns that the service answered with another one. */
  swapped: { asked: string; answered: string }[];
};

const concurrency = 8;

/** The recipients that a campaign lists, whatever it holds in their place. */
export function recipientsOf({ recipients }: CampaignStatus): Record<string, unknown>[] {
  const all: unknown = recipients;
  if (!Array.isArray(all)) return [];
  return all.map((each: unknown) =>
    typeof each === "object" && each !== null ? (each as Record<string, unknown>) : {},
  );
}

/** How many recipients one campaign counts and does not list; never less than none. */
function hiddenOf(campaign: CampaignStatus): number {
  const total = numberOf(campaign.counts?.total_recipients) ?? 0;
  return Math.max(0, total - recipientsOf(campaign).length);
}

/** Sums each count over the campaigns that give it; a count that none gives stays absent. */
function sumOf(campaigns: readonly CampaignStatus[]): Counts {
  const counts: Counts = {};
  for (const name of countNames) {
    const given = campaigns.flatMap((campaign) => numberOf(campaign.counts?.[name]) ?? []);
    if (given.length > 0) counts[name] = given.reduce((sum, value) => sum + value, 0);
  }
  return counts;
}

/** The calls of a reference by the journal: the campaigns that they made, and how many have no answer. */
export interface CallsOfRef {
  /** Oldest first. */
  ids: string[];
  pending: number;
  all: number;
}

/** What the journal knows of a reference. Throws `send_not_found`, and `send_open` when no call has an answer. */
export async function campaignsOfRef(sends: Sends, scope: SendScope): Promise<CallsOfRef> {
  const calls = await sends.callsUnder(scope);
  const ids = calls.map((call) => call.campaign_id).filter((id) => id !== null);
  if (calls.length === 0) throw new BposError("send_not_found", { ref: scope.ref });
  if (ids.length === 0) throw new BposError("send_open", { ref: scope.ref });
  return { ids, pending: calls.length - ids.length, all: calls.length };
}

/** Reads the status of each campaign in the order of the ids. Throws what failed first, and stops the others. */
export async function readCampaigns(
  client: Pick<Client, "readCampaign">,
  ids: readonly string[],
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (done: number, total: number) => void },
): Promise<StatusReading> {
  const stop = new AbortController();
  let done = 0;
  const readOne = async (id: string): ReturnType<Client["readCampaign"]> => {
    // A signal of its own: many listeners on one look like a leak.
    const answer = await client.readCampaign(id, { signal: AbortSignal.any([signal, stop.signal]) });
    onProgress?.(++done, ids.length);
    return answer;
  };
  const answers = await pMap(ids, readOne, { concurrency }).catch((error: unknown) => {
    stop.abort();
    throw error;
  });
  const campaigns = answers.map(({ body }) => body);
  return {
    campaigns,
    counts: sumOf(campaigns),
    recipients_hidden: campaigns.reduce((sum, campaign) => sum + hiddenOf(campaign), 0),
    mismatches: answers.flatMap(({ mismatches }) => mismatches),
    swapped: ids.flatMap((asked, at) => {
      const answered = campaigns[at]?.campaign_id ?? asked;
      return answered === asked ? [] : [{ asked, answered }];
    }),
  };
}

/** The statuses that --only asks for and no listed recipient has, and those that they have. */
export interface StatusesFound {
  absent: string[];
  present: string[];
}

/** Keeps the recipients whose status was asked for, in whatever case; all counts, and what is hidden, stay as they are. */
export function onlyStatuses<S extends CampaignsStatus>(
  status: S,
  wanted: readonly string[],
): { status: S; found: StatusesFound } {
  const present = new Set<string>();
  const folded = new Set(wanted.map((value) => value.toLowerCase()));
  const campaigns = status.campaigns.map((campaign) => {
    if (!Array.isArray(campaign.recipients)) return campaign;
    const listed = recipientsOf(campaign);
    const recipients = campaign.recipients.filter((_recipient, at) => {
      const value = textOf(listed[at]?.["status"]);
      if (value !== null) present.add(value);
      return value !== null && folded.has(value.toLowerCase());
    });
    return { ...campaign, recipients };
  });
  const found = new Set([...present].map((value) => value.toLowerCase()));
  const absent = wanted.filter((value) => !found.has(value.toLowerCase()));
  return { status: { ...status, campaigns }, found: { absent, present: [...present].sort() } };
}

export interface KnownRecipient {
  /** The line of the file that was sent; undefined when that was not kept. */
  line: number | undefined;
  variables: readonly string[];
}

/** What is known of a recipient of a campaign; undefined when this machine does not know. */
export type KnownRecipients = (campaignId: unknown, phone: unknown) => KnownRecipient | undefined;

// The service may write a phone without the plus that it was sent with.
const digits = (phone: unknown): string => (textOf(phone) ?? "").replace(/\D/g, "");

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
  return (campaignId, phone) => known.get(textOf(campaignId) ?? "")?.get(digits(phone));
}
