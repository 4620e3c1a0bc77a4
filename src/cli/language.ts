import { type Language, languageOf } from "../i18n/language.ts";
import type { Texts } from "../i18n/texts.ts";
import type { System } from "../system.ts";
import type { GlobalFlags } from "./global-flags.ts";

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
