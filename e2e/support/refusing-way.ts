import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Statements that hold `of` are answered with an error instead of being run, so many times. */
export interface Refusal {
  of: string;
  code: string;
  /** `FATAL` ends the session, as the server does then. @default ERROR */
  severity?: "ERROR" | "FATAL";
  /** @default 1 */
  times?: number;
}

const cString = (bytes: Buffer, from: number): string => bytes.toString("utf8", from, bytes.indexOf(0, from));

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function errorMessage({ code, severity = "ERROR" }: Refusal): Buffer {
  const fields = `S${severity}\0V${severity}\0C${code}\0Mrefused on the way\0\0`;
  return message("E", Buffer.from(fields));
}

/** The messages of one session to the server, of which some never arrive. */
class Passing {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #refusals: Refusal[];
  readonly #texts = new Map<string, string>();
  #bytes = Buffer.alloc(0);
  #isBegun = false;
  #isInTransaction = false;
  #refusal: Refusal | undefined;

  constructor(client: Socket, server: Socket, refusals: Refusal[]) {
    this.#client = client;
    this.#server = server;
    this.#refusals = refusals;
  }

  take(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    for (;;) {
      // The first message of a session has no type.
      const at = this.#isBegun ? 1 : 0;
      if (this.#bytes.length < at + 4) return;
      const size = at + this.#bytes.readInt32BE(at);
      if (this.#bytes.length < size) return;
      const [one, rest] = [this.#bytes.subarray(0, size), this.#bytes.subarray(size)];
      this.#bytes = rest;
      if (at === 0) this.#server.write(one);
      else this.#pass(String.fromCharCode(one[0] ?? 0), one);
      this.#isBegun = true;
    }
  }

  #pass(type: string, bytes: Buffer): void {
    this.#refusal ??= this.#refusalOf(this.#textOf(type, bytes));
    if (this.#refusal === undefined) {
      this.#server.write(bytes);
      return;
    }
    // Messages of the same statement go with it.
    if (type !== "S" && type !== "Q") return;
    const ready = message("Z", Buffer.from(this.#isInTransaction ? "E" : "I"));
    this.#client.write(Buffer.concat([errorMessage(this.#refusal), ready]));
    if (this.#refusal.severity === "FATAL") this.#server.destroy();
    this.#refusal = undefined;
  }

  #textOf(type: string, bytes: Buffer): string {
    if (type === "Q") {
      const text = cString(bytes, 5);
      if (/^(BEGIN|COMMIT|ROLLBACK)/.test(text)) this.#isInTransaction = text.startsWith("BEGIN");
      return text;
    }
    if (type === "P") {
      const name = cString(bytes, 5);
      const text = cString(bytes, 5 + Buffer.byteLength(name) + 1);
      this.#texts.set(name, text);
      return text;
    }
    if (type !== "B") return "";
    const portal = cString(bytes, 5);
    return this.#texts.get(cString(bytes, 5 + Buffer.byteLength(portal) + 1)) ?? "";
  }

  #refusalOf(text: string): Refusal | undefined {
    const found = this.#refusals.find(({ of, times = 1 }) => times > 0 && text.includes(of));
    if (found !== undefined) found.times = (found.times ?? 1) - 1;
    return found;
  }
}

/** A way to a server, without TLS, on which it seems to refuse what it is told to. */
export async function refusingWay(url: string): Promise<{ url: string; refuse: (refusal: Refusal) => void }> {
  const { port, hostname } = new URL(url);
  const refusals: Refusal[] = [];
  const sockets = new Set<Socket>();
  const way = createServer((client) => {
    const server = createConnection(Number(port), hostname);
    const passing = new Passing(client, server, refusals);
    client.on("data", (chunk: Buffer) => passing.take(chunk));
    server.on("data", (chunk: Buffer) => client.write(chunk));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => undefined).on("close", () => other.end());
    }
  }).listen(0, "127.0.0.1");
  await once(way, "listening");
  onTestFinished(() => {
    way.close();
    for (const each of sockets) each.destroy();
  });
  const own = Object.assign(new URL(url), { port: String((way.address() as { port: number }).port) });
  return { url: own.href, refuse: (refusal) => void refusals.push(refusal) };
}
