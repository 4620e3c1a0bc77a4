import type { CatalogReading } from "./catalog-items.ts";
import { candidates } from "./dialect.ts";
import { plainAmount } from "./numbers.ts";

/** How the rejected rows of a file are written, so that they can be corrected and read again. */
export interface RejectedSheet {
  columns: readonly string[];
  delimiter: string;
  /** A row as it is written. */
  cells: (cells: readonly string[]) => readonly string[];
}

/** A sheet of rows that come from no file. */
export function sheetOf(columns: readonly string[]): RejectedSheet {
  return { columns, delimiter: ",", cells: (cells) => cells };
}

/**
 * The sheet of a catalog file. It keeps the file's delimiter, which its spreadsheet understands, and the few rows left need not show
 * the decimal sign that the whole column showed: an amount that could be read in two ways is written out.
 */
export function rejectedSheet({ columns, form, mapping }: CatalogReading): RejectedSheet {
  const { delimiter, decimal } = form;
  const price = columns.indexOf(mapping.fields.precio ?? "");
  return {
    columns,
    delimiter: delimiter !== null && candidates.includes(delimiter) ? delimiter : ",",
    cells: (cells) =>
      decimal === null || price < 0
        ? cells
        : cells.map((cell, index) => (index === price ? plainAmount(cell, decimal) : cell)),
  };
}
