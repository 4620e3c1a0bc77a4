import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import tls, { type SecureContext } from "node:tls";
import { BposError } from "../errors.ts";

const certificate = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]*-----END (?:TRUSTED )?CERTIFICATE-----/g;

function textOf(file: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, file), "latin1");
  } catch (error) {
    const { message } = error as Error;
    throw new BposError("ca_file_unusable", { file, problem: { kind: "unreadable", detail: message } });
  }
}

function certificatesOf(file: string, cwd: string): string[] {
  const found = textOf(file, cwd).match(certificate) ?? [];
  if (found.length === 0)
    throw new BposError("ca_file_unusable", { file, problem: { kind: "no_certificate" } });
  for (const [at, text] of found.entries()) {
    try {
      new X509Certificate(text);
    } catch (error) {
      const { message } = error as Error;
      const problem = { kind: "broken_certificate", number: at + 1, detail: message } as const;
      throw new BposError("ca_file_unusable", { file, problem });
    }
  }
  return found;
}

/** Whom Node trusts: its own list, and NODE_EXTRA_CA_CERTS, which an own list of ours would put out of force. */
function usualCertificates(extraFile: string | undefined, cwd: string): readonly string[] {
  // Node 22.15 and newer know it all themselves; the types are those of the oldest that is supported.
  const { getCACertificates } = tls as { getCACertificates?: (type: "default") => string[] };
  if (getCACertificates !== undefined) return getCACertificates("default");
  try {
    return [...tls.rootCertificates, ...(extraFile ? certificatesOf(extraFile, cwd) : [])];
  } catch {
    // Node itself has warned of a file that it cannot read, and goes on without it.
    return tls.rootCertificates;
  }
}

/** The certificates of a PEM file beside those that are trusted anyway; `extraFile` is NODE_EXTRA_CA_CERTS. */
export function trustOf(file: string, extraFile: string | undefined, cwd: string): SecureContext {
  const own = certificatesOf(file, cwd);
  return tls.createSecureContext({ ca: [...usualCertificates(extraFile, cwd), ...own] });
}
