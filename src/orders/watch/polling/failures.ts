import { backoffMs } from "../../../contract/limits.ts";
import { type BposError, isReason } from "../../../errors.ts";

/** A restarting service may refuse a key for minutes; a computer that slept meanwhile has asked only once. */
const maxRefusedMs = 5 * 60_000;
const minRefusals = 5;
const maxRefusalPauseMs = 60_000;
const firstBackoffMs = 1_000;
const minBackoffMs = 100;
/** A longer Retry-After is ignored: an order must not wait because of a wrong header. */
const maxRetryAfterMs = 60 * 60_000;

// Networks recover; a gateway that is restarting answers 404 for a while.
const passing = ["input_refused", "unavailable", "unreadable_answer", "access_denied"] as const;
const isPassing = (error: unknown): error is BposError => passing.some((reason) => isReason(error, reason));

/** Polls that failed in a row, and refusals at their end. */
export interface FailedPolls {
  failures: number;
  refusals: number;
  /** When the first of these refusals came, epoch milliseconds. */
  refusedAt: number;
  /** Whether this outage has been reported as one that ends the watch. */
  isRefusalTold: boolean;
}

export const noFailures: FailedPolls = { failures: 0, refusals: 0, refusedAt: 0, isRefusalTold: false };

interface Circumstances {
  clock: { now(): number };
  random: () => number;
  intervalMs: number;
  /** The pause until the next poll if this one had not failed. */
  pauseMs: number;
  /** Whether the service has answered at all in this run. */
  hasAnswered: boolean;
  /** Whether the service has accepted the key, in this run or an earlier one. */
  hasWorked: () => Promise<boolean>;
}

/** A poll that failed and is retried. */
interface Retried {
  error: BposError;
  failed: FailedPolls;
  pauseMs: number;
  /** How long refusals are retried; only with the first of them. */
  stopsAfterMs: number | undefined;
}

/**
 * Returns how a failed poll is retried. Throws the error where a retry would not help: the service refuses a key or an address that never worked,
 * or one that did for five minutes.
 */
export async function retryFailed(
  error: unknown,
  before: FailedPolls,
  { clock, random, intervalMs, pauseMs, hasAnswered, hasWorked }: Circumstances,
): Promise<Retried> {
  if (!isPassing(error)) throw error;
  const isRefusal = isRefused(error, hasAnswered);
  // A key or an address that never worked is wrong; one that did may work again.
  if (isRefusal && !(await hasWorked())) throw error;

  const failed = countFailure(before, isRefusal, clock.now());
  if (isRefusedForLong(failed, clock.now())) throw error;
  return {
    error,
    failed,
    pauseMs: isRefusal
      ? toRefusalPause(error, pauseMs)
      : toBackoff(error, failed.failures, intervalMs, random()),
    stopsAfterMs: isRefusal && !before.isRefusalTold ? maxRefusedMs : undefined,
  };
}

/** Whether the service refuses the key, or the address before it has answered there at all. */
const isRefused = ({ reason }: BposError, hasAnswered: boolean): boolean =>
  reason === "access_denied" || (reason === "input_refused" && !hasAnswered);

function countFailure(failed: FailedPolls, isRefusal: boolean, now: number): FailedPolls {
  const failures = failed.failures + 1;
  if (!isRefusal) return { ...failed, failures, refusals: 0 };
  const refusedAt = failed.refusals === 0 ? now : failed.refusedAt;
  return { failures, refusals: failed.refusals + 1, refusedAt, isRefusalTold: true };
}

const isRefusedForLong = ({ refusals, refusedAt }: FailedPolls, now: number): boolean =>
  refusals >= minRefusals && Math.abs(now - refusedAt) >= maxRefusedMs;

const readRetryAfter = ({ facts }: BposError): number =>
  Math.min("retryAfterMs" in facts ? (facts.retryAfterMs ?? 0) : 0, maxRetryAfterMs);

/** Milliseconds until the next attempt: full jitter up to the interval, never sooner than the service asked. */
function toBackoff(error: BposError, failures: number, intervalMs: number, random: number): number {
  const backoff = backoffMs(failures + 1, { firstMs: firstBackoffMs, maxMs: intervalMs }) * random;
  return Math.max(minBackoffMs, backoff, readRetryAfter(error));
}

/** A refusing gateway is asked no more often than one that answers, but often enough to decide within five minutes. */
const toRefusalPause = (error: BposError, pauseMs: number): number =>
  Math.max(Math.min(pauseMs, maxRefusalPauseMs), readRetryAfter(error));
