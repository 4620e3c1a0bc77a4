import { listProblems, type RowFaults, type RowProblem } from "../../errors/problems.ts";
import type { Texts } from "../../i18n/en.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import { hasLostDigits } from "../../input/columns.ts";
import { candidates } from "../../input/csv.ts";
import { toText } from "../../input/item-reader.ts";
import { jsonNumberCell, plainAmount } from "../../input/numbers.ts";
import { guardCell, unguardCell } from "../../input/own-rows.ts";
import type { FileForm } from "../../input/rows.ts";
import type { RejectedRow } from "../../input/table.ts";
import { csvChunks } from "../display/csv.ts";
import type { SheetCell } from "./workbook.ts";

export type RejectedProduct =
  | RejectedRow
  | {
      source: "service";
      codigo: string | null;
      line: number | null;
      /** In the service's words; null when it gave none. */
      error: string | null;
      cells: readonly string[];
    };

export function rejection(rejected: RejectedProduct, texts: Texts): string | null {
  return rejected.source === "file" ? texts.rows.problems(listProblems(rejected)) : rejected.error;
}

export interface RejectedSheet {
  columns: readonly string[];
  /** The header of the code or the phone: the column of a problem that names none. */
  key: string;
  /** The header of the price, where a workbook takes what is typed as a number. */
  amount?: string;
  delimiter: string;
  marked: boolean;
  /** That of the file whose rows they are. */
  format?: FileForm["format"];
  cells: (row: { cells: readonly string[] } & Partial<RowFaults>) => readonly string[];
}

export function newSheet(columns: readonly string[], key: string): RejectedSheet {
  return { columns, key, delimiter: ",", marked: false, cells: ({ cells }) => cells };
}

/**
 * With the delimiter of the file, and marked unless it was plain UTF-8: for the program that the file came from. Where
 * that was a workbook, as the program writes a CSV in Spanish.
 */
export function copyForm({ format, delimiter, encoding, marked }: FileForm) {
  if (format === "xlsx") return { delimiter: ";", marked: true };
  return {
    delimiter: delimiter !== null && candidates.includes(delimiter) ? delimiter : ",",
    marked: delimiter !== null && (marked || encoding !== "utf-8"),
  };
}

/** Rows that are written as they were read: their price is no number or may be two, or nobody knows which of their cells it is. */
const keptAsRead: ReadonlySet<RowProblem["kind"]> = new Set([
  "price_unusable",
  "price_ambiguous",
  "cell_count",
  "row_too_long",
  "quote_open",
  "quote_late",
  "not_an_object",
  "json_broken",
]);

/** The rows left need not show the decimal sign of the whole column, so an amount that could be read in two ways is written out. */
export function rejectedSheet({ columns, form, mapping }: CatalogReading): RejectedSheet {
  // The numbers of a workbook have no sign until they are written.
  const decimal = form.decimal ?? (form.format === "xlsx" ? "," : null);
  const { codigo, precio } = mapping.fields;
  const amount = precio ?? "";
  const { price } = mapping;
  const written = (cell: string): string => {
    if (decimal === null) return cell;
    const amount = toText(cell);
    return plainAmount(form.delimiter === null ? jsonNumberCell(amount, decimal) : amount, decimal);
  };
  return {
    ...{ columns, key: codigo ?? "", amount },
    ...copyForm(form),
    format: form.format,
    cells: ({ cells, problem, also = [] }) => {
      const isKept = problem !== undefined && [problem, ...also].some(({ kind }) => keptAsRead.has(kind));
      return isKept ? cells : cells.map((cell, index) => (index === price ? written(cell) : cell));
    },
  };
}

const ERROR = "error";

/** A workbook's sheet has no more, the header among them. */
export const maxSheetRows = 1_048_576;

/** Rows that would be taken for good ones in a CSV, where quotes are made right, every cell is a text, also `#N/A`, and a person's other row is absent. */
const hiddenByCsv =
  /^(code_not_text|value_not_text|quote_open|quote_late|person_repeated|cell_error|formula_unstored|formula_zero)$/;

/** What stays behind the error of a row until a person takes it away: with it the row is rejected again. */
function findSurplus(
  each: RejectedProduct,
  width: number,
  cells: readonly string[],
  { push }: Texts,
): string[] {
  if (cells.length > width) return cells.slice(width);
  if (cells.length < width) return [push.incompleteRow];
  if (each.source === "service") return [];
  if (each.problem.kind === "person_excluded") return [push.excludedRow];
  const looksGood = (problem: RowProblem): boolean =>
    hiddenByCsv.test(problem.kind) || (problem.kind === "digits_lost" && !hasLostDigits(problem.text));
  return listProblems(each).some(looksGood) ? [push.uncheckedRow] : [];
}

type Records = Iterable<{ each: RejectedProduct; cells: string[]; reason: string; surplus: string[] }>;

/** The rows as they are written, without the error column of an earlier file: one that is rejected again keeps one. */
function toRecords(
  rejected: Iterable<RejectedProduct>,
  { columns, cells: written }: Pick<RejectedSheet, "columns" | "cells">,
  texts: Texts,
): { names: readonly string[]; records: Records } {
  const old = columns.indexOf(ERROR);
  const without = <T>(cells: readonly T[]): T[] => cells.filter((_, index) => index !== old || old < 0);
  const names = without(columns);
  function* records(): Generator<Records extends Iterable<infer T> ? T : never> {
    for (const each of rejected) {
      const cells = without(written(each));
      const surplus = findSurplus(each, names.length, cells, texts);
      yield {
        ...{ each, surplus, reason: rejection(each, texts) ?? "" },
        cells: names.map((_, index) => cells[index] ?? ""),
      };
    }
  }
  return { names, records: records() };
}

export function rejectedCsv(
  rejected: Iterable<RejectedProduct>,
  { delimiter, ...sheet }: Omit<RejectedSheet, "marked">,
  texts: Texts,
): Iterable<string> {
  const { names, records } = toRecords(rejected, sheet, texts);
  function* lines(): Generator<readonly string[]> {
    yield [...names, ERROR].map(guardCell);
    for (const { cells, reason, surplus } of records) yield [...cells, reason, ...surplus].map(guardCell);
  }
  return csvChunks(lines(), { delimiter });
}

/** Whether a problem is in this column; one that says no column is in that of the key, or in all of them. */
function isIn(header: string, key: string): (problem: RowProblem) => boolean {
  return (problem) => {
    if ("column" in problem) return problem.column === header;
    if ("name" in problem) return problem.name === header;
    return header === key || !/^(code|duplicate|phones?|person)_/.test(problem.kind);
  };
}

/** A workbook runs no text; only what reading would take for an apostrophe of ours gets one. */
const keptText = (text: string): string => (unguardCell(text) === text ? text : guardCell(text));

export async function rejectedWorkbook(
  rejected: Iterable<RejectedProduct>,
  sheet: RejectedSheet,
  texts: Texts,
): Promise<Iterable<Uint8Array>> {
  const { maxCellLength, workbookChunks } = await import("./workbook.ts");
  const { names, records } = toRecords(rejected, sheet, texts);
  const headings = [...names, ERROR];
  const toSheetCell = (whole: string, header?: string): SheetCell => {
    const text = keptText(whole).slice(0, maxCellLength);
    return { text, as: header !== undefined && header === sheet.amount ? "general" : "text" };
  };
  function* rows(): Generator<SheetCell[]> {
    yield headings.map((text) => ({ text, as: "heading" }));
    for (const { each, cells, reason, surplus } of records) {
      const problems = each.source === "file" ? listProblems(each) : undefined;
      const isCut = cells.some((cell) => cell.length > maxCellLength);
      const left = isCut && surplus.length === 0 ? [texts.push.uncheckedRow] : surplus;
      yield [
        ...names.map((header, index) => ({
          ...toSheetCell(cells[index] ?? "", header),
          isMarked: problems?.some(isIn(header, sheet.key)) ?? true,
        })),
        ...[reason, ...left].map((text) => toSheetCell(text)),
      ];
    }
  }
  return workbookChunks(rows(), [...names.map(() => 18), 80, 40]);
}
