const longestQuote = 80;

// Controls, bidirectional and other invisible marks, line separators, halves of pairs, unassigned and private ones.
const unsafe = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const visible = (character: string): string =>
  unsafe.test(character) ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}` : character;

function shortened(text: string): string {
  let result = "";
  for (const character of text.replaceAll(/[ \t\r\n]+/g, " ").trim()) {
    const next = visible(character);
    if (result.length + next.length > longestQuote - 1) return `${result}…`;
    result += next;
  }
  return result;
}

/** At most 80 characters of what came from elsewhere, on one line, each invisible one as `\u{…}`; nothing of a blank text. */
export function quoteOf(text: string): { quote?: string } {
  return text.trim() === "" ? {} : { quote: shortened(text) };
}
