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

/** True for the cell behind `error` that tells a person to look at the row first: with it the row is rejected again. */
export function isHelperCell(cell: string): boolean {
  return cell.endsWith(", then delete this cell") || isExcludedCell(cell);
}

/** True for the helper cell of somebody who must not be messaged: nothing in the row is to be looked at. */
export function isExcludedCell(cell: string): boolean {
  return cell.endsWith("is excluded: delete this row");
}
