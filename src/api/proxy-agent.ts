import type { Socket } from "node:net";
import { type NamedProxy, type Proxies, ProxyError, troubleOf } from "./proxy.ts";
import {
  type AgentOptions,
  type Connector,
  connectLimit,
  type DispatchController,
  type Dispatcher,
  type DispatchHandler,
  type DispatchOptions,
  explainFailure,
  ownAgent,
} from "./transport.ts";
import { openTunnel, speakTls } from "./tunnel.ts";

/** Opens connections through a proxy: CONNECT, and TLS with the service itself inside of it. */
function tunnelThrough(
  proxy: NamedProxy,
  { timeoutMs, secureContext }: AgentOptions,
  stop: AbortSignal,
): Connector {
  return ({ hostname, port, servername }, callback) => {
    let tunnel: Socket | undefined;
    let giveUp = (): void => undefined;
    let settled = false;
    const settle = (error: Error | null, socket?: Socket): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      stop.removeEventListener("abort", onStop);
      if (error === null && socket !== undefined) {
        callback(null, socket);
        return;
      }
      giveUp();
      tunnel?.destroy();
      callback(error ?? new Error("no connection"), null);
    };
    const limit = connectLimit(timeoutMs);
    const timer = setTimeout(() => {
      const late = Object.assign(new Error(`no connection within ${limit / 1000} s`), { code: "ETIMEDOUT" });
      const slow = { kind: "too_slow", ms: limit, complete: false } as const;
      settle(tunnel === undefined ? new ProxyError(proxy, slow) : late);
    }, limit);
    const onStop = (): void => settle(Object.assign(new Error("given up"), { code: "UND_ERR_DESTROYED" }));
    stop.addEventListener("abort", onStop);
    const done = (socket: Socket): void => {
      tunnel = socket;
      const secure = speakTls(socket, hostname, { secureContext, servername: servername ?? undefined });
      secure
        .setNoDelay(true)
        .on("error", settle)
        .once("secureConnect", () => settle(null, secure));
    };
    const end = { host: hostname, port: port || "443" };
    giveUp = openTunnel(proxy, end, { secureContext, done, failed: settle });
  };
}

/** What a proxy that speaks plain http says of a request that it is to pass on. */
class PassedOn implements DispatchHandler {
  readonly #handler: DispatchHandler;
  readonly #proxy: NamedProxy;
  #started = false;
  #refused = false;

  constructor(handler: DispatchHandler, proxy: NamedProxy) {
    this.#handler = handler;
    this.#proxy = proxy;
  }

  onRequestStart(controller: DispatchController): void {
    this.#started = true;
    this.#handler.onPassedOn?.(troubleOf(this.#proxy));
    this.#handler.onRequestStart(controller);
  }

  onResponseStart(...[controller, status, headers]: Parameters<DispatchHandler["onResponseStart"]>): void {
    if (status !== 407) {
      this.#handler.onResponseStart(controller, status, headers);
      return;
    }
    // Only the proxy itself says that, and then it has passed nothing on.
    this.#refused = true;
    const error = new ProxyError(this.#proxy, { status, said: "Proxy Authentication Required" });
    this.#handler.onResponseError(controller, error);
  }

  onResponseData(controller: DispatchController, chunk: Buffer): void {
    if (!this.#refused) this.#handler.onResponseData(controller, chunk);
  }

  onResponseEnd(): void {
    if (!this.#refused) this.#handler.onResponseEnd();
  }

  onResponseError(controller: DispatchController, error: Error): void {
    if (this.#refused) return;
    const { kind, detail } = explainFailure(error, this.#started);
    // What this side gave up says nothing of the proxy.
    const isOwn = this.#started || kind === "aborted";
    this.#handler.onResponseError(controller, isOwn ? error : new ProxyError(this.#proxy, detail));
  }
}

/** A request as a proxy takes it that passes on plain http: with the whole address. */
function passedOn(options: DispatchOptions, { url, authorization }: NamedProxy): DispatchOptions {
  const { origin, path, headers } = options;
  return {
    ...options,
    origin: url.origin,
    path: origin + path,
    headers: {
      ...headers,
      host: new URL(origin).host,
      ...(authorization !== undefined && { "proxy-authorization": authorization }),
    },
  };
}

/**
 * Pools of connections of our own, through the proxies where they are meant: https inside a tunnel, http by asking the proxy for
 * the whole address. `dispatch` throws BposError proxy_unusable.
 */
export function proxiedAgent(proxies: Proxies, options: AgentOptions): Dispatcher {
  const stop = new AbortController();
  const direct = ownAgent(options);
  const tunnels = new Map<string, Dispatcher>();
  const tunnelOf = (proxy: NamedProxy): Dispatcher => {
    const known = tunnels.get(proxy.url.href);
    if (known !== undefined) return known;
    const made = ownAgent({ ...options, connect: tunnelThrough(proxy, options, stop.signal) });
    tunnels.set(proxy.url.href, made);
    return made;
  };
  return {
    dispatch(request, handler) {
      const proxy = proxies.of(request.origin);
      if (proxy === undefined) return direct.dispatch(request, handler);
      return request.origin.startsWith("https:")
        ? tunnelOf(proxy).dispatch(request, handler)
        : direct.dispatch(passedOn(request, proxy), new PassedOn(handler, proxy));
    },
    async destroy() {
      stop.abort();
      await Promise.all([direct, ...tunnels.values()].map((agent) => agent.destroy()));
    },
  };
}
