import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";
import { worldHeader } from "../../src/contract/mock-world.ts";
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
  /** Answers 403 with this to a request of plain http. */
  refusal?: string;
  /** The mock on this machine to which every name leads, also without a port, and where it is asked as the service itself. */
  leadsTo?: () => Pick<RunningMock, "baseUrl">;
  /** Makes that mock pass for the real service: no answer names its world. */
  hidesWorld?: true;
}

/** A proxy of a test. */
export interface ProxyServer {
  host: string;
  port: number;
  /** What was asked of it: `CONNECT host:port`, or a method and a whole address. */
  asked: string[];
}

const challenge = "HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n";

/** Passes a request on to this machine, whatever host it names. */
function passOn(
  incoming: IncomingMessage,
  response: ServerResponse,
  { leadsTo, hidesWorld }: ProxyBehaviour,
): void {
  const asked = new URL(incoming.url ?? "", "http://127.0.0.1");
  // A doubled slash at the beginning is a path too.
  const path = incoming.url?.startsWith("/") ? incoming.url : asked.pathname + asked.search;
  const { "proxy-authorization": _, ...headers } = incoming.headers;
  const mock = leadsTo && new URL(leadsTo().baseUrl);
  if (mock) headers.host = mock.host;
  const { port } = mock ?? asked;
  const onward = httpRequest(
    { host: "127.0.0.1", port, path: path.replace(/^\/\/+/, "/"), method: incoming.method, headers },
    (answer) => {
      const { [worldHeader]: _world, ...plain } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, hidesWorld ? plain : answer.headers);
      answer.pipe(response);
    },
  );
  // What happens to the service's connection happens to the client's.
  onward.on("error", () => response.destroy());
  incoming.pipe(onward);
}

function tunnel(to: string, client: Duplex, head: Buffer): void {
  const service = connect(Number(to.split(":").at(-1)), "127.0.0.1", () => {
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    service.write(head);
    service.pipe(client).pipe(service);
  });
  service.on("error", () => client.destroy());
  client.on("error", () => service.destroy()).on("close", () => service.destroy());
}

/** Starts a real proxy for http and https that leads every name to this machine; it stops when the test ends. */
export async function proxyServer(behaviour: ProxyBehaviour = {}): Promise<ProxyServer> {
  const { credentials, tls = false, connectAnswers = [], refusal } = behaviour;
  const asked: string[] = [];
  const wanted =
    credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`;
  const isStranger = ({ headers }: IncomingMessage): boolean =>
    wanted !== undefined && headers["proxy-authorization"] !== wanted;
  const server = tls ? createTlsServer(hostCertificate) : createServer();
  const sockets = new Set<Duplex>();
  server.on("request", (incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (isStranger(incoming)) response.writeHead(407, { "proxy-authenticate": "Basic" }).end("who are you?");
    else if (refusal !== undefined) response.writeHead(403).end(refusal);
    else passOn(incoming, response, behaviour);
  });
  server.on("connect", (incoming, client, head) => {
    asked.push(`CONNECT ${incoming.url}`);
    sockets.add(client);
    const answer = isStranger(incoming) ? challenge : connectAnswers.shift();
    if (answer === undefined) tunnel(incoming.url ?? "", client, head);
    else client.end(answer);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const port = await listening(server);
  return { host: `localhost:${port}`, port, asked };
}
