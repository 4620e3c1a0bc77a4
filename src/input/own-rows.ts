import { isErrorColumn } from "./columns.ts";
import type { Row } from "./table.ts";

/** What a spreadsheet runs gets an apostrophe; so does a cell that has some already: taking one off gives back what was. */
const actsInSpreadsheet = /^'*[=+\-@\t\r]/;
/** A signed number or a phone: digits in groups, and nothing that could be calculated. */
const isHarmless = /^[+-]\d+(?:[., ]\d+)*$/;

export function guardCell(cell: string): string {
  return actsInSpreadsheet.test(cell) && !isHarmless.test(cell) ? `'${cell}` : cell;
}

export function unguardCell(cell: string): string {
  const inner = cell.slice(1);
  return cell.startsWith("'") && guardCell(inner) === cell ? inner : cell;
}

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
