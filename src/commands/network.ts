import type { SecureContext } from "node:tls";
import type { Proxies } from "../api/proxy.ts";
import type { Dispatcher } from "../api/transport.ts";
import type { GlobalFlags } from "./global-flags.ts";
import type { Runtime } from "./runtime.ts";

/** The way out of this machine, as flags and environment have it. */
export interface Network {
  /** The connections; whoever opens them destroys them. */
  dispatcher: Dispatcher;
  proxies: Proxies | undefined;
  /** Whose certificates are trusted with `--ca-file`. */
  secureContext: SecureContext | undefined;
}

/** Opens the way out: through the proxies of the environment, trusting `--ca-file`. Throws `ca_file_unusable`. */
export async function openNetwork(
  { system: { env, cwd } }: Runtime,
  { timeout, caFile }: Pick<GlobalFlags, "timeout" | "caFile">,
): Promise<Network> {
  const { ownAgent } = await import("../api/transport.ts");
  const { readProxies } = await import("../api/proxy.ts");
  const proxies = readProxies(env);
  const secureContext =
    caFile === undefined
      ? undefined
      : (await import("../config/ca-file.ts")).trustOf(caFile, env["NODE_EXTRA_CA_CERTS"], cwd);
  const options = { timeoutMs: timeout, secureContext };
  if (proxies === undefined) return { dispatcher: ownAgent(options), proxies, secureContext };
  // Without a proxy its part is not loaded: a short command is over sooner.
  const { proxiedAgent } = await import("../api/proxy-agent.ts");
  return { dispatcher: proxiedAgent(proxies, options), proxies, secureContext };
}
