import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { serviceCodes } from "../../contract/endpoints.ts";
import type { ReplyRefusal } from "../../errors/problems.ts";

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

export interface Access {
  /** The last part of the path; undefined takes any path. */
  secret?: string | undefined;
  /** Takes only what is sent to a name of this machine, and from no web page of another: `bound` is what it listens on. */
  onlyOwnNames?: { bound: string } | undefined;
}

export interface ReceiverOptions extends Access {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Takes the bytes of a POST: what it returns for is answered with 200. What it throws is answered too. */
  take: (bytes: Buffer, headers: IncomingMessage["headers"]) => Promise<void> | void;
  onRefusal: (refusal: Refusal) => void;
  /** Milliseconds for a request to come in whole; its headers have a third of it. Default 30,000. */
  requestMs?: number;
}

export interface Receiver {
  port: number;
  /** Takes no more requests, and gives those that are under way `graceMs` milliseconds. */
  close: (graceMs: number) => Promise<void>;
}

const maxReplyBytes = 1024 * 1024;
/** So many bodies at most are in memory at once; who comes then waits. */
const maxBodies = 64;
/** With more connections than that, idle ones are closed; from the last on, new ones are. */
const maxIdleConnections = 64;
const maxConnections = 1_000;
const defaultRequestMs = 30_000;

/** The error body of the specification, section 7. */
function errorBody({ status, message }: Refusal): object {
  const code = status >= 500 ? "ERROR_CODE_UNAVAILABLE" : serviceCodes.inputError;
  return { code, message, payload: { campaign_id: null, external_ref: null } };
}

const withoutPort = (host: string): string =>
  /^(\[[^\]]*\]|[^:]*)(:\d+)?$/.exec(host)?.[1]?.toLowerCase() ?? "";

/** Throws Refusal 421 and 403 for a request that a web page may have sent here. */
function checkNames({ headers, socket }: IncomingMessage, { onlyOwnNames }: Access): void {
  if (onlyOwnNames === undefined) return;
  const { bound } = onlyOwnNames;
  const local = socket.localAddress?.replace(/^::ffff:/, "") ?? "";
  const own = ["127.0.0.1", "localhost", "[::1]", bound.toLowerCase(), `[${bound}]`, local, `[${local}]`];
  // A web page may let its own name lead to this machine; its address bar then is what the header says.
  const host = withoutPort(headers.host ?? "");
  if (host === "" || !own.includes(host))
    throw new Refusal(421, "foreign_host", "this Host is not served here");
  const { origin } = headers;
  if (origin !== undefined && !(URL.canParse(origin) && own.includes(new URL(origin).hostname)))
    throw new Refusal(403, "foreign_origin", "a page of another origin may not post here");
}

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();

function lastPartOf(url: string): string {
  const [path = ""] = url.split("?", 1);
  const part = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Throws Refusal 404 for a path that does not end in the secret, and 415 for what is not plain JSON. */
function checkPost({ url = "", headers }: IncomingMessage, { secret }: Access): void {
  // Of digests the comparison takes the same time whatever was sent.
  if (secret !== undefined && !timingSafeEqual(digestOf(lastPartOf(url)), digestOf(secret)))
    throw new Refusal(404, "wrong_secret", "there is nothing at this path");
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  // A web page can post a text to this machine without asking, but no JSON.
  if (!/^application\/([\w.+-]+\+)?json$/i.test(type.trim()))
    throw new Refusal(415, "not_json_type", "Content-Type must be application/json");
  if (!/^(identity)?$/i.test(headers["content-encoding"] ?? ""))
    throw new Refusal(415, "compressed", "the body must not be compressed");
}

/** Lets so many requests in at a time; the others wait for their turn, at most `waitMs` milliseconds. */
function inTurn(free: number, waitMs: number): MiddlewareHandler {
  let left = free;
  const waiting: (() => void)[] = [];
  return async (_context, next) => {
    if (left > 0) left -= 1;
    else
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.splice(waiting.indexOf(mine), 1);
          reject(new Refusal(503, "busy", "too many requests at once: try again"));
        }, waitMs);
        const mine = (): void => {
          clearTimeout(late);
          resolve();
        };
        waiting.push(mine);
      });
    await next().finally(() => {
      const first = waiting.shift();
      if (first === undefined) left += 1;
      else first();
    });
  };
}

type Env = { Bindings: HttpBindings };

function receiverApp(options: ReceiverOptions, onDefect: (error: unknown) => void): Hono<Env> {
  const { take, onRefusal, requestMs = defaultRequestMs } = options;
  const app = new Hono<Env>();
  app.use(async ({ env: { incoming } }, next) => {
    checkNames(incoming, options);
    if (incoming.method === "POST") checkPost(incoming, options);
    await next();
  });
  const onError = (): never => {
    throw new Refusal(413, "too_large", `the body is larger than ${maxReplyBytes} bytes`);
  };
  const turn = inTurn(maxBodies, requestMs / 3);
  app.post("*", turn, bodyLimit({ maxSize: maxReplyBytes, onError }), async (context) => {
    await take(Buffer.from(await context.req.arrayBuffer()), context.env.incoming.headers);
    return context.json({ received: true });
  });
  app.get("/", (context) => context.text("bpos listens here\n"));
  app.all("*", () => {
    throw new Refusal(405, "not_post", "the method must be POST");
  });
  app.onError((error, context) => {
    const { incoming } = context.env;
    const refusal = error instanceof Refusal ? error : new Refusal(500, "defect", "an error in bpos");
    const { status } = refusal;
    // Of a body that broke off there is nobody to answer.
    const isGone = refusal !== error && incoming.destroyed && !incoming.complete;
    if (!isGone && incoming.method === "POST") onRefusal(refusal);
    if (!isGone && refusal !== error) onDefect(error);
    if (status === 405) context.header("allow", "POST");
    if (status >= 500) context.header("retry-after", "5");
    return context.json(errorBody(refusal), status as ContentfulStatusCode);
  });
  return app;
}

/** Answers what Node could not read as a request, on the bare connection. */
function answerBroken({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  const status = code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
  const reason = STATUS_CODES[status] ?? "";
  const body = JSON.stringify(errorBody(new Refusal(status, "not_a_request", `not a request: ${reason}`)));
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  // Its sender may never close the other half.
  if (socket.writable) socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
  else socket.destroy();
}

function receiverServer(options: ReceiverOptions, onDefect: (error: unknown) => void): Server {
  const { requestMs = defaultRequestMs } = options;
  const times = {
    requestTimeout: requestMs,
    headersTimeout: requestMs / 3,
    connectionsCheckingInterval: Math.min(1_000, requestMs / 10),
  };
  const { fetch } = receiverApp(options, onDefect);
  const handle = getRequestListener(fetch, { overrideGlobalObjects: false });
  const server = createServer(times, (incoming, outgoing) => void handle(incoming, outgoing));
  server.maxConnections = maxConnections;
  let connections = 0;
  server.on("connection", (socket) => {
    connections++;
    socket.once("close", () => connections--);
    if (connections > maxIdleConnections) server.closeIdleConnections();
  });
  server.on("clientError", answerBroken);
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
