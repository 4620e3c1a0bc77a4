import { count, shown } from "../cli/display/format.ts";
import { type Column, column, table } from "../cli/display/table.ts";
import { heading, note } from "../cli/display/text.ts";
import type { Ui } from "../cli/display/ui.ts";
import { listProblems } from "../errors/problems.ts";
import { rowProblemsWords } from "../errors/words/rows.ts";
import type { UnusedRow } from "../input/recipients.ts";
import { english } from "../texts/texts.ts";

/** Returns rows that are left out as reports have them, with the reason in English. */
export const leftOutJson = (rows: readonly UnusedRow[]) =>
  rows.map((row) => ({
    line: row.line,
    phone: row.phone,
    error: rowProblemsWords(listProblems(row), english),
  }));

/** How many rows a report lists. */
export const maxShown = 10;

/** Says how many are not listed. */
export function notShown(all: readonly unknown[], ui: Ui): string[] {
  if (all.length <= maxShown) return [];
  const more = ui.texts.t(
    "{count, plural, one {# more is not shown; --json lists all of them.} other {# more are not shown; --json lists all of them.}}",
    { count: count(all.length - maxShown, ui) },
  );
  return note(more, ui);
}

export function leftOutTable(title: string, rows: readonly UnusedRow[], ui: Ui): string[] {
  if (rows.length === 0) return [];
  const { t } = ui.texts;
  const columns: Column<UnusedRow>[] = [
    column(t("Line"), 1, (row) => shown(row.line), { align: "right" }),
    column(t("Phone"), 1, (row) => shown(row.phone), { shrinkTo: 20 }),
    column(t("Reason"), 1, (row) => rowProblemsWords(listProblems(row), t), {
      shrinkTo: 20,
      wraps: true,
    }),
  ];
  const text = table(columns, rows.slice(0, maxShown), ui).trimEnd();
  return ["", ...heading(title, ui), text, ...notShown(rows, ui)];
}
