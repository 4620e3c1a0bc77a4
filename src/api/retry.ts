import { backoffMs } from "../contract/limits.ts";
import type { TransportFailure } from "./transport.ts";

export type Outcome =
  /** A whole answer arrived and its status, not a 2xx, decides. */
  | { kind: "status"; status: number }
  /** A 2xx that cannot be read: HTML, empty, cut off. */
  | { kind: "unreadable" }
  /** A 2xx of valid JSON without what makes it usable. */
  | { kind: "wrong_shape" }
  | { kind: "transport"; failure: TransportFailure; mayHaveArrived: boolean };

export type Decision =
  | { retry: true; delayMs: number }
  | { retry: false; why: "final" | "out_of_retries" | "wait_too_long" | "out_of_time" };

/** The longest Retry-After that is obeyed, in milliseconds. */
export const maxRetryAfterMs = 60_000;

const backoff = { firstMs: 250, maxMs: 20_000 };

/** True for a status that says "not now" and leaves open whether the request was handled. */
export const isBusy = (status: number): boolean => status === 408 || status === 429 || status >= 500;

function isRetryable(outcome: Outcome): boolean {
  switch (outcome.kind) {
    case "status":
      return isBusy(outcome.status);
    case "unreadable":
      return true;
    case "wrong_shape":
      return false;
    case "transport":
      // A certificate or a proxy's mind does not change within seconds, and an answer too large comes again as large.
      return !["tls", "too_large", "aborted", "proxy_denied"].includes(outcome.failure);
  }
}

/** True when the service may have acted on the request of this attempt, though nobody told us so. */
export function mayBeApplied(outcome: Outcome): boolean {
  switch (outcome.kind) {
    case "status":
      // 301, 307 and 308 say "ask elsewhere"; other redirects are how a server answers a request that it handled.
      if (outcome.status < 400) return ![301, 307, 308].includes(outcome.status);
      // 409 may say that an earlier try with this key is still under way.
      return isBusy(outcome.status) || outcome.status === 409;
    case "unreadable":
    case "wrong_shape":
      return true;
    case "transport":
      return outcome.mayHaveArrived;
  }
}

/** Whether to try again after `attempt` (1 is the first): full-jitter exponential backoff, never sooner than the service asked. */
export function decideRetry(input: {
  attempt: number;
  retries: number;
  outcome: Outcome;
  retryAfterMs: number | undefined;
  random: number;
  /** How long the next attempt may still begin; absent for ever. */
  leftMs?: number | undefined;
}): Decision {
  const { attempt, retries, outcome, retryAfterMs = 0, random, leftMs = Number.POSITIVE_INFINITY } = input;
  if (!isRetryable(outcome)) return { retry: false, why: "final" };
  if (attempt > retries) return { retry: false, why: "out_of_retries" };
  if (retryAfterMs > maxRetryAfterMs) return { retry: false, why: "wait_too_long" };
  const delayMs = Math.max(retryAfterMs, Math.round(random * backoffMs(attempt, backoff)));
  return delayMs > leftMs ? { retry: false, why: "out_of_time" } : { retry: true, delayMs };
}

/** Milliseconds to wait by a Retry-After header; undefined when it is neither whole seconds nor an HTTP date. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? "";
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // Date.parse reads almost anything, so only what begins as an HTTP date does is handed to it.
  if (!/^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/.test(value)) return undefined;
  // The oldest of the three forms carries no zone and means GMT.
  const at = Date.parse(value.endsWith("GMT") ? value : `${value} GMT`);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
