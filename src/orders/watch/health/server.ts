import { createServer, type IncomingMessage } from "node:http";
import type { Runtime } from "../../../cli/runtime.ts";
import {
  isCalledBy,
  type ListenAddress,
  machineNames,
  startServer,
} from "../../../cli/session/local-server.ts";
import { isLoopback } from "../../../contract/addresses.ts";
import type { Undelivered } from "../../../journal/records/watches.ts";
import type { Metrics } from "./metrics.ts";
import { buildReport, type HealthFacts } from "./report.ts";

/** A client waits seconds at most, even if the journal hangs. */
const askMs = 2_000;
const cacheMs = 1_000;
const closeMs = 300;

/** The facts for the answers. */
export interface HealthSource extends Pick<HealthFacts, "branches" | "maxAgeMs"> {
  metrics: Metrics;
  /** Throws if the journal cannot be read. */
  askOwed: () => Promise<readonly Undelivered[]>;
}

/** Reads the journal at most once a second for all clients; undefined if it does not answer. */
function askAtMost({ askOwed, metrics }: HealthSource, now: () => number) {
  let last: { at: number; owed: Promise<readonly Undelivered[] | undefined> } | undefined;
  const ask = async () => {
    let late: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_resolve, reject) => {
      late = setTimeout(() => reject(new Error("no response")), askMs);
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

interface Answer {
  status: number;
  text: string;
  /** @default plain text */
  type?: string;
  headers?: object;
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
    "/livez": () => Promise.resolve({ status: 200, text: "ok\n" }),
    "/healthz": async () => {
      const report = buildReport(await facts());
      const status = report.status === "ok" ? 200 : 503;
      return { status, type: "application/json", text: `${JSON.stringify(report)}\n` };
    },
    "/metrics": async () => ({
      status: 200,
      type: metrics.contentType,
      text: await metrics.text(await facts()),
    }),
  };
}

/** Returns a read-only server; on loopback it accepts only the names of this machine. */
function createReader(routes: ReturnType<typeof openRoutes>, host: string) {
  const isLocal = isLoopback(host.toLowerCase());
  const nothing = { status: 404, text: `not found; the paths are ${Object.keys(routes).join(", ")}\n` };
  const answer = async (incoming: IncomingMessage): Promise<Answer> => {
    if (isLocal && !isCalledBy(incoming, machineNames(incoming, host)))
      return { status: 421, text: "this Host is not served here\n" };
    const { method = "", url = "" } = incoming;
    if (["GET", "HEAD"].includes(method)) return (await routes[url.replace(/\?.*/s, "")]?.()) ?? nothing;
    const allow = "GET, HEAD";
    return { status: 405, text: `the method must be one of ${allow}\n`, headers: { allow } };
  };

  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (incoming, outgoing) => {
    answer(incoming)
      .catch((): Answer => ({ status: 500, text: "internal error in bpos\n" }))
      .then(({ status, text, type = "text/plain; charset=utf-8", headers }) => {
        const always = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
        const own = { "content-type": type, "content-length": Buffer.byteLength(text) };
        outgoing.writeHead(status, { ...always, ...headers, ...own }).end(text);
      })
      .catch(() => outgoing.destroy());
  });
  server.maxConnections = 100;
  return server;
}

/** Opens a server that reports the state of this process; returns a function that closes it. Throws as `startServer` does. */
export async function openHealthServer(
  { system, texts: { t } }: Runtime,
  address: ListenAddress,
  source: HealthSource,
  tell: { say: (text: string) => Promise<void>; warn: (text: string) => Promise<void> },
): Promise<() => Promise<void>> {
  const { host } = address;
  const server = createReader(
    openRoutes(source, () => system.clock.now()),
    host,
  );
  const { port, close } = await startServer(server, address, system);
  const name = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  await tell.say(t("Health: {url}/healthz, /livez and /metrics.", { url: `http://${name}` }));
  const anybody = t("Anyone who can reach {name} can read the state of this process, unencrypted.", {
    name,
  });
  if (!isLoopback(host.toLowerCase())) await tell.warn(anybody);
  return () => close(closeMs);
}
