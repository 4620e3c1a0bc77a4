import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import type { Readable, Transform } from "node:stream";
import type { SecureContext } from "node:tls";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
// Only the pool of connections: all of undici, with fetch and WebSocket, takes four times as long to load.
import Agent from "undici/lib/dispatcher/agent.js";
import type { Detail } from "../errors/problems.ts";
import { isMemoryShort, type ProxyTrouble } from "../errors.ts";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export type DispatchController = { pause(): void; resume(): void; abort(reason: Error): void };

export interface DispatchHandler {
  onRequestStart(controller: DispatchController): void;
  onResponseStart(controller: DispatchController, status: number, headers: Headers): void;
  onResponseData(controller: DispatchController, chunk: Buffer): void;
  onResponseEnd(): void;
  onResponseError(controller: DispatchController, error: Error): void;
}

/** A request as undici takes it; the two time-outs are in milliseconds, 0 is none. */
export interface DispatchOptions {
  origin: string;
  path: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: Buffer | Readable;
  headersTimeout: number;
  bodyTimeout: number;
}

/** A Dispatcher of undici 7 or newer. Spelled out because undici is bundled, and its own type fits no other version of itself. */
export interface Dispatcher {
  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean;
  destroy(): Promise<void>;
}

export type TransportFailure =
  | ("refused" | "dns" | "tls" | "timeout" | "reset" | "too_large" | "aborted" | "protocol")
  | ("proxy" | "proxy_denied" | "memory");

type About = { mayHaveArrived?: boolean; proxy?: ProxyTrouble; cause?: unknown };

/** Thrown for a request without a complete answer; `mayHaveArrived` is false if no byte of it can have reached the service. */
export class TransportError extends Error {
  readonly kind: TransportFailure;
  readonly detail: Detail;
  readonly mayHaveArrived: boolean;
  readonly proxy: ProxyTrouble | undefined;

  constructor(kind: TransportFailure, detail: Detail, about: About = {}) {
    super(typeof detail === "string" ? detail : detail.kind, about.cause ? { cause: about.cause } : {});
    this.name = "TransportError";
    this.kind = kind;
    this.detail = detail;
    this.mayHaveArrived = about.mayHaveArrived === true;
    this.proxy = about.proxy;
  }
}

export interface TransportRequest extends Pick<DispatchOptions, "origin" | "path" | "method" | "headers"> {
  body: Buffer | undefined;
  /** Awaited once the connection stands, right before the first byte leaves; if it throws, the request does not leave. */
  check?: (() => Promise<void>) | undefined;
  /** Milliseconds for the whole exchange: connecting, headers and body. */
  timeoutMs: number;
  maxBytes: number;
  signal: AbortSignal | undefined;
}

/** Thrown if `check` kept a request from leaving; its error is the cause. */
export class HeldBack extends Error {
  override readonly name = "HeldBack";
}

export type TransportAnswer = { status: number; headers: Headers; text: string };

const maxConnectMs = 10_000;
const maxTimerMs = 2 ** 31 - 1;

export interface AgentOptions {
  timeoutMs?: number | undefined;
  secureContext?: SecureContext | undefined;
  /** The same with a client certificate, which is not shown to a proxy. */
  clientContext?: SecureContext | undefined;
}

const connectWithin = (secureContext: SecureContext | undefined, timeoutMs = maxConnectMs) => ({
  timeout: Math.min(maxConnectMs, timeoutMs),
  ...(secureContext && { secureContext }),
});

/** Options of connections to the service, and to a proxy that leads there. */
export const connectOptions = ({ timeoutMs, secureContext, clientContext }: AgentOptions) => ({
  service: connectWithin(clientContext ?? secureContext, timeoutMs),
  proxy: connectWithin(secureContext, timeoutMs),
});

/** Keeps a TLS alert as the cause of a later error: in TLS 1.3 the refusal of a certificate arrives once the connection stands, and undici then reports only that it was closed. */
function keepAlert(message: unknown): void {
  const { socket } = message as { socket: Socket };
  let alert: Error | undefined;
  socket.prependListener("error", (error: Error) => {
    if (alert === undefined) alert = error;
    else error.cause ??= alert;
  });
}

const connected = "undici:client:connected";

/** Subscribes `keepAlert`, once however often it is called. */
function keepAlerts(): void {
  unsubscribe(connected, keepAlert);
  subscribe(connected, keepAlert);
}

export function ownAgent(options: AgentOptions = {}): Dispatcher {
  keepAlerts();
  return new Agent({ connect: connectOptions(options).service });
}

// The platform's: undici's own interceptor warns that it is experimental on every user's standard error.
const decompressors = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

export const acceptedEncodings = [...decompressors.keys()].join(", ");

export const readHeader = (headers: Headers, name: string): string | undefined => [headers[name]].flat()[0];

export const readErrorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

const reasons: readonly [RegExp, TransportFailure][] = [
  [/^(ENOTFOUND|EAI_)/, "dns"],
  [/TIMEDOUT|TIMEOUT/, "timeout"],
  [/^UND_ERR_(DESTROYED|CLOSED)$/, "aborted"],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, "reset"],
];
const tlsCode =
  /CERT|^(ERR_TLS|ERR_SSL|EPROTO|UNABLE_TO|UND_ERR_PRX_TLS|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/;
/** Returns whether the service ended the handshake for want of a valid client certificate. (In TLS 1.2 the alert for a missing one is that of any failed handshake.) */
const clientCertCode =
  /^ERR_SSL_.*ALERT_(CERTIFICATE_\w+|(BAD|UNSUPPORTED)_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)$/;

export const wantsClientCert = (error: unknown): boolean => clientCertCode.test(readErrorCode(error));

export function explain(thrown: Error, started: boolean): TransportError {
  if (thrown instanceof TransportError) return thrown;
  const error = wantsClientCert(thrown.cause) ? (thrown.cause as Error) : thrown;
  const code = readErrorCode(error);
  // OpenSSL's messages name its source files; only its reason is readable.
  const said = "reason" in error && typeof error.reason === "string" ? error.reason : error.message;
  const message = said || code;
  const known = reasons.find(([pattern]) => pattern.test(code))?.[1];
  // The outcome of a request that had left is unknown, whatever kept the answer away.
  if (!started && isMemoryShort(error)) return new TransportError("memory", message, { cause: error });
  // In TLS 1.3 a request may leave before the service has checked the certificate, and is then not read.
  const hasLeft = started && !wantsClientCert(error);
  const kind = known ?? (hasLeft ? "protocol" : tlsCode.test(code) ? "tls" : "refused");
  const detail = message.includes(code) ? message : `${message} (${code})`;
  return new TransportError(kind, detail, { mayHaveArrived: hasLeft, cause: error });
}

/** Reads an answer as it arrives. Both methods return false when they need no more. */
type Reader = { begin(status: number, headers: Headers): boolean; take(bytes: Buffer): boolean };

/** One exchange on the wire. It uses `dispatch` instead of undici's `request` to learn when the first byte leaves. */
class Exchange implements DispatchHandler {
  readonly #request: TransportRequest;
  readonly #reader: Reader;
  readonly #settle: (result: boolean | Error) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: DispatchController | undefined;
  #hasLeft = false;
  #encoding = "";
  #decompressor: Transform | undefined;
  #taken = 0;
  #settled = false;

  constructor(request: TransportRequest, reader: Reader, settle: (result: boolean | Error) => void) {
    this.#request = request;
    this.#reader = reader;
    this.#settle = settle;
    const ms = request.timeoutMs;
    const onTimeout = (): void => this.#fail("timeout", { kind: "too_slow", ms });
    this.#timer = setTimeout(onTimeout, Math.min(ms, maxTimerMs));
    request.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  readonly #onAbort = (): void => this.#fail("aborted", { kind: "given_up" });

  finish(): void {
    this.#settled = true;
    this.#decompressor?.destroy();
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener("abort", this.#onAbort);
  }

  #fail(kind: TransportFailure, detail: Detail): void {
    this.#end(new TransportError(kind, detail, { mayHaveArrived: this.#hasLeft }));
  }

  #end(result: boolean | Error): void {
    if (this.#settled) return;
    this.finish();
    this.#settle(result);
    if (result !== true) this.#controller?.abort(result || new Error("enough was read"));
  }

  #checkSize(bytes: number): void {
    const { maxBytes } = this.#request;
    if (bytes > maxBytes) this.#fail("too_large", { kind: "answer_too_large", maxBytes });
  }

  #take(bytes: Buffer): void {
    this.#taken += bytes.length;
    this.#checkSize(this.#taken);
    if (!this.#settled && !this.#reader.take(bytes)) this.#end(false);
  }

  /** Yields the body after `check`. undici reads it once the connection stands, which may take seconds, and writes the head together with its first bytes. */
  async *checkedBody(body: Buffer, check: () => Promise<void>): AsyncGenerator<Buffer, void, undefined> {
    await check().catch((cause: unknown) => this.#end(new HeldBack("held back", { cause })));
    if (this.#settled) throw new Error("given up before it was sent");
    this.#hasLeft = true;
    yield body;
  }

  onRequestStart(controller: DispatchController): void {
    this.#controller = controller;
    // Without a body nothing can be held back.
    this.#hasLeft = this.#request.check === undefined || this.#request.body === undefined;
    if (this.#settled) controller.abort(new Error("given up before it was sent"));
  }

  onResponseStart(_controller: DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    const encoding = (readHeader(headers, "content-encoding") ?? "").trim().toLowerCase().replace(/^x-/, "");
    this.#encoding = encoding === "identity" ? "" : encoding;
    if (!this.#reader.begin(status, headers)) this.#end(false);
    else this.#checkSize(Number(headers["content-length"]));
  }

  onResponseData(controller: DispatchController, bytes: Buffer): void {
    if (this.#settled) return;
    if (this.#encoding !== "") this.#decompressor ??= this.#openDecompressor(this.#encoding);
    else this.#take(bytes);
    if (this.#decompressor?.write(bytes) === false) {
      controller.pause();
      this.#decompressor.once("drain", () => controller.resume());
    }
  }

  #openDecompressor(encoding: string): Transform | undefined {
    const create = decompressors.get(encoding);
    if (create === undefined) this.#fail("protocol", { kind: "encoding_unasked", encoding });
    return create?.()
      .on("data", (bytes: Buffer) => this.#take(bytes))
      .on("end", () => this.#end(true))
      .on("error", ({ message }) =>
        this.#fail("protocol", { kind: "encoding_broken", encoding, detail: message }),
      );
  }

  onResponseEnd(): void {
    if (this.#decompressor === undefined) this.#end(true);
    else this.#decompressor.end();
  }

  onResponseError(_controller: DispatchController, error: Error): void {
    this.#end(explain(error, this.#hasLeft));
  }
}

/** Sends one request, never twice and never elsewhere, and passes its answer to `reader`. Returns false if the reader stopped before the end. Throws TransportError and HeldBack. */
export function stream(dispatcher: Dispatcher, request: TransportRequest, reader: Reader): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const { origin, path, method, headers, body, check, signal } = request;
    if (signal?.aborted) throw new TransportError("aborted", { kind: "given_up" });
    // undici's two time-outs are off: the exchange has its own, for the whole.
    const options = { origin, path, method, headers, headersTimeout: 0, bodyTimeout: 0 };
    const exchange = new Exchange(request, reader, (result) =>
      typeof result === "boolean" ? resolve(result) : reject(result),
    );
    try {
      if (body === undefined) dispatcher.dispatch(options, exchange);
      else if (check === undefined) dispatcher.dispatch({ ...options, body }, exchange);
      else {
        const sized = { ...headers, "content-length": String(body.length) };
        // undici documents iterable bodies, but its types leave them out. A stream around one costs as much as the rest of the call.
        const checked = exchange.checkedBody(body, check) as unknown as Readable;
        dispatcher.dispatch({ ...options, headers: sized, body: checked }, exchange);
      }
    } catch (error) {
      exchange.finish();
      throw error;
    }
  });
}

export async function send(dispatcher: Dispatcher, request: TransportRequest): Promise<TransportAnswer> {
  const chunks: Buffer[] = [];
  const answer = { status: 0, headers: {} as Headers };
  await stream(dispatcher, request, {
    begin: (status, headers) => Boolean(Object.assign(answer, { status, headers })),
    take: (bytes) => chunks.push(bytes) > 0,
  });
  return { ...answer, text: new TextDecoder().decode(Buffer.concat(chunks)) };
}
