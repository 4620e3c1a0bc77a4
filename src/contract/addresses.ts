import { BlockList, isIPv4, isIPv6 } from "node:net";
import { parameterFault } from "./database-parameters.ts";

/** 4 or 6; 0 for what is no address. Of a name nobody asks whether it is one of IPv6: that pattern takes 3 to 6 ms to compile. */
export const ipVersion = (host: string): 0 | 4 | 6 =>
  host.includes(":") ? (isIPv6(host) ? 6 : 0) : isIPv4(host) ? 4 : 0;

export function parseRanges(text: string): BlockList {
  const list = new BlockList();
  for (const range of text.split(" ")) {
    const [address = "", prefix = ""] = range.split("/");
    list.addSubnet(address, Number.parseInt(prefix, 10), address.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}

// An IPv4 address that is mapped into an IPv6 one (`::ffff:10.0.0.1`) is found by the rules for IPv4. Of the other ways to hold
// one (the old one, translation, 6to4 and Teredo) nobody serves a file.
const privateRanges =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 224.0.0.0/3 " +
  "::/96 64:ff9b::/32 2001::/32 2002::/16 fc00::/7 fe80::/9 ff00::/8";
let privateAddresses: BlockList | undefined;

/** Without the two slashes, URL alone would still make sense of "http:host"; a person meant something else. */
export const webUrl = (text: string): URL | undefined =>
  /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;

/** A part of an address as a person reads it; a per cent sign that begins no escape stands for itself. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** True for a journal that is a PostgreSQL database, not a file. */
export const isDatabase = (journal: string): boolean => /^postgres(ql)?:\/\//i.test(journal);

type Env = Readonly<Record<string, string | undefined>>;

const emptyHost =
  /^(?<scheme>\w+:\/\/)(?<user>[^/?#@:]*)(?::(?<password>[^/?#@]*))?@(?::(?<port>\d*))?(?=[/?]|$)(?<path>[^?]*)\??/;

/** Moves user, password and port into parameters where there is no host between user and database, which `URL` does not accept. */
function withoutEmptyHost(address: string): string {
  const found = emptyHost.exec(address);
  if (found === null) return address;
  const { scheme = "", path = "", ...parts }: Record<string, string | undefined> = found.groups ?? {};
  // As a parameter a plus sign would be a space.
  const given = Object.entries(parts).map(([name, text = ""]) =>
    text === "" ? "" : `${name}=${text.replace(/[+&]/g, encodeURIComponent)}&`,
  );
  return `${scheme}${path}?${given.join("")}${address.slice(found[0].length)}`;
}

/** The address of a database, also in the form of libpq for the socket of this machine: `postgres://user:password@/db?host=/run`. */
export const databaseUrl = (address: string): URL => new URL(withoutEmptyHost(address));

/** The host, or the folder of the socket, of a database. */
export function databaseHost(address: string, env: Env): string {
  const { hostname, searchParams } = databaseUrl(address);
  return searchParams.get("host") || decode(hostname) || env["PGHOST"] || "localhost";
}

/** A database as people may read it: host, port and name, without user and password. What the address leaves out, `PG*` says. */
export function databaseName(address: string, env: Env = {}): string {
  const { port, pathname, searchParams } = databaseUrl(address);
  const number = searchParams.get("port") || port || env["PGPORT"] || "5432";
  // Without either it is the user's name, which is not shown.
  const database = decode(pathname.slice(1)) || searchParams.get("dbname") || env["PGDATABASE"];
  return `${databaseHost(address, env)}:${number}${database ? `/${database}` : ""}`;
}

/** A database's address without its passwords. */
export function shownDatabase(address: string): string {
  const url = databaseUrl(address);
  url.password = "";
  for (const name of [...url.searchParams.keys()]) if (/pass/i.test(name)) url.searchParams.delete(name);
  return url.href;
}

/** Returns the parts of a database's address that no output may show, however broken the address is. */
export function databasePasswords(address: string): string[] {
  const [, written = ""] = /:\/\/[^:/?#]*:(.*)@/s.exec(address) ?? [];
  const given = URL.canParse(withoutEmptyHost(address)) ? [...databaseUrl(address).searchParams] : [];
  const found = given.flatMap(([name, value]) => (/pass/i.test(name) ? value : []));
  return [decode(written), ...found].filter((password) => password !== "");
}

const sslModes = new Set(["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]);

/** Returns how the connection to a database is secured; undefined where nothing says it. */
export function readSslMode(address: URL, env: Env): string | undefined {
  const { searchParams: given } = address;
  // Nothing else would make them count: they have no file.
  if ((given.get("sslrootcert") || env["PGSSLROOTCERT"]) === "system") return "verify-full";
  // As other drivers have it.
  const ssl = given.get("ssl") ?? "";
  const meant = { true: "verify-full", 1: "verify-full", false: "disable", 0: "disable" }[ssl] ?? ssl;
  return given.get("sslmode") || meant || env["PGSSLMODE"] || undefined;
}

const isDecodable = (text: string): boolean => !text.includes("%") || decode(text) !== text;

/** Why an address cannot be that of a journal; undefined where only its server knows. The driver would guess, or show it. */
export function databaseFault(address: string, env: Env) {
  if (!isDatabase(address)) return { kind: "not_database" } as const;
  const [, authority = "", rest = ""] = /^[^:]*:\/\/([^/?#]*)(.*)$/s.exec(address) ?? [];
  // The text behind such a sign would be taken for another part, and shown.
  if (/[@#]/.test(rest)) return { kind: "unescaped" } as const;
  if (authority.replace(/.*@/s, "").includes(",")) return { kind: "several_hosts" } as const;
  if (!URL.canParse(withoutEmptyHost(address))) return { kind: "address_broken" } as const;
  const url = databaseUrl(address);
  const { username, password, hostname, pathname, searchParams } = url;
  if (![username, password, hostname, pathname].every(isDecodable)) return { kind: "unescaped" } as const;
  if (searchParams.get("host")?.includes(",")) return { kind: "several_hosts" } as const;
  const fault = parameterFault(url, env);
  if (fault !== undefined) return fault;
  const port = Number(searchParams.get("port") || url.port || env["PGPORT"] || 5432);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return { kind: "port_unusable" } as const;
  const mode = readSslMode(url, env);
  if (mode !== undefined && !sslModes.has(mode)) return { kind: "sslmode_unknown", mode } as const;
  const users = [username, searchParams.get("user"), env["PGUSER"], env["USER"], env["USERNAME"]];
  // Without a database the driver takes the user's name for it.
  return users.some((user) => user) ? undefined : ({ kind: "userless" } as const);
}

/** Returns the problem of the URL of a header's file; null when it can be used (`docs/reference/service.md` 4.3). Fetches nothing. */
export function headerUrlProblem(text: string): string | null {
  const url = webUrl(text);
  if (url?.protocol !== "https:") return "must be an https URL";
  if (url.username !== "" || url.password !== "") return "must work without authentication";
  return isPublicHost(url.hostname) ? null : "must be on a public host";
}

/** True unless a host, as `URL` writes it, can surely not be reached from the internet. No name is looked up. */
export function isPublicHost(hostname: string): boolean {
  // Most private hosts are loopback, and building the list takes 2 ms.
  if (isLoopback(hostname)) return false;
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
  const version = ipVersion(host);
  if (version === 0) return host.includes(".") && !/\.(localhost|local|internal|lan|home\.arpa)$/.test(host);
  privateAddresses ??= parseRanges(privateRanges);
  return !privateAddresses.check(host, `ipv${version}`);
}

/** True for a host, as `URL` writes it, that is this machine itself. No name is looked up. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|(::ffff:)?127(\.\d+){3}|\[?::1\]?|\[?::ffff:7f[0-9a-f]{2}:[0-9a-f]+\]?)\.?$/.test(
    hostname,
  );
}

/** The place of a printer: an address and port, a device or file, or a queue of CUPS. */
export type PrinterAddress = Readonly<
  { url: string } & (
    | { kind: "tcp"; host: string; port: number }
    | { kind: "file"; path: string }
    | { kind: "lp"; queue: string }
  )
>;

/** Port on which receipt printers take raw data. */
const printerPort = 9100;

/** Undefined for what is none of `tcp://HOST[:PORT]`, `file:PATH` and `lp:QUEUE`. */
export function printerAddress(text: string): PrinterAddress | undefined {
  const [, scheme = "", rest = ""] = /^(tcp|file|lp):(.+)$/is.exec(text.trim()) ?? [];
  const kind = scheme.toLowerCase();
  const url = `${kind}:${rest}`;
  if (kind === "lp") return /^[\w.@+][\w.@+-]{0,126}$/.test(rest) ? { url, kind, queue: rest } : undefined;
  // file:///dev/usb/lp0 is the same as file:/dev/usb/lp0.
  if (kind === "file") return { url, kind, path: rest.replace(/^\/\/(?=\/)/, "") };
  const { hostname, port } = printerUrl(rest) ?? {};
  if (kind !== "tcp" || !hostname) return undefined;
  return { url, kind, host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || printerPort };
}

/** As a web address, in which alone `URL` knows hosts; without a path, a user or anything else. */
function printerUrl(rest: string): URL | undefined {
  if (!/^\/\/[^/?#@\s]+\/?$/.test(rest) || !URL.canParse(`ws:${rest}`)) return undefined;
  return new URL(`ws:${rest}`);
}
