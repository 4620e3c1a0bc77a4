import type { Dispatcher as Undici } from "undici";
import Pool from "undici/lib/dispatcher/pool.js";
import { decode, ipVersion, isLoopback, parseRanges } from "../contract/addresses.ts";
import { BposError, type ProxyTrouble } from "../errors.ts";
import {
  type AgentOptions,
  connectOptions,
  type Dispatcher,
  explain,
  ownAgent,
  TransportError,
} from "./transport.ts";

export interface NamedProxy {
  url: URL;
  variable: string;
  /** The proxy's address as it may be shown: without user name and password. */
  shown: string;
  authorization: string | undefined;
}

export type Proxies = { of(origin: string): NamedProxy | undefined };

type Env = Readonly<Record<string, string | undefined>>;

const firstVariable = (env: Env, ...names: string[]) =>
  names.map((name) => ({ name, value: env[name]?.trim() ?? "" })).find(({ value }) => value !== "");

const plainHost = (hostname: string): string => hostname.replace(/^\[|\]$|\.$/g, "").toLowerCase();

function subnetHolds(subnet: string, host: string): boolean {
  try {
    return parseRanges(subnet).check(host, subnet.includes(":") ? "ipv6" : "ipv4");
  } catch {
    return false;
  }
}

/** Returns whether an entry of NO_PROXY (a name with all below it, an address, or a range, each with or without a port) covers a host. */
function entryMeans(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  // The last group of an IPv6 address without brackets is no port.
  const [, name = entry, wantedPort = port] =
    ipVersion(entry) === 6 ? [] : (/^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? []);
  if (wantedPort !== port) return false;
  if (name.includes("/")) return subnetHolds(name.replace(/[[\]]/g, ""), host);
  const wanted = plainHost(name).replace(/^\*?\./, "");
  return wanted !== "" && (host === wanted || (ipVersion(host) === 0 && host.endsWith(`.${wanted}`)));
}

function proxyFrom({ name: variable, value }: { name: string; value: string }): NamedProxy {
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // An invalid value is not shown, since it may hold a password.
  if (url === undefined || url.hostname === "") throw new BposError("proxy_unusable", { variable });
  const { protocol, username, password, host } = url;
  if (!/^https?:$/.test(protocol))
    throw new BposError("proxy_unusable", { variable, scheme: protocol.slice(0, -1) });
  if (username + password === "")
    return { url, variable, shown: `${protocol}//${host}`, authorization: undefined };
  const credentials = Buffer.from(`${decode(username)}:${decode(password)}`).toString("base64");
  return { url, variable, shown: `${protocol}//…@${host}`, authorization: `Basic ${credentials}` };
}

/** Finds the proxy in the environment as curl does. (undici's EnvHttpProxyAgent knows neither `all_proxy`, nor ranges, nor which variable it was.) */
export function readProxies(env: Env): Proxies | undefined {
  // Under CGI, HTTP_PROXY is the header "Proxy" of a stranger's request.
  const upperHttp = env["REQUEST_METHOD"] === undefined ? ["HTTP_PROXY"] : [];
  const http = firstVariable(env, "http_proxy", ...upperHttp, "all_proxy", "ALL_PROXY");
  const https = firstVariable(env, "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY");
  if (http === undefined && https === undefined) return undefined;
  const exceptions = (firstVariable(env, "no_proxy", "NO_PROXY")?.value ?? "")
    .split(/[\s,]+/)
    .filter(Boolean);
  return {
    of(origin) {
      const { protocol, hostname, port: given } = new URL(origin);
      const host = plainHost(hostname);
      const port = given || (protocol === "https:" ? "443" : "80");
      const named = protocol === "https:" ? https : http;
      if (named === undefined || isLoopback(host)) return undefined;
      return exceptions.some((entry) => entryMeans(entry, host, port)) ? undefined : proxyFrom(named);
    },
  };
}

/** Returns the error for a request that a proxy did not pass on, so that no byte can have reached the service; `said` is why it did not answer. */
function proxyError(trouble: ProxyTrouble, said?: TransportError): TransportError {
  const { url: proxy, variable, status = 503 } = trouble;
  // A permanent refusal: a retry within seconds gets the same.
  const isFinal = status < 500 && ![408, 425, 429].includes(status);
  return new TransportError(
    isFinal ? "proxy_denied" : "proxy",
    said === undefined
      ? { kind: "proxy_answered", proxy, variable, status }
      : { kind: "proxy_unreached", proxy, variable, detail: said.detail },
    { proxy: trouble },
  );
}

/** Opens connections to a proxy itself, and reports where the proxy failed, which ProxyAgent does not. */
function openPool(
  ask: (this: Undici, options: Undici.ConnectOptions) => Promise<Undici.ConnectData>,
  { variable, shown, authorization }: NamedProxy,
  origin: URL,
  options: object,
) {
  const trouble: ProxyTrouble = { url: shown, variable, credentials: authorization !== undefined };
  const pool = new Pool(origin, options);

  return Object.assign(pool, {
    async connect(request: Undici.ConnectOptions) {
      const answer = await ask.call(pool, request).catch((error: unknown) => {
        const said = explain(error as Error, false);
        // An attempt that this side gave up says nothing about the proxy.
        throw said.kind === "aborted" ? error : proxyError(trouble, said);
      });
      const { statusCode: status, socket } = answer;
      if (status === 200) return answer;
      socket.on("error", () => undefined).destroy();
      throw proxyError({ ...trouble, status });
    },
  });
}

export async function openProxiedAgent(proxies: Proxies, options: AgentOptions): Promise<Dispatcher> {
  const [{ default: ProxyAgent }, { default: ask }] = await Promise.all([
    import("undici/lib/dispatcher/proxy-agent.js"),
    import("undici/lib/api/api-connect.js"),
  ]);
  const connect = connectOptions(options);
  const agents = new Map<string, Dispatcher>();
  const direct = ownAgent(options);

  function openAgent(proxy: NamedProxy): Dispatcher {
    const { url, authorization } = proxy;
    const known = agents.get(url.href);
    if (known !== undefined) return known;
    const made: Dispatcher = new ProxyAgent({
      uri: url.origin,
      ...(authorization !== undefined && { token: authorization }),
      requestTls: connect.service,
      proxyTls: connect.proxy,
      clientFactory: (origin, given) =>
        openPool(ask, proxy, origin, { ...given, headersTimeout: connect.proxy.timeout }),
    });
    agents.set(url.href, made);
    return made;
  }

  return {
    dispatch(request, handler) {
      const proxy = proxies.of(request.origin);
      return (proxy === undefined ? direct : openAgent(proxy)).dispatch(request, handler);
    },
    async destroy() {
      await Promise.all([direct, ...agents.values()].map((agent) => agent.destroy()));
    },
  };
}
