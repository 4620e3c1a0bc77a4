import type { Output } from "../../cli/display/output.ts";
import { openGiven } from "../../cli/files/named-files.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { decode } from "../../input/decode.ts";
import { unusable } from "../../input/file.ts";
import { countryCode, readPhone, toPerson } from "../../input/phone.ts";
import { parseBody, replyFields } from "./replies.ts";

const refusalWords = ["BAJA", "STOP", "NO MOLESTAR", "CANCELAR", "DESUSCRIBIR", "REMOVER", "PARAR", "PARE"];

/** Capital letters and digits alone, one blank between words: no accent, no punctuation, no emoji. */
const plainWords = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

export interface Refusal {
  /** doubtful: it contains a word of refusal, among others. */
  kind: "refused" | "doubtful";
  /** Undefined where the reply names no phone that can be read. */
  person: string | undefined;
  text: string;
}

/** A phone without what may stand around it: `whatsapp:` before, an extension or a device's address behind. */
const bareNumber = /\+?\d[\d ().-]{5,}\d/;

/**
 * Whose phone that may be, in international form with or without `+` or as it is dialled in one of the countries. `6561234567` is somebody's
 * in Mexico and in Singapore: to opt out one person too many costs less than to message one who refused.
 */
function readSenders(phone: string, countries: ReadonlySet<string | undefined>): string[] {
  const written = [phone, bareNumber.exec(phone)?.[0] ?? ""];
  const persons = written.flatMap((text) => [
    toPerson(text.replace(/^\s*00/, "")),
    ...Array.from(countries, (country) => {
      const read = readPhone(text, { column: "", country: countryCode(country ?? "") });
      return read.ok ? read.person : undefined;
    }),
  ]);
  return [...new Set(persons)].filter((person) => person !== undefined);
}

/** The elements of every list in a body, however deep: each may be a reply. */
function listElements(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  const parts: unknown[] = Object.values(value);
  return [...(Array.isArray(value) ? parts : []), ...parts.flatMap(listElements)];
}

/** Returns who of a body does not want messages; `countries` are those of the branches, for phones in national form. */
export function refusalReader(own: readonly string[], countries: ReadonlySet<string | undefined>) {
  const words = new Set([...refusalWords, ...own].map(plainWords));
  const read = (fields: ReturnType<typeof replyFields>): Refusal[] => {
    const text = fields.text ?? "";
    const plain = plainWords(text);
    if (![...words].some((word) => ` ${plain} `.includes(` ${word} `))) return [];
    const kind = words.has(plain) ? "refused" : "doubtful";
    const persons = readSenders(fields.phone ?? "", countries);
    return (persons.length > 0 ? persons : [undefined]).map((person) => ({ kind, person, text }));
  };
  return (body: string): Refusal[] => {
    const parsed = parseBody(body);
    const listed = listElements(parsed).map(replyFields);
    const whole = Array.isArray(parsed) ? [] : read(replyFields(parsed));
    const all = [...whole, ...listed.filter(({ phone }) => phone !== null).flatMap(read)];
    return [...new Map(all.map((each) => [`${each.kind} ${each.person}`, each])).values()];
  };
}

/** The words of `--opt-out-words`, one a line. Throws `input_unusable` for a line without a letter or a digit. */
export async function readRefusalWords({ system }: Runtime, output: Output, path: string): Promise<string[]> {
  const file = await openGiven(system, path, output);
  const lines = decode(file)
    .utf8.toString()
    .split(/\r\n|[\r\n]/)
    .map((line) => line.trim());
  const words = lines.filter((line) => line !== "");
  const bad = lines.findIndex((line) => line !== "" && plainWords(line) === "");
  if (words.length === 0 || bad >= 0)
    throw unusable(file, { kind: "no_words" }, bad < 0 ? undefined : bad + 1);
  return words;
}
