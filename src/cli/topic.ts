import type { Topic, TopicPart } from "../i18n/shapes.ts";
import type { Ui } from "./ui.ts";
import { wrap } from "./width.ts";

const usualWidth = 80;
/** A term longer than this has its explanation below it. */
const longestTerm = 26;

function rowLines(
  rows: NonNullable<TopicPart["rows"]>,
  width: number,
  { theme }: Pick<Ui, "theme">,
): string[] {
  const column = Math.min(longestTerm, Math.max(...rows.map(([term]) => term.length)));
  return rows.flatMap(([term, what]) => {
    const lines = wrap(what, width - column - 4).map((line) => `${" ".repeat(column + 4)}${line}`);
    if (term.length > column) return [`  ${theme.accent(term)}`, ...lines];
    const [first = "", ...more] = lines;
    const padding = " ".repeat(column - term.length);
    return [`  ${theme.accent(term)}${padding}  ${first.trimStart()}`.trimEnd(), ...more];
  });
}

function partLines({ heading, text, rows, code }: TopicPart, width: number, ui: Pick<Ui, "theme">): string[] {
  return [
    ...(heading === undefined ? [] : [ui.theme.heading(heading)]),
    ...(text === undefined ? [] : wrap(text, width)),
    ...(rows === undefined || rows.length === 0 ? [] : rowLines(rows, width, ui)),
    ...(code ?? []).map((line) => `  ${line}`),
  ];
}

/** A topic of `bpos help` as text: its title, then its parts with an empty line between two. */
export function topicText({ title, parts }: Topic, ui: Pick<Ui, "theme" | "width">): string {
  const width = Math.min(ui.width ?? usualWidth, 100);
  const blocks = parts.map((part) => partLines(part, width, ui).join("\n"));
  return `${[ui.theme.heading(title), ...blocks].join("\n\n")}\n`;
}
