import { BlockList, isIP } from "node:net";
import type { Dispatcher as Undici } from "undici";
import { isLoopback } from "../contract/public-host.ts";
import { BposError, type ProxyTrouble } from "../errors.ts";
import {
  type AgentOptions,
  connectOptions,
  type Dispatcher,
  explainFailure,
  ownAgent,
  ProxyError,
} from "./transport.ts";

/** A proxy that the environment names. */
export interface NamedProxy {
  url: URL;
  /** The variable that names it. */
  variable: string;
  /** Its address as it may be shown: without user name and password. */
  shown: string;
  /** Value of the Proxy-Authorization header; undefined without credentials. */
  authorization: string | undefined;
}

export interface Proxies {
  /** The one for an origin; undefined where none is meant. Throws BposError proxy_unusable. */
  of(origin: string): NamedProxy | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

const firstOf = (env: Env, names: readonly string[]) =>
  names.map((name) => ({ name, value: env[name]?.trim() ?? "" })).find(({ value }) => value !== "");

const plainHost = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();

function subnetHolds([address = "", prefix = ""]: readonly string[], host: string): boolean {
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(prefix)) return false;
  const bits = Number(prefix);
  if (bits > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(address, bits, type);
  return list.check(host, type);
}

/** Whether an entry of NO_PROXY (a name and what is below it, an address, or a range, each with a port or without) means a host. */
function entryMeans(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  // Of an address of IPv6 without brackets, the last group is no port.
  const [, name = entry, wantedPort] =
    isIP(entry) === 6 ? [] : (/^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? []);
  if (wantedPort !== undefined && wantedPort !== port) return false;
  if (name.includes("/")) return subnetHolds(name.replace(/[[\]]/g, "").split("/"), host);
  const wanted = plainHost(name).replace(/^\*?\./, "");
  if (wanted === "") return false;
  return host === wanted || (isIP(host) === 0 && host.endsWith(`.${wanted}`));
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // A per cent sign that stands for itself.
    return text;
  }
};

function proxyFrom({ name: variable, value }: { name: string; value: string }): NamedProxy {
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // A value that cannot be read is not shown: it may hold a password.
  if (url === undefined || url.hostname === "") throw new BposError("proxy_unusable", { variable });
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new BposError("proxy_unusable", { variable, scheme: url.protocol.slice(0, -1) });
  const hasUser = url.username !== "" || url.password !== "";
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`;
  return {
    url,
    variable,
    shown: `${url.protocol}//${hasUser ? "…@" : ""}${url.host}`,
    authorization: hasUser ? `Basic ${Buffer.from(credentials).toString("base64")}` : undefined,
  };
}

/**
 * The proxies that an environment names, as curl reads it. This machine itself is never called through one. (undici's
 * EnvHttpProxyAgent knows neither `all_proxy`, nor ranges of addresses, nor which variable it was.)
 */
export function readProxies(env: Env): Proxies | undefined {
  // Under CGI, HTTP_PROXY is what a stranger sent as the header "Proxy".
  const upperHttp = env["REQUEST_METHOD"] === undefined ? ["HTTP_PROXY"] : [];
  const all = ["all_proxy", "ALL_PROXY"];
  const http = firstOf(env, ["http_proxy", ...upperHttp, ...all]);
  const https = firstOf(env, ["https_proxy", "HTTPS_PROXY", ...all]);
  if (http === undefined && https === undefined) return undefined;
  const exceptions = (firstOf(env, ["no_proxy", "NO_PROXY"])?.value ?? "").split(/[\s,]+/).filter(Boolean);
  return {
    of(origin) {
      const { protocol, hostname, port: given } = new URL(origin);
      const host = plainHost(hostname);
      const port = given === "" ? (protocol === "https:" ? "443" : "80") : given;
      const named = protocol === "https:" ? https : http;
      // On this machine itself no proxy can be of use: a mock, or a tunnel's end.
      if (named === undefined || isLoopback(host)) return undefined;
      return exceptions.some((entry) => entryMeans(entry, host, port)) ? undefined : proxyFrom(named);
    },
  };
}

/** Pools of connections through the proxies where they are meant: a tunnel for every origin. `dispatch` throws BposError proxy_unusable. */
export async function proxiedAgent(proxies: Proxies, options: AgentOptions): Promise<Dispatcher> {
  const [{ default: ProxyAgent }, { default: Pool }, { default: ask }] = await Promise.all([
    import("undici/lib/dispatcher/proxy-agent.js"),
    import("undici/lib/dispatcher/pool.js"),
    import("undici/lib/api/api-connect.js"),
  ]);
  const connect = connectOptions(options);
  const agents = new Map<string, Dispatcher>();
  const direct = ownAgent(options);

  /** The way to a proxy itself. It tells at what the proxy failed, which ProxyAgent does not. */
  function poolOf({ variable, shown, authorization }: NamedProxy, origin: URL, given: object) {
    const trouble: ProxyTrouble = { url: shown, variable, credentials: authorization !== undefined };
    const pool = new Pool(origin, { ...given, headersTimeout: connect.timeout });
    return Object.assign(pool, {
      async connect(request: Undici.ConnectOptions) {
        const answer = await ask.call(pool, request).catch((error: unknown) => {
          const { kind, detail } = explainFailure(error as Error, false);
          // What this side gave up says nothing of the proxy.
          throw kind === "aborted" ? error : new ProxyError(trouble, detail);
        });
        const { statusCode: status, socket } = answer;
        if (status === 200) return answer;
        socket.on("error", () => undefined).destroy();
        throw new ProxyError({ ...trouble, status });
      },
    });
  }

  function agentOf(proxy: NamedProxy): Dispatcher {
    const { url, authorization } = proxy;
    const known = agents.get(url.href);
    if (known !== undefined) return known;
    const made: Dispatcher = new ProxyAgent({
      uri: url.origin,
      ...(authorization !== undefined && { token: authorization }),
      ...{ requestTls: connect, proxyTls: connect },
      clientFactory: (origin, given) => poolOf(proxy, origin, given),
    });
    agents.set(url.href, made);
    return made;
  }

  return {
    dispatch(request, handler) {
      const proxy = proxies.of(request.origin);
      return (proxy === undefined ? direct : agentOf(proxy)).dispatch(request, handler);
    },
    async destroy() {
      await Promise.all([direct, ...agents.values()].map((agent) => agent.destroy()));
    },
  };
}
