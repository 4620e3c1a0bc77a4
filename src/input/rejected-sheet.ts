import type { RowProblem } from "../errors/problems.ts";
import type { CatalogReading } from "./catalog.ts";
import { candidates } from "./csv.ts";
import { textOf } from "./item-reader.ts";
import { jsonNumberCell, plainAmount } from "./numbers.ts";
import type { FileForm } from "./rows.ts";

/** How the rejected rows of a file are written, so that they can be corrected and read again. */
export interface RejectedSheet {
  columns: readonly string[];
  delimiter: string;
  /** Whether it begins with a byte order mark. */
  marked: boolean;
  /** The cells of a row as they are written. */
  cells: (row: {
    cells: readonly string[];
    problem?: RowProblem;
    also?: readonly RowProblem[];
  }) => readonly string[];
}

/** A sheet of rows that come from no file. */
export function sheetOf(columns: readonly string[]): RejectedSheet {
  return { columns, delimiter: ",", marked: false, cells: ({ cells }) => cells };
}

/**
 * How a CSV copy of a file is written for the program that the file came from: with its delimiter, and with a byte order
 * mark unless the file was plain UTF-8, which that program then understands by itself.
 */
export function copyForm({ delimiter, encoding, marked }: FileForm): {
  delimiter: string;
  marked: boolean;
} {
  return {
    delimiter: delimiter !== null && candidates.includes(delimiter) ? delimiter : ",",
    marked: delimiter !== null && (marked || encoding !== "utf-8"),
  };
}

/** Rows that are written as they were read: their price is no number or may be two, or nobody knows which of their cells it is. */
const keptAsRead: ReadonlySet<RowProblem["kind"]> = new Set([
  "price_not_number",
  "price_ambiguous",
  "cell_count",
  "row_too_long",
  "quote_open",
  "quote_late",
  "not_an_object",
  "json_broken",
]);

/**
 * The sheet of a catalog file. The few rows left need not show the decimal sign that the whole column showed: an amount
 * that could be read in two ways is written out, and a number of JSON with the sign of the texts beside it.
 */
export function rejectedSheet({ columns, form, mapping }: CatalogReading): RejectedSheet {
  const { decimal } = form;
  const price = columns.indexOf(mapping.fields.precio ?? "");
  const written = (cell: string): string => {
    if (decimal === null) return cell;
    const amount = textOf(cell);
    return plainAmount(form.delimiter === null ? jsonNumberCell(amount, decimal) : amount, decimal);
  };
  return {
    columns,
    ...copyForm(form),
    cells: ({ cells, problem, also = [] }) => {
      const isKept = problem !== undefined && [problem, ...also].some(({ kind }) => keptAsRead.has(kind));
      return isKept ? cells : cells.map((cell, index) => (index === price ? written(cell) : cell));
    },
  };
}
