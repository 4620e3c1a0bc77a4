import pMap from "p-map";
import type { Client } from "../api/client.ts";
import { toNumber, toText } from "../api/json.ts";
import { list } from "../cli/display/fields.ts";
import { type CampaignRequest, type CampaignStatus, type Counts, countNames } from "../contract/campaign.ts";
import type { MessageFailure } from "../errors/problems.ts";
import { BposError } from "../errors.ts";
import { toPerson } from "../input/phone.ts";
import type { Sends } from "../journal/records/sends.ts";

export interface CampaignsStatus {
  campaigns: CampaignStatus[];
  counts: Counts;
  recipients_hidden: number;
  /** Of the listed recipients, the error that most of them have first. */
  errors: FailureCount[];
}

/** A message of the service without the phones in it, and how many recipients have it; null where it gave none. */
export type FailureCount = { error_message: string | null; recipients: number };

function sumCounts(campaigns: readonly CampaignStatus[]): Counts {
  const counts: Counts = {};
  for (const name of countNames) {
    const given = campaigns.flatMap((campaign) => toNumber(campaign.counts?.[name]) ?? []);
    if (given.length > 0) counts[name] = given.reduce((sum, value) => sum + value, 0);
  }
  return counts;
}

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

/** The people of each campaign whom the service lists as failed; none if the service cannot be reached. */
export async function failedRecipients(
  client: Pick<Client, "readCampaign">,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Set<string>>> {
  const failed = new Map<string, Set<string>>();
  const readOne = async (id: string): Promise<void> => {
    const { body } = await client.readCampaign(id, { signal });
    const people = list(body.recipients)
      .filter(({ status }) => status === "failed")
      .flatMap(({ phone }) => toPerson(toText(phone) ?? "") ?? []);
    failed.set(id, new Set(people));
  };
  const nobody = (error: unknown): void => {
    if (signal.aborted || !(error instanceof BposError)) throw error;
  };
  await pMap(ids, (id) => readOne(id).catch(nobody), { concurrency: 8 });
  return failed;
}

/** `docs/campaign-status.md`, Final. */
export function isFinal(campaign: CampaignStatus): boolean {
  const statuses = list(campaign.recipients).map((recipient) => toText(recipient["status"]));
  if (statuses.some((status) => status === "pending" || status === "sent")) return false;
  const pending = toNumber(campaign.counts?.pending);
  if (pending !== undefined) return pending === 0;
  const total = toNumber(campaign.counts?.total_recipients) ?? statuses.length;
  return statuses.length > 0 && statuses.length >= total && !statuses.includes(null);
}

export type RecipientChange = ReturnType<typeof changesIn>[number];

const changesIn = ({ campaigns }: CampaignsStatus) =>
  campaigns.flatMap((campaign) =>
    list(campaign.recipients).map((recipient) => ({
      campaign: toText(campaign.campaign_id) ?? "",
      phone: toText(recipient["phone"]),
      from: null as string | null,
      to: toText(recipient["status"]),
      message: toText(recipient["error_message"]) || null,
    })),
  );

export function changesSince(before: CampaignsStatus | undefined, now: CampaignsStatus): RecipientChange[] {
  const all = changesIn(now);
  if (before === undefined) return all.filter(({ to, message }) => to === "failed" || message !== null);
  const formatName = ({ campaign, phone }: RecipientChange): string => `${campaign}\n${phone ?? ""}`;
  const known = new Map(changesIn(before).map((recipient) => [formatName(recipient), recipient.to]));
  return all.flatMap((change) => {
    const from = known.get(formatName(change));
    return from === change.to ? [] : [{ ...change, from: from ?? null }];
  });
}

export type StatusesFound = { absent: string[]; present: string[] };

export function onlyStatuses(
  status: CampaignsStatus,
  wanted: readonly string[],
): { status: CampaignsStatus; found: StatusesFound } {
  const present = new Set<string>();
  const folded = new Set(wanted.map((value) => value.toLowerCase()));
  const campaigns = status.campaigns.map((campaign) => {
    if (!Array.isArray(campaign.recipients)) return campaign;
    const listed = list(campaign.recipients);
    const recipients = campaign.recipients.filter((_recipient, at) => {
      const value = toText(listed[at]?.["status"]);
      if (value !== null) present.add(value);
      return value !== null && folded.has(value.toLowerCase());
    });
    return { ...campaign, recipients };
  });
  const found = new Set([...present].map((value) => value.toLowerCase()));
  const absent = wanted.filter((value) => !found.has(value.toLowerCase()));
  return { status: { ...status, campaigns }, found: { absent, present: [...present].sort() } };
}

export type KnownRecipient = { line: number | undefined; variables: readonly string[] };

/** The recipients of each campaign that the journal knows, by the digits of their phone. */
export type KnownRecipients = ReadonlyMap<string, ReadonlyMap<string, KnownRecipient>>;

// The service may write a phone without the plus that it was sent with.
export const digits = (phone: unknown): string => (toText(phone) ?? "").replace(/\D/g, "");

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

/** Says a recipient that failed, or has an error at least, in the words of the service; "" where it gave none. */
const failureMessages = (recipients: unknown): string[] =>
  list(recipients).flatMap(({ status, error_message }) => {
    const message = toText(error_message) ?? "";
    return status === "failed" || message !== "" ? [message] : [];
  });

/** Counts equal messages, those apart that differ in more than a phone. */
export function countFailures(messages: readonly string[]): FailureCount[] {
  const counts = new Map<string, number>();
  for (const message of messages) {
    const text = message.replace(/\+?\d[\d ()-]{6,}\d/g, "…");
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .map(([text, recipients]) => ({ error_message: text || null, recipients }))
    .sort((one, other) => other.recipients - one.recipients);
}

/** The specification names no messages (`docs/service.md` 4.3, 4.4): these are the ones that the mock has. */
const failureForms = {
  not_on_platform: /\bnot on the (?:\w+ )?platform\b/i,
  not_delivered: /\bnot be delivered\b/i,
  refused: /\bplatform refused\b/i,
  params: /\btemplate takes \d+ params\b/i,
} as const;

export function classifyFailure(message: string): MessageFailure {
  const found = Object.entries(failureForms).find(([, form]) => form.test(message));
  return (found?.[0] as MessageFailure | undefined) ?? "other";
}
