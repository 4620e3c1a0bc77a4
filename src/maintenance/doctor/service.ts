import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { isIP, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { type AskError, type Asked, askService } from "../../api/ask.ts";
import type { Address } from "../../api/call.ts";
import { type ClientOptions, clientOf, type Heard } from "../../api/client.ts";
import type { NamedProxy } from "../../api/proxy.ts";
import { codeOf, TransportError } from "../../api/transport.ts";
import { isPublicHost } from "../../contract/public-host.ts";
import type { CertificateFault, Check, CheckName, Finding, Which } from "../../errors.ts";
import { failed, passed, unchecked, warned } from "./rows.ts";
import type { KeyReading } from "./settings-check.ts";

export interface ServiceAddress {
  which: Which;
  address: Address;
  proxy: NamedProxy | undefined;
}

export interface Asking {
  keyProfile: string | null;
  optionsWith: (key: string) => Omit<ClientOptions, "baseUrl" | "campaignsBaseUrl">;
  signal: AbortSignal;
}

export interface Visit {
  which: Which;
  /** Who was asked; undefined for nobody. */
  origin: string | undefined;
  rows: Check[];
  access: Check;
  heard: Heard | undefined;
  /** The row of the way there that failed. */
  broken: CheckName | undefined;
}

const dayMs = 24 * 60 * 60_000;
/** Certificates are renewed a month before their end, as a rule; after this it was forgotten. */
const fewDays = 21;

/** An address that cannot be asked before another row is put right. */
export function unvisited(which: Which, broken: CheckName): Visit {
  const rows = (["dns", "tcp", "tls", "http"] as const).map((step) => unchecked(`${which}_${step}`, broken));
  const access = unchecked(`${which}_access`, broken);
  return { which, origin: undefined, rows, access, heard: undefined, broken };
}

const plainHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

/** Does `work`, given each connection that is opened meanwhile, by the host that it leads to; undici tells of them. */
async function watchingConnections<T>(
  work: (sockets: ReadonlyMap<string, Socket>) => Promise<T>,
): Promise<T> {
  const sockets = new Map<string, Socket>();
  const note = (message: unknown): void => {
    const { connectParams, socket } = message as { connectParams: { hostname: string }; socket: Socket };
    sockets.set(connectParams.hostname, socket);
  };
  subscribe("undici:client:connected", note);
  try {
    return await work(sockets);
  } finally {
    unsubscribe("undici:client:connected", note);
  }
}

function faultOf(code: string): CertificateFault {
  if (code === "CERT_HAS_EXPIRED") return "expired";
  if (code === "CERT_NOT_YET_VALID") return "not_yet";
  if (/ALTNAME|HOSTNAME/.test(code)) return "other_host";
  return /SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code) ? "unknown_ca" : "other";
}

function certificateRow(name: `${Which}_tls`, socket: Socket | undefined, now: number): Check {
  const { valid_to: end, issuer } =
    socket instanceof TLSSocket ? socket.getPeerCertificate() : { valid_to: "", issuer: undefined };
  const until = Date.parse(end);
  const days = Math.floor((until - now) / dayMs);
  const finding = {
    days,
    until: Number.isNaN(until) ? "?" : new Date(until).toISOString().slice(0, 10),
    issuer: [issuer?.O ?? issuer?.CN].flat()[0] ?? "",
  };
  return days < fewDays
    ? warned(name, { kind: "tls_ending", ...finding })
    : passed(name, { kind: "tls_good", ...finding });
}

function withoutTls({ which, address, proxy }: ServiceAddress): Check {
  const { hostname } = new URL(address.origin);
  const name = `${which}_tls` as const;
  return isPublicHost(hostname) || proxy !== undefined
    ? warned(name, { kind: "tls_absent", host: hostname })
    : passed(name, { kind: "tls_unneeded" });
}

/** The rows of the way to an address as the question, its error and its connections show it; the last one may have failed. */
function wayRows(
  service: ServiceAddress,
  error: AskError | undefined,
  sockets: ReadonlyMap<string, Socket>,
  now: number,
): Check[] {
  const { which, address, proxy } = service;
  const url = new URL(address.origin);
  const host = plainHost(url);
  const first = proxy?.url ?? url;
  const failure = error?.cause instanceof TransportError ? error.cause : undefined;
  const code = codeOf(failure?.cause);
  const { detail = "", proxy: trouble } = error?.facts ?? {};
  const socket = sockets.get(plainHost(first));
  const unavailable = (step: "dns" | "tcp" | "tls", finding: Finding): Check =>
    failed(`${which}_${step}`, finding, "unavailable");
  if (failure?.kind === "dns") return [unavailable("dns", { kind: "dns_failed", host, code })];
  const found = { host: plainHost(first), address: socket?.remoteAddress ?? null };
  const service_ = proxy === undefined ? null : host;
  const dns = passed(`${which}_dns`, { kind: "dns_found", ...found, service: service_ });
  if (trouble !== undefined) return [dns, unavailable("tcp", { kind: "proxy_failed", detail, trouble })];
  const to = `${isIP(host) === 6 ? `[${host}]` : host}:${url.port || (url.protocol === "https:" ? 443 : 80)}`;
  const isLocal = !isPublicHost(url.hostname);
  if (failure !== undefined && failure.kind !== "tls" && socket === undefined)
    return [dns, unavailable("tcp", { kind: "tcp_failed", to, detail, isLocal })];
  const tcp = passed(`${which}_tcp`, { kind: "tcp_open", to, via: proxy?.shown ?? null });
  if (url.protocol === "http:") return [dns, tcp, withoutTls(service)];
  if (failure?.kind !== "tls") return [dns, tcp, certificateRow(`${which}_tls`, sockets.get(host), now)];
  const finding: Finding =
    error?.facts.untrusted === true
      ? { kind: "tls_untrusted", fault: faultOf(code), said: code, host }
      : { kind: "tls_failed", detail };
  return [dns, tcp, unavailable("tls", finding)];
}

function httpRow(which: Which, asked: Asked, heard: Heard | undefined, ms: number): Check {
  const name = `${which}_http` as const;
  if (asked.kind === "accepted" || asked.kind === "denied")
    return passed(name, { kind: "http_good", status: heard?.status ?? 0, ms });
  const { status = 0, detail, quote = "", serviceMessage, serviceCode } = asked.error.facts;
  switch (asked.kind) {
    case "not_service": {
      const said =
        detail === undefined ? { detail: serviceMessage ?? serviceCode ?? "", quote: "" } : { detail, quote };
      return failed(name, { kind: "http_not_service", which, status, ...said }, "usage");
    }
    case "moved": {
      const to = typeof detail === "object" && detail.kind === "redirect" ? detail.to : null;
      return failed(name, { kind: "http_moved", which, status, to }, "usage");
    }
    case "busy": {
      const finding = { kind: "http_busy", status } as const;
      return status === 429 ? warned(name, finding) : failed(name, finding, "unavailable");
    }
    case "silent":
      return failed(name, { kind: "http_failed", detail: detail ?? "" }, "unavailable");
  }
}

function accessRow(which: Which, asked: Asked, reading: KeyReading, profile: string | null): Check {
  const name = `${which}_access` as const;
  if (reading.key === undefined) return unchecked(name, "key");
  if (asked.kind === "accepted") return passed(name, { kind: "access_good", which, waiting: asked.waiting });
  if (asked.kind !== "denied") return unchecked(name, `${which}_http`);
  const { status = 0, serviceMessage, quote = "" } = asked.error.facts;
  const said = serviceMessage ?? quote;
  return failed(name, { kind: "access_denied", status, said, shown: reading.shown, profile }, "denied");
}

/** Looks at an address by one request; `before` is the visit to the same server, if there was one. Throws `interrupted`. */
export async function visitService(
  service: ServiceAddress,
  asking: Asking & { reading: KeyReading; before: Visit | undefined },
): Promise<Visit> {
  const { keyProfile, optionsWith, signal, reading, before } = asking;
  const { which, address } = service;
  const { origin } = address;
  if (before?.broken !== undefined) return unvisited(which, before.broken);
  const url = origin + address.path;
  const options = optionsWith(reading.key ?? "");
  let heard: Heard | undefined;
  const onAnswer = (latest: Heard): void => {
    heard = latest;
  };
  const client = clientOf({ ...options, baseUrl: url, campaignsBaseUrl: url, onAnswer });
  const askedAt = options.clock.now();
  return watchingConnections(async (sockets) => {
    const asked = await askService(client, which, signal);
    const now = options.clock.now();
    const error = asked.kind === "silent" ? asked.error : undefined;
    const way =
      before === undefined
        ? wayRows(service, error, sockets, now)
        : (["dns", "tcp", "tls"] as const).map((step) => passed(`${which}_${step}`, { kind: "same_server" }));
    const last = way.at(-1);
    if (last?.status === "fail") {
      const { rows, ...rest } = unvisited(which, last.name);
      return { ...rest, origin, rows: [...way, ...rows.slice(way.length)] };
    }
    const rows = [...way, httpRow(which, asked, heard, now - askedAt)];
    const access = accessRow(which, asked, reading, keyProfile);
    return { which, origin, rows, access, heard, broken: undefined };
  });
}
