import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { type AskError, type Asked, askService, tooFarAheadMs, worthSayingMs } from "../../api/ask.ts";
import type { Address } from "../../api/call.ts";
import { buildClient, type Heard } from "../../api/client.ts";
import type { NamedProxy } from "../../api/proxy.ts";
import { TransportError } from "../../api/transport.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Network } from "../../cli/session/network.ts";
import { openTracing } from "../../cli/session/trace.ts";
import { ipVersion, isPublicHost } from "../../contract/addresses.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { Check, CheckName, Finding, Which } from "../../errors/findings.ts";
import { fail, failBy, pass, unchecked, warn } from "./row.ts";
import type { FoundSettings } from "./settings.ts";

export type ServiceAddress = { which: Which; address: Address; proxy: NamedProxy | undefined };

export interface Visit {
  origin?: string;
  rows: Check[];
  access: Check;
  heard?: Heard | undefined;
  /** The row of the way there that failed. */
  broken?: CheckName;
}

const dayMs = 24 * 60 * 60_000;
/** Certificates are usually renewed a month before they expire; after this, somebody forgot. */
const fewDays = 21;

/** By the end of a certificate: how many days are left, and whether that is soon. */
export function judgeEnd(at: number, now: number) {
  const days = Math.floor((at - now) / dayMs);
  return { days, until: Number.isNaN(at) ? "?" : isoWithOffset(at), isSoon: days < fewDays };
}

/** An address that cannot be checked until another row is fixed; `rows` are the rows up to that one. */
export function unvisited(which: Which, broken: CheckName, rows: readonly Check[] = []): Visit {
  const left = (["dns", "tcp", "tls", "http"] as const).slice(rows.length);
  return {
    broken,
    rows: [...rows, ...left.map((step) => unchecked(`${which}_${step}`, broken))],
    access: unchecked(`${which}_access`, broken),
  };
}

const stripBrackets = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

function checkCertificate(name: `${Which}_tls`, socket: Socket | undefined, now: number): Check {
  const { valid_to: end, issuer } =
    socket instanceof TLSSocket ? socket.getPeerCertificate() : { valid_to: "", issuer: undefined };
  const { days, until, isSoon } = judgeEnd(Date.parse(end), now);
  const by = [issuer?.O ?? issuer?.CN].flat()[0] ?? "";
  return (isSoon ? warn : pass)(name, { kind: "tls", days, until, issuer: by });
}

/** The rows of the way to an address; `sockets` by the host that they lead to. The last row may have failed. */
function checkWay(
  { which, address, proxy }: ServiceAddress,
  error: AskError | undefined,
  sockets: ReadonlyMap<string, Socket>,
  now: number,
): Check[] {
  const url = new URL(address.origin);
  const host = stripBrackets(url);
  const first = stripBrackets(proxy?.url ?? url);
  const socket = sockets.get(first);
  const failure = error?.cause instanceof TransportError ? error.cause : undefined;
  const { detail = "" } = error?.facts ?? {};
  const unavailable = (step: "dns" | "tcp" | "tls", finding: Finding): Check =>
    fail(`${which}_${step}`, finding, "unavailable");

  if (failure?.kind === "dns") return [unavailable("dns", { kind: "unreached", to: host, detail })];
  const dns = pass(`${which}_dns`, { kind: "dns", host: first, address: socket?.remoteAddress ?? null });
  if (error?.facts.proxy !== undefined) return [dns, failBy(`${which}_tcp`, error)];
  const isPlain = url.protocol === "http:";
  const to = `${ipVersion(host) === 6 ? `[${host}]` : host}:${url.port || (isPlain ? 80 : 443)}`;
  if (failure !== undefined && failure.kind !== "tls" && socket === undefined)
    return [dns, unavailable("tcp", { kind: "unreached", to, detail })];

  const way = [dns, pass(`${which}_tcp`, { kind: "tcp", to, via: proxy?.shown ?? null })];
  if (isPlain) {
    const isSeen = isPublicHost(url.hostname) || proxy !== undefined;
    return [...way, (isSeen ? warn : pass)(`${which}_tls`, { kind: "tls_none", host })];
  }
  if (failure?.kind !== "tls") return [...way, checkCertificate(`${which}_tls`, sockets.get(host), now)];
  const kind =
    error?.facts.untrusted === true
      ? "tls_untrusted"
      : error?.facts.clientCert === true
        ? "tls_client"
        : "tls_failed";
  return [...way, unavailable("tls", { kind, detail })];
}

function checkHttp(which: Which, asked: Asked, heard: Heard | undefined, ms: number): Check {
  const name = `${which}_http` as const;
  if (asked.kind === "accepted" || asked.kind === "denied")
    return pass(name, { kind: "http", status: heard?.status ?? 0, ms });

  const { status = 0, detail, quote = "", serviceMessage, serviceCode } = asked.error.facts;
  if (asked.kind === "not_service") {
    const said = detail ?? serviceMessage ?? serviceCode ?? "";
    return fail(name, { kind: "http_not_service", which, status, detail: said, quote }, "usage");
  }

  const finding: Finding = { kind: "http_failed", detail: detail ?? String(status) };
  return status === 429 ? warn(name, finding) : fail(name, finding, "unavailable");
}

function checkAccess(which: Which, asked: Asked, key: string | undefined): Check {
  const name = `${which}_access` as const;
  if (key === undefined) return unchecked(name, "key");
  if (asked.kind === "accepted") return pass(name, { kind: "access", waiting: asked.waiting });
  return asked.kind === "denied" ? failBy(name, asked.error) : unchecked(name, `${which}_http`);
}

const connected = "undici:client:connected";

/** Runs `work`, and collects the connections that undici opens meanwhile, by the host that they lead to. */
async function collectSockets<T>(
  work: () => Promise<T>,
): Promise<{ result: T; sockets: Map<string, Socket> }> {
  const sockets = new Map<string, Socket>();
  const note = (message: unknown): void => {
    const { connectParams, socket } = message as { connectParams: { hostname: string }; socket: Socket };
    sockets.set(connectParams.hostname, socket);
  };
  subscribe(connected, note);
  try {
    return { result: await work(), sockets };
  } finally {
    unsubscribe(connected, note);
  }
}

/** Checks an address by one request; `before` is the visit to the same server, if there was one. Throws `interrupted`. */
export async function visitService(
  service: ServiceAddress,
  before: Visit | undefined,
  {
    runtime,
    network,
    limitMs,
    found: { settings, mock },
  }: { runtime: Runtime; network: Network; limitMs: number; found: FoundSettings },
  key: string | undefined,
): Promise<Visit> {
  const { which, address } = service;
  if (before?.broken !== undefined) return unvisited(which, before.broken);

  const url = address.origin + address.path;
  const { system, signal } = runtime;
  const { clock, random } = system;
  const { dispatcher, proxies } = network;
  // Tracing hides the key; without one there is nothing to hide.
  const { wouldCall: _, ...tracing } = openTracing(runtime, {
    apiKey: key ?? "\0",
    address: url,
    proxies,
    clientCert: mock === undefined ? settings.clientCert : undefined,
  });
  let heard: Heard | undefined;
  const client = buildClient({
    apiKey: key ?? "",
    baseUrl: url,
    campaignsBaseUrl: url,
    dispatcher,
    clock,
    random,
    timeoutMs: limitMs,
    retries: 0,
    ...tracing,
    onAnswer: (latest) => {
      heard = latest;
    },
  });
  const askedAt = clock.now();
  const { result: asked, sockets } = await collectSockets(() => askService(client, which, signal));
  const now = clock.now();

  const way =
    before === undefined
      ? checkWay(service, asked.kind === "silent" ? asked.error : undefined, sockets, now)
      : (["dns", "tcp", "tls"] as const).map((step) => pass(`${which}_${step}`, { kind: "same_server" }));
  const last = way.at(-1);
  const { origin } = address;
  if (last?.status === "fail") return { ...unvisited(which, last.name, way), origin };
  const rows = [...way, checkHttp(which, asked, heard, now - askedAt)];
  return { origin, rows, access: checkAccess(which, asked, key), heard };
}

/** mockTime: what the clock of a mock says, null of any other service. */
function judgeClock(aheadMs: number | undefined, mockTime: string | null): Check {
  const finding: Finding = { kind: "clock", aheadMs, mockTime };
  // A rehearsal can set it to any time, and a push to a mock uses that time.
  if (mockTime !== null) return pass("clock", finding);
  // A push refuses only a clock that is ahead: `docs/explanation/guarantees.md`, Catalog, 5.
  if (aheadMs !== undefined && aheadMs >= tooFarAheadMs) return fail("clock", finding, "config");
  return Math.abs(aheadMs ?? 0) >= worthSayingMs ? warn("clock", finding) : pass("clock", finding);
}

/** Compares this machine's clock with the service's, as its responses report it. */
export function checkClock(visits: readonly Visit[], now: number): Check {
  const heard = visits.flatMap((visit) => visit.heard ?? []);
  const isMock = heard.some(({ world }) => world !== undefined);
  const aheadMs = heard.find((each) => each.aheadMs !== undefined)?.aheadMs;
  if (heard.length > 0) return judgeClock(aheadMs, isMock ? isoWithOffset(now - (aheadMs ?? 0)) : null);
  const [first] = visits;
  return unchecked("clock", first?.broken ?? first?.rows.at(-1)?.name ?? "base_url");
}
