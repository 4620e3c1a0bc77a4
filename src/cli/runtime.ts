import { masker } from "../errors/mask-key.ts";
import { type Language, languageOf } from "../i18n/language.ts";
import type { Texts } from "../i18n/texts.ts";
import type { OutStream, System } from "../system.ts";
import type { GlobalFlags } from "./command-line.ts";

/** What every command gets: the outside world, its global flags, the wish to stop, and a way to run another command. */
export interface Runtime {
  system: GuardedSystem;
  /** Every sentence a person reads, in the language of this run. */
  texts: Texts;
  /** Aborts on Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  /** The global flags: as typed until the line is parsed, checked when a command runs. */
  flags: GlobalFlags;
  /** What main returns when nothing is thrown; a command sets it when its work was done only in part. */
  exitCode: number;
  /** The one way in, for the demo: runs a whole command line in another System. */
  main(argv: readonly string[], system: System): Promise<number>;
}

/** The outside world that nothing secret is told. */
export interface GuardedSystem extends System {
  /** Keeps a key or another secret out of all that is written from here on. */
  readonly hide: (secret: string) => void;
}

/** A shorter one, or one of digits alone, stands in any text by chance. */
const isMaskable = (secret: string): boolean => secret.length >= 8 && /[a-z]/i.test(secret);

/**
 * The same outside world, in which whatever is written, asked or heard of a command is without the secrets that `hide` was told of.
 * It is the last line: an answer's body has lost the key before anybody reads it.
 */
export function guarded(system: System): GuardedSystem {
  const maskers = new Map<string, (text: string) => string>();
  const masked = (text: string): string => {
    let safe = text;
    for (const mask of maskers.values()) safe = mask(safe);
    return safe;
  };
  const stream = (out: OutStream): OutStream => ({ ...out, write: (text) => out.write(masked(text)) });
  const { prompts } = system;
  return {
    ...system,
    stdout: stream(system.stdout),
    stderr: stream(system.stderr),
    prompts: {
      confirm: (question, ...how) => prompts.confirm(masked(question), ...how),
      choose: (question, choices, how) => prompts.choose(masked(question), choices.map(masked), how),
      text: (question, ...how) => prompts.text(masked(question), ...how),
      secret: (question, ...how) => prompts.secret(masked(question), ...how),
    },
    // The key is in a command's environment, and a shell that traces itself prints it.
    async run(...how) {
      const ended = await system.run(...how);
      return { ...ended, output: masked(ended.output) };
    },
    hide(secret) {
      if (isMaskable(secret) && !maskers.has(secret)) maskers.set(secret, masker(secret));
    },
  };
}

/**
 * The language of a run: `--lang`, then `BPOS_LANG`, then the locale as POSIX ranks its variables. A locale of neither language
 * is English; a `--lang` that is none is refused where the flags are read.
 */
export function chosenLanguage({ lang }: Pick<GlobalFlags, "lang">, env: System["env"]): Language {
  const named = languageOf(lang ?? "") ?? languageOf(env["BPOS_LANG"] ?? "");
  if (named !== undefined) return named;
  const locale = env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return languageOf(locale) ?? "en";
}

/** The texts of a language; only those are loaded. */
export async function loadTexts(language: Language): Promise<Texts> {
  if (language === "es") return (await import("../i18n/es.ts")).es;
  return (await import("../i18n/en.ts")).en;
}

/**
 * Which mock BPOS_MOCK asks for, or `--mock` where that is given: a running one by its address, which may be none, the
 * embedded one, or no mock at all.
 */
export function askedMock(
  env: Readonly<Record<string, string | undefined>>,
  flag = false,
): { address: string } | "embedded" | undefined {
  const variable = env["BPOS_MOCK"] ?? "";
  if (/^https?:/.test(variable)) return { address: variable };
  return flag || !["", "0"].includes(variable) ? "embedded" : undefined;
}
