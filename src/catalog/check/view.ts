import { count, shown, visible } from "../../cli/display/format.ts";
import { JsonList } from "../../cli/display/json.ts";
import { type Column, column, table } from "../../cli/display/table.ts";
import { heading, note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { rejection } from "../../cli/files/rejected-rows.ts";
import type { CatalogItem } from "../../contract/catalog.ts";
import { en } from "../../i18n/en.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import { countsTable, firstItems, rejectedTable, shownRow } from "../push/view.ts";

export interface CatalogCheck
  extends Pick<CatalogReading, "form" | "mapping" | "read" | "collapsed" | "rejected" | "notices"> {
  file: string;
  first: readonly CatalogItem[];
  products: number;
  unpriced: number;
  hasNoPrices: boolean;
  fixedFile: string | null;
}

/** How many problems a person at a terminal is shown, and how many a pipe gets: a table is made whole before it is written. */
const maxShown = 50;
const maxPiped = 10_000;

function verdict({ read, rejected, products }: CatalogCheck, ui: Ui): string[] {
  const words = ui.texts.check.verdict;
  const rows = count(read, ui);
  if (rejected.length === 0) return paragraph(words.good(rows), ui).map(ui.theme.good);
  if (products === 0) return paragraph(words.none(rows), ui).map(ui.theme.bad);
  return paragraph(words.bad(count(rejected.length, ui), rows), ui).map(ui.theme.warn);
}

function formLine({ form }: CatalogCheck, ui: Ui): string[] {
  const words = ui.texts.check.form;
  const parts = [
    form.sheet === undefined
      ? words.readAs(words.format[form.format], form.encoding)
      : words.readSheet(visible(form.sheet)),
    ...(form.delimiter === null ? [] : [words.delimiter(form.delimiter)]),
    ...(form.decimal === null ? [] : [words.decimal(form.decimal)]),
  ];
  return note(`${parts.join(" · ")}.`, ui);
}

function counts({ read, products, collapsed, rejected, unpriced }: CatalogCheck, ui: Ui): string {
  const words = ui.texts.check.counts;
  const rows = [
    { what: words.read, count: read },
    { what: words.products, count: products },
    ...(collapsed > 0 ? [{ what: words.collapsed, count: collapsed }] : []),
    { what: words.rejected, count: rejected.length, tone: "bad" as const },
    ...shownRow(words.unpriced, unpriced),
  ];
  return countsTable(rows, words, ui);
}

function columnsTable({ mapping: { fields, inverse, unused } }: CatalogCheck, ui: Ui): string {
  const words = ui.texts.check.columns;
  const rows = Object.entries(fields).map(([field, header]) => {
    const isInverse = header !== null && inverse && field === "deshabilitado";
    return [field, isInverse ? words.inverse(header) : shown(header)] as const;
  });
  if (unused.length > 0) rows.push([words.unused, unused.join(", ")]);
  const columns: Column<(typeof rows)[number]>[] = [
    column(words.field, 1, ([field]) => field),
    column(words.column, 1, ([, header]) => header, { shrinkTo: 12, wraps: true }),
  ];
  return table(columns, rows, ui).trimEnd();
}

function problems({ rejected }: CatalogCheck, ui: Ui): string[] {
  if (rejected.length === 0) return [];
  const words = ui.texts.check;
  const max = ui.width === undefined ? maxPiped : maxShown;
  const rest = rejected.length - max;
  const { problem: reason, ...columns } = words.problems;
  const text = rejectedTable(rejected.slice(0, max), { ...columns, reason }, ui);
  const more = rest > 0 ? note(words.more(count(rest, ui)), ui) : [];
  return ["", ...heading(words.problemsTitle, ui), text, ...more];
}

function nextStep(check: CatalogCheck, ui: Ui, isFixWanted: boolean): string[] {
  const words = ui.texts.check;
  const { fixedFile, products, rejected, notices } = check;
  const hasDoubled = notices.some(({ kind }) => kind === "double_encoded");
  if (fixedFile !== null) {
    const written = words.fixed(fixedFile, count(products, ui), hasDoubled);
    return ["", ...paragraph(written, ui).map(ui.theme.good)];
  }
  if (isFixWanted) return ["", ...paragraph(words.nothingToFix, ui).map(ui.theme.warn)];
  const { fields, unused } = check.mapping;
  const missing = (["nombre", "precio"] as const).filter((field) => fields[field] === null);
  const steps = [
    ...(rejected.length > 0 && products > 0 ? [words.next] : []),
    ...(hasDoubled ? [words.nextRepair] : []),
    ...(missing.length > 0 && unused.length > 0 ? [words.unmapped(missing)] : []),
  ];
  return steps.length === 0 ? [] : ["", ...steps.flatMap((step) => note(step, ui))];
}

export function checkReport(check: CatalogCheck, ui: Ui, isFixWanted: boolean): string {
  // The table of columns shows those that are not used.
  const remarks = check.notices.filter(({ kind }) => kind !== "columns_ignored");
  return `${[
    ...title(ui.texts.check.title(check.file), ui),
    ...verdict(check, ui),
    ...(check.hasNoPrices ? paragraph(ui.texts.check.verdict.noPrices, ui).map(ui.theme.warn) : []),
    ...formLine(check, ui),
    ...remarks.flatMap((each) => paragraph(ui.texts.rows.notice(each), ui).map(ui.theme.warn)),
    "",
    counts(check, ui),
    "",
    columnsTable(check, ui),
    ...firstItems(check.first, ui, ui.texts.check.firstTitle),
    ...problems(check, ui),
    ...nextStep(check, ui, isFixWanted),
  ].join("\n")}\n`;
}

export function checkReportJson(check: CatalogCheck): object {
  const { file, form, mapping, first, read, products, collapsed, fixedFile } = check;
  const { fields, inverse, unused } = mapping;
  const { format, encoding, delimiter, decimal, sheet } = form;
  const rejected = new JsonList(check.rejected, (row) => {
    const { codigo, line } = row;
    return { codigo, error: rejection(row, en), source: "file", line };
  });
  const notices = check.notices.map((each) => en.rows.notice(each));
  return {
    file,
    format,
    ...(sheet !== undefined && { sheet }),
    encoding,
    delimiter,
    decimal,
    mapping: fields,
    inverse,
    unused,
    read,
    products,
    without_price: check.unpriced,
    collapsed,
    first,
    rejected,
    notices,
    fixed_file: fixedFile,
  };
}
