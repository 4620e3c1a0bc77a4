import stringWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";
import { dateTime, visible } from "./format.ts";
import type { Ui } from "./output.ts";

let segmenter: Intl.Segmenter | undefined;

export const textWidth = (text: string): number => stringWidth(text.normalize());

/** What must not be cut, with its columns: a letter with its accents, an emoji with its parts; two columns at most. */
function* units(text: string): Generator<[unit: string, width: number]> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(text)) {
    const width = textWidth(segment);
    if (width <= 2) yield [segment, width];
    // Joined letters can make one character of any width; it must be possible to cut those.
    else for (const character of segment) yield [character, textWidth(character)];
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

export function truncate(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  const [begin = ""] = pieces(text, width - 1);
  return width < 1 ? "" : `${begin.trimEnd()}…`;
}

export function pad(text: string, width: number, align: "left" | "right" = "left"): string {
  const space = " ".repeat(Math.max(0, width - textWidth(text)));
  return align === "left" ? text + space : space + text;
}

export function wrap(text: string, width: number): string[] {
  const room = Math.max(2, width);
  if (textWidth(text) <= room) return [text];
  // wrap-ansi's own `hard` breaks an emoji of several code points apart.
  const broken = text.replace(/[^ ]+/g, (word) =>
    textWidth(word) <= room ? word : [...pieces(word, room)].join(" "),
  );
  return wrapAnsi(broken, room).split("\n");
}

/** A sentence wrapped to the terminal, one line in a pipe; safe whatever it holds. */
export function paragraph(text: string, ui: Pick<Ui, "width">): string[] {
  const safe = visible(text);
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
