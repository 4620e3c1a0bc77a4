import type { Output } from "../../cli/display/output.ts";
import { openGiven } from "../../cli/files/named-files.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { decode } from "../../input/decode.ts";
import { unusable } from "../../input/file.ts";
import { countryCode, readPhone, toPerson } from "../../input/phone.ts";
import type { Settings } from "../../settings/settings.ts";
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

/** Whose phone that is: in international form, else as it is dialled in the country of the profile. */
function readSender(phone: string, { country, areaCode: area }: PhoneSettings): string | undefined {
  const person = toPerson(phone);
  if (person !== undefined) return person;
  const read = readPhone(phone, { column: "", country: countryCode(country ?? ""), area });
  return read.ok ? read.person : undefined;
}

type PhoneSettings = Pick<Settings, "country" | "areaCode">;

/** Returns who of a body does not want messages; of a list of replies, of each. */
export function refusalReader(own: readonly string[], settings: PhoneSettings) {
  const words = new Set([...refusalWords, ...own].map(plainWords));
  return (body: string): Refusal[] =>
    [parseBody(body)].flat().flatMap((each): Refusal[] => {
      const { phone, text } = replyFields(each);
      const plain = plainWords(text ?? "");
      const holds = [...words].some((word) => ` ${plain} `.includes(` ${word} `));
      if (text === null || !holds) return [];
      const person = readSender(phone ?? "", settings);
      return [{ kind: words.has(plain) ? "refused" : "doubtful", person, text }];
    });
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
