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

function findTranslation(message: string, language: Language): string {
  if (language === "en") return message;
  // The command is built with the short keys.
  const key = keyOf(message);
  const find = (catalog: Catalog): string | undefined => catalog[message] ?? catalog[key];
  return (language === "es-AR" ? find(esAR) : undefined) ?? find(es) ?? message;
}

/** A value as it is printed. */
const shown = (fact: string | number | Count): string =>
  typeof fact === "object" ? fact.shown : String(fact);

/** Fills plain holes; the full stop after a value that ends a sentence is not repeated. */
const fill = (text: string, facts: Facts): string =>
  text.replace(/\{(\w+)\}(\.(?=\s|$))?/g, (hole, name: string, stop: string | undefined = "") => {
    const fact = facts[name];
    if (fact === undefined) return hole;
    const value = shown(fact);
    return /[.!?…]["')]?$/.test(value) ? value : value + stop;
  });

function say(message: string, language: Language, facts: Facts | undefined): string {
  const [text = ""] = findTranslation(message, language).split(" // ", 1);
  if (facts === undefined) return text;
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
