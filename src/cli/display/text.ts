import stringWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";
import { isLosslessNumber } from "lossless-json";
import { dateTime, visible } from "./format.ts";
import type { Ui } from "./ui.ts";

/** The length of a message. A screen shows the beginning of a longer text, and how many characters are left out. */
const maxShown = 4_096;
const maxMark = 20;

function cut(text: string): string {
  if (text.length <= maxShown) return text;
  // A text that has the mark is not cut again.
  const begin = text.slice(0, maxShown - maxMark).replace(/[\ud800-\udbff]$/, "");
  return `${begin}…‹+${text.length - begin.length}›`;
}

function isLong(value: unknown): boolean {
  if (typeof value === "string") return value.length > maxShown;
  if (typeof value === "bigint" || isLosslessNumber(value)) return String(value).length > maxShown;
  if (Array.isArray(value)) return value.some(isLong);
  return isPlain(value) && (Object.values(value).some(isLong) || Object.keys(value).some(isLong));
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The value with each long text in it cut. */
export function withCutTexts(value: unknown): unknown {
  if (!isLong(value)) return value;
  if (Array.isArray(value)) return value.map(withCutTexts);
  if (!isPlain(value)) return cut(String(value));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [cut(name), withCutTexts(each)]));
}

/** The value itself in a pipe; for a terminal with the texts in it cut, before anything is made of them. */
export function forScreen<T>(value: T, { width }: Pick<Ui, "width">): T {
  return width === undefined ? value : (withCutTexts(value) as T);
}

let segmenter: Intl.Segmenter | undefined;

/** Letters of one column each, and the signs of what is made visible: most of all texts. */
const SIMPLE = /^[ -~\xa1-\xac\xae-\u02ff\u2400-\u2421\u2039\u203a\u23ce]*$/;

export const textWidth = (text: string): number =>
  SIMPLE.test(text) ? text.length : stringWidth(text.normalize());

/** The segmenter's time grows with the square of its text; no emoji with its parts that `visible` lets through is as long. */
const maxPart = 256;

/** The characters of a text as people count them; one that is longer than a part, of joined letters, comes in parts. */
function* characters(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  for (let at = 0; at < text.length; ) {
    const part = text.slice(at, at + maxPart).replace(/(?<=.)[\ud800-\udbff]$/s, "");
    const found = Array.from(segmenter.segment(part), ({ segment }) => segment);
    // The last one may go on behind the cut.
    if (found.length > 1 && at + part.length < text.length) found.pop();
    yield* found;
    for (const each of found) at += each.length;
  }
}

/** The parts of a text that must not be cut, with their columns: a letter with its accents, an emoji with its parts; at most two columns. */
function* units(text: string): Generator<[unit: string, width: number]> {
  if (SIMPLE.test(text)) {
    for (const letter of text) yield [letter, 1];
    return;
  }
  for (const character of characters(text)) {
    const width = textWidth(character);
    if (width <= 2) yield [character, width];
    // Joined letters can make one character of any width, which must be possible to cut.
    else for (const letter of character) yield [letter, textWidth(letter)];
  }
}

function* pieces(text: string, width: number): Generator<string> {
  let piece = "";
  let used = 0;
  for (const [unit, columns] of units(text)) {
    if (used + columns > width) {
      yield piece;
      [piece, used] = ["", 0];
    }
    piece += unit;
    used += columns;
  }
  yield piece;
}

/** Cuts a text to the columns, without reading more of a long text than fits. */
export function truncate(text: string, width: number): string {
  const [whole = ""] = text.length > maxShown ? pieces(text, width) : [textWidth(text) <= width ? text : ""];
  if (whole === text) return text;
  const [begin = ""] = pieces(text, width - 1);
  return width < 1 ? "" : `${begin.trimEnd()}…`;
}

export function pad(text: string, width: number, align: "left" | "right" = "left"): string {
  const space = " ".repeat(Math.max(0, width - textWidth(text)));
  return align === "left" ? text + space : space + text;
}

/** Between a currency and its amount; a sign of the private area keeps the place of the space while lines are broken. */
const withinAmount = /(?<=\p{Sc}|\b[A-Z]{3}|\b(?:Gs|Bs|[SB]\/)\.?) (?=-?\d)|(?<=\d) (?=\p{Sc}(?! ?\d))/gu;
const keptSpace = "\ue001";

export function wrap(text: string, width: number): string[] {
  const room = Math.max(2, width);
  if (textWidth(text) <= room) return [text];
  // wrap-ansi's own `hard` breaks an emoji of several code points apart.
  const broken = text
    .replace(withinAmount, keptSpace)
    .replace(/[^ ]+/g, (word) => (textWidth(word) <= room ? word : [...pieces(word, room)].join(" ")));
  return wrapAnsi(broken, room).replaceAll(keptSpace, " ").split("\n");
}

/** A sentence wrapped to the terminal, one line in a pipe; safe whatever it holds. */
export function paragraph(text: string, ui: Pick<Ui, "width">): string[] {
  const safe = visible(forScreen(text, ui));
  return ui.width === undefined ? [safe] : wrap(safe, ui.width);
}

export const note = (text: string, { theme, ...ui }: Ui): string[] => paragraph(text, ui).map(theme.dim);

export const heading = (text: string, { theme, ...ui }: Ui): string[] =>
  paragraph(text, ui).map(theme.heading);

/** The first lines of a report: what it is, and MOCK or SANDBOX before it when it is not live. */
export function title(text: string, ui: Ui): string[] {
  const { badge, theme } = ui;
  if (badge === null) return heading(text, ui);
  return heading(`${badge} · ${text}`, ui).map((line, at) =>
    at === 0 ? line.replace(badge, (word) => theme.warn(word)) : line,
  );
}

export type ReportSource = { file: string | null; branch: string };

export function reportTitle(text: string, { file, branch }: ReportSource, ui: Ui): string[] {
  const at = dateTime(ui.now, ui);
  return title([text, ...(file === null ? [] : [file]), branch, at].join(" · "), ui);
}
