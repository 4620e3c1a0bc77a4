import type { System } from "../system.ts";
import { type Language, languageOf } from "../text/language.ts";
import type { Texts } from "../text/texts.ts";

/** The value of `--lang`, wherever in the command line it stands: help and wrong flags are said in it too. */
function langFlag(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word) => word === "--lang" || word.startsWith("--lang="));
  return argv[at]?.startsWith("--lang=")
    ? argv[at].slice("--lang=".length)
    : at < 0
      ? undefined
      : argv[at + 1];
}

/**
 * The language of a run: `--lang`, then `BPOS_LANG`, then the locale as POSIX ranks its variables. A locale of neither language
 * is English; a `--lang` that is none is refused where the flags are read.
 */
export function chosenLanguage(argv: readonly string[], env: System["env"]): Language {
  const named = languageOf(langFlag(argv) ?? "") ?? languageOf(env["BPOS_LANG"] ?? "");
  if (named !== undefined) return named;
  const locale = env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return languageOf(locale) ?? "en";
}

/** The texts of a language; only those are loaded. */
export async function loadTexts(language: Language): Promise<Texts> {
  if (language === "es") return (await import("../text/es.ts")).es;
  return (await import("../text/en.ts")).en;
}
