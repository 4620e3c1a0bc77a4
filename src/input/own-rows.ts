import { isErrorColumn } from "./columns.ts";
import type { Row } from "./table.ts";

/** A signed number or a phone: digits in groups, and nothing that could be calculated. */
const harmless = String.raw`[+-]\d+(?:[., ]\d+)*`;
const sign = String.raw`[=+\-@\uff0b\uff0d\uff1d\uff20]`;

/**
 * Where an apostrophe keeps a spreadsheet from running what follows: at the begin of a cell, and behind each of the separators, since it may
 * split the line at another sign than we did; there it takes a quotation mark off too. With `guard`, where there is one already.
 */
function guardedPlaces(separators: string, guard: "" | "'"): RegExp {
  const begin = String.raw`(?<![^])${guard}(?!${harmless}$)(?='*[\t\r]|[' \u00a0]*${sign})`;
  const behind = String.raw`(?<=[${separators}])${guard}(?!${harmless}$)(?=['" \u00a0]*${sign})`;
  return new RegExp(`${begin}|${behind}`, "g");
}

const inText = String.raw`;|\t\r\n`;
// Ours may have a semicolon between their cells, where another spreadsheet expects a comma.
const inOurs = `${inText},`;
const [unsafe, unsafeOfOurs] = [guardedPlaces(inText, ""), guardedPlaces(inOurs, "")];
const guardOfOurs = guardedPlaces(inOurs, "'");

/** A cell for a spreadsheet, with an apostrophe before each part that it would run. */
export const guardText = (text: string): string => text.replace(unsafe, "'");

/** The same, of a file that we read again. */
export const guardCell = (cell: string): string => cell.replace(unsafeOfOurs, "'");

/** A cell as it was before `guardCell`: each part that has apostrophes already got one more. */
export const unguardCell = (cell: string): string => cell.replace(guardOfOurs, "");

/** How those cells end, in each language in which we write them; a test holds the texts to it. */
const helperEndings = [", then delete this cell", " y después borrá esta celda"];
const excludedEndings = ["is excluded: delete this row", "está excluida: borrá esta fila"];

export const isExcludedCell = (cell: string): boolean => excludedEndings.some((end) => cell.endsWith(end));

/** True for the cell behind `error` that tells a person to look at the row first: with it the row is rejected again. */
export const isHelperCell = (cell: string): boolean =>
  isExcludedCell(cell) || helperEndings.some((end) => cell.endsWith(end));

/** A row stays out while it holds the cell to delete. Empty cells that a spreadsheet added at its end are no part of it. */
export function rowOfOurs(row: Row, columns: readonly string[]): Row {
  const { problem } = row;
  const cells = row.cells.map(unguardCell);
  if (problem !== undefined && problem.kind !== "cell_count") return { ...row, cells };
  const last = cells.findLastIndex((cell) => cell.trim() !== "");
  const left = cells[last]?.trim() ?? "";
  const [expected, found] = [columns.length, last + 1];
  if (isExcludedCell(left)) {
    const said = cells[columns.findIndex(isErrorColumn)]?.trim() || left;
    return { ...row, cells: cells.slice(0, found), problem: { kind: "excluded_before", said } };
  }
  if (isHelperCell(left))
    return { ...row, cells: cells.slice(0, found), problem: { kind: "cell_count", expected, found, left } };
  if (problem !== undefined || cells.length === expected) return { ...row, cells };
  if (found > expected) return { ...row, cells, problem: { kind: "cell_count", expected, found } };
  return { ...row, cells: cells.slice(0, expected) };
}
