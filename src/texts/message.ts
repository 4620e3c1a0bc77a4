import { type MessageFormatElement, parse } from "@formatjs/icu-messageformat-parser";
import { formatToParts } from "intl-messageformat";

/** A number and how it is written for the reader, with thousands separators. */
export interface Count {
  n: number;
  shown: string;
}

/** Values that fill the holes of a message, by name. */
export type Facts = Readonly<Record<string, string | number | Count>>;

const parsed = new Map<string, MessageFormatElement[]>();

function parseOnce(message: string): MessageFormatElement[] {
  const known = parsed.get(message);
  if (known !== undefined) return known;
  const elements = parse(message, { ignoreTag: true });
  parsed.set(message, elements);
  return elements;
}

/** A value that the library uses as a number for plurals and prints as text. */
const toValue = (fact: string | number | Count) =>
  typeof fact === "object" ? { valueOf: () => fact.n, toString: () => fact.shown } : fact;

const rules = new Map<string, Intl.PluralRules>();

function rulesOf(language: string): Intl.PluralRules {
  const made = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, made);
  return made;
}

const formats = { number: {}, date: {}, time: {} };

/**
 * A message with plurals or choices, its holes filled.
 *
 * Numbers are written as the caller wrote them. The class of the library would load `Intl.NumberFormat`, which takes 20 ms.
 */
export function formatMessage(message: string, language: string, facts: Facts): string {
  const counts = Object.values(facts).filter((fact): fact is Count => typeof fact === "object");
  const format = (n: number): string => counts.find((count) => count.n === n)?.shown ?? String(n);
  const formatters = {
    getNumberFormat: () => ({ format }) as Intl.NumberFormat,
    getPluralRules: () => rulesOf(language),
    getDateTimeFormat: () => new Intl.DateTimeFormat(language),
  };
  const values = Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, toValue(fact)]));
  const elements = parseOnce(message);
  type Value = { toString: () => string };
  const parts = formatToParts<Value>(elements, language, formatters, formats, values, undefined, message);
  return parts.map(({ value }) => String(value)).join("");
}
