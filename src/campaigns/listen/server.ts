import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isCalledBy, machineNames, startServer } from "../../cli/session/local-server.ts";
import { decode } from "../../contract/addresses.ts";
import { serviceCodes } from "../../contract/endpoints.ts";
import type { System } from "../../system.ts";

export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "Refusal";
    this.status = status;
  }
}

export interface ReceiverOptions {
  host: string;
  port: number;
  system: Pick<System, "findListener">;
  secret?: string | undefined;
  /** Accepted host names besides this machine's own; without it, any host name and any page. */
  names?: { own: readonly string[]; trustAnyHost: boolean } | undefined;
  take: (bytes: Buffer, headers: IncomingMessage["headers"]) => Promise<void> | void;
  onRefusal: (refusal: Refusal) => void;
  onDefect: (error: unknown) => void;
  /** Milliseconds to receive a complete request; its headers have a third of that. Default 30,000. */
  requestMs?: number;
}

const maxReplyBytes = 1024 * 1024;
/** Maximum number of bodies in memory at once; further senders wait. */
const maxBodies = 64;

function checkNames(
  incoming: IncomingMessage,
  bound: string,
  names: NonNullable<ReceiverOptions["names"]>,
): void {
  const own = [...machineNames(incoming, bound), ...names.own];
  if (!names.trustAnyHost && !isCalledBy(incoming, own))
    throw new Refusal(421, "this Host is not served here");
  const { origin } = incoming.headers;
  if (origin !== undefined && !(URL.canParse(origin) && own.includes(new URL(origin).hostname)))
    throw new Refusal(403, "a page of another origin may not post here");
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

function checkPost({ url = "", headers }: IncomingMessage, secret: string | undefined): void {
  const lastPart = decode(url.replace(/\?.*/s, "").replace(/^.*\//s, ""));
  // Comparing digests takes the same time whatever was sent.
  if (secret !== undefined && !timingSafeEqual(digest(lastPart), digest(secret)))
    throw new Refusal(404, "this path does not exist");
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  // A web page can post a text to this machine without asking, but no JSON.
  if (!/^application\/([\w.+-]+\+)?json$/i.test(type.trim()))
    throw new Refusal(415, "Content-Type must be application/json");
  if (!/^(identity)?$/i.test(headers["content-encoding"] ?? ""))
    throw new Refusal(415, "the body must not be compressed");
}

/** Limits how many requests are read at once; refuses one that waits longer than `waitMs` with 503. */
function inTurn(free: number, waitMs: number): (work: () => Promise<void>) => Promise<void> {
  let left = free;
  const waiting: (() => void)[] = [];
  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(new Refusal(503, "too many requests at once: try again"));
      }, waitMs);
      const begin = (): void => {
        clearTimeout(late);
        resolve();
      };
      waiting.push(begin);
    });
  return async (work) => {
    if (left > 0) left -= 1;
    else await turn();
    await work().finally(() => {
      const first = waiting.shift();
      if (first === undefined) left += 1;
      else first();
    });
  };
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const check = (bytes: number): void => {
    if (bytes > maxReplyBytes) throw new Refusal(413, `the body is larger than ${maxReplyBytes} bytes`);
  };
  check(Number(incoming.headers["content-length"] ?? 0));
  // A refused request stays open, so that its sender can read the refusal.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    check(size);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function answer(outgoing: ServerResponse, status: number, json: object, headers: object = {}): void {
  const body = JSON.stringify(json);
  const type = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  outgoing.writeHead(status, { ...type, ...headers }).end(body);
}

const drainMs = 500;

/** Reads the rest of a refused body for up to 500 ms, so that its sender can read the refusal; then closes the connection. */
function drain(incoming: IncomingMessage): void {
  if (incoming.complete) return;
  const late = setTimeout(() => incoming.socket.destroy(), drainMs);
  incoming.once("close", () => clearTimeout(late)).resume();
}

/** The pages that a GET may read, without the secret too: bpos listens here, and it can answer a probe. */
const pages = new Map([
  ["/", "bpos listens here\n"],
  ["/livez", "ok\n"],
]);

/** Returns the handler of a request. */
function receiver(options: ReceiverOptions, requestMs: number) {
  const { take, onRefusal, onDefect, host, secret, names } = options;
  const turn = inTurn(maxBodies, requestMs / 3);
  const receive = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = "", url = "", headers } = incoming;
    if (names !== undefined) checkNames(incoming, host, names);
    if (method === "POST") {
      checkPost(incoming, secret);
      await turn(async () => take(await readBody(incoming), headers));
      answer(outgoing, 200, { received: true });
      return;
    }

    const text = ["GET", "HEAD"].includes(method) ? pages.get(url.replace(/\?.*/s, "")) : undefined;
    if (text === undefined) throw new Refusal(405, "the method must be POST");
    outgoing.setHeader("content-type", "text/plain; charset=utf-8").end(text);
  };
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    try {
      await receive(incoming, outgoing);
    } catch (error) {
      const isRefused = error instanceof Refusal;
      const refusal = isRefused ? error : new Refusal(500, "an error in bpos", { cause: error });
      const { status, message } = refusal;
      // The sender closed the connection before its body was read, even where all of it had arrived.
      const isGone = !isRefused && incoming.destroyed && !incoming.readableEnded;
      if (!isGone && incoming.method === "POST") onRefusal(refusal);
      if (!isGone && !isRefused) onDefect(error);
      const code = status >= 500 ? "ERROR_CODE_UNAVAILABLE" : serviceCodes.inputError;
      const body = { code, message, payload: { campaign_id: null, external_ref: null } };
      const headers = {
        ...(status === 405 && { allow: "POST" }),
        ...(status >= 500 && { "retry-after": "5" }),
      };
      answer(outgoing, status, body, headers);
      drain(incoming);
    }
  };
}

export async function openReceiver(options: ReceiverOptions) {
  const { host, port, requestMs = 30_000 } = options;
  const times = {
    requestTimeout: requestMs,
    headersTimeout: requestMs / 3,
    connectionsCheckingInterval: Math.min(1_000, requestMs / 10),
  };
  const handle = receiver(options, requestMs);
  const server = createServer(times, (incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.maxConnections = 1_000;
  return startServer(server, { host, port }, options.system);
}
