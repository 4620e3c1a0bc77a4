import { type FieldsOf, fieldColumns, nothingOf } from "../../cli/display/fields.ts";
import { count, dateTime, shown } from "../../cli/display/format.ts";
import { type Column, column, type Listing, listing } from "../../cli/display/table.ts";
import { note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { UnusedRow } from "../../input/recipients.ts";
import type { Doubt, OptOut } from "../../journal/opt-outs.ts";
import { leftOutJson } from "../send/report.ts";
import { leftOutTable } from "../send/view.ts";
import { optOutNames } from "./command.ts";

export const toObject = ({ phone, at, source, text }: OptOut) => ({
  phone,
  at: isoWithOffset(at),
  source,
  text,
});

export const optOutFields: FieldsOf<OptOut> = {
  object: toObject,
  example: nothingOf(optOutNames),
  columns: optOutNames.map((name) => [name, (row: OptOut) => toObject(row)[name]] as const),
};

export interface Added {
  read: number;
  added: number;
  already: number;
  invalid: readonly UnusedRow[];
}

export const addedJson = ({ invalid, ...counts }: Added): object => ({
  ...counts,
  invalid: leftOutJson(invalid),
});

export function addedReport({ added, already, invalid }: Added, ui: Ui): string {
  const words = ui.texts.optout;
  const done = paragraph(words.added(count(added, ui), count(already, ui)), ui).map(ui.theme.good);
  const rows = leftOutTable(words.invalid(count(invalid.length, ui)), invalid, ui);
  return `${[...done, ...rows].join("\n")}\n`;
}

export function optOutTable(
  rows: readonly OptOut[],
  doubts: number,
  ui: Ui,
  chosen?: readonly string[],
): Listing {
  const words = ui.texts.optout;
  const columns: Column<OptOut>[] = [
    column(words.columns.phone, 1, ({ phone }) => shown(phone)),
    column(words.columns.at, 2, ({ at }) => dateTime(at, ui)),
    column(words.columns.source, 3, ({ source }) => words.source[source]),
    column(words.columns.text, 2, ({ text }) => shown(text), { shrinkTo: 12 }),
  ];
  const doubtful = doubts > 0 ? paragraph(words.doubtful(count(doubts, ui)), ui).map(ui.theme.warn) : [];
  const all = note(rows.length === 0 ? words.none : words.all(count(rows.length, ui)), ui);
  const used = chosen ? fieldColumns(optOutFields, chosen, rows) : columns;
  return listing(used, rows, { head: title(words.title, ui), foot: [...doubtful, ...all] }, ui);
}

export function exportReport(
  report: { file: string; opt_outs: number; without_phone: number },
  ui: Ui,
): string {
  const words = ui.texts.optout;
  const { file, opt_outs: written, without_phone: pruned } = report;
  const lines = paragraph(words.exported(count(written, ui), file), ui).map(ui.theme.good);
  if (pruned > 0) lines.push(...paragraph(words.pruned(count(pruned, ui)), ui).map(ui.theme.warn));
  return `${lines.join("\n")}\n`;
}

export function doubtText(
  { phone, at, text }: Doubt,
  { n, all }: { n: number; all: number },
  ui: Ui,
): string {
  const head = `${n}/${all}  ${shown(phone)}  ${dateTime(at, ui)}`;
  return `${[...paragraph(head, ui).map(ui.theme.heading), ...paragraph(shown(text), ui)].join("\n")}\n`;
}

export function reviewedText(counts: { optedOut: number; not: number; later: number }, ui: Ui): string {
  const { review: words } = ui.texts.optout;
  const { optedOut, not, later } = counts;
  const nothing = optedOut + not + later === 0;
  const said = nothing ? words.none : words.done(count(optedOut, ui), count(not, ui), count(later, ui));
  return `${paragraph(said, ui).join("\n")}\n`;
}
