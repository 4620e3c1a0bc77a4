import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { onTestFinished } from "vitest";
import { worldHeader } from "../../src/contract/limits.ts";
import type { RunningMock } from "../../src/mock/index.ts";
import { listening } from "./server.ts";
import { hostCertificate } from "./tls.ts";

/** How a proxy of a test differs from one that lets everybody through. */
export interface ProxyBehaviour {
  /** The `user:password` that it wants. */
  credentials?: string;
  /** Speaks TLS itself. */
  tls?: boolean;
  /** Answers this to CONNECT, in order; then it lets through. */
  connectAnswers?: string[];
  /** Done before it lets anything through. */
  onConnect?: () => Promise<unknown>;
  /** The mock on this machine to which every name leads, also without a port, and where it is asked as the service itself. */
  leadsTo?: () => Pick<RunningMock, "baseUrl">;
  /** Makes that mock pass for the real service: no answer names its world. */
  hidesWorld?: true;
  /** Done before that mock gets a request. */
  onRequest?: (request: IncomingMessage) => Promise<unknown> | undefined;
}

/** A proxy of a test. */
export interface ProxyServer {
  host: string;
  port: number;
  /** Requests that it got: `CONNECT host:port`, or a method and a whole address. */
  asked: string[];
  /** True for each connection in which a TLS client showed a certificate. */
  shown: boolean[];
}

const established = "HTTP/1.1 200 Connection established\r\n\r\n";
const challenge = "HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n";

/** Passes a request on to the mock, as a service that is behind many names. */
function passOn(
  incoming: IncomingMessage,
  response: ServerResponse,
  { leadsTo, hidesWorld }: ProxyBehaviour,
): void {
  const { host, port } = new URL(leadsTo?.().baseUrl ?? "http://127.0.0.1");
  // A doubled slash at the beginning is a path too.
  const path = incoming.url?.replace(/^\/\/+/, "/");
  const { method } = incoming;
  const onward = httpRequest(
    { host: "127.0.0.1", port, path, method, headers: { ...incoming.headers, host } },
    (answer) => {
      const { [worldHeader]: _world, ...plain } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, hidesWorld ? plain : answer.headers);
      answer.pipe(response);
    },
  );
  // The client's connection shares the fate of the service's.
  onward.on("error", () => response.destroy());
  incoming.pipe(onward);
}

function tunnel(to: string, client: Duplex, head: Buffer): void {
  const service = connect(Number(to.split(":").at(-1)), "127.0.0.1", () => {
    client.write(established);
    service.write(head);
    service.pipe(client).pipe(service);
  });
  service.on("error", () => client.destroy());
  client.on("error", () => service.destroy()).on("close", () => service.destroy());
}

/** Starts a real proxy for http and https that leads every name to this machine; it stops when the test ends. */
export async function proxyServer(behaviour: ProxyBehaviour = {}): Promise<ProxyServer> {
  const { credentials, tls = false, connectAnswers = [], leadsTo } = behaviour;
  const asked: string[] = [];
  const shown: boolean[] = [];
  const wanted =
    credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`;
  const isStranger = ({ headers }: IncomingMessage): boolean =>
    wanted !== undefined && headers["proxy-authorization"] !== wanted;
  const asking = { ...hostCertificate, requestCert: true, rejectUnauthorized: false };
  const server = tls ? createTlsServer(asking) : createServer();
  server.on("secureConnection", (socket: TLSSocket) => {
    shown.push(Object.keys(socket.getPeerCertificate()).length > 0);
  });
  const sockets = new Set<Duplex>();
  const names = createServer((incoming, response) => {
    const held = Promise.resolve(behaviour.onRequest?.(incoming));
    void held.then(() => passOn(incoming, response, behaviour));
  });
  // A service behind other names is also called directly.
  server.on("request", (incoming, response) => names.emit("request", incoming, response));
  const letThrough = async (incoming: IncomingMessage, client: Duplex, head: Buffer): Promise<void> => {
    asked.push(`CONNECT ${incoming.url}`);
    sockets.add(client);
    await behaviour.onConnect?.();
    const answer = isStranger(incoming) ? challenge : connectAnswers.shift();
    if (answer !== undefined) client.end(answer);
    else if (leadsTo === undefined) tunnel(incoming.url ?? "", client, head);
    else {
      client.write(established);
      names.emit("connection", client);
    }
  };
  server.on("connect", (...asking) => void letThrough(...asking));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const port = await listening(server);
  return { host: `localhost:${port}`, port, asked, shown };
}
