import es from "./es.json" with { type: "json" };
import esAR from "./es-AR.json" with { type: "json" };
import { keyOf } from "./key.ts";
import { type Count, type Facts, formatMessage } from "./message.ts";

/** The languages that people are spoken to in; `es` is neutral Spanish, for every country. */
export const languages = ["en", "es", "es-AR"] as const;

/** A language that bpos has texts in. */
export type Language = (typeof languages)[number];

/**
 * The message in the reader's language, its holes filled.
 *
 * A message is written in English where it is said, in the format of ICU. Without facts it is text: braces mean nothing.
 *
 * @example t("{count, plural, one {# order} other {# orders}}", { count: 2 }) // "2 órdenes"
 * @example t("Read // of a message") // for translators, where English has one word and Spanish two
 */
export type T = (message: string, facts?: Facts) => string;

/** The countries whose Spanish is that of Argentina. */
const argentineSpeaking = /^(?:ar|py|uy)$/;

/** The language that a locale such as `es_AR.UTF-8` means; undefined for one that means none of ours. */
export function findLanguage(locale: string): Language | undefined {
  const [, name, country = ""] = /^([a-z]+)(?:[_-]([a-z\d]+))?/.exec(locale.toLowerCase()) ?? [];
  if (name === "es") return argentineSpeaking.test(country) ? "es-AR" : "es";
  return name === "en" ? "en" : undefined;
}

type Catalog = Readonly<Record<string, string>>;

/** Each is read at its first use: the command is built with an es-AR that has all texts. */
const catalogs: Readonly<Record<Language, readonly (() => Catalog)[]>> = {
  en: [],
  es: [() => es],
  "es-AR": [() => esAR, () => es],
};

/** The text of a message; English where a catalog has none, without its note. */
function translate(message: string, language: Language): string {
  // The command is built with the short keys.
  const key = language === "en" ? "" : keyOf(message);
  for (const catalog of catalogs[language]) {
    const text = catalog()[message] || catalog()[key];
    if (text) return text;
  }
  return message.replace(/ \/\/ .*/, "");
}

/** Texts that were looked up before: a report asks for the same one for each of 100,000 rows. */
const known: Readonly<Record<Language, Map<string, string>>> = {
  en: new Map(),
  es: new Map(),
  "es-AR": new Map(),
};

function findText(message: string, language: Language): string {
  const said = known[language].get(message);
  if (said !== undefined) return said;
  const text = translate(message, language);
  known[language].set(message, text);
  return text;
}

/** A value as it is printed. */
const shown = (fact: string | number | Count): string =>
  typeof fact === "object" ? fact.shown : String(fact);

/** The text without the full stop after a value that ends a sentence. */
const withoutStops = (text: string, facts: Facts): string =>
  text.replace(/\{(\w+)\}\.(?=\s|$)/g, (hole, name: string) =>
    /[.!?…]["')]?$/.test(shown(facts[name] ?? "")) ? hole.slice(0, -1) : hole,
  );

/** The text with its plain holes filled. */
const fill = (text: string, facts: Facts): string =>
  text.replace(/\{(\w+)\}/g, (hole, name: string) => shown(facts[name] ?? hole));

function say(message: string, language: Language, facts: Facts | undefined): string {
  const found = findText(message, language);
  if (facts === undefined) return found;
  const text = withoutStops(found, facts);
  return /\{\w+, (?:plural|select),/.test(text) ? formatMessage(text, language, facts) : fill(text, facts);
}

/** A language and its messages. */
export interface Texts {
  language: Language;
  t: T;
}

/** The messages in a language. */
export const textsIn = (language: Language): Texts => ({
  language,
  t: (message, facts) => say(message, language, facts),
});

/** The messages of JSON and logs, whatever the language. */
export const english: T = textsIn("en").t;
