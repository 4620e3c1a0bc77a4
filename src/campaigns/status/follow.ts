import { numberOf, textOf } from "../../api/loose-values.ts";
import type { CampaignStatus } from "../../contract/campaign.ts";
import { BposError, isReason } from "../../errors.ts";
import { type CampaignsStatus, recipientsOf } from "./read.ts";

const firstPauseMs = 5_000;
const longestPauseMs = 60_000;
const pauseGrowth = 1.5;
/** A service that asks for more is asked again all the same: a wrong header must not end a watch. */
const longestRetryAfterMs = 60 * 60_000;
const tickMs = 1_000;

/** Statuses from which a message is expected to move on. */
const underWay: ReadonlySet<string | null> = new Set(["pending", "sent"]);

/**
 * True when nothing more is expected of a campaign: its count `pending` is 0, and no recipient that it lists is `pending`
 * or `sent`. Without that count it takes a status, and none of those two, for everybody.
 */
export function isFinal(campaign: CampaignStatus): boolean {
  const statuses = recipientsOf(campaign).map((recipient) => textOf(recipient["status"]));
  if (statuses.some((status) => underWay.has(status))) return false;
  const pending = numberOf(campaign.counts?.pending);
  if (pending !== undefined) return pending === 0;
  const total = numberOf(campaign.counts?.total_recipients) ?? statuses.length;
  return statuses.length > 0 && statuses.length >= total && !statuses.includes(null);
}

/** What a watch needs of one look. */
interface Look {
  status: CampaignsStatus;
  /** Calls that have no campaign yet. */
  open: number;
}

/** What a watch comes to, step by step; `nextAt` is when it looks again, epoch milliseconds, undefined when it ends. */
export type WatchStep<L extends Look> = { at: number; nextAt: number | undefined } & (
  | { kind: "looked"; look: L; final: boolean }
  | { kind: "failed"; error: BposError }
);

/** How a watch goes. */
export interface WatchWays {
  clock: { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };
  signal: AbortSignal;
  /** After so many milliseconds it ends with a last look; without it, only when everything is final. */
  waitMs: number | undefined;
  /** Called every second of a pause, and when the next look begins. */
  onTick?: (() => Promise<void>) | undefined;
}

const passing = (error: unknown): error is BposError =>
  isReason(error, "unavailable") || isReason(error, "unreadable_answer");

function askedMs({ facts }: BposError): number {
  return Math.min("retryAfterMs" in facts ? (facts.retryAfterMs ?? 0) : 0, longestRetryAfterMs);
}

async function pause(until: number, { clock, signal, onTick }: WatchWays): Promise<void> {
  while (clock.now() < until && !signal.aborted) {
    await onTick?.();
    const left = until - clock.now();
    await clock.sleep(onTick ? Math.min(tickMs, left) : left, signal);
  }
  if (signal.aborted) throw new BposError("interrupted", { during: "follow" });
  await onTick?.();
}

/**
 * Looks again and again, after 5 s and then less and less often, until everything is final or the time is over. A look
 * that fails for want of an answer is a step, and is tried again; everything else that `read` throws ends the watch.
 */
export async function* watchCampaigns<L extends Look>(
  read: () => Promise<L>,
  ways: WatchWays,
): AsyncGenerator<WatchStep<L>, void, undefined> {
  const { clock, signal, waitMs } = ways;
  const until = clock.now() + (waitMs ?? Number.POSITIVE_INFINITY);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * pauseGrowth)) {
    const came = await read().catch((error: unknown): BposError => {
      if (signal.aborted) throw new BposError("interrupted", { during: "follow" });
      if (!passing(error)) throw error;
      return error;
    });
    const at = clock.now();
    const failed = came instanceof BposError;
    const final = !failed && came.open === 0 && came.status.campaigns.every(isFinal);
    const due = at + Math.max(pauseMs, failed ? askedMs(came) : 0);
    // The last look begins when the time is over, not a minute before.
    const nextAt = final || at >= until ? undefined : Math.min(due, until);
    yield failed
      ? { kind: "failed", error: came, at, nextAt }
      : { kind: "looked", look: came, final, at, nextAt };
    if (nextAt === undefined) return;
    await pause(nextAt, ways);
  }
}

/** A recipient whose status is not what it was at the look before; `from` is null for one that is new. */
export interface RecipientChange {
  campaign: string;
  phone: string | null;
  from: string | null;
  to: string | null;
  message: string | null;
}

const nameOf = (campaign: string, phone: string | null): string => `${campaign}\n${phone ?? ""}`;

/** Every listed recipient whose status changed; without an earlier look, those that failed or carry a message. */
export function changesSince(before: CampaignsStatus | undefined, now: CampaignsStatus): RecipientChange[] {
  const known = new Map<string, string | null>();
  const each = function* ({ campaigns }: CampaignsStatus): Generator<RecipientChange> {
    for (const campaign of campaigns)
      for (const recipient of recipientsOf(campaign))
        yield {
          campaign: textOf(campaign.campaign_id) ?? "",
          phone: textOf(recipient["phone"]),
          from: null,
          to: textOf(recipient["status"]),
          message: textOf(recipient["error_message"]) || null,
        };
  };
  if (before === undefined)
    return [...each(now)].filter(({ to, message }) => to === "failed" || message !== null);
  for (const { campaign, phone, to } of each(before)) known.set(nameOf(campaign, phone), to);
  return [...each(now)].flatMap((change) => {
    const from = known.get(nameOf(change.campaign, change.phone));
    return from === change.to ? [] : [{ ...change, from: from ?? null }];
  });
}
