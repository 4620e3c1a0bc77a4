import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ClientCertProblem } from "../errors/problems.ts";
import { BposError } from "../errors.ts";
import { certificatesIn } from "./ca-file.ts";
import type { ClientCertFiles } from "./client-cert.ts";

/** A client certificate as PEM: with those between it and its CA, and its key. */
export type ClientCert = { cert: string; key: string };

const unusable = (file: string, problem: ClientCertProblem): BposError =>
  new BposError("client_cert_unusable", { file, problem });

function readText(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch (error) {
    throw unusable(file, { kind: "unreadable", detail: (error as Error).message });
  }
}

const pemKey = /-----BEGIN ((?:\w+ )?PRIVATE KEY)-----[\s\S]+?-----END \1-----/;

/** No error contains any of the text, which is secret. */
function readKey(file: string): { text: string; key: KeyObject } {
  const [text = "", kind = ""] = pemKey.exec(readText(file)) ?? [];
  if (text === "") throw unusable(file, { kind: "no_key" });
  if (kind.startsWith("ENCRYPTED") || text.includes("Proc-Type: 4,ENCRYPTED"))
    throw unusable(file, { kind: "key_encrypted", file });
  try {
    return { text, key: createPrivateKey(text) };
  } catch (error) {
    throw unusable(file, { kind: "broken", detail: (error as Error).message });
  }
}

/** Reads both files; `until` is when the certificate ends, epoch milliseconds. Throws `client_cert_unusable`. */
export function readClientCert({ cert, key }: ClientCertFiles): ClientCert & { until: number } {
  if (cert === undefined || key === undefined) {
    const [setting, other] =
      cert === undefined
        ? (["client_key", "client_cert"] as const)
        : (["client_cert", "client_key"] as const);
    throw unusable(cert ?? key ?? "", { kind: "half", setting, other });
  }
  const [own = "", ...between] = certificatesIn(readText(cert));
  if (own === "") throw unusable(cert, { kind: "no_certificate" });
  const { text, key: privateKey } = readKey(key);
  try {
    const certificate = new X509Certificate(own);
    if (certificate.checkPrivateKey(privateKey))
      return { cert: [own, ...between].join("\n"), key: text, until: Date.parse(certificate.validTo) };
  } catch (error) {
    throw unusable(cert, { kind: "broken", detail: (error as Error).message });
  }
  throw unusable(key, { kind: "key_of_other", cert });
}
