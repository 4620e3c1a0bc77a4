/*
 * How a cell stands in the rejected files that we write and read again. A spreadsheet runs what begins with one of these
 * signs, so an apostrophe goes before it; a cell that has apostrophes there already gets one more, so that taking one off
 * gives back what was there.
 */
const actsInSpreadsheet = /^'*[=+\-@\t\r]/;
/** A signed number or a phone: digits in groups, and nothing that could be calculated. */
const isHarmless = /^[+-]\d+(?:[., ]\d+)*$/;

/** A cell as it is written, so that a spreadsheet shows it and never runs it. */
export function guardCell(cell: string): string {
  return actsInSpreadsheet.test(cell) && !isHarmless.test(cell) ? `'${cell}` : cell;
}

/** The cell that `guardCell` made this of; any other cell is given back as it is. */
export function unguardCell(cell: string): string {
  const inner = cell.slice(1);
  return cell.startsWith("'") && guardCell(inner) === cell ? inner : cell;
}

/** How those cells end, in each language in which we write them; a test holds the texts to it. */
const helperEndings = [", then delete this cell", " y después borrá esta celda"];
const excludedEndings = ["is excluded: delete this row", "está excluida: borrá esta fila"];

const endsWithOneOf = (cell: string, endings: readonly string[]): boolean =>
  endings.some((ending) => cell.endsWith(ending));

/** True for the cell behind `error` that tells a person to look at the row first: with it the row is rejected again. */
export function isHelperCell(cell: string): boolean {
  return endsWithOneOf(cell, helperEndings) || isExcludedCell(cell);
}

/** True for the helper cell of somebody who must not be messaged: nothing in the row is to be looked at. */
export function isExcludedCell(cell: string): boolean {
  return endsWithOneOf(cell, excludedEndings);
}
