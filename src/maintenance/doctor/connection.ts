import { isIP, type Socket } from "node:net";
import type { SecureContext } from "node:tls";
import type { Address } from "../../api/address.ts";
import {
  type Certificate,
  openConnection,
  type ProbeTarget,
  type ProbeWay,
  readCertificate,
  type Step,
  type StepLimits,
  targetOf,
} from "../../api/probe.ts";
import type { NamedProxy } from "../../api/proxy.ts";
import { isPublicHost } from "../../contract/public-host.ts";
import type { Check, CheckName, Finding, Which } from "../../errors/doctor-check.ts";
import { failed, passed, unchecked, warned } from "./rows.ts";

/** Looks a host's name up; see `System.lookUp`. */
type LookUpHost = (
  host: string,
  limits: StepLimits,
) => Promise<
  | { kind: "found"; addresses: readonly { address: string; family: number }[] }
  | { kind: "failed"; code: string }
  | { kind: "timeout"; ms: number }
  | { kind: "stopped" }
>;

/** What a look at the way to the service needs. */
export interface ConnectionMeans {
  lookUp: LookUpHost;
  clock: { now(): number };
  signal: AbortSignal;
  /** How long the whole way may take, in milliseconds. */
  limitMs: number;
  secureContext: SecureContext | undefined;
}

/** An address of the service, and the proxy in between. */
export interface ServiceAddress {
  which: Which;
  address: Address;
  proxy: NamedProxy | undefined;
}

/** The rows of the way to an address; `broken` is the one that failed. */
export interface Connection {
  rows: Check[];
  broken: CheckName | undefined;
}

const dayMs = 24 * 60 * 60_000;
/** Certificates are renewed a month before their end, as a rule; after this it was forgotten. */
const fewDays = 21;

const dayOf = (instant: number): string =>
  Number.isNaN(instant) ? "?" : new Date(instant).toISOString().slice(0, 10);

type Found = { row: Check; addresses: ProbeWay["addresses"] };

async function findHost(
  { which, proxy }: ServiceAddress,
  target: ProbeTarget,
  { lookUp, limits }: { lookUp: LookUpHost; limits: StepLimits },
): Promise<Found> {
  const name = `${which}_dns` as const;
  const { host } = proxy === undefined ? target : targetOf(proxy.url.origin);
  const service = proxy === undefined ? null : target.host;
  const family = isIP(host);
  if (family !== 0) {
    const addresses = [{ address: host, family }];
    const finding: Finding =
      service === null
        ? { kind: "dns_literal", host }
        : { kind: "dns_found", host, addresses: [host], service };
    return { row: passed(name, finding), addresses };
  }
  const found = await lookUp(host, limits);
  if (found.kind === "found" && found.addresses.length > 0) {
    const addresses = found.addresses.map(({ address }) => address);
    return { row: passed(name, { kind: "dns_found", host, addresses, service }), ...found };
  }
  const detail =
    found.kind === "timeout"
      ? ({ kind: "too_slow", ms: found.ms, complete: false } as const)
      : found.kind === "failed"
        ? found.code
        : "ENOTFOUND";
  const finding: Finding = { kind: "dns_failed", host, detail, isProxy: proxy !== undefined };
  return { row: failed(name, finding, "unavailable"), addresses: [] };
}

function tcpRow(
  { which, proxy, address }: ServiceAddress,
  { host, port }: ProbeTarget,
  opened: Step<Socket>,
  ms: number,
): Check {
  const name = `${which}_tcp` as const;
  const to = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  if (opened.kind === "done") return passed(name, { kind: "tcp_open", to, ms, via: proxy?.shown ?? null });
  const { detail, trouble } = opened;
  if (trouble !== undefined) return failed(name, { kind: "proxy_failed", detail, trouble }, "unavailable");
  const isLocal = !isPublicHost(new URL(address.origin).hostname);
  return failed(name, { kind: "tcp_failed", to, detail, isLocal }, "unavailable");
}

function tlsRow(
  { which }: ServiceAddress,
  { host }: ProbeTarget,
  read: Step<Certificate>,
  now: number,
): Check {
  const name = `${which}_tls` as const;
  if (read.kind === "failed") return failed(name, { kind: "tls_failed", detail: read.detail }, "unavailable");
  const { until, issuer, fault } = read.value;
  const day = dayOf(until);
  if (fault !== undefined) {
    const finding = { host, until: day, issuer, fault: fault.kind, said: fault.said };
    return failed(name, { kind: "tls_untrusted", ...finding }, "unavailable");
  }
  const days = Math.floor((until - now) / dayMs);
  return days < fewDays
    ? warned(name, { kind: "tls_ending", days, until: day, issuer })
    : passed(name, { kind: "tls_good", days, until: day, issuer });
}

function withoutTls({ which, address, proxy }: ServiceAddress): Check {
  const { hostname } = new URL(address.origin);
  const name = `${which}_tls` as const;
  return isPublicHost(hostname) || proxy !== undefined
    ? warned(name, { kind: "tls_absent", host: hostname })
    : passed(name, { kind: "tls_unneeded" });
}

/** The rows of the way to an address, the first that fails leaving the others unchecked. Never rejects. */
export async function checkConnection(service: ServiceAddress, means: ConnectionMeans): Promise<Connection> {
  const { clock, signal, limitMs, secureContext, lookUp } = means;
  const { which, address, proxy } = service;
  const target = targetOf(address.origin);
  const until = clock.now() + limitMs;
  const limits = (): StepLimits => ({ signal, timeoutMs: Math.max(1, until - clock.now()) });
  const brokenAt = (rows: Check[], broken: CheckName, left: readonly ("tcp" | "tls")[]): Connection => ({
    rows: [...rows, ...left.map((step) => unchecked(`${which}_${step}`, broken))],
    broken,
  });
  const { row: dns, addresses } = await findHost(service, target, { lookUp, limits: limits() });
  if (dns.status === "fail") return brokenAt([dns], dns.name, ["tcp", "tls"]);
  const startedAt = clock.now();
  const opened = await openConnection(target, { addresses, proxy, secureContext }, limits());
  const tcp = tcpRow(service, target, opened, clock.now() - startedAt);
  if (opened.kind === "failed") return brokenAt([dns, tcp], tcp.name, ["tls"]);
  const socket = opened.value;
  try {
    if (!target.isTls) return { rows: [dns, tcp, withoutTls(service)], broken: undefined };
    const read = await readCertificate(socket, target, { ...limits(), secureContext });
    const tls = tlsRow(service, target, read, clock.now());
    return { rows: [dns, tcp, tls], broken: tls.status === "fail" ? tls.name : undefined };
  } finally {
    socket.destroy();
  }
}
