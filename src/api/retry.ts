import { backoffMs } from "../contract/limits.ts";
import type { TransportFailure } from "./transport.ts";

export type Outcome =
  | { kind: "status"; status: number }
  | { kind: "unreadable" | "wrong_shape" }
  | { kind: "transport"; failure: TransportFailure; mayHaveArrived: boolean };

export const maxRetryAfterMs = 60_000;

const backoff = { firstMs: 250, maxMs: 20_000 };

export const isBusy = (status: number): boolean => status === 408 || status === 429 || status >= 500;

function isRetryable(outcome: Outcome): boolean {
  if (outcome.kind === "status") return isBusy(outcome.status);
  if (outcome.kind !== "transport") return outcome.kind === "unreadable";
  // A certificate or a proxy's mind does not change within seconds, and an answer too large comes again as large.
  return !["tls", "too_large", "aborted", "proxy_denied", "memory"].includes(outcome.failure);
}

/** True when the service may have acted on the request of this attempt, though nobody told us so. */
export function mayBeApplied(outcome: Outcome): boolean {
  if (outcome.kind === "transport") return outcome.mayHaveArrived;
  if (outcome.kind !== "status") return true;
  const { status } = outcome;
  // 301, 307 and 308 say "ask elsewhere"; other redirects are how a server answers a request that it handled.
  if (status < 400) return ![301, 307, 308].includes(status);
  // 409 may say that an earlier try with this key is still under way.
  return isBusy(status) || status === 409;
}

/** The pause before the next attempt, undefined for none. `attempt` is the one that failed, from 1; in `leftMs` the next one must begin. */
export function retryDelayMs(input: {
  outcome: Outcome;
  attempt: number;
  retries: number;
  retryAfterMs?: number | undefined;
  random: number;
  leftMs?: number | undefined;
}): number | undefined {
  const { outcome, attempt, retries, retryAfterMs = 0, random, leftMs = Number.POSITIVE_INFINITY } = input;
  if (!isRetryable(outcome) || attempt > retries || retryAfterMs > maxRetryAfterMs) return undefined;
  const delayMs = Math.max(retryAfterMs, Math.round(random * backoffMs(attempt, backoff)));
  return delayMs > leftMs ? undefined : delayMs;
}

/** For a header that asks for a wait and cannot be read: the usual backoff can be 0. */
const unreadableMs = 1_000;

// Date.parse reads almost anything, so only what begins as an HTTP date, or as an ISO date with its zone, is handed to it.
const httpDate = /^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/;
const isoDate = /^\d{4}-\d\d-\d\dT\S+(Z|[+-]\d\d:?\d\d)$/;
/** Also of `3 seconds`, and of `3, 3`, which a proxy makes of two headers. An ISO date without its zone is no number. */
const leadingNumber = /^(?!\d{4}-)\d+(\.\d+)?/;

function readRetryDate(value: string): number {
  if (httpDate.test(value)) return Date.parse(value.endsWith("GMT") ? value : `${value} GMT`);
  return isoDate.test(value) ? Date.parse(value) : Number.NaN;
}

/** Returns the milliseconds that a Retry-After header asks to wait, a number of seconds rounded up; undefined where there is no header. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const value = header.trim();
  const at = readRetryDate(value);
  if (!Number.isNaN(at)) return Math.max(0, at - now);
  const [seconds] = leadingNumber.exec(value) ?? [];
  if (seconds === undefined) return unreadableMs;
  // Hundreds of digits are Infinity, which no error could tell.
  return Math.min(Math.ceil(Number(seconds)) * 1000, Number.MAX_SAFE_INTEGER);
}
