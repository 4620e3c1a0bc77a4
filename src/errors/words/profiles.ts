import { type Advice, sayKind, type Words } from "../../texts/kinds.ts";
import { quoted, shellWord } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import type { KeyCommandProblem, ProfileProblem } from "../problems.ts";

const words: Words<ProfileProblem, Advice & { why: string }> = {
  name_unusable: (_, t) => ({
    what: t("Invalid profile name."),
    why: t(
      "A name has 1 to 64 letters, digits, dots, - or _. It starts with a letter or digit and must not look like a key.",
    ),
    next: t("Choose a short name, for example centro."),
  }),
  name_taken: ({ name }, t) => ({
    what: t("The profile {name} already exists.", { name: quoted(name) }),
    why: t("It would be replaced."),
    next: t(
      "Choose another name, or change that one: `bpos profile add {name} --update` with the new settings.",
      { name: shellWord(name) },
    ),
  }),
  address_absent: (_, t) => ({
    what: t("No address specified."),
    why: t("A profile needs the address of the service."),
    next: t("Pass --base-url URL, --campaigns-url URL or both."),
  }),
  key_absent: (_, t) => ({
    what: t("No key specified."),
    why: t("A profile needs a key."),
    next: t("Pass --api-key-file FILE (- is standard input) or --key-command COMMAND."),
  }),
  command_is_key: (_, t) => ({
    what: t("The value of --key-command looks like a key."),
    why: t("It takes a command that prints a key."),
    next: t(
      "Pass the key with --api-key-file FILE, or on standard input with --api-key-file -, which keeps it out of the shell's history.",
    ),
  }),
  code_unknown: ({ of, code }, t) => ({
    what: t(of === "country" ? "Unknown country {code}." : "Unknown currency {code}.", {
      code: quoted(code),
    }),
    why: t(
      "A country code has two letters and a currency code three, for example AR and ARS, or MX and MXN.",
    ),
    next: t("Pass a valid code."),
  }),
  text_unusable: ({ flag }, t) => ({
    what: t("Invalid value for {flag}.", { flag }),
    why: t("It is empty or contains a control character."),
    next: t("Correct it, or leave it out."),
  }),
};

/** Says why a profile cannot be kept as it was asked for. */
export const profileProblemWords = (problem: ProfileProblem, t: T): Advice & { why: string } =>
  sayKind(words, problem, t);

const keyCommands: Words<KeyCommandProblem> = {
  exit: ({ code }, t) => t("it ended with exit code {code}", { code }),
  killed: ({ signal }, t) => t("it was ended by {signal}", { signal }),
  timeout: ({ ms }, t) => t("it printed no key within {seconds} s and was stopped", { seconds: ms / 1000 }),
  too_long: (_, t) => t("its output is too long for a key"),
  not_started: ({ code }, t) =>
    code === "" ? t("it could not be started") : t("it could not be started ({code})", { code }),
  empty: (_, t) => t("it printed nothing on standard output"),
};

/** Says why the `key_command` of a profile gave no key, as part of a sentence. */
export const keyCommandWords = (problem: KeyCommandProblem, t: T): string => sayKind(keyCommands, problem, t);

interface Stations {
  known: readonly string[];
  similar: string | null;
}

/** Names the existing stations, when the named one is missing. */
export function knownStations({ known, similar }: Stations, t: T): string {
  if (similar !== null) return t("Did you mean {similar}? // a station", { similar: quoted(similar) });
  return known.length === 0
    ? t("The profile has no stations.")
    : t("The stations are {known}.", { known: known.join(", ") });
}
