import { dirname, resolve } from "node:path";
import { BposError } from "../errors.ts";
import { configFile, type Machine } from "./folders.ts";
import { isOpen } from "./rights.ts";

/** Where a client certificate is: both names as they were given, and the folder that they are relative to. */
export interface ClientCertFiles {
  cert: string | undefined;
  key: string | undefined;
  folder: string;
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
  return { cert: clientCert, key: clientKey, folder: cwd };
}

/** Those of a profile: cron starts a command in any folder, so a relative name counts from that of the profile file. */
export function profileClientCert(
  machine: Machine,
  { client_cert: cert, client_key: key }: { [F in "client_cert" | "client_key"]?: string | undefined },
): ClientCertFiles | undefined {
  return cert === undefined && key === undefined
    ? undefined
    : { cert, key, folder: dirname(configFile(machine)) };
}

/** The file of the key, where others on this machine can read it too. */
export function openClientKey(files: ClientCertFiles | undefined, { platform }: Machine): string | undefined {
  const file = files?.key === undefined ? undefined : resolve(files.folder, files.key);
  return file !== undefined && isOpen(file, platform) ? file : undefined;
}
