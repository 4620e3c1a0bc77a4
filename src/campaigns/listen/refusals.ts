import type { Output } from "../../cli/display/output.ts";
import { openGiven } from "../../cli/files/named-files.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { decode } from "../../input/files/decode.ts";
import { unusable } from "../../input/files/file.ts";
import { countryCode, findCountries, readPhone, toPerson } from "../../input/phone.ts";
import { findLanguage } from "../../settings/country.ts";
import { parseBody, type ReplyFields, replyFields } from "../replies.ts";
import { plainWords, refusalKinds } from "./refusal-words.ts";

export interface Refusal {
  /** doubtful: it contains a word of refusal, among others. */
  kind: "refused" | "doubtful";
  /** Undefined where the reply names no phone that can be read. */
  person: string | undefined;
  text: string;
}

/** A phone without text around it: a `whatsapp:` prefix, an extension or a device address. */
const bareNumber = /\+?\d[\d ().-]{5,}\d/;

/**
 * Returns the persons whose phone it may be, in international form with or without `+`, or as it is dialled in one of the countries.
 * `6561234567` is somebody's in Mexico and in Singapore: opting out one person too many costs less than messaging one who refused.
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

type Reply = Pick<ReplyFields, "phone" | "text">;

/**
 * Adds every reply of a body to `found`: the body itself and each element of a list, however deep, of the nearest phone above where it
 * has none. What holds a reply with a phone and a text is none itself: it would be of one person and say what another wrote.
 * Returns whether there is such a reply in `value`.
 */
function findReplies(
  value: unknown,
  found: Reply[],
  above: string | null = null,
  mayBeReply = true,
): boolean {
  if (typeof value !== "object" || value === null) return false;
  const isList = Array.isArray(value);
  const nearest = replyFields(value, false).phone ?? above;
  let holds = false;
  for (const part of Object.values(value)) holds = findReplies(part, found, nearest, isList) || holds;
  if (holds || isList || !mayBeReply) return holds;
  const { phone, text } = replyFields(value);
  found.push({ phone: phone ?? above, text });
  return phone !== null && text !== null;
}

/** Whether END and CANCEL are foreign words in the country of this phone. */
function speaksNoEnglish(person: string): boolean {
  const languages = findCountries(person).map(findLanguage);
  return languages.length > 0 && languages.every((language) => ["es", "pt", "fr"].includes(language));
}

/** Returns who of a body does not want messages; `countries` are those of the branches, for phones in national form. */
export function refusalReader(own: readonly string[], countries: ReadonlySet<string | undefined>) {
  const findKind = refusalKinds(own);
  const read = ({ phone, text: written }: Reply): Refusal[] => {
    const text = written ?? "";
    const found = findKind(text);
    if (found === undefined) return [];
    const persons = readSenders(phone ?? "", countries);
    return (persons.length > 0 ? persons : [undefined]).map((person) => {
      const isPlain = found === "refused" || (found === "everyday" && speaksNoEnglish(person ?? ""));
      return { kind: isPlain ? "refused" : "doubtful", person, text };
    });
  };
  return (body: string): Refusal[] => {
    const found: Reply[] = [];
    findReplies(parseBody(body), found);
    const known = found.filter(({ phone }) => phone !== null).flatMap(read);
    // A part without a phone adds nothing if the whole has one.
    const all = known.length > 0 ? known : found.flatMap(read);
    return [...new Map(all.map((each) => [`${each.kind} ${each.person}`, each])).values()];
  };
}

/** Reads the words of `--opt-out-words`, one a line. Throws `input_unusable` for a line without a letter or a digit. */
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
