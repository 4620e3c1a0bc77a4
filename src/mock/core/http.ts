import { isUtf8 } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Context, Hono } from "hono";
import { worldHeader, worldTimeHeader } from "../../contract/limits.ts";
import type { ArmedFault } from "./faults.ts";
import { badInput, MockRefusal } from "./refusal.ts";
import type { Exchange } from "./request-log.ts";
import type { LiveWorld } from "./world/live-world.ts";
import type { MockKey } from "./world/scenarios.ts";

export interface HttpEnv {
  Bindings: { incoming: IncomingMessage; outgoing: ServerResponse };
  Variables: {
    key: MockKey;
    body: Promise<Buffer> | undefined;
    bodyKey: { event_id?: string; idempotency_key?: string };
    fault: string | undefined;
    error: string | undefined;
    exchange: Exchange | undefined;
    late: ArmedFault | undefined;
    standIn: ((json: string) => Response) | undefined;
  };
}

export type Call = Context<HttpEnv, string>;

export const jsonHeaders = { "content-type": "application/json; charset=utf-8" } as const;

/** A handler that has written to Node's response returns this, and hono passes it on. A web Response would load all of Node's fetch first. */
export const answered = { headers: new Map() } as unknown as Response;

/** Returns as much of a web Request as hono reads; undefined for a host or path that makes no address. */
function parseRequest({ method, url = "", headers }: IncomingMessage): Request | undefined {
  const address = `http://${headers.host ?? ""}${url}`;
  if (!URL.canParse(address)) return undefined;
  const get = (name: string) => headers[name.toLowerCase()] ?? null;
  return { method, url: new URL(address).href, headers: { get } } as unknown as Request;
}

const end = (outgoing: ServerResponse, status: number, headers: object, body: string | Buffer) =>
  outgoing.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);

/** Keeps the response for the log. */
export function keepAnswer(call: Call, body: string | Buffer): void {
  const exchange = call.get("exchange");
  if (exchange) exchange.response = body;
}

export function sendText(call: Call, status: number, text: string | Buffer, headers: object): Response {
  keepAnswer(call, text);
  end(call.env.outgoing, status, headers, text);
  return answered;
}

export function sendJson(call: Call, status: number, json: string | Buffer, headers: object = {}): Response {
  const standIn = status === 200 ? call.get("standIn") : undefined;
  if (standIn) {
    call.set("standIn", undefined);
    return standIn(String(json));
  }
  keepAnswer(call, json);
  end(call.env.outgoing, status, { ...headers, ...jsonHeaders }, json);
  return answered;
}

export function sendRefusal(call: Call, refusal: MockRefusal): Response {
  call.set("error", refusal.message);
  return sendJson(call, refusal.status, refusal.toBody(), refusal.headers);
}

export function requireJson(call: Call): void {
  const [type = ""] = (call.req.header("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json")
    throw new MockRefusal(415, "Content-Type must be application/json");
}

export const maxBodyBytes = 32 * 1024 * 1024;

const newTooLarge = (): MockRefusal => new MockRefusal(413, "the body is larger than 32 MiB");

/** Reads Node's request itself, by its events: a web Request copies the body twice more, and a loop over it takes as long again. */
async function readBytes(incoming: IncomingMessage): Promise<Buffer> {
  if (Number(incoming.headers["content-length"] ?? 0) > maxBodyBytes) throw newTooLarge();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const breakOff = (): void => reject(badInput("the body is incomplete"));

    if (incoming.destroyed) breakOff();
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
      else {
        // The rest is still read: destroying the connection would also destroy the 413.
        chunks.length = 0;
        reject(newTooLarge());
      }
    });
    incoming.on("end", () => {
      resolve(Buffer.concat(chunks));
      // A connection keeps its last request until the next one, and a buffer that survives two minor collections needs a major one.
      chunks.length = 0;
    });
    incoming.on("error", breakOff).on("close", () => incoming.complete || breakOff());
  });
}

/** The JSON body of a request, or `whenEmpty` where one may be absent. */
export async function readJson(call: Call, whenEmpty?: object): Promise<unknown> {
  requireJson(call);
  const body = call.get("body") ?? readBytes(call.env.incoming);
  call.set("body", body);
  const bytes = await body;

  const exchange = call.get("exchange");
  if (exchange) exchange.request = bytes;
  if (bytes.length === 0 && whenEmpty) return whenEmpty;
  try {
    if (!isUtf8(bytes)) throw new SyntaxError("not UTF-8");
    return JSON.parse(bytes.toString().replace(/^\uFEFF/, "")) as unknown;
  } catch {
    throw badInput("the body is not JSON in UTF-8");
  }
}

export async function readKeyed(call: Call): Promise<unknown> {
  const body = await readJson(call);
  if (typeof body !== "object" || body === null) return body;

  const { event_id, idempotency_key } = body as Record<string, unknown>;
  call.set("bodyKey", {
    ...(typeof event_id === "string" && { event_id: event_id.slice(0, 200) }),
    ...(typeof idempotency_key === "string" && { idempotency_key: idempotency_key.slice(0, 200) }),
  });
  return body;
}

function servesHost(header: string | undefined, bound: string, socket: Socket): boolean {
  const name = /^(\[[^\]]+\]|[^:]+)(:\d+)?$/.exec(header ?? "")?.[1]?.toLowerCase();
  const local = socket.localAddress?.replace(/^::ffff:/, "") ?? "";
  // The local address of the connection cannot be a rebound name.
  const served = ["127.0.0.1", "localhost", "[::1]", bound.toLowerCase(), local, `[${bound}]`, `[${local}]`];
  return name !== undefined && served.includes(name);
}

function endWith(socket: Duplex, status: number, message: string): void {
  const body = new MockRefusal(status, message).toBody();
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nContent-Type: ${jsonHeaders["content-type"]}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const brokenStatus: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Answers what Node cannot parse; `latest` is the answer to the request before it on this connection. */
function answerBroken({ code = "" }: NodeJS.ErrnoException, socket: Duplex, latest?: ServerResponse): void {
  const status = brokenStatus[code] ?? 400;
  const answer = (): void => {
    if (socket.writable) endWith(socket, status, `not a request: ${STATUS_CODES[status] ?? ""}`);
    else socket.destroy();
  };
  // The latest request is the broken one, and it has already been refused.
  if (latest && !latest.req.complete && latest.headersSent) socket.destroy();
  // The broken bytes followed a whole request, whose response must go first, or the client would mistake this one for it.
  else if (latest?.req.complete && !latest.writableFinished) latest.once("finish", answer);
  else answer();
}

type App = Pick<Hono<HttpEnv>, "fetch">;

const refuse = (outgoing: ServerResponse, status: number, message: string) =>
  end(outgoing, status, jsonHeaders, new MockRefusal(status, message).toBody());

function setHeaders(outgoing: ServerResponse, live: LiveWorld): void {
  const date = live.date();
  outgoing.setHeader("date", new Date(date).toUTCString());
  outgoing.setHeader(worldTimeHeader, String(date));
  try {
    // Names the world, so that clients can tell a restarted mock from the previous one.
    outgoing.setHeader(worldHeader, live.worldId());
  } catch {
    // The world's file cannot be read now: the answer says so.
  }
}

async function runApp(app: App, request: Request, env: HttpEnv["Bindings"]): Promise<void> {
  try {
    await app.fetch(request, env);
  } catch {
    // Wrong requests are answered above: the rest are our bugs.
    env.outgoing.destroy();
  }
}

function receive(app: App, live: LiveWorld, host: string, env: HttpEnv["Bindings"]): void {
  const { incoming, outgoing } = env;
  setHeaders(outgoing, live);

  const { url, headers, socket } = incoming;
  const request = parseRequest(incoming);
  if (!servesHost(headers.host, host, socket)) refuse(outgoing, 421, "this Host is not served here");
  else if (!url?.startsWith("/") || url.includes("\\") || request === undefined)
    refuse(outgoing, 400, "not a path");
  else void runApp(app, request, env);
}

/** Listens on a port; `close` ends open connections at once. Rejects with Node's own error, for example EADDRINUSE. */
export async function listen(
  app: App,
  live: LiveWorld,
  { host, port, timeouts }: { host: string; port: number; timeouts: Record<"headers" | "request", number> },
): Promise<{ port: number; close: () => Promise<void> }> {
  const options = {
    requireHostHeader: false,
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    connectionsCheckingInterval: Math.min(1_000, timeouts.headers / 10),
  };
  /** The answer that each connection got or gets last. */
  const latest = new WeakMap<Duplex, ServerResponse>();
  const server = createServer(options, (incoming, outgoing) => {
    latest.set(incoming.socket, outgoing);
    receive(app, live, host, { incoming, outgoing });
  });

  server.on("clientError", (error, socket) => answerBroken(error, socket, latest.get(socket)));
  server.on("connect", (_, socket) => {
    // Node has released this connection: nobody else handles its errors or closes it.
    socket.on("error", () => socket.destroy());
    socket.on("finish", () => socket.destroy());
    endWith(socket, 405, "this is not a proxy");
  });
  server.on("checkExpectation", (_, outgoing) => refuse(outgoing, 417, "Expect must be 100-continue"));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve()).closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, close };
}
