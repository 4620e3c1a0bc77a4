// Our own, because the string-width that comes with cli-table3 is that package's dependency and not ours,
// and because it counts a flag or a family as two to eight columns where terminals use two.

/** East Asian wide and fullwidth blocks (Unicode 15, UAX 11); emoji are found by their own property. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;
const ZERO = /[\p{Mn}\p{Me}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\ud7b0-\ud7ff]/u;
/** Shown two columns wide by itself, or because a selector or a keycap asks for it. */
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u;
/** Every character is one column: printable ASCII, accented letters of Latin scripts, dashes, quotes and `…`. */
const NARROW = /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027]*$/;
/** Characters that stand alone whatever follows them, so that each can be counted by itself. */
const ALONE =
  /^(?:[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]|(?![\p{RI}\p{EMod}])\p{Emoji_Presentation})*$/u;

let segmenter: Intl.Segmenter | undefined;

function unitWidth(unit: string): number {
  if (EMOJI.test(unit)) return 2;
  let width = 0;
  for (const character of unit) width += ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** What must not be cut, with its columns: a letter with its accents, an emoji with its parts; two columns at most. */
function* units(text: string): Generator<[unit: string, width: number]> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(text)) {
    const width = unitWidth(segment);
    if (width <= 2) yield [segment, width];
    // Stacked marks can make one character of any width; it must be possible to cut those.
    else for (const character of segment) yield [character, unitWidth(character)];
  }
}

/** The columns that a text without colours takes on a terminal. */
export function textWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  if (ALONE.test(text)) for (const character of text) width += NARROW.test(character) ? 1 : 2;
  else for (const [, columns] of units(text)) width += columns;
  return width;
}

/** The longest beginning of a text that fits `width` columns, and what is left of it; never cuts a character. */
function split(text: string, width: number): [head: string, tail: string] {
  if (NARROW.test(text)) return [text.slice(0, width), text.slice(width)];
  let used = 0;
  let end = 0;
  for (const [unit, columns] of units(text)) {
    used += columns;
    if (used > width) return [text.slice(0, end), text.slice(end)];
    end += unit.length;
  }
  return [text, ""];
}

/** A text cut to `width` columns, its last one an ellipsis when something is missing. */
export function truncate(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  return width < 1 ? "" : `${split(text, width - 1)[0].trimEnd()}…`;
}

/** As `truncate`, for a text of which the end says most, such as a path: the ellipsis stands at its beginning. */
export function truncateStart(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let used = 1;
  let start = text.length;
  for (const [unit, columns] of [...units(text)].reverse()) {
    used += columns;
    if (used > width) break;
    start -= unit.length;
  }
  return width < 1 ? "" : `…${text.slice(start).trimStart()}`;
}

/** A text filled with spaces to `width` columns. */
export function pad(text: string, width: number, align: "left" | "right" = "left"): string {
  const space = " ".repeat(Math.max(0, width - textWidth(text)));
  return align === "left" ? text + space : space + text;
}

/** A text in lines of at most `width` columns, broken between words, and inside a word that is too long by itself. */
export function wrap(text: string, width: number): string[] {
  const room = Math.max(2, width);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (textWidth(longer) <= room) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    let [head, tail] = split(word, room);
    while (tail !== "") {
      lines.push(head);
      [head, tail] = split(tail, room);
    }
    line = head;
  }
  return [...lines, line];
}
