import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A request as it arrived. */
interface SeenRequest {
  method: string;
  /** Path and query as sent. */
  url: string;
  headers: IncomingHttpHeaders;
  /** The raw body. */
  body: Buffer;
}

/** Answers one request, or does not. */
export type Handler = (response: ServerResponse, request: SeenRequest) => void;

/** One request that a test expects, and its answer. */
export interface Expectation {
  /** Method and path without the query, for example `GET /v1/orders`. */
  on: string;
  handler: Handler;
  /** May come any number of times, or never, and is not among `requests`. */
  aside?: true;
}

/** Expects a request; `on` is its method and path without the query. */
export function on(on: string, handler: Handler): Expectation {
  return { on, handler };
}

/** The question for the time that comes before a push; the answer's Date is this machine's. */
export const clockQuestion: Expectation = {
  on: "GET /v1/orders",
  handler: reply({ orders: [], page: 1, per_page: 20, total: 0, has_more: false }),
  aside: true,
};

/** Answers with a status and a body: an object becomes JSON, a string or Buffer is sent as it is. */
export function reply(body: unknown, status = 200, headers: Record<string, string> = {}): Handler {
  return (response) => {
    const bytes = typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(bytes);
  };
}

/** Resets the connection without an answer. */
export function reset(): Handler {
  return (response) => (response.socket as Socket).resetAndDestroy();
}

/** Sends headers that promise a whole answer and the first bytes of it, then resets the connection. */
export function resetAfter(part: string, status = 200): Handler {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", "content-length": "100000" });
    response.write(part, () => setImmediate(() => (response.socket as Socket).resetAndDestroy()));
  };
}

/** Never answers. */
export function silence(): Handler {
  return () => undefined;
}

/** Never answers, and tells when it was asked. */
export function hanging(): { arrived: Promise<void>; handler: Handler } {
  let handler: Handler = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    handler = () => resolve();
  });
  return { arrived, handler: (...call) => handler(...call) };
}

/** A server of a test. */
export interface ScriptedServer {
  /** `http://127.0.0.1:PORT`. */
  url: string;
  requests: SeenRequest[];
}

const worldQuestion = "GET /_mock/world";

async function read(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = "", url = "", headers } = request;
  return { method, url, headers, body: Buffer.concat(chunks) };
}

/**
 * Starts a real HTTP server on a free port of 127.0.0.1 that answers the expected requests: each expectation is used
 * once, the first that fits first. When the test ends the server stops, and the test fails if a request
 * came that nobody expected or an expectation was left over.
 *
 * @example
 * const server = await scriptedServer(on("GET /v1/orders", reply({ orders: [] })));
 */
export async function scriptedServer(...expectations: Expectation[]): Promise<ScriptedServer> {
  const open = expectations.filter(({ aside }) => aside !== true);
  const unexpected: string[] = [];
  const requests: SeenRequest[] = [];

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await read(incoming);
    const name = `${request.method} ${request.url.replace(/\?.*/, "")}`;
    // Before anything else a command asks what is on loopback for the world of a mock.
    if (name === worldQuestion && !expectations.some((each) => each.on === worldQuestion)) {
      // Nor does it tell the time, which tests set apart.
      response.sendDate = false;
      reply({ code: "TEST", message: "no mock", payload: "" }, 404)(response, request);
      return;
    }
    const aside = expectations.find((expectation) => expectation.aside === true && expectation.on === name);
    if (aside) {
      aside.handler(response, request);
      return;
    }
    requests.push(request);
    const index = open.findIndex((expectation) => expectation.on === name);
    const [expectation] = index < 0 ? [] : open.splice(index, 1);
    if (expectation) {
      expectation.handler(response, request);
      return;
    }
    unexpected.push(name);
    // A status that no client tries again.
    reply({ code: "TEST", message: `nobody expected ${name}`, payload: "" }, 404)(response, request);
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      unexpected.push(String(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const left = open.map((expectation) => expectation.on);
    if (unexpected.length > 0 || left.length > 0) {
      throw new Error(`unexpected: [${unexpected.join(", ")}]; never came: [${left.join(", ")}]`);
    }
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
