import { dirname, resolve } from "node:path";
import { BposError } from "../errors.ts";
import { configFile, type Machine } from "./folders.ts";

/** The absolute paths of a client certificate and its key; one is missing if a profile has only the other. */
export interface ClientCertFiles {
  cert: string | undefined;
  key: string | undefined;
}

type Named = { readonly [F in "clientCert" | "clientKey"]?: string | undefined };

/** The two flags count together. Throws `usage_flag` where one is missing. */
export function flaggedClientCert(
  cwd: string,
  { clientCert, clientKey }: Named,
): ClientCertFiles | undefined {
  if (clientCert === undefined && clientKey === undefined) return undefined;
  const [flag, other] =
    clientKey === undefined ? ["--client-cert", "--client-key"] : ["--client-key", "--client-cert"];
  if (clientCert === undefined || clientKey === undefined)
    throw new BposError("usage_flag", { problem: { kind: "needs_flag", flag, other } });
  return { cert: resolve(cwd, clientCert), key: resolve(cwd, clientKey) };
}

/** Those of a profile: cron starts a command in any folder, so a relative name counts from that of the profile file. */
export function profileClientCert(
  machine: Machine,
  { client_cert: cert, client_key: key }: { [F in "client_cert" | "client_key"]?: string | undefined },
): ClientCertFiles | undefined {
  if (cert === undefined && key === undefined) return undefined;
  const whole = (file?: string) => file && resolve(dirname(configFile(machine)), file);
  return { cert: whole(cert), key: whole(key) };
}
