import { encodedOnce } from "./double-encoding.ts";
import { unusable } from "./file.ts";
import type { TableHead } from "./table.ts";

/** A header as it is compared: without accents, case, punctuation, and what an encoding or a web page left in it. */
export function fold(header: string): string {
  return (encodedOnce(header) ?? header)
    .normalize("NFD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/**
 * The index of the column that a person named with `flag`.
 *
 * @throws BposError input_unusable
 */
export function namedColumn(table: TableHead, flag: string, name: string): number {
  const exact = table.columns.indexOf(name);
  const index = exact >= 0 ? exact : table.columns.findIndex((column) => fold(column) === fold(name));
  if (index < 0)
    throw unusable(table.file, { kind: "column_unknown", flag, column: name, headers: table.columns });
  return index;
}

/**
 * The index of the one column that goes by one of the folded `names`, or null.
 *
 * @throws BposError input_unusable when several do, since only a person knows which is meant
 */
export function knownColumn(table: TableHead, field: string, names: readonly string[]): number | null {
  const found = table.columns.flatMap((column, index) => (names.includes(fold(column)) ? [index] : []));
  if (found.length > 1) {
    const columns = found.map((index) => table.columns[index] ?? "");
    throw unusable(table.file, { kind: "columns_compete", field, columns });
  }
  return found[0] ?? null;
}

/** The error for a file without a column that it cannot do without. */
export function columnMissing(table: TableHead, field: string): Error {
  return unusable(table.file, { kind: "column_missing", field, headers: table.columns });
}

/** The column that our own rejected files add; a corrected one is read as if it were not there. */
export function isErrorColumn(header: string): boolean {
  return fold(header) === "error";
}

const lostDigits = /^\+?\d(?:[.,]\d+)?E\+\d{2,}$/i;

/** True for what a spreadsheet leaves of a long number, such as `7,79123E+12`. */
export function hasLostDigits(text: string): boolean {
  return lostDigits.test(text);
}
