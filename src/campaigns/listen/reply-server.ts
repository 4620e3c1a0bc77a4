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
import { serviceCodes } from "../../contract/problem.ts";
import { type Access, checkNames, checkSecret, Refusal } from "./reply-access.ts";

/** What a receiver does with what comes in. */
export interface ReceiverOptions extends Access {
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
/** So many bodies at most are in memory at once; who comes then waits. */
const maxBodies = 64;
/** With more connections than that, idle ones are closed; from the last on, new ones are. */
const maxIdleConnections = 64;
const maxConnections = 1_000;
const defaultRequestMs = 30_000;
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

function refuse(outgoing: ServerResponse, refusal: Refusal): void {
  answer(outgoing, refusal.status, errorBody(refusal), {
    "content-type": "application/json; charset=utf-8",
    ...(refusal.status >= 500 && { "retry-after": "5" }),
    ...refusal.headers,
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
    // It may have broken off while it waited.
    if (incoming.destroyed) resolve(undefined);
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

/** Lets so many at a time do something; the others wait for their turn. */
class Turns {
  #free: number;
  readonly #waiting: ((isMine: boolean) => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves to false when none came up in `ms` milliseconds; otherwise it must be given back. */
  async take(ms: number): Promise<boolean> {
    if (this.#free > 0) {
      this.#free--;
      return true;
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(called), 1);
        resolve(false);
      }, ms);
      const called = (isMine: boolean): void => {
        clearTimeout(timer);
        resolve(isMine);
      };
      this.#waiting.push(called);
    });
  }

  giveBack(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next(true);
  }
}

/** The body of a request, read when its turn comes. Throws Refusal 413 and 503. */
async function bodyOf(incoming: IncomingMessage, turns: Turns, waitMs: number): Promise<Buffer | undefined> {
  if (!(await turns.take(waitMs))) throw new Refusal(503, "busy", "too many requests at once: try again");
  try {
    return await readBody(incoming);
  } finally {
    turns.giveBack();
  }
}

/** What the requests of one receiver share. */
interface Desk {
  options: ReceiverOptions;
  turns: Turns;
}

async function post(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { options, turns }: Desk,
): Promise<void> {
  const { take, requestMs = defaultRequestMs } = options;
  checkSecret(incoming, options);
  checkHeaders(incoming);
  const bytes = await bodyOf(incoming, turns, requestMs / 3);
  if (bytes === undefined) return;
  take(bytes, incoming.headers);
  answer(outgoing, 200, '{"received":true}', { "content-type": "application/json; charset=utf-8" });
}

async function handle(incoming: IncomingMessage, outgoing: ServerResponse, desk: Desk): Promise<void> {
  const { method = "", url = "" } = incoming;
  try {
    checkNames(incoming, desk.options);
    if (method === "POST") {
      await post(incoming, outgoing, desk);
      return;
    }
    incoming.resume();
    if (!["GET", "HEAD"].includes(method) || url.split("?", 1)[0] !== "/")
      throw new Refusal(405, "not_post", "the method must be POST", { allow: "POST" });
    answer(outgoing, 200, greeting, { "content-type": "text/plain; charset=utf-8" });
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(500, "defect", "an error in bpos");
    refuse(outgoing, refusal);
    // Read on to its end, or a sender that is still at it would not see the answer.
    incoming.resume();
    if (method === "POST") desk.options.onRefusal(refusal);
    if (!(error instanceof Refusal)) throw error;
  }
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
  const { requestMs = defaultRequestMs } = options;
  const desk = { options, turns: new Turns(maxBodies) };
  const times = {
    requestTimeout: requestMs,
    headersTimeout: requestMs / 3,
    connectionsCheckingInterval: Math.min(1_000, requestMs / 10),
  };
  const server = createServer({ ...times, requireHostHeader: false }, (incoming, outgoing) => {
    handle(incoming, outgoing, desk).catch(onDefect);
  });
  server.maxConnections = maxConnections;
  let connections = 0;
  server.on("connection", (socket) => {
    connections++;
    socket.once("close", () => connections--);
    if (connections > maxIdleConnections) server.closeIdleConnections();
  });
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
