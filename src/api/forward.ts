import type { Detail } from "../errors/problems.ts";
import type { Address } from "./address.ts";
import { userAgent } from "./call.ts";
import { type Dispatcher, send, TransportError } from "./transport.ts";

/** Why a body was not taken: the answer's status, or why none came. */
export interface NotTaken {
  status: number | null;
  detail: Detail;
  /** True when the caller's signal ended it: whether it arrived is not known. */
  stopped: boolean;
}

/** How `forwardJson` posts. */
export interface ForwardOptions {
  dispatcher: Dispatcher;
  address: Address;
  /** Added to those of every JSON request. */
  headers: Record<string, string>;
  timeoutMs: number;
}

// Nobody reads the answer, only its status.
const maxAnswerBytes = 1024 * 1024;

/** Where to forward to; undefined unless it is an http(s) address without credentials. */
export function forwardAddress(text: string): Address | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return undefined;
  return { origin: url.origin, path: url.pathname + url.search };
}

/** Posts the bytes of a JSON text, once and to no other place; undefined when they were taken, that is, answered with a 2xx. */
export async function forwardJson(
  { dispatcher, address, headers, timeoutMs }: ForwardOptions,
  body: Buffer,
  signal: AbortSignal,
): Promise<NotTaken | undefined> {
  try {
    const { status } = await send(dispatcher, {
      ...{ method: "POST", ...address, body, timeoutMs, maxBytes: maxAnswerBytes, signal },
      headers: { "content-type": "application/json", "user-agent": userAgent, ...headers },
    });
    return status >= 200 && status < 300 ? undefined : { status, detail: "", stopped: false };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { status: null, detail: error.detail, stopped: error.kind === "aborted" };
  }
}
