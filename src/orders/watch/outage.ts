import { type BposError, isReason } from "../../errors.ts";

/** A branch whose key was refused five times in a row is not going to come back by itself. */
const refusalsInARow = 5;
const firstPauseMs = 1_000;
const shortestPauseMs = 100;
/** A service that asks for more is asked again all the same: an order must not wait for a wrong header. */
const longestRetryAfterMs = 60 * 60_000;

/** Whether a poll that failed is worth another: the network comes back, a defect or a bad flag does not. */
export function isPassing(error: unknown): error is BposError {
  return (
    // A gateway that is being set up again answers 404 for a while.
    isReason(error, "input_refused") ||
    isReason(error, "unavailable") ||
    isReason(error, "unreadable_answer") ||
    isReason(error, "access_denied")
  );
}

/** Counts the polls that failed in a row, and says how long to wait until the next one. */
export class Outage {
  #beganAt: number | undefined;
  #failures = 0;
  #refusals = 0;

  /** Counts a failed poll; `now` in epoch milliseconds. */
  failed(error: BposError, now: number): { began: boolean; hopeless: boolean } {
    const began = this.#beganAt === undefined;
    this.#beganAt ??= now;
    this.#failures += 1;
    this.#refusals = error.reason === "access_denied" ? this.#refusals + 1 : 0;
    return { began, hopeless: this.#refusals >= refusalsInARow };
  }

  /** Ends the outage; how long it lasted in milliseconds, or undefined when there was none. */
  answered(now: number): number | undefined {
    const lasted = this.#beganAt === undefined ? undefined : now - this.#beganAt;
    this.#beganAt = undefined;
    this.#failures = 0;
    this.#refusals = 0;
    return lasted;
  }

  /** Milliseconds until the next try: full jitter up to the interval, never sooner than the service asked. */
  pauseMs(error: BposError, { intervalMs, random }: { intervalMs: number; random: number }): number {
    // A gateway that refuses for a while must not use up all tries within seconds.
    if (error.reason === "access_denied") return intervalMs * (0.9 + 0.2 * random);
    const asked = "retryAfterMs" in error.facts ? (error.facts.retryAfterMs ?? 0) : 0;
    const backoff = Math.min(intervalMs, firstPauseMs * 2 ** Math.min(this.#failures, 20)) * random;
    return Math.max(shortestPauseMs, backoff, Math.min(asked, longestRetryAfterMs));
  }
}
