const longestQuote = 80;

/** Makes text that came from elsewhere fit to be shown, for one key. */
export interface SafeText {
  /** The text with every echo of the key replaced. */
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

/**
 * The scrubber and quoter of one key.
 *
 * @example
 * safeText("bpk_secret").quote("<p>bpk_secret</p>"); // { quote: "<p>[key]</p>" }
 *
 * @param mark what stands for the key.
 */
export function safeText(apiKey: string, mark = "[key]"): SafeText {
  const forms = new Set([apiKey, encodeURIComponent(apiKey), JSON.stringify(apiKey).slice(1, -1)]);
  const scrub = (text: string): string => {
    let result = text;
    for (const form of forms) result = result.replaceAll(form, mark);
    return result;
  };
  return { scrub, quote: (text) => (text.trim() === "" ? {} : { quote: quoted(scrub(text)) }) };
}
