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
  // Certificates and proxies do not change within seconds, and an answer that is too large stays so.
  return !["tls", "too_large", "aborted", "proxy_denied", "memory"].includes(outcome.failure);
}

/** Returns true if the service may have acted on the request of this attempt without saying so. */
export function mayBeApplied(outcome: Outcome): boolean {
  if (outcome.kind === "transport") return outcome.mayHaveArrived;
  if (outcome.kind !== "status") return true;
  const { status } = outcome;
  // 301, 307 and 308 mean "ask elsewhere"; a server may answer a request that it handled with other redirects.
  if (status < 400) return ![301, 307, 308].includes(status);
  // 409 may mean that an earlier attempt with this key is still under way.
  return isBusy(status) || status === 409;
}

/** Returns the milliseconds to wait before the next attempt, undefined for none. `attempt` is the one that failed, from 1; the next one must begin within `leftMs`. */
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

/** The wait for an unreadable Retry-After: the usual backoff can be 0. */
const unreadableMs = 1_000;

// Date.parse reads almost anything, so it gets only texts that begin as an HTTP date, or as an ISO date with its zone.
const httpDate = /^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/;
const isoDate = /^\d{4}-\d\d-\d\dT\S+(Z|[+-]\d\d:?\d\d)$/;
/** Matches a number of seconds, also in `3 seconds` and in `3, 3`, which a proxy makes of two headers; not in an ISO date without its zone. */
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
  // Hundreds of digits are Infinity, which no error message could show.
  return Math.min(Math.ceil(Number(seconds)) * 1000, Number.MAX_SAFE_INTEGER);
}
