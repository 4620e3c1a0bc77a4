import type { SecureContext } from "node:tls";
import type { Proxies } from "../api/proxy.ts";
import type { Dispatcher } from "../api/transport.ts";
import { BposError } from "../errors.ts";
import type { GlobalFlags } from "./global-flags.ts";
import type { Runtime } from "./runtime.ts";

/** The way out of this machine, as flags and environment have it. */
export interface Network {
  /** The connections; whoever opens them destroys them. They throw as `check` does. */
  dispatcher: Dispatcher;
  proxies: Proxies | undefined;
  /** Whose certificates are trusted with `--ca-file`. */
  secureContext: SecureContext | undefined;
  /**
   * Throws `tls_unchecked` where the environment makes Node accept any certificate and that address is not this machine:
   * whoever stands in between could read the key.
   */
  readonly check: (origin: string) => void;
}

/** Opens the way out: through the proxies of the environment, trusting `--ca-file`. Throws `ca_file_unusable`. */
export async function openNetwork(
  { system: { env, cwd }, flags }: Runtime,
  { timeout, caFile }: Pick<GlobalFlags, "timeout" | "caFile"> = flags,
): Promise<Network> {
  const { ownAgent } = await import("../api/transport.ts");
  const { readProxies } = await import("../api/proxy.ts");
  const { isLoopback } = await import("../contract/public-host.ts");
  const proxies = readProxies(env);
  const secureContext =
    caFile === undefined
      ? undefined
      : (await import("../settings/ca-file.ts")).trustOf(caFile, env["NODE_EXTRA_CA_CERTS"], cwd);
  const options = { timeoutMs: timeout, secureContext };
  const check = (origin: string): void => {
    if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0" && !isLoopback(new URL(origin).hostname))
      throw new BposError("tls_unchecked", { origin });
  };
  const checked = (agent: Dispatcher): Dispatcher => ({
    dispatch(request, handler) {
      check(request.origin);
      return agent.dispatch(request, handler);
    },
    destroy: () => agent.destroy(),
  });
  if (proxies === undefined) return { dispatcher: checked(ownAgent(options)), proxies, secureContext, check };
  // Without a proxy its part is not loaded: a short command is over sooner.
  const { proxiedAgent } = await import("../api/proxy-agent.ts");
  return { dispatcher: checked(proxiedAgent(proxies, options)), proxies, secureContext, check };
}
