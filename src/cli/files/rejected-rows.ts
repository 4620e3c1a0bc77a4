import { listProblems, type RowFaults, type RowProblem } from "../../errors/problems.ts";
import { rowProblemsWords } from "../../errors/words/rows.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import { candidates } from "../../input/files/csv.ts";
import { ownColumns } from "../../input/files/headers.ts";
import { guardCell, type HoldMark, toHoldMark, unguardCell } from "../../input/files/own-rows.ts";
import { problemRules } from "../../input/files/problem-rules.ts";
import type { FileForm } from "../../input/files/rows.ts";
import type { RejectedRow } from "../../input/files/table.ts";
import { isSpoiled } from "../../input/items/codes.ts";
import { toText } from "../../input/items/item-reader.ts";
import { jsonNumberCell, plainAmount } from "../../input/items/numbers.ts";
import type { T, Texts } from "../../texts/texts.ts";
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

export function rejection(rejected: RejectedRow, t: T): string;
export function rejection(rejected: RejectedProduct, t: T): string | null;
export function rejection(rejected: RejectedProduct, t: T): string | null {
  return rejected.source === "file" ? rowProblemsWords(listProblems(rejected), t) : rejected.error;
}

export interface RejectedSheet {
  columns: readonly string[];
  /** The header of the code or the phone: the column of a problem that names none. */
  key: string;
  /** The header of the price, where a workbook takes what is typed as a number. */
  amount?: string;
  delimiter: string;
  marked: boolean;
  /** The format of the file that the rows come from. */
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
    ...copyForm(form),
    columns,
    key: codigo ?? "",
    amount,
    format: form.format,
    cells: ({ cells, problem, also = [] }) => {
      const isKept =
        problem !== undefined && [problem, ...also].some(({ kind }) => problemRules[kind].keptAsRead);
      return isKept ? cells : cells.map((cell, index) => (index === price ? written(cell) : cell));
    },
  };
}

/** The maximum of a workbook's sheet, header included. */
export const maxSheetRows = 1_048_576;

function looksGood(problem: RowProblem): boolean {
  const { hiddenByCsv } = problemRules[problem.kind];
  return hiddenByCsv === true || (hiddenByCsv !== undefined && "text" in problem && !isSpoiled(problem.text));
}

const isBlank = (cell: string): boolean => cell.trim() === "";

/** The mark that holds a row until somebody deletes it; cells that belong to no column hold it by themselves. */
function chooseMark(
  each: RejectedProduct,
  { cells, surplus }: { cells: readonly string[]; surplus: readonly string[] },
  { width, maxLength }: { width: number; maxLength: number },
): HoldMark | undefined {
  if (cells.length < width) return "incomplete";
  if (surplus.length > 0) return surplus.every(isBlank) ? "unchecked" : undefined;
  if (cells.some((cell) => cell.length > maxLength)) return "unchecked";
  if (each.source === "service") return undefined;

  const { problem } = each;
  if (problem.kind === "person_excluded" || problem.kind === "excluded_before") return "excluded";
  if (problem.kind === "row_held") return toHoldMark(problem.mark) ?? "unchecked";
  return listProblems(each).some(looksGood) ? "unchecked" : undefined;
}

/** A row as it is written: its own cells, the columns that bpos adds, and the cells that belong to no column. */
interface RejectedRecord {
  each: RejectedProduct;
  cells: string[];
  said: string[];
  surplus: string[];
}

interface RejectedRecords {
  names: readonly string[];
  /** The headers of our own columns. */
  own: readonly string[];
  records: () => Iterable<RejectedRecord>;
}

/** Instructions for a row, written before its hold mark. */
const heldTexts: Readonly<Record<HoldMark, (t: T) => string>> = {
  incomplete: (t) => t("complete this row, then delete the cell on the right"),
  unchecked: (t) => t("check this row, then delete the cell on the right"),
  excluded: (t) => t("this person is excluded: delete this row"),
};

/** Without the columns that bpos added to an earlier file: a row that is rejected again gets new ones. Iterates over the rows twice. */
function toRecords(
  rejected: Iterable<RejectedProduct>,
  { columns, cells: written }: Pick<RejectedSheet, "columns" | "cells">,
  texts: Texts,
  maxLength = Number.POSITIVE_INFINITY,
): RejectedRecords {
  const { error, info, hold } = ownColumns;
  const earlier: readonly string[] = Object.values(ownColumns);
  const without = (cells: readonly string[]): string[] =>
    cells.filter((_, at) => !earlier.includes(columns[at] ?? ""));
  const names = without(columns);
  const width = names.length;

  function read(each: RejectedProduct) {
    const all = without(written(each));
    const [cells, surplus] = [all.slice(0, width), all.slice(width)];
    return { cells, surplus, mark: chooseMark(each, { cells, surplus }, { width, maxLength }) };
  }

  function hasMark(): boolean {
    for (const each of rejected) if (read(each).mark !== undefined) return true;
    return false;
  }
  const own = hasMark() ? [error, info, hold] : [error];

  function* records(): Generator<RejectedRecord> {
    for (const each of rejected) {
      const { cells, surplus, mark } = read(each);
      const said = [
        rejection(each, texts.t) ?? "",
        mark === undefined ? "" : heldTexts[mark](texts.t),
        mark ?? "",
      ];
      yield {
        each,
        cells: names.map((_, at) => cells[at] ?? ""),
        said: said.slice(0, own.length),
        surplus: surplus.every(isBlank) ? [] : surplus,
      };
    }
  }
  return { names, own, records };
}

export function rejectedCsv(
  rejected: Iterable<RejectedProduct>,
  { delimiter, ...sheet }: Omit<RejectedSheet, "marked">,
  texts: Texts,
): Iterable<string> {
  const { names, own, records } = toRecords(rejected, sheet, texts);
  function* lines(): Generator<readonly string[]> {
    yield [...names, ...own].map(guardCell);
    for (const { cells, said, surplus } of records()) yield [...cells, ...said, ...surplus].map(guardCell);
  }
  return csvChunks(lines(), { delimiter });
}

/** True if a problem is in this column; one without a column is in the key's, or in all of them. */
function isIn(header: string, key: string): (problem: RowProblem) => boolean {
  return (problem) => {
    if ("column" in problem) return problem.column === header;
    if ("name" in problem) return problem.name === header;
    return header === key || problemRules[problem.kind].marks !== "key";
  };
}

/** A workbook runs no text; only a text whose apostrophe would be read as one that bpos added gets another. */
const keptText = (text: string): string => (unguardCell(text) === text ? text : guardCell(text));

const columnWidth = 18;
const ownWidths = [80, 40, 14];

export async function rejectedWorkbook(
  rejected: Iterable<RejectedProduct>,
  sheet: RejectedSheet,
  texts: Texts,
): Promise<Iterable<Uint8Array>> {
  const { maxCellLength, workbookChunks } = await import("./workbook.ts");
  const { names, own, records } = toRecords(rejected, sheet, texts, maxCellLength);
  const toSheetCell = (text: string): SheetCell => ({ text: keptText(text).slice(0, maxCellLength) });

  function* toSheetCells({ each, cells, said, surplus }: RejectedRecord): Generator<SheetCell> {
    const problems = each.source === "file" ? listProblems(each) : undefined;
    for (const [at, header] of names.entries())
      yield {
        ...toSheetCell(cells[at] ?? ""),
        as: header === sheet.amount ? "general" : "text",
        isMarked: problems?.some(isIn(header, sheet.key)) ?? true,
      };
    const [reason = "", ...marks] = said;
    yield { ...toSheetCell(reason), isMarked: true };
    for (const text of [...marks, ...surplus]) yield toSheetCell(text);
  }

  function* rows(): Generator<SheetCell[]> {
    yield [...names, ...own].map((text) => ({ text, as: "heading" }));
    for (const record of records()) yield [...toSheetCells(record)];
  }
  return workbookChunks(rows(), [...names.map(() => columnWidth), ...ownWidths.slice(0, own.length)]);
}
