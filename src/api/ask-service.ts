import { type Endpoint, endpoints } from "../contract/endpoints.ts";
import { masker } from "../errors/mask-key.ts";
import type { Detail } from "../errors/problems.ts";
import type { ProxyTrouble } from "../errors.ts";
import { type Address, pathSegment } from "./address.ts";
import {
  type AttemptRecord,
  type CallTrace,
  callRequest,
  type Heard,
  heardIn,
  redirectTo,
  userAgent,
} from "./call.ts";
import { ProxyError } from "./proxy.ts";
import { readAnswer, readProblem } from "./read-answer.ts";
import { isBusy } from "./retry.ts";
import { quoteOf } from "./safe-text.ts";
import { sendMasked } from "./send-masked.ts";
import { type Dispatcher, send, type TransportAnswer, TransportError } from "./transport.ts";

/** What one question tells of an address and of the key. */
type ServiceAnswer =
  /** It is the service, and it takes the key; `waiting` is the number of orders where it said so. */
  | { kind: "accepted"; status: number; waiting: number | null }
  /** It is the service, and it does not take the key, or there was none to take. */
  | { kind: "denied"; status: number; said: string }
  | { kind: "not_service"; status: number; detail: Detail; quote: string }
  | { kind: "moved"; status: number; to: string | null }
  | { kind: "busy"; status: number }
  | { kind: "silent"; detail: Detail; trouble: ProxyTrouble | undefined };

/** An answer, how many milliseconds it took, and what it tells of the service; nothing where there was none. */
export interface AskedService {
  answer: ServiceAnswer;
  ms: number;
  heard: Heard | undefined;
}

/** What asking needs. */
export interface AskOptions {
  dispatcher: Dispatcher;
  /** Undefined asks without a key: the service refuses that, and shows that it is there. */
  apiKey: string | undefined;
  timeoutMs: number;
  signal: AbortSignal;
  clock: { now(): number };
  trace?: CallTrace | undefined;
  onAttempt?: ((record: AttemptRecord) => void) | undefined;
}

/** No campaign has this id: the answer tells only whether the key is taken. */
const nobodysCampaign = "bpos-doctor";
/** A mock on this machine answers at once. */
const worldTimeoutMs = 2_000;
const longestAnswer = 8 * 1024 * 1024;

function question(
  which: Endpoint["base"],
  { origin, path }: Address,
): { endpoint: Endpoint; address: Address } {
  const endpoint = which === "base_url" ? endpoints.listOrders : endpoints.readCampaign;
  const rest = endpoint.path.replace("{campaign_id}", () => pathSegment(nobodysCampaign));
  return { endpoint, address: { origin, path: path + rest } };
}

function readService(
  endpoint: Endpoint,
  answer: TransportAnswer,
  { origin, mask }: { origin: string; mask: (text: string) => string },
): ServiceAnswer {
  const { status, text } = answer;
  const { quote = "" } = quoteOf(text);
  if (status >= 200 && status < 300) {
    const reading = readAnswer(endpoint, text);
    if (reading.kind !== "usable") return { kind: "not_service", status, detail: reading.detail, quote };
    const { total } = reading.body as { total?: unknown };
    return { kind: "accepted", status, waiting: typeof total === "number" ? total : null };
  }
  if (status < 400) return { kind: "moved", status, to: redirectTo(answer, origin, mask) };
  if (isBusy(status)) return { kind: "busy", status };
  const { serviceCode, serviceMessage, detail } = readProblem(text);
  const isOurs = serviceCode !== undefined || serviceMessage !== undefined;
  const isPage = typeof detail === "object" && detail.kind === "answer_html";
  if ((status === 401 || status === 403) && !isPage)
    return { kind: "denied", status, said: serviceMessage ?? quote };
  // Of a campaign that nobody has the service says so after it took the key.
  if (isOurs && endpoint === endpoints.readCampaign) return { kind: "accepted", status, waiting: null };
  if (detail !== undefined) return { kind: "not_service", status, detail, quote };
  return { kind: "not_service", status, detail: serviceMessage ?? serviceCode ?? "", quote: "" };
}

/** Asks the service something cheap once, without trying again, and tells what that shows. Never rejects. */
export async function askService(
  which: Endpoint["base"],
  base: Address,
  options: AskOptions,
): Promise<AskedService> {
  const { dispatcher, apiKey, timeoutMs, signal, clock, trace, onAttempt } = options;
  const { endpoint, address } = question(which, base);
  const asUsual = callRequest(endpoint, { address, signal });
  const { "X-API-Key": marked = "", ...rest } = asUsual.headers;
  const headersWith = (key: string): Record<string, string> =>
    apiKey === undefined ? rest : { "X-API-Key": key, ...rest };
  const request = { ...asUsual, headers: headersWith(marked) };
  const record = {
    endpoint: `${endpoint.method} ${endpoint.path}`,
    url: address.origin + address.path,
    attempt: 1,
  };
  const mask = masker(apiKey ?? "");
  const askedAt = clock.now();
  trace?.request(request, 1);
  try {
    const limits = { timeoutMs, maxBytes: longestAnswer, signal };
    const sent = { ...request, headers: headersWith(apiKey ?? ""), ...limits };
    const answer = await sendMasked(dispatcher, sent, mask);
    trace?.answer(answer, request);
    const ms = clock.now() - askedAt;
    onAttempt?.({ ...record, status: answer.status, ms });
    const heard = heardIn(answer, { askedAt, now: clock.now() });
    return { answer: readService(endpoint, answer, { origin: address.origin, mask }), ms, heard };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const { kind: failure, detail, cause } = error;
    const ms = clock.now() - askedAt;
    onAttempt?.({ ...record, failure, error: detail, ms });
    const trouble = cause instanceof ProxyError ? cause.trouble : undefined;
    return { answer: { kind: "silent", detail, trouble }, ms, heard: undefined };
  }
}

/**
 * Asks a mock for its world, without a key; undefined where nobody answers. What is no mock has nothing at that path, and tells its
 * time all the same. Never rejects.
 */
export async function askWorld(
  origin: string,
  { dispatcher, signal, clock }: Pick<AskOptions, "dispatcher" | "signal" | "clock">,
): Promise<Heard | undefined> {
  const askedAt = clock.now();
  const request = { method: "GET", origin, path: "/_mock/world", body: undefined } as const;
  const limits = { timeoutMs: worldTimeoutMs, maxBytes: longestAnswer, signal };
  try {
    const answer = await send(dispatcher, { ...request, headers: { "user-agent": userAgent }, ...limits });
    return heardIn(answer, { askedAt, now: clock.now() });
  } catch (error) {
    // What is wrong with that address is told by the command's own call.
    if (error instanceof TransportError) return undefined;
    throw error;
  }
}
