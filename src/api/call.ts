import type * as z from "zod";
import type { Endpoint } from "../contract/endpoints.ts";
import { worldHeader, worldTimeHeader } from "../contract/limits.ts";
import type { Detail } from "../errors/problems.ts";
import { BposError, type CallFacts } from "../errors.ts";
import { version } from "../version.ts";
import { maskedBody, readAnswer, readProblem, readQuote } from "./answer.ts";
import { isBusy, maxRetryAfterMs, mayBeApplied, type Outcome, retryAfterMs, retryDelayMs } from "./retry.ts";
import {
  acceptedEncodings,
  type Dispatcher,
  HeldBack,
  readErrorCode,
  readHeader,
  send,
  type TransportAnswer,
  TransportError,
  type TransportFailure,
  type TransportRequest,
  wantsClientCert,
} from "./transport.ts";

/** Options of a client. */
export interface ClientOptions {
  /** Address of orders and catalog; may have a path. Empty when it is not used: then calls to it throw address_missing. */
  baseUrl: string;
  /** Address of campaigns, as above. */
  campaignsBaseUrl: string;
  apiKey: string;
  /** Milliseconds for one request: connecting (at most 10 s of it), headers and the whole body. Default 30,000. */
  timeoutMs?: number;
  /** Attempts after the first. Default 4. */
  retries?: number;
  /** Longest answer in bytes, as sent and as unpacked. Default 32 MiB. */
  maxResponseBytes?: number;
  /** An undici dispatcher, for example a proxy; it stays open. Default: an Agent of our own, which `close` closes. */
  dispatcher?: Dispatcher;
  onAttempt?: (record: AttemptRecord) => void;
  /** Called with each request and answer as it is; neither holds the key, unless a body does. */
  trace?: CallTrace;
  /** Called with the facts of each answer, before the call ends. */
  onAnswer?: (heard: Heard) => void;
  clock: { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };
  /** A number in [0, 1), for the jitter of pauses. */
  random: () => number;
}

/** One attempt of a call, for a log; it never holds the key. */
export interface AttemptRecord {
  /** Method and path below the base address, for example `GET /v1/orders`. */
  endpoint: string;
  url: string;
  /** 1 is the first. */
  attempt: number;
  status?: number;
  /** The reason why no answer came, if none did. */
  failure?: TransportFailure;
  error?: Detail;
  /** Duration of the attempt, and of the pause before the next one if there is one; in milliseconds. */
  ms: number;
  waitMs?: number;
}

export type Address = { origin: string; path: string };

export type CallRequest = Pick<TransportRequest, "origin" | "path" | "method" | "headers" | "body">;

/** Called with each request, just before an attempt, and with each complete answer, as they are: they may hold anything but the key. */
export interface CallTrace {
  request(request: CallRequest, attempt: number): void;
  answer(answer: TransportAnswer, request: CallRequest): void;
}

/** Facts from any answer: the world of a mock, and the number of milliseconds that this machine's clock is ahead, if the answer has a time. */
export type Heard = { status: number; world: string | undefined; aheadMs: number | undefined };

/** A valid answer. */
export interface Answer<T> {
  /** The body as it came: nothing is dropped, renamed or rounded. An integer beyond 2^53 is a bigint, any other number that no double holds a LosslessNumber. */
  body: T;
  status: number;
  attempts: number;
  /** The Date header in epoch milliseconds. */
  date: number | undefined;
  /** Differences from the specification, at most 20, for example `orders.3.total: expected number`. */
  mismatches: readonly string[];
}

export type CallContext = ClientOptions &
  Required<Pick<ClientOptions, "dispatcher" | "timeoutMs" | "retries" | "maxResponseBytes">> & {
    mask: (text: string) => string;
  };

interface CallInput {
  address: Address;
  path?: string;
  body?: Buffer;
  signal?: AbortSignal | undefined;
  until?: number | undefined;
  check?: (() => Promise<void>) | undefined;
  onBusy?: (() => void) | undefined;
}

export const userAgent = `bpos/${version}`;

type Hit = Omit<Answer<unknown>, "attempts">;
interface Miss {
  outcome: Outcome;
  facts: Partial<CallFacts>;
  retryAfterMs?: number | undefined;
  cause?: TransportError;
}

function readDate({ headers }: TransportAnswer): number | undefined {
  const date = Date.parse(readHeader(headers, "date") ?? "");
  return Number.isNaN(date) ? undefined : date;
}

export function heardIn(answer: TransportAnswer, askedAt: number, now: number): Heard {
  const date = readDate(answer);
  const exact = Number(readHeader(answer.headers, worldTimeHeader) ?? Number.NaN);
  const heardAt = Number.isNaN(exact) ? date && date + 500 : exact;
  const aheadMs = heardAt === undefined ? undefined : Math.floor((askedAt + now) / 2 - heardAt);
  return { status: answer.status, world: readHeader(answer.headers, worldHeader), aheadMs };
}

function readAttempt(
  answer: TransportAnswer,
  endpoint: Endpoint,
  origin: string,
  { mask, clock }: CallContext,
): Hit | Miss {
  const { status, text, headers } = answer;
  if (status < 300) {
    const reading = readAnswer(endpoint, text);
    if (reading.kind === "usable")
      return { body: reading.body, status, date: readDate(answer), mismatches: reading.mismatches };
    const { kind, detail } = reading;
    return { outcome: { kind }, facts: { status, detail, ...readQuote(text) } };
  }
  const wait = retryAfterMs(readHeader(headers, "retry-after"), clock.now());
  const miss = { outcome: { kind: "status", status }, retryAfterMs: wait } as const;
  if (status >= 400) return { ...miss, facts: { status, ...readProblem(text) } };
  const location = readHeader(headers, "location");
  const isAddress = location !== undefined && URL.canParse(location, origin);
  const to = isAddress ? mask(new URL(location, origin).origin) : null;
  return { ...miss, facts: { status, detail: { kind: "redirect", to } } };
}

/** Returns which side does not accept the certificate of the other. */
function whyTls(error: unknown): Pick<CallFacts, "clientCert" | "untrusted"> {
  if (wantsClientCert(error)) return { clientCert: true };
  return /CERT|UNABLE_TO|INVALID_CA/.test(readErrorCode(error)) ? { untrusted: true } : {};
}

function toMiss(error: TransportError, mask: CallContext["mask"]): Miss {
  const { kind: failure, mayHaveArrived, proxy } = error;
  const masked = (name: string, value: unknown): unknown =>
    typeof value === "string" && name !== "kind" ? mask(value) : value;
  return {
    outcome: { kind: "transport", failure, mayHaveArrived },
    facts: {
      detail: JSON.parse(JSON.stringify(error.detail), masked) as Detail,
      ...(proxy && { proxy }),
      ...whyTls(error.cause),
    },
    cause: error,
  };
}

export function callRequest({ method }: Endpoint, address: Address, body: Buffer | undefined): CallRequest {
  const type = "application/json";
  const asking = { accept: type, "accept-encoding": acceptedEncodings, "user-agent": userAgent };
  const headers = { "X-API-Key": "[key]", ...asking, ...(body && { "content-type": type }) };
  return { method, ...address, body, headers };
}

async function attemptOnce(
  context: CallContext,
  endpoint: Endpoint,
  { address, body, signal, check }: CallInput,
  attempt: number,
): Promise<Hit | Miss> {
  const { dispatcher, apiKey, timeoutMs, maxResponseBytes: maxBytes, mask, trace, clock } = context;
  const askedAt = clock.now();
  const request = callRequest(endpoint, address, body);
  const { "X-API-Key": _, ...others } = request.headers;
  const headers = apiKey === "" ? others : { "X-API-Key": apiKey, ...others };
  trace?.request(request, attempt);
  try {
    const found = await send(dispatcher, { ...request, headers, check, timeoutMs, maxBytes, signal });
    // Keeps the key out of everything that is made of it.
    const answer = { ...found, text: maskedBody(found.text, mask) };
    trace?.answer(answer, request);
    context.onAnswer?.(heardIn(answer, askedAt, clock.now()));
    return readAttempt(answer, endpoint, address.origin, context);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (error.kind === "aborted") throw new BposError("interrupted", { during: "work" });
    return toMiss(error, mask);
  }
}

function chooseReason(outcome: Outcome) {
  if (outcome.kind === "transport" && outcome.failure === "memory") return "memory_short";
  if (outcome.kind === "transport")
    return ["too_large", "protocol"].includes(outcome.failure) ? "unreadable_answer" : "unavailable";
  if (outcome.kind !== "status") return "unreadable_answer";
  const { status } = outcome;
  if (status === 401 || status === 403) return "access_denied";
  return status >= 400 && !isBusy(status) ? "input_refused" : "unavailable";
}
export type CallReason = ReturnType<typeof chooseReason> | "outcome_unknown";

/**
 * Throws BposError of a CallReason (`outcome_unknown` only for a POST that may have been applied) or interrupted. A POST is
 * repeated as a GET is: the service applies the same `resendKey` once, as long as every attempt sends the same bytes.
 */
export async function call<E extends Endpoint>(
  context: CallContext,
  endpoint: E,
  input: CallInput,
): Promise<Answer<z.output<E["response"]>>> {
  const { clock, retries, random, onAttempt } = context;
  const { origin, path } = input.address;
  const name = context.mask(`${endpoint.method} ${input.path ?? endpoint.path}`);
  let unknown = false;
  for (let attempt = 1; ; attempt++) {
    const holdBack = (error: unknown): never => {
      if (!unknown) throw error;
      const facts = { endpoint: name, origin, attempts: attempt - 1, detail: (error as Error).message };
      throw new BposError("outcome_unknown", facts, { cause: error });
    };
    // The intent of a first attempt was just written under the lock, and the transport checks again before a body leaves.
    if (attempt > 1 || input.body === undefined) await input.check?.().catch(holdBack);
    const startedAt = clock.now();
    const result = await attemptOnce(context, endpoint, input, attempt).catch((error: unknown) => {
      if (error instanceof HeldBack) return holdBack(error.cause);
      throw error;
    });
    const now = clock.now();
    const record = { endpoint: name, url: origin + path, attempt, ms: now - startedAt };
    if ("body" in result) {
      onAttempt?.({ ...record, status: result.status });
      return { ...result, attempts: attempt } as Answer<z.output<E["response"]>>;
    }
    const { outcome, facts, retryAfterMs, cause } = result;
    const isInTrouble = mayBeApplied(outcome) || facts.status === 429 || retryAfterMs !== undefined;
    if (isInTrouble) input.onBusy?.();
    unknown ||= endpoint.resendKey !== null && mayBeApplied(outcome);
    const leftMs = input.until === undefined ? undefined : input.until - now;
    const waitMs = retryDelayMs({ attempt, retries, outcome, retryAfterMs, random: random(), leftMs });
    onAttempt?.({
      ...record,
      ...(facts.status !== undefined && { status: facts.status }),
      ...(outcome.kind === "transport" && { failure: outcome.failure }),
      error: facts.detail ?? facts.serviceCode ?? outcome.kind,
      ...(waitMs !== undefined && { waitMs }),
    });
    if (waitMs === undefined) {
      const wait = {
        ...(retryAfterMs !== undefined && { retryAfterMs }),
        ...((retryAfterMs ?? 0) > maxRetryAfterMs && { maxWaitMs: maxRetryAfterMs }),
      };
      const known = { endpoint: name, origin, attempts: attempt, ...facts, ...wait };
      throw new BposError(unknown ? "outcome_unknown" : chooseReason(outcome), known, { cause });
    }
    await clock.sleep(waitMs, input.signal);
  }
}
