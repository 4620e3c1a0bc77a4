// Compares the messages in the code with the catalogs: `npm run check:texts` reports differences, `npm run texts` updates the catalogs.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { findMessages, type Use } from "../build/messages.ts";
import { termList } from "../src/cli/line/help.ts";

type Catalog = Record<string, string>;

const root = join(import.meta.dirname, "..");
const catalogPath = (language: string): string => join(root, `src/texts/${language}.json`);
const readCatalog = (language: string): Catalog =>
  JSON.parse(readFileSync(catalogPath(language), "utf8")) as Catalog;

/** Mark that `npm run texts` writes before the translation of a changed sentence. */
const doubt = "?? ";

interface Holes {
  names: Set<string>;
  /** The plural forms of each number. */
  plurals: string[][];
}

function collect(elements: readonly MessageFormatElement[], holes: Holes): Holes {
  for (const element of elements) {
    if (element.type !== TYPE.literal && element.type !== TYPE.pound) holes.names.add(element.value);
    if (element.type !== TYPE.plural && element.type !== TYPE.select) continue;
    if (element.type === TYPE.plural) holes.plurals.push(Object.keys(element.options));
    for (const option of Object.values(element.options)) collect(option.value, holes);
  }
  return holes;
}

/** The holes of a text, or what is wrong with it. */
function readHoles(text: string): Holes | string {
  // An apostrophe before one of these quotes in ICU, but not in the plain form.
  if (/'['{}|#<>]/.test(text)) return "an apostrophe stands before a brace: write ’, or another word between";
  try {
    return collect(parse(text, { ignoreTag: true }), { names: new Set(), plurals: [] });
  } catch (error) {
    return `it is no message of ICU: ${(error as Error).message}`;
  }
}

const named = (names: readonly string[]): string => names.map((name) => `{${name}}`).join(", ");

/** Lists the problems of a text's holes, given the facts that fill them and the holes that it must have. */
function holeProblems(
  text: string,
  facts: ReadonlySet<string> | undefined,
  needed: Iterable<string>,
): string[] {
  const holes = readHoles(text);
  if (typeof holes === "string") return [holes];
  const unfilled = [...holes.names].filter((name) => facts !== undefined && !facts.has(name));
  const lacking = [...needed].filter((name) => !holes.names.has(name));
  const bare = holes.plurals.some((forms) => !forms.includes("one") || !forms.includes("other"));
  return [
    ...(unfilled.length > 0 ? [`nothing fills ${named(unfilled)}`] : []),
    ...(lacking.length > 0 ? [`it lacks ${named(lacking)}`] : []),
    ...(bare ? ["a plural needs the forms one and other"] : []),
  ];
}

/** Lists the problems of the holes of a message and its translations. */
function factProblems(english: string, translations: readonly string[], facts: Use["facts"]): string[] {
  if (facts === undefined)
    return /\{\w+, (?:plural|select),/.test(english) ? ["it has a plural or a choice, and no facts"] : [];
  const read = readHoles(english);
  if (typeof read === "string") return [read];
  const known = facts === "some" ? undefined : new Set(facts);
  const texts = [english, ...translations];
  const unused = [...(known ?? [])].filter((name) => !texts.some((text) => text.includes(`{${name}`)));
  return [
    ...holeProblems(english, known, []),
    ...translations.flatMap((text) =>
      holeProblems(text, known ?? read.names, read.names).map(
        (each) => `its Spanish ${shorten(text)}: ${each}`,
      ),
    ),
    ...(unused.length > 0 ? [`it has no hole for ${named(unused)}`] : []),
  ];
}

const shorten = (text: string): string => JSON.stringify(text.length > 90 ? `${text.slice(0, 89)}…` : text);

const maxHelpLines = 4;

/** Returns whether it takes more lines at 80 columns, beside the widest flag. The flag here has its own line. */
const isLongHelp = (text: string): boolean =>
  termList([["-".repeat(80), text]], 80).length > maxHelpLines + 1;

/** Parts that are the same in every language: flags, commands, variables, file types. */
const fixed =
  /--[a-z][a-z-]+|BPOS_[A-Z_]+|\bbpos (?:orders|catalog|campaign|profile|journal|mock|demo|doctor|init)\b|\.(?:csv|json|ndjson)\b/g;
const fixedParts = (text: string): string[] => [...new Set(text.match(fixed))];

/** A sentence of several words of English. */
const isEnglish = (text: string): boolean => /^[A-Z]?[a-z]+(?: [a-z]+){2,}/.test(text);

/** Lists the problems of a translation, with or without facts. */
function translationProblems(english: string, text: string): string[] {
  const missing = fixedParts(english).filter((part) => !text.includes(part));
  return [
    ...(text === english && isEnglish(text) ? ["it is in English"] : []),
    ...(missing.length > 0 ? [`it lacks ${missing.join(", ")}`] : []),
  ];
}

function useProblems({ message, place, facts, isFlagHelp }: Use, es: Catalog, esAR: Catalog): string[] {
  if (message === undefined) return [`${place}: t() takes a message that is written out`];
  const [english = ""] = message.split(" // ");
  const name = `${place}: ${shorten(message)}`;
  const spanish = es[message];
  if (spanish === undefined || spanish === "") return [`${name} has no Spanish`];
  const local = esAR[message];
  if ([spanish, local].some((text) => text?.startsWith(doubt)))
    return [`${name} has the Spanish of another sentence: correct it, without the ??`];

  const long = [english, spanish, local ?? ""].filter((text) => isFlagHelp && isLongHelp(text));
  const translations = local === undefined ? [spanish] : [spanish, local];
  return [
    ...long.map(
      (text) => `${place}: as help of a flag ${shorten(text)} takes more than ${maxHelpLines} lines`,
    ),
    ...factProblems(english, translations, facts).map((each) => `${name}: ${each}`),
    ...translations.flatMap((text) =>
      translationProblems(english, text).map((each) => `${name}: its Spanish ${shorten(text)}: ${each}`),
    ),
  ];
}

function catalogProblems(messages: ReadonlySet<string>, es: Catalog, esAR: Catalog): string[] {
  const stale = Object.keys(es).filter((message) => !messages.has(message));
  const local = Object.entries(esAR).filter(
    ([message, text]) => es[message] === undefined || es[message] === text,
  );
  return [
    ...stale.map((message) => `src/texts/es.json: no code says ${shorten(message)}`),
    ...local.map(
      ([message]) => `src/texts/es-AR.json: ${shorten(message)} is the same as in es.json, or not there`,
    ),
  ];
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+|\{\w+/gu) ?? [];

/** How much of the words two sentences share, from 0 to 1. */
function likeness(one: string, other: string): number {
  const [words, others] = [new Set(wordsOf(one)), new Set(wordsOf(other))];
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared / Math.max(words.size, others.size, 1);
}

/** The translation of the sentence that this one most likely was, marked. */
function carriedOver(message: string, stale: readonly [string, string][]): string {
  const [best] = stale
    .map(([old, spanish]) => ({ spanish, share: likeness(old, message) }))
    .sort((a, b) => b.share - a.share);
  return best !== undefined && best.share >= 0.5 ? doubt + best.spanish.replace(doubt, "") : "";
}

/** Sorts a catalog, removes messages that no code uses, and adds missing ones, with the Spanish of a changed sentence. */
function update(messages: ReadonlySet<string>, language: string): void {
  const catalog = readCatalog(language);
  const stale = Object.entries(catalog).filter(([message]) => !messages.has(message));
  const known = readCatalog("es");
  const textOf = (message: string): string =>
    catalog[message] ?? (known[message] === undefined ? carriedOver(message, stale) : "");
  const next = [...messages].sort().map((message): [string, string] => [message, textOf(message)]);
  const kept = next.filter(([, text]) => language === "es" || text !== "");
  writeFileSync(catalogPath(language), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

const uses = findMessages("src");
const messages = new Set(uses.flatMap(({ message }) => message ?? []));

if (process.argv.includes("--update")) {
  // First, because a message that es.json lacks is new.
  update(messages, "es-AR");
  update(messages, "es");
}

const [es, esAR] = [readCatalog("es"), readCatalog("es-AR")];
const problems = [
  ...uses.flatMap((use) => useProblems(use, es, esAR)),
  ...catalogProblems(messages, es, esAR),
];
process.stderr.write([...problems, `${messages.size} messages, ${problems.length} problems\n`].join("\n"));
process.exitCode = problems.length === 0 ? 0 : 1;
