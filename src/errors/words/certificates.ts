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
    what: t("no certificate in PEM form (-----BEGIN CERTIFICATE-----)"),
    next: t(
      "Get the CA's certificate as PEM. `openssl x509 -inform der -in FILE -out ca.pem` converts one in DER form (.cer, .der).",
    ),
  }),
  broken_certificate: ({ number, detail }, t) => ({
    what: t("certificate {number} cannot be read: {detail}", { number, detail }),
    next: t("Get the file again: it may have been truncated or changed."),
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
    what: t("no certificate in PEM form (-----BEGIN CERTIFICATE-----)"),
    next: t(
      "Get the certificate as PEM. `openssl pkcs12 -in FILE -clcerts -nokeys -out cert.pem` takes it out of a .p12 or .pfx file.",
    ),
  }),
  no_key: (_, t) => ({
    what: t("no private key in PEM form"),
    next: t(
      "Get the key as PEM. `openssl pkcs12 -in FILE -nocerts -nodes -out key.pem` takes it out of a .p12 or .pfx file.",
    ),
  }),
  key_encrypted: ({ file }, t) => ({
    what: t("the key is encrypted, and bpos asks for no passphrase"),
    next: t(
      "Decrypt it into a file that only you can read: `(umask 077; openssl pkey -in {file} -out key.pem)`. Then pass that one.",
      { file: shellWord(file) },
    ),
  }),
  broken: ({ detail }, t) => ({
    what: t("it cannot be read: {detail}", { detail }),
    next: t("Get the file again: it may have been truncated or changed."),
  }),
  key_of_other: ({ cert }, t) => ({
    what: t("this is not the key of the certificate in {cert}", { cert }),
    next: t("Pass the key that the certificate was made for, or the certificate of this key."),
  }),
  half: ({ setting, other }, t) => ({
    what: t("the profile has {setting} and no {other}", { setting, other }),
    next: t("Set both in the profile, or pass --client-cert and --client-key."),
  }),
};

/** Says what is wrong with a client certificate or its key, as part of a sentence, and what to do next. */
export const clientCertWords = (problem: ClientCertProblem, t: T): Advice => sayKind(clientCerts, problem, t);
