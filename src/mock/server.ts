import { createServer, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { worldHeader } from "../contract/mock-world.ts";
import type { createApp } from "./app.ts";
import { MockRefusal } from "./refusal.ts";
import type { Timeouts } from "./timeouts.ts";

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** Stops at once; connections that are open are ended. */
  readonly close: () => Promise<void>;
}

function refuse(outgoing: ServerResponse, refusal: MockRefusal): void {
  const body = refusal.toBody();
  outgoing.writeHead(refusal.status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  outgoing.end(body);
}

function servesHost(header: string | undefined, bound: string, socket: Socket): boolean {
  const name = /^(\[[^\]]+\]|[^:]+)(:\d+)?$/.exec(header ?? "")?.[1]?.toLowerCase();
  const local = socket.localAddress?.replace(/^::ffff:/, "") ?? "";
  // The address that the connection came in on cannot be a rebound name.
  const served = ["127.0.0.1", "localhost", "[::1]", bound.toLowerCase(), local, `[${bound}]`, `[${local}]`];
  return name !== undefined && served.includes(name);
}

/** The answer under way on each connection. */
type Pending = WeakMap<Duplex, ServerResponse>;

/** Answers on the bare connection and ends it. */
function endWith(socket: Duplex, status: number, message: string): void {
  const body = new MockRefusal(status, message).toBody();
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const brokenStatus: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

// Node answers what it cannot parse with an empty body of its own.
function answerBroken(error: NodeJS.ErrnoException, socket: Duplex, pending: Pending): void {
  const status = brokenStatus[error.code ?? ""] ?? 400;
  const answer = (): void => {
    if (socket.writable) endWith(socket, status, `not a request: ${STATUS_CODES[status] ?? ""}`);
    else socket.destroy();
  };
  const latest = pending.get(socket);
  // The latest request broke that has had its answer, a refusal.
  if (latest && !latest.req.complete && latest.headersSent) socket.destroy();
  // What broke came behind a whole request: that one's answer goes first, or this would be taken for it.
  else if (latest?.req.complete && !latest.writableFinished) latest.once("finish", answer);
  else answer();
}

const defaultTimeouts: Timeouts = { headers: 10_000, request: 30_000 };

/** How a mock is served. */
interface Serving {
  readonly host: string;
  /** 0 is a free one. */
  readonly port: number;
  readonly timeouts?: Timeouts | undefined;
  readonly worldId: () => string;
  /** The real time, epoch milliseconds. */
  readonly now: () => number;
}

/** Says in the answer which world it is, lest a restarted mock be taken for the one before, and what time it has. */
function sign(outgoing: ServerResponse, { worldId, now }: Serving): void {
  outgoing.setHeader("date", new Date(now()).toUTCString());
  try {
    outgoing.setHeader(worldHeader, worldId());
  } catch {
    // Its file cannot be read now: the answer says so.
  }
}

function serve(app: ReturnType<typeof createApp>, serving: Serving): Server {
  const { host, timeouts = defaultTimeouts } = serving;
  const pending: Pending = new WeakMap();
  const handle = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const options = {
    requireHostHeader: false,
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    connectionsCheckingInterval: Math.min(1_000, timeouts.headers / 10),
  };
  const server = createServer(options, (incoming, outgoing) => {
    pending.set(incoming.socket, outgoing);
    sign(outgoing, serving);
    const refusal = !servesHost(incoming.headers.host, host, incoming.socket)
      ? new MockRefusal(421, "this Host is not served here")
      : !incoming.url?.startsWith("/") || incoming.url.includes("\\")
        ? new MockRefusal(400, "not a path")
        : null;
    if (refusal) refuse(outgoing, refusal);
    else void handle(incoming, outgoing);
  });
  server.on("clientError", (error, socket) => answerBroken(error, socket, pending));
  server.on("connect", (_, socket) => {
    // Node has let go of this connection: nobody else hears its errors, or closes it.
    socket.on("error", () => socket.destroy());
    socket.on("finish", () => socket.destroy());
    endWith(socket, 405, "this is not a proxy");
  });
  server.on("checkExpectation", (_, outgoing) => {
    refuse(outgoing, new MockRefusal(417, "Expect must be 100-continue"));
  });
  return server;
}

/** Listens on a port. Rejects with Node's own error, for example EADDRINUSE. */
export async function listen(app: ReturnType<typeof createApp>, serving: Serving): Promise<Listening> {
  const { host, port } = serving;
  const server = serve(app, serving);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
