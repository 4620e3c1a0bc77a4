import { openProxiedAgent, readProxies } from "../../api/proxy.ts";
import { type Dispatcher, ownAgent } from "../../api/transport.ts";
import { isLoopback } from "../../contract/addresses.ts";
import { BposError } from "../../errors.ts";
import type { ClientCertFiles } from "../../settings/client-cert.ts";
import type { ClientCert } from "../../settings/client-pem.ts";
import type { GlobalFlags } from "../line/global-flags.ts";
import type { Runtime } from "../runtime.ts";

export type Network = Awaited<ReturnType<typeof openNetwork>>;

/** The certificates of `--ca-file` and the client certificate; undefined if neither is set. */
export async function readTrust(
  { system: { env, cwd } }: Runtime,
  caFile: string | undefined,
  clientCert?: ClientCert,
) {
  if (caFile === undefined && clientCert === undefined) return undefined;
  const file = await import("../../settings/ca-file.ts");
  return file.readTrust(caFile, env["NODE_EXTRA_CA_CERTS"], cwd, clientCert);
}

interface Way extends Pick<GlobalFlags, "timeout" | "caFile"> {
  /** The client certificate. */
  clientCert?: ClientCert | undefined;
}

/** The way to the service of a branch, with its client certificate. Throws `client_cert_unusable`. */
export async function openServiceNetwork(
  runtime: Runtime,
  files: ClientCertFiles | undefined,
): Promise<Network> {
  if (files === undefined) return openNetwork(runtime);
  const { readClientCert } = await import("../../settings/client-pem.ts");
  const { timeout, caFile } = runtime.flags;
  return openNetwork(runtime, { timeout, caFile, clientCert: readClientCert(files) });
}

/** The way out of this machine; whoever opens it destroys the dispatcher, which throws as `check` does. */
export async function openNetwork(
  runtime: Runtime,
  { timeout, caFile, clientCert }: Way = { timeout: runtime.flags.timeout, caFile: runtime.flags.caFile },
) {
  const { env } = runtime.system;
  const proxies = readProxies(env);
  const secureContext = await readTrust(runtime, caFile);
  const clientContext = clientCert && (await readTrust(runtime, caFile, clientCert));
  const options = { timeoutMs: timeout, secureContext, clientContext };
  /** Throws `tls_unchecked` if any certificate is accepted and the address is not this machine: others could read the key. */
  const check = (origin: string): void => {
    if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0" && !isLoopback(new URL(origin).hostname))
      throw new BposError("tls_unchecked", { origin });
  };
  let agent = proxies && (await openProxiedAgent(proxies, options));
  const dispatcher: Dispatcher = {
    dispatch(request, handler) {
      check(request.origin);
      // Loaded for the first request: a command that only reads the journal makes none.
      agent ??= ownAgent(options);
      return agent.dispatch(request, handler);
    },
    destroy: async () => agent?.destroy(),
  };
  return { dispatcher, proxies, check };
}
