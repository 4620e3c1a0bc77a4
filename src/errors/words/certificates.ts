import type { CaFileProblem } from "../../errors.ts";
import { type Advice, sayKind, type Words } from "../../texts/kinds.ts";
import { shellWord } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import type { ClientCertProblem } from "../problems.ts";

const caFiles: Words<CaFileProblem, Advice> = {
  unreadable: ({ detail }, t) => ({
    what: detail,
    next: t("Check the name and the permissions of the file."),
  }),
  no_certificate: (_, t) => ({
    what: t("no certificate in PEM format (-----BEGIN CERTIFICATE-----)"),
    next: t(
      "Get the CA certificate in PEM format. `openssl x509 -inform der -in FILE -out ca.pem` converts a DER file (.cer, .der).",
    ),
  }),
  broken_certificate: ({ number, detail }, t) => ({
    what: t("certificate {number} cannot be read: {detail}", { number, detail }),
    next: t("Get the file again: it might be truncated or changed."),
  }),
};

/** Says what is wrong with a file of certificates, as part of a sentence, and what to do next. */
export const caFileWords = (problem: CaFileProblem, t: T): Advice => sayKind(caFiles, problem, t);

const clientCerts: Words<ClientCertProblem, Advice> = {
  unreadable: ({ detail }, t) => ({
    what: detail,
    next: t("Check the name and the permissions of the file."),
  }),
  no_certificate: (_, t) => ({
    what: t("no certificate in PEM format (-----BEGIN CERTIFICATE-----)"),
    next: t(
      "Get the certificate in PEM format. `openssl pkcs12 -in FILE -clcerts -nokeys -out cert.pem` extracts it from a .p12 or .pfx file.",
    ),
  }),
  no_key: (_, t) => ({
    what: t("no private key in PEM format"),
    next: t(
      "Get the key in PEM format. `openssl pkcs12 -in FILE -nocerts -nodes -out key.pem` extracts it from a .p12 or .pfx file.",
    ),
  }),
  key_encrypted: ({ file }, t) => ({
    what: t("the key is encrypted, and bpos does not support passphrases"),
    next: t(
      "Decrypt it into a file that only you can read: `(umask 077; openssl pkey -in {file} -out key.pem)`. Then pass that file.",
      { file: shellWord(file) },
    ),
  }),
  broken: ({ detail }, t) => ({
    what: t("it cannot be read: {detail}", { detail }),
    next: t("Get the file again: it might be truncated or changed."),
  }),
  key_of_other: ({ cert }, t) => ({
    what: t("the key does not match the certificate in {cert}", { cert }),
    next: t("Pass the key of this certificate, or the certificate of this key."),
  }),
  half: ({ setting, other }, t) => ({
    what: t("the profile has {setting} but no {other}", { setting, other }),
    next: t("Set both in the profile, or pass --client-cert and --client-key."),
  }),
};

/** Says what is wrong with a client certificate or its key, as part of a sentence, and what to do next. */
export const clientCertWords = (problem: ClientCertProblem, t: T): Advice => sayKind(clientCerts, problem, t);
