import { openProxiedAgent, readProxies } from "../../api/proxy.ts";
import { type Dispatcher, ownAgent } from "../../api/transport.ts";
import { isLoopback } from "../../contract/addresses.ts";
import { BposError } from "../../errors.ts";
import type { GlobalFlags } from "../line/global-flags.ts";
import type { Runtime } from "../runtime.ts";

export type Network = Awaited<ReturnType<typeof openNetwork>>;

/** The certificates of `--ca-file`; undefined for the machine's own. */
export async function readTrust({ system: { env, cwd } }: Runtime, caFile: string | undefined) {
  if (caFile === undefined) return undefined;
  const file = await import("../../settings/ca-file.ts");
  return file.readTrust(caFile, env["NODE_EXTRA_CA_CERTS"], cwd);
}

/** The way out of this machine; whoever opens it destroys the dispatcher, which throws as `check` does. */
export async function openNetwork(
  runtime: Runtime,
  { timeout, caFile }: Pick<GlobalFlags, "timeout" | "caFile"> = runtime.flags,
) {
  const { env } = runtime.system;
  const proxies = readProxies(env);
  const secureContext = await readTrust(runtime, caFile);
  const options = { timeoutMs: timeout, secureContext };
  /** Throws `tls_unchecked` where any certificate is accepted and that address is not this machine: the key could be read on the way. */
  const check = (origin: string): void => {
    if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0" && !isLoopback(new URL(origin).hostname))
      throw new BposError("tls_unchecked", { origin });
  };
  const agent = proxies === undefined ? ownAgent(options) : await openProxiedAgent(proxies, options);
  const dispatcher: Dispatcher = {
    dispatch(request, handler) {
      check(request.origin);
      return agent.dispatch(request, handler);
    },
    destroy: () => agent.destroy(),
  };
  return { dispatcher, proxies, check };
}
