import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { createApp } from "./app.ts";
import { MockRefusal } from "./refusal.ts";

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** Stops at once; connections that are open are ended. */
  readonly close: () => Promise<void>;
}

function servesHost(header: string | undefined, bound: string, socket: Socket): boolean {
  const name = /^(\[[^\]]+\]|[^:]+)(:\d+)?$/.exec(header ?? "")?.[1]?.toLowerCase();
  const local = socket.localAddress?.replace(/^::ffff:/, "") ?? "";
  // The address that the connection came in on cannot be a rebound name.
  const served = ["127.0.0.1", "localhost", "[::1]", bound.toLowerCase(), local, `[${bound}]`, `[${local}]`];
  return name !== undefined && served.includes(name);
}

// Node answers what it cannot parse with an empty body of its own.
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const overflow = error.code === "HPE_HEADER_OVERFLOW";
  const late = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const [status, reason] = overflow
    ? [431, "Request Header Fields Too Large"]
    : late
      ? [408, "Request Timeout"]
      : [400, "Bad Request"];
  const body = new MockRefusal(status, `not a request: ${reason}`).toBody();
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function serve(app: ReturnType<typeof createApp>, host: string): Server {
  const handle = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer({ requireHostHeader: false }, (incoming, outgoing) => {
    const refusal = !servesHost(incoming.headers.host, host, incoming.socket)
      ? new MockRefusal(421, "this Host is not served here")
      : !incoming.url?.startsWith("/") || incoming.url.includes("\\")
        ? new MockRefusal(400, "not a path")
        : null;
    if (refusal) {
      outgoing.writeHead(refusal.status, { "content-type": "application/json; charset=utf-8" });
      outgoing.end(refusal.toBody());
    } else void handle(incoming, outgoing);
  });
  server.on("clientError", answerBrokenRequest);
  return server;
}

/** Listens on a port (0 is a free one). Rejects with Node's own error, for example EADDRINUSE. */
export async function listen(
  app: ReturnType<typeof createApp>,
  host: string,
  port: number,
): Promise<Listening> {
  const server = serve(app, host);
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
