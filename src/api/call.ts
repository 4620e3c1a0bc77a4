import type * as z from "zod";
import type { Endpoint } from "../contract/endpoints.ts";
import { worldHeader } from "../contract/limits.ts";
import type { Detail } from "../errors/problems.ts";
import { BposError, type CallFacts } from "../errors.ts";
import { maskedBody, quoteOf, readAnswer, readProblem } from "./answer.ts";
import type { ClientOptions } from "./client.ts";
import { decideRetry, isBusy, maxRetryAfterMs, mayBeApplied, type Outcome, retryAfterMs } from "./retry.ts";
import {
  acceptedEncodings,
  codeOf,
  headerOf,
  ProxyError,
  send,
  type TransportAnswer,
  TransportError,
  type TransportFailure,
} from "./transport.ts";

/** One attempt of a call, for a log; it never holds the key. */
export interface AttemptRecord {
  /** Method and path below the base address, for example `GET /v1/orders`. */
  endpoint: string;
  url: string;
  /** 1 is the first. */
  attempt: number;
  status?: number;
  /** Set when no answer came: what kept it away. */
  failure?: TransportFailure;
  error?: Detail;
  /** Milliseconds the attempt took. */
  ms: number;
  /** Milliseconds of pause before the next attempt; absent when there is none. */
  waitMs?: number;
}

export interface Address {
  origin: string;
  /** Path and query. */
  path: string;
}

/** A request as it goes out; in its headers `[key]` stands for the key. */
export interface CallRequest extends Address {
  method: Endpoint["method"];
  headers: Readonly<Record<string, string>>;
  body: Buffer | undefined;
}

/** Hears of each request and its answer, for a person who looks for a fault. Requests and headers are as they are: they may hold anything. */
export interface CallTrace {
  /** Just before an attempt; 1 is the first. */
  request(request: CallRequest, attempt: number): void;
  /** A whole answer, whatever its status. */
  answer(answer: TransportAnswer, request: CallRequest): void;
}

/** What any answer tells of the service, whatever its status. */
export interface Heard {
  status: number;
  /** The world of a mock; undefined for a real service, or for a proxy in its place. */
  world: string | undefined;
  /** By how much this machine's clock is ahead of the service's, milliseconds; undefined where it told no time. */
  aheadMs: number | undefined;
}

/** A usable answer. */
export interface Answer<T> {
  /** As it came: nothing is dropped, renamed or rounded. An integer beyond 2^53 is a bigint, any other number that no double holds a LosslessNumber. */
  body: T;
  status: number;
  attempts: number;
  /** The Date header in epoch milliseconds. */
  date: number | undefined;
  /** Where the body differs from the specification, at most 20, for example `orders.3.total: expected number`. */
  mismatches: readonly string[];
}

type Settled = "dispatcher" | "timeoutMs" | "retries" | "maxResponseBytes";

export interface CallContext
  extends Omit<ClientOptions, "baseUrl" | "campaignsBaseUrl" | Settled>,
    Required<Pick<ClientOptions, Settled>> {
  mask: (text: string) => string;
}

export interface CallInput {
  address: Address;
  /** The endpoint's path with its parameter as it was given, for logs and errors; default the path as the contract has it. */
  path?: string;
  body?: Buffer;
  signal: AbortSignal | undefined;
  /** When it is too late for another attempt, epoch milliseconds. */
  until?: number | undefined;
}

/** Kept in step with package.json by a test. */
export const userAgent = "bpos/0.1.0";

interface Miss {
  outcome: Outcome;
  facts: Partial<
    Pick<CallFacts, "status" | "serviceCode" | "serviceMessage" | "quote" | "detail" | "proxy" | "untrusted">
  >;
  retryAfterMs?: number | undefined;
  cause?: TransportError;
}

type Attempt = { hit: Omit<Answer<unknown>, "attempts"> } | { miss: Miss };

function dateOf({ headers }: TransportAnswer): number | undefined {
  const date = Date.parse(headerOf(headers, "date") ?? "");
  return Number.isNaN(date) ? undefined : date;
}

/** What an answer tells of the service that was asked at `askedAt` and answered at `now`, epoch milliseconds. */
export function heardIn(answer: TransportAnswer, askedAt: number, now: number): Heard {
  const date = dateOf(answer);
  // The service told the time somewhere between the question and the answer, in whole seconds.
  const aheadMs = date === undefined ? undefined : Math.round((askedAt + now) / 2 - date - 500);
  return { status: answer.status, world: headerOf(answer.headers, worldHeader), aheadMs };
}

function readAttempt(
  { mask, clock }: CallContext,
  endpoint: Endpoint,
  { address: { origin } }: CallInput,
  answer: TransportAnswer,
): Attempt {
  const { status, text, headers } = answer;
  if (status >= 200 && status < 300) {
    const reading = readAnswer(endpoint, text);
    if (reading.kind === "usable")
      return { hit: { body: reading.body, status, date: dateOf(answer), mismatches: reading.mismatches } };
    const { kind, detail } = reading;
    return { miss: { outcome: { kind }, facts: { status, detail, ...quoteOf(text) } } };
  }
  const wait = retryAfterMs(headerOf(headers, "retry-after"), clock.now());
  const outcome = { kind: "status", status } as const;
  if (status >= 400)
    return { miss: { outcome, facts: { status, ...readProblem(text) }, retryAfterMs: wait } };
  const location = headerOf(headers, "location");
  const to =
    location !== undefined && URL.canParse(location, origin) ? mask(new URL(location, origin).origin) : null;
  return { miss: { outcome, facts: { status, detail: { kind: "redirect", to } }, retryAfterMs: wait } };
}

function maskedDetail(detail: Detail, mask: CallContext["mask"]): Detail {
  return JSON.parse(JSON.stringify(detail), (name, value: unknown) =>
    typeof value === "string" && name !== "kind" ? mask(value) : value,
  ) as Detail;
}

function missOf(error: TransportError, mask: CallContext["mask"]): Miss {
  const { kind: failure, mayHaveArrived, partial, cause } = error;
  const detail = maskedDetail(error.detail, mask);
  if ((failure === "reset" || failure === "protocol") && partial && partial.status < 300) {
    const facts = { status: partial.status, detail: { kind: "broke_off", detail } as const };
    return { outcome: { kind: "unreadable" }, facts: { ...facts, ...quoteOf(mask(partial.text)) } };
  }
  const facts: Miss["facts"] = {
    detail,
    ...(cause instanceof ProxyError && { proxy: cause.trouble }),
    // It is the certificate at the other end that does not hold.
    ...(/CERT|UNABLE_TO|INVALID_CA/.test(codeOf(cause)) && { untrusted: true as const }),
  };
  return { outcome: { kind: "transport", failure, mayHaveArrived }, facts, cause: error };
}

export function callRequest(
  { method }: Endpoint,
  { address, body }: Pick<CallInput, "address" | "body">,
): CallRequest {
  return {
    ...{ method, ...address, body },
    headers: {
      "X-API-Key": "[key]",
      accept: "application/json",
      "accept-encoding": acceptedEncodings,
      "user-agent": userAgent,
      ...(body && { "content-type": "application/json" }),
    },
  };
}

async function attemptOnce(
  context: CallContext,
  endpoint: Endpoint,
  input: CallInput,
  attempt: number,
): Promise<Attempt> {
  const { dispatcher, apiKey, timeoutMs, maxResponseBytes: maxBytes, mask, trace, clock } = context;
  const { signal } = input;
  const askedAt = clock.now();
  const request = callRequest(endpoint, input);
  const { "X-API-Key": _, ...others } = request.headers;
  const headers = apiKey === "" ? others : { "X-API-Key": apiKey, ...others };
  trace?.request(request, attempt);
  try {
    const found = await send(dispatcher, { ...request, headers, timeoutMs, maxBytes, signal });
    // Nothing that is made of it can show or keep the key.
    const answer = { ...found, text: maskedBody(found.text, mask) };
    trace?.answer(answer, request);
    context.onAnswer?.(heardIn(answer, askedAt, clock.now()));
    return readAttempt(context, endpoint, input, answer);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (error.kind === "aborted") throw new BposError("interrupted", { during: "work" });
    return { miss: missOf(error, mask) };
  }
}

/** How a call fails, but for what it was asked to stop for. */
export type CallReason =
  | "access_denied"
  | "input_refused"
  | "unavailable"
  | "unreadable_answer"
  | "outcome_unknown";

function reasonOf(outcome: Outcome): CallReason {
  if (outcome.kind === "transport")
    return ["too_large", "protocol"].includes(outcome.failure) ? "unreadable_answer" : "unavailable";
  if (outcome.kind !== "status") return "unreadable_answer";
  const { status } = outcome;
  if (status === 401 || status === 403) return "access_denied";
  return status >= 400 && !isBusy(status) ? "input_refused" : "unavailable";
}

/**
 * Calls an endpoint: attempts, pauses, and one validated answer. Throws BposError access_denied, input_refused,
 * unavailable, unreadable_answer, outcome_unknown (only for a POST that may have been applied) or interrupted.
 *
 * A POST is repeated as a GET is, because its body carries the endpoint's `resendKey`: the service applies the same
 * key once (`docs/service.md` 4.2 and 4.3). That holds only while every attempt sends the same bytes, so they are made before.
 */
export async function call<E extends Endpoint>(
  context: CallContext,
  endpoint: E,
  input: CallInput,
): Promise<Answer<z.output<E["response"]>>> {
  const { clock, retries, random, onAttempt } = context;
  const { address, signal } = input;
  const name = context.mask(`${endpoint.method} ${input.path ?? endpoint.path}`);
  const record = { endpoint: name, url: address.origin + address.path };
  let unknown = false;
  for (let attempt = 1; ; attempt++) {
    const startedAt = clock.now();
    const result = await attemptOnce(context, endpoint, input, attempt);
    const ms = clock.now() - startedAt;
    if ("hit" in result) {
      onAttempt?.({ ...record, attempt, status: result.hit.status, ms });
      return { ...result.hit, attempts: attempt } as Answer<z.output<E["response"]>>;
    }
    const { miss } = result;
    const { outcome, facts } = miss;
    unknown ||= endpoint.resendKey !== null && mayBeApplied(outcome);
    const leftMs = input.until === undefined ? undefined : input.until - clock.now();
    const { retryAfterMs } = miss;
    const decision = decideRetry({ attempt, retries, outcome, retryAfterMs, random: random(), leftMs });
    onAttempt?.({
      ...record,
      attempt,
      ...(facts.status !== undefined && { status: facts.status }),
      ...(outcome.kind === "transport" && { failure: outcome.failure }),
      error: facts.detail ?? facts.serviceCode ?? outcome.kind,
      ms,
      ...(decision.retry && { waitMs: decision.delayMs }),
    });
    if (!decision.retry) {
      const reason = unknown ? "outcome_unknown" : reasonOf(outcome);
      const more = {
        ...(retryAfterMs !== undefined && { retryAfterMs }),
        ...(decision.why === "wait_too_long" && { longestWaitMs: maxRetryAfterMs }),
      };
      const about = { endpoint: record.endpoint, origin: address.origin, attempts: attempt };
      throw new BposError(reason, { ...about, ...facts, ...more }, { cause: miss.cause });
    }
    await clock.sleep(decision.delayMs, signal);
  }
}
