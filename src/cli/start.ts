import type { Ui } from "./ui.ts";

/** What `bpos` alone shows to somebody who sees it for the first time. */
export function startScreen({ texts, theme }: Pick<Ui, "texts" | "theme">): string {
  const { title, steps, more, firstTitle, moreTitle } = texts.helpPage.start;
  const width = Math.max(...[...steps, ...more].map(([line = ""]) => line.length));
  const row = (lead: string, [line = "", what = ""]: readonly string[]): string =>
    `  ${lead}${theme.accent(line)}${" ".repeat(width - line.length)}  ${what}\n`;
  return [
    `${theme.heading(title)}\n\n`,
    `${firstTitle}\n`,
    ...steps.map((step, i) => row(`${i + 1}. `, step)),
    `\n${moreTitle}\n`,
    ...more.map((step) => row("   ", step)),
  ].join("");
}
