const longestQuote = 80;

/** Makes text that came from elsewhere fit to be shown, for one key. */
export interface SafeText {
  /** The text with every echo of the key replaced, however it is escaped. */
  readonly scrub: (text: string) => string;
  /** At most 80 characters on one line, without the key, each invisible character as `\u{…}`; nothing of a blank text. */
  quote(text: string): { quote?: string };
}

// Controls, bidirectional and other invisible marks, line separators, halves of pairs, unassigned and private ones.
const unsafe = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const visible = (character: string): string =>
  unsafe.test(character) ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}` : character;

function quoted(text: string): string {
  let result = "";
  for (const character of text.replaceAll(/[ \t\r\n]+/g, " ").trim()) {
    const next = visible(character);
    if (result.length + next.length > longestQuote - 1) return `${result}…`;
    result += next;
  }
  return result;
}

const hexOf = (code: number, digits = 2): string => code.toString(16).padStart(digits, "0");

/**
 * How one character may be written: as it is, behind backslashes, as an escape of JSON, of an address or of HTML. Each
 * repetition is bounded, so that a long text of such signs is no work.
 */
function spellings(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const plain = character.replace(/[\\^$.*+?()[\]{}|/-]/, String.raw`\$&`);
  const json = units.map((unit) => String.raw`\\{1,8}u${hexOf(unit, 4)}`).join("");
  const percent = Array.from(Buffer.from(character), (byte) => `%(?:25){0,4}${hexOf(byte)}`).join("");
  const code = character.codePointAt(0) ?? 0;
  return String.raw`(?:\\{0,8}${plain}|${json}|${percent}|&#0{0,6}${code};|&#x0{0,6}${hexOf(code, 1)};)`;
}

/** Every spelling of a secret, and of its base64, in small letters or capitals. */
function formsOf(secret: string): RegExp {
  const bytes = Buffer.from(secret);
  const base64 = [bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")];
  const forms = [secret, ...new Set(base64)].map((form) => Array.from(form, spellings).join(""));
  return new RegExp(forms.join("|"), "gi");
}

/**
 * The scrubber and quoter of one key; an empty one is nowhere.
 *
 * @example
 * safeText("bpk_secret").quote("<p>bpk_secret</p>"); // { quote: "<p>[key]</p>" }
 *
 * @param mark what stands for the key.
 */
export function safeText(apiKey: string, mark = "[key]"): SafeText {
  const forms = formsOf(apiKey);
  const scrub = (text: string): string => (apiKey === "" ? text : text.replace(forms, () => mark));
  return { scrub, quote: (text) => (text.trim() === "" ? {} : { quote: quoted(scrub(text)) }) };
}
