import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import Agent from "undici/lib/dispatcher/agent.js";
import type { Detail } from "../errors/problems.ts";
import type { ProxyTrouble } from "../errors.ts";
import { ProxyError } from "./proxy.ts";

// Only the pool of connections: the whole of undici, fetch and WebSocket included, takes four times as long to load.

/** How an exchange is held up or ended from this side. */
export interface DispatchController {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** What is told of an exchange, in this order. */
export interface DispatchHandler {
  /** Just before the first byte is written. */
  onRequestStart(controller: DispatchController): void;
  /** A proxy passes the request on and may answer in the service's place. */
  onPassedOn?(proxy: ProxyTrouble): void;
  onResponseStart(
    controller: DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void;
  onResponseData(controller: DispatchController, chunk: Buffer): void;
  onResponseEnd(): void;
  onResponseError(controller: DispatchController, error: Error): void;
}

/** What is sent; the two time-outs are in milliseconds, 0 is none. */
export interface DispatchOptions {
  origin: string;
  path: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: Buffer;
  headersTimeout: number;
  bodyTimeout: number;
}

/**
 * What is asked of a pool of connections: a Dispatcher of undici 7 or newer has it. Spelled out here because undici is
 * bundled, and its own type fits no other version of itself.
 */
export interface Dispatcher {
  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean;
  destroy(): Promise<void>;
}

/** Why no answer arrived. */
export type TransportFailure =
  | "refused"
  | "dns"
  | "tls"
  | "timeout"
  | "reset"
  | "too_large"
  | "aborted"
  | "protocol"
  /** A proxy cannot be reached, or not now. */
  | "proxy"
  /** A proxy has said no. */
  | "proxy_denied";

/** What had arrived of an answer when its connection broke. */
export interface PartialAnswer {
  status: number;
  text: string;
}

/** A request without an answer; `mayHaveArrived` is false when no byte of it can have reached the service. */
export class TransportError extends Error {
  readonly kind: TransportFailure;
  readonly detail: Detail;
  readonly mayHaveArrived: boolean;
  readonly partial: PartialAnswer | undefined;

  constructor(
    kind: TransportFailure,
    detail: Detail,
    about: { mayHaveArrived: boolean; partial?: PartialAnswer | undefined; cause?: Error },
  ) {
    super(typeof detail === "string" ? detail : detail.kind, about.cause && { cause: about.cause });
    this.name = "TransportError";
    this.kind = kind;
    this.detail = detail;
    this.mayHaveArrived = about.mayHaveArrived;
    this.partial = about.partial;
  }
}

/** One HTTP request. */
export interface TransportRequest {
  method: "GET" | "POST";
  origin: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  /** Milliseconds for all of it: connecting, headers and the whole body. */
  timeoutMs: number;
  /** Longest body that is read, in bytes, before and after decompression. */
  maxBytes: number;
  signal: AbortSignal | undefined;
}

/** One HTTP answer, decompressed, whatever its status. */
export interface TransportAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  /** The proxy that may have given it in the service's place. */
  via?: ProxyTrouble;
}

const longestConnectMs = 10_000;
// A timer beyond 2^31 - 1 ms fires at once.
const longestTimerMs = 2 ** 31 - 1;

/** Opens a connection to the host of an address, TLS included; `port` is empty for the scheme's own, `servername` null for none. */
export type Connector = (
  target: { hostname: string; port: string; servername?: string | null },
  callback: (...result: [null, Socket] | [Error, null]) => void,
) => void;

/** How a pool of connections is made. */
export interface AgentOptions {
  /** Time-out of one request, in milliseconds. */
  timeoutMs?: number | undefined;
  /** Whose certificates are trusted; without it, whom Node trusts. */
  secureContext?: SecureContext | undefined;
  connect?: Connector;
}

/** How long connecting may take where a request may take that long, both in milliseconds. */
export const connectLimit = (timeoutMs = longestConnectMs): number => Math.min(longestConnectMs, timeoutMs);

/** A pool of connections of our own. */
export function ownAgent({ timeoutMs, secureContext, connect }: AgentOptions = {}): Dispatcher {
  const timeout = connectLimit(timeoutMs);
  return new Agent({ connect: connect ?? { timeout, ...(secureContext && { secureContext }) } });
}

const decoders = new Map([
  ["gzip", promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)],
  ["deflate", promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)],
  ["br", promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress)],
]);

/**
 * The encodings that `send` undoes, for the Accept-Encoding header. Pages of orders shrink several times over, which
 * counts on a shop's line. Done by the platform's zlib, whose `maxOutputLength` stops a bomb while it unpacks; undici's
 * own interceptor warns that it is experimental on every user's standard error.
 */
export const acceptedEncodings = [...decoders.keys()].join(", ");

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // OpenSSL's messages are records of its source files; its reason is what a person can read.
  return "reason" in error && typeof error.reason === "string" ? error.reason : error.message;
}
const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

function kindOf(code: string, started: boolean): TransportFailure {
  if (/^(ENOTFOUND|EAI_)/.test(code)) return "dns";
  if (/TIMEDOUT|TIMEOUT/.test(code)) return "timeout";
  if (code === "UND_ERR_DESTROYED" || code === "UND_ERR_CLOSED") return "aborted";
  if (/^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/.test(code)) {
    return "reset";
  }
  if (started) return "protocol";
  // What OpenSSL and Node call a certificate or a handshake that does not hold.
  if (
    /CERT|^(ERR_TLS|ERR_SSL|EPROTO|UNABLE_TO|UND_ERR_PRX_TLS|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/.test(
      code,
    )
  ) {
    return "tls";
  }
  return "refused";
}

/** What the error of a dispatch means, and in words; `started` when a byte of the request may have left. */
export function explainFailure(error: unknown, started: boolean): { kind: TransportFailure; detail: Detail } {
  if (error instanceof ProxyError)
    return { kind: error.isFinal ? "proxy_denied" : "proxy", detail: error.detail };
  const code = codeOf(error);
  const message = messageOf(error) || code;
  return { kind: kindOf(code, started), detail: message.includes(code) ? message : `${message} (${code})` };
}

/** One exchange on the wire. It talks to `dispatch` and not to undici's `request` to learn when the first byte leaves. */
class Exchange implements DispatchHandler {
  readonly #request: TransportRequest;
  readonly #settle: { resolve: (answer: TransportAnswer) => void; reject: (error: TransportError) => void };
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #controller: DispatchController | undefined;
  #size = 0;
  #status = 0;
  #headers: TransportAnswer["headers"] = {};
  #via: ProxyTrouble | undefined;
  #settled = false;

  constructor(
    request: TransportRequest,
    resolve: (answer: TransportAnswer) => void,
    reject: (error: TransportError) => void,
  ) {
    this.#request = request;
    this.#settle = { resolve, reject };
    const { timeoutMs, signal } = request;
    this.#timer = setTimeout(
      () => {
        this.#fail("timeout", { kind: "too_slow", ms: timeoutMs, complete: true });
      },
      Math.min(timeoutMs, longestTimerMs),
    );
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  readonly #onAbort = (): void => {
    this.#fail("aborted", { kind: "given_up" });
  };

  /** Ends it without a word: it never began. */
  drop(): void {
    this.#finish();
  }

  #finish(): void {
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener("abort", this.#onAbort);
  }

  #fail(kind: TransportFailure, detail: Detail, cause?: Error): void {
    if (this.#settled) return;
    this.#finish();
    const partial =
      this.#status > 0 && this.#encoding() === "" ? { status: this.#status, text: this.#text() } : undefined;
    const mayHaveArrived = this.#controller !== undefined && !(cause instanceof ProxyError);
    const error = new TransportError(kind, detail, { mayHaveArrived, partial, ...(cause && { cause }) });
    this.#settle.reject(error);
    this.#controller?.abort(error);
  }

  #tooLarge(): void {
    this.#fail("too_large", { kind: "answer_too_large", maxBytes: this.#request.maxBytes });
  }

  #text(): string {
    return new TextDecoder().decode(Buffer.concat(this.#chunks));
  }

  #encoding(): string {
    const encoding = String(this.#headers["content-encoding"] ?? "")
      .trim()
      .toLowerCase();
    return encoding === "identity" ? "" : encoding.replace(/^x-/, "");
  }

  /** Called just before the first byte is written. */
  onRequestStart(controller: DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(new Error("given up before it was sent"));
  }

  onPassedOn(proxy: ProxyTrouble): void {
    this.#via = proxy;
  }

  onResponseStart(
    _controller: DispatchController,
    status: number,
    headers: TransportAnswer["headers"],
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (Number(headers["content-length"]) > this.#request.maxBytes) this.#tooLarge();
  }

  onResponseData(_controller: DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#request.maxBytes) this.#tooLarge();
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    const encoding = this.#encoding();
    if (encoding !== "" && this.#size > 0) {
      void this.#decode(encoding);
      return;
    }
    this.#answer(this.#text());
  }

  onResponseError(_controller: DispatchController, error: Error): void {
    const { kind, detail } = explainFailure(error, this.#controller !== undefined);
    this.#fail(kind, detail, error);
  }

  async #decode(encoding: string): Promise<void> {
    const decoder = decoders.get(encoding);
    if (decoder === undefined) {
      this.#fail("protocol", { kind: "encoding_unasked", encoding });
      return;
    }
    try {
      const bytes = await decoder(Buffer.concat(this.#chunks), { maxOutputLength: this.#request.maxBytes });
      this.#answer(new TextDecoder().decode(bytes));
    } catch (error) {
      if (codeOf(error) === "ERR_BUFFER_TOO_LARGE") this.#tooLarge();
      else {
        const detail = messageOf(error);
        this.#fail("protocol", { kind: "encoding_broken", of: "answer", encoding, detail });
      }
    }
  }

  #answer(text: string): void {
    if (this.#settled) return;
    this.#finish();
    const via = this.#via && { via: this.#via };
    this.#settle.resolve({ status: this.#status, headers: this.#headers, text, ...via });
  }
}

/**
 * Sends one request, never twice and never elsewhere (redirects are answers). Throws TransportError, and what the dispatcher
 * throws before it begins.
 */
export function send(dispatcher: Dispatcher, request: TransportRequest): Promise<TransportAnswer> {
  return new Promise((resolve, reject) => {
    const { origin, path, method, headers, body, signal } = request;
    if (signal?.aborted) {
      reject(new TransportError("aborted", { kind: "given_up" }, { mayHaveArrived: false }));
      return;
    }
    // Both time-outs of undici are off: the exchange has one of its own that bounds the whole.
    const options = { origin, path, method, headers, headersTimeout: 0, bodyTimeout: 0 };
    const exchange = new Exchange(request, resolve, reject);
    try {
      dispatcher.dispatch(body ? { ...options, body } : options, exchange);
    } catch (error) {
      exchange.drop();
      throw error;
    }
  });
}
