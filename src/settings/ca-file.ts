import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import tls, { type SecureContext } from "node:tls";
import { BposError, type CaFileProblem } from "../errors.ts";

const certificate = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]*-----END (?:TRUSTED )?CERTIFICATE-----/g;

/** The certificates of a text in PEM form, unread. */
export const certificatesIn = (text: string): string[] => text.match(certificate) ?? [];

function readCertificates(file: string, cwd: string): string[] {
  const unusable = (problem: CaFileProblem): BposError =>
    new BposError("ca_file_unusable", { file, problem });
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), "latin1");
  } catch (error) {
    throw unusable({ kind: "unreadable", detail: (error as Error).message });
  }
  const found = certificatesIn(text);
  if (found.length === 0) throw unusable({ kind: "no_certificate" });
  for (const [at, each] of found.entries()) {
    try {
      new X509Certificate(each);
    } catch (error) {
      throw unusable({ kind: "broken_certificate", number: at + 1, detail: (error as Error).message });
    }
  }
  return found;
}

/** Returns the certificates that Node trusts: its own list, and NODE_EXTRA_CA_CERTS, which a list of ours would override. */
function defaultCertificates(extraFile: string | undefined, cwd: string): readonly string[] {
  // Node 22.15 and newer know it all themselves; the types are those of the oldest that is supported.
  const { getCACertificates } = tls as { getCACertificates?: (type: "default") => string[] };
  if (getCACertificates !== undefined) return getCACertificates("default");
  try {
    return [...tls.rootCertificates, ...(extraFile ? readCertificates(extraFile, cwd) : [])];
  } catch {
    // Node itself has warned of a file that it cannot read, and goes on without it.
    return tls.rootCertificates;
  }
}

/** Returns the certificates that a connection trusts (by default as Node does), and its client certificate. Throws `ca_file_unusable`. */
export function readTrust(
  file: string | undefined,
  extraFile: string | undefined,
  cwd: string,
  shown?: { cert: string; key: string },
): SecureContext {
  const own = file === undefined ? undefined : readCertificates(file, cwd);
  return tls.createSecureContext({
    ...(own && { ca: [...defaultCertificates(extraFile, cwd), ...own] }),
    ...(shown && { cert: shown.cert, key: shown.key }),
  });
}
