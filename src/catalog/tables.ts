import { ABSENT, count, number, price, shown } from "../cli/display/format.ts";
import { type Column, column, table } from "../cli/display/table.ts";
import { heading } from "../cli/display/text.ts";
import type { Ui } from "../cli/display/ui.ts";
import { type RejectedProduct, rejection } from "../cli/files/rejected-rows.ts";
import type { CatalogItem } from "../contract/catalog.ts";

export type CountRow = { what: string; count: number; tone?: "good" | "warn" | "bad" };

/** A table of counts; `title` is the column title. */
export function countsTable(rows: CountRow[], title: string, ui: Ui): string {
  const style = (text: string, { tone, count }: CountRow): string =>
    tone === undefined || count === 0 ? text : ui.theme[tone](text);
  const columns: Column<CountRow>[] = [
    column("", 1, (row) => row.what, { shrinkTo: 8 }),
    column(title, 1, (row) => number(row.count, ui), { align: "right", style }),
  ];
  return table(columns, rows, ui).trimEnd();
}

export const shownRow = (what: string, count: number): CountRow[] =>
  count === 0 ? [] : [{ what, count, tone: "warn" }];

/** `source` is the title of the column that says who rejected a row, if there is one. */
export function rejectedTable(
  rows: readonly RejectedProduct[],
  { source, reason }: { source?: string; reason: string },
  ui: Ui,
): string {
  const { t } = ui.texts;
  const names = { file: "bpos", service: t("service") };
  const all: (Column<RejectedProduct> | false)[] = [
    rows.some((row) => row.line !== null) &&
      column(t("Line"), 1, (row) => shown(row.line), { align: "right" }),
    column(t("Code"), 1, (row) => shown(row.codigo), { shrinkTo: 16 }),
    source !== undefined && column(source, 2, (row) => names[row.source]),
    column(reason, 1, (row) => shown(rejection(row, ui.texts.t)), { shrinkTo: 20, wraps: true }),
  ];
  return table(all, rows, ui).trimEnd();
}

/** Says how many rows the table does not show. */
export const moreText = (rest: number, ui: Ui): string =>
  ui.texts.t("{count, plural, one {# more is not shown.} other {# more are not shown.}}", {
    count: count(rest, ui),
  });

export function firstItems(first: readonly CatalogItem[], ui: Ui, titleText: string): string[] {
  if (first.length === 0) return [];
  const { t } = ui.texts;
  const [yes, no] = [t("yes"), t("no")];
  const has = (field: keyof CatalogItem): boolean => first.some((item) => item[field] !== undefined);
  const disabled = (item: CatalogItem): string =>
    item.deshabilitado === undefined ? ABSENT : item.deshabilitado ? yes : no;
  const all: (Column<CatalogItem> | false)[] = [
    column(t("Code"), 1, (item) => shown(item.codigo), { shrinkTo: 8 }),
    has("nombre") && column(t("Name"), 2, (item) => shown(item.nombre), { shrinkTo: 12 }),
    has("categoria") && column(t("Category"), 4, (item) => shown(item.categoria), { shrinkTo: 8 }),
    has("precio") && column(t("Price"), 2, (item) => price(item.precio, ui), { align: "right" }),
    has("deshabilitado") && column(t("Disabled"), 3, disabled),
  ];
  return ["", ...heading(titleText, ui), table(all, first, ui).trimEnd()];
}
