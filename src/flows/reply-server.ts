import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { serviceCodes } from "../contract/problem.ts";
import type { ReplyRefusal } from "../errors/reply-refusal.ts";

/** A POST that is refused: its status, why, and what is wrong in the words that its sender gets. */
export class Refusal extends Error {
  readonly status: number;
  readonly reason: ReplyRefusal;

  constructor(status: number, reason: ReplyRefusal, message: string) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.reason = reason;
  }
}

/** What a receiver does with what comes in. */
export interface ReceiverOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Takes the bytes of a POST: what it resolves to is answered with 200. What it rejects with is answered too. */
  take: (bytes: Buffer, headers: IncomingMessage["headers"]) => void;
  /** Told of each POST that was not taken. */
  onRefusal: (refusal: Refusal) => void;
  /** Milliseconds for a request to come in whole; its headers have a third of it. Default 30,000. */
  requestMs?: number;
}

/** A receiver that listens. */
export interface Receiver {
  port: number;
  /** Takes no more requests, and gives those that are under way `graceMs` milliseconds. */
  close: (graceMs: number) => Promise<void>;
}

/** The longest body that is taken, in bytes. */
const maxReplyBytes = 1024 * 1024;
/** So many bodies at most are in memory at once. */
const maxConnections = 64;
const greeting = "bpos listens here\n";

/** The error body of `spec.md` section 7. */
function errorBody({ status, message }: Refusal): string {
  const code = status >= 500 ? "ERROR_CODE_UNAVAILABLE" : serviceCodes.inputError;
  return JSON.stringify({ code, message, payload: { campaign_id: null, external_ref: null } });
}

function answer(outgoing: ServerResponse, status: number, text: string, headers: OutgoingHttpHeaders): void {
  outgoing.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) });
  outgoing.end(text);
}

function refuse(outgoing: ServerResponse, refusal: Refusal, headers: OutgoingHttpHeaders = {}): void {
  answer(outgoing, refusal.status, errorBody(refusal), {
    "content-type": "application/json; charset=utf-8",
    ...headers,
  });
}

function checkHeaders({ headers }: IncomingMessage): void {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  // A web page can post a text to this machine without asking, but no JSON.
  if (!/^application\/([\w.+-]+\+)?json$/i.test(type.trim()))
    throw new Refusal(415, "not_json_type", "Content-Type must be application/json");
  if (!/^(identity)?$/i.test(headers["content-encoding"] ?? ""))
    throw new Refusal(415, "compressed", "the body must not be compressed");
}

const tooLarge = (): Refusal =>
  new Refusal(413, "too_large", `the body is larger than ${maxReplyBytes} bytes`);

/** The body of a request. Throws Refusal 413; resolves to undefined when it broke off: there is nobody to answer. */
function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= maxReplyBytes) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      incoming.off("data", onData);
      reject(tooLarge());
    };
    incoming.on("data", onData);
    incoming.once("end", () => resolve(Buffer.concat(chunks)));
    incoming.once("error", () => resolve(undefined));
    incoming.once("close", () => resolve(undefined));
  });
}

async function post(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { take, onRefusal }: ReceiverOptions,
): Promise<void> {
  try {
    checkHeaders(incoming);
    const bytes = await readBody(incoming);
    if (bytes === undefined) return;
    take(bytes, incoming.headers);
    answer(outgoing, 200, '{"received":true}', { "content-type": "application/json; charset=utf-8" });
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(500, "defect", "an error in bpos");
    refuse(outgoing, refusal, refusal.status >= 500 ? { "retry-after": "5" } : {});
    // Read on to its end, or a sender that is still at it would not see the answer.
    incoming.resume();
    onRefusal(refusal);
    if (!(error instanceof Refusal)) throw error;
  }
}

function handle(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: ReceiverOptions,
): Promise<void> {
  const { method = "", url = "" } = incoming;
  if (method === "POST") return post(incoming, outgoing, options);
  incoming.resume();
  const isGreeted = ["GET", "HEAD"].includes(method) && url.split("?", 1)[0] === "/";
  if (isGreeted) answer(outgoing, 200, greeting, { "content-type": "text/plain; charset=utf-8" });
  else refuse(outgoing, new Refusal(405, "not_post", "the method must be POST"), { allow: "POST" });
  return Promise.resolve();
}

/** Answers what Node could not read as a request, on the bare connection. */
function answerBroken({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  const status = code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
  const reason = STATUS_CODES[status] ?? "";
  const body = errorBody(new Refusal(status, "not_a_request", `not a request: ${reason}`));
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    // Its sender may never close the other half.
    () => socket.destroy(),
  );
}

function receiverServer(options: ReceiverOptions, onDefect: (error: unknown) => void): Server {
  const { requestMs = 30_000 } = options;
  const times = {
    requestTimeout: requestMs,
    headersTimeout: requestMs / 3,
    connectionsCheckingInterval: Math.min(1_000, requestMs / 10),
  };
  const server = createServer({ ...times, requireHostHeader: false }, (incoming, outgoing) => {
    handle(incoming, outgoing, options).catch(onDefect);
  });
  server.maxConnections = maxConnections;
  server.on("clientError", answerBroken);
  server.on("connect", (_incoming, socket: Socket) => socket.destroy());
  return server;
}

/**
 * Listens for POSTs of JSON. Rejects with Node's own error, for example EADDRINUSE; a defect of `take` is answered with
 * 500 and given to `onDefect`.
 */
export async function openReceiver(
  options: ReceiverOptions,
  onDefect: (error: unknown) => void,
): Promise<Receiver> {
  const server = receiverServer(options, onDefect);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: options.host, port: options.port }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: (graceMs) =>
      new Promise((resolve) => {
        const late = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(late);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
