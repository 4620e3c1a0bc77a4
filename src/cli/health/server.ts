import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isLoopback } from "../../contract/addresses.ts";
import type { Undelivered } from "../../journal/watches.ts";
import type { ListenAddress } from "../line/listen-address.ts";
import type { Runtime } from "../runtime.ts";
import { isCalledBy, machineNames, startServer } from "../session/local-server.ts";
import type { Metrics } from "./metrics.ts";
import { buildReport, type HealthFacts } from "./report.ts";

const plainText = "text/plain; charset=utf-8";
/** Whoever asks waits for seconds, not for a journal. */
const askMs = 2_000;
const cacheMs = 1_000;

/** What the answers are made of. */
export interface HealthSource extends Pick<HealthFacts, "branches" | "maxAgeMs"> {
  metrics: Metrics;
  /** Throws where the journal does not tell. */
  askOwed: () => Promise<readonly Undelivered[]>;
}

interface Answer {
  status: number;
  type: string;
  body: string;
}

const plain = (status: number, text: string): Answer => ({ status, type: plainText, body: `${text}\n` });

/** Asks the journal at most once a second, whoever asks; undefined where it does not answer. */
function askAtMost({ askOwed, metrics }: HealthSource, now: () => number) {
  let last: { at: number; owed: Promise<readonly Undelivered[] | undefined> } | undefined;
  const ask = async () => {
    let late: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_resolve, reject) => {
      late = setTimeout(() => reject(new Error("no answer")), askMs);
    });
    try {
      return await Promise.race([askOwed(), tooLong]);
    } catch {
      metrics.journalFailed();
      return undefined;
    } finally {
      clearTimeout(late);
    }
  };
  return () => {
    if (last === undefined || Math.abs(now() - last.at) >= cacheMs) last = { at: now(), owed: ask() };
    return last.owed;
  };
}

function openRoutes(source: HealthSource, now: () => number): Record<string, () => Promise<Answer>> {
  const { branches, maxAgeMs, metrics } = source;
  const readOwed = askAtMost(source, now);
  const facts = async (): Promise<HealthFacts> => ({
    branches,
    owed: await readOwed(),
    now: now(),
    maxAgeMs,
  });
  return {
    "/livez": () => Promise.resolve(plain(200, "ok")),
    "/healthz": async () => {
      const report = buildReport(await facts());
      const status = report.status === "ok" ? 200 : 503;
      return { status, type: "application/json", body: `${JSON.stringify(report)}\n` };
    },
    "/metrics": async () => ({
      status: 200,
      type: metrics.contentType,
      body: await metrics.text(await facts()),
    }),
  };
}

/** Answers how this process fares, until it is closed. Throws as `startServer` does. */
export async function openHealthServer(
  { system, texts }: Runtime,
  { host, port }: ListenAddress,
  source: HealthSource,
  tell: { say: (text: string) => Promise<void>; warn: (text: string) => Promise<void> },
): Promise<() => Promise<void>> {
  const routes = openRoutes(source, () => system.clock.now());
  const isLocal = isLoopback(host.toLowerCase());
  const choose = async (incoming: IncomingMessage): Promise<Answer> => {
    const { method = "", url = "" } = incoming;
    if (isLocal && !isCalledBy(incoming, machineNames(incoming, host)))
      return plain(421, "this Host is not served here");
    if (method !== "GET" && method !== "HEAD") return plain(405, "the method must be GET or HEAD");
    const route = routes[url.replace(/\?.*/s, "")];
    return route?.() ?? plain(404, `there is nothing here but ${Object.keys(routes).join(", ")}`);
  };
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { status, type, body } = await choose(incoming).catch(() => plain(500, "an error in bpos"));
    outgoing.writeHead(status, {
      "content-type": type,
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...(status === 405 && { allow: "GET, HEAD" }),
    });
    outgoing.end(body);
  };

  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (...exchange) => {
    answer(...exchange).catch(() => exchange[1].destroy());
  });
  server.maxConnections = 100;
  const started = await startServer(server, { host, port }, system);
  const name = `${host.includes(":") ? `[${host}]` : host}:${started.port}`;
  await tell.say(texts.health.listening(`http://${name}`));
  if (!isLocal) await tell.warn(texts.health.anybody(name));
  return () => started.close(300);
}
