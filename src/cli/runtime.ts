import { masker } from "../errors/mask-key.ts";
import type { Texts } from "../i18n/en.ts";
import { type Language, languageOf } from "../i18n/shapes.ts";
import type { OutStream, System } from "../system.ts";
import type { GlobalFlags } from "./command-line.ts";

export interface Runtime {
  system: GuardedSystem;
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

export interface GuardedSystem extends System {
  /** Keeps a key or another secret out of all that is written from here on. */
  readonly hide: (secret: string) => void;
}

/** A shorter one, or one of digits alone, stands in any text by chance. */
const isMaskable = (secret: string): boolean => secret.length >= 8 && /[a-z]/i.test(secret);

/** Whatever is written, asked or heard of a command is without the secrets that `hide` was told of. */
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

/** `--lang`, then `BPOS_LANG`, then the locale as POSIX ranks its variables; a locale of neither language is English. */
export function chosenLanguage({ lang }: Pick<GlobalFlags, "lang">, env: System["env"]): Language {
  const named = languageOf(lang ?? "") ?? languageOf(env["BPOS_LANG"] ?? "");
  if (named !== undefined) return named;
  const locale = env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return languageOf(locale) ?? "en";
}

export async function loadTexts(language: Language): Promise<Texts> {
  if (language === "es") return (await import("../i18n/es.ts")).es;
  return (await import("../i18n/en.ts")).en;
}

/** What `--mock` or BPOS_MOCK asks for; `address` need not be one. */
export function askedMock(
  env: Readonly<Record<string, string | undefined>>,
  flag = false,
): { address: string } | "embedded" | undefined {
  const variable = env["BPOS_MOCK"] ?? "";
  if (/^https?:/.test(variable)) return { address: variable };
  return flag || !["", "0"].includes(variable) ? "embedded" : undefined;
}
