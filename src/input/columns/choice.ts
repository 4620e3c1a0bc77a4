import type { CompetingColumns } from "../../errors/problems.ts";
import { unusable } from "../files/file.ts";
import { fold } from "../files/headers.ts";
import type { TableHead } from "../files/table.ts";

/** Returns the letters of a column, as in a spreadsheet: `A` is the first. */
function toLetter(column: number): string {
  const before = Math.floor(column / 26) - 1;
  return (before < 0 ? "" : toLetter(before)) + String.fromCharCode(65 + (column % 26));
}

export const columnOfLetter = (letter: string): number =>
  /^[A-Z]{1,3}$/.test(letter)
    ? Array.from(letter).reduce((sum, each) => sum * 26 + each.charCodeAt(0) - 64, 0) - 1
    : -1;

/** Characters that a flag cannot carry through a shell unquoted, or that a person cannot type. */
const unsayable = /[,="'`$\\!%]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

export function toCompeting(table: TableHead, field: string, found: readonly number[]): CompetingColumns {
  const columns = found.map((index) => table.columns[index] ?? "");
  return { field, columns, choices: found.map((index) => sayColumn(table, index)) };
}

/** Returns the name of a column for `--map`: its header, or its letter. */
export function sayColumn(table: TableHead, index: number): string {
  const header = table.columns[index] ?? "";
  const isOne = table.columns.filter((each) => each === header).length === 1;
  return isOne && !unsayable.test(header) ? header : toLetter(index);
}

export const competing = (table: TableHead, fields: readonly CompetingColumns[]): Error =>
  unusable(table.file, { kind: "columns_compete", fields });

/** Returns the column with this header, or with this letter where no header has the name. Throws `input_unusable` if there is none, and if two compete for `field`. */
export function namedColumn(table: TableHead, flag: string, name: string, field?: string): number {
  const { columns } = table;
  const where = (matches: (column: string) => boolean): number[] =>
    columns.flatMap((column, index) => (matches(column) ? [index] : []));
  const exact = where((column) => column === name);
  const alike = exact.length > 0 ? exact : where((column) => fold(column) === fold(name));
  const found = alike.length > 0 ? onlyVisible(table, alike) : [columnOfLetter(name)];
  const [index = -1, other] = found;
  if (index < 0 || index >= columns.length)
    throw unusable(table.file, { kind: "column_unknown", flag, column: name, headers: columns });
  if (other !== undefined && field !== undefined) throw competing(table, [toCompeting(table, field, found)]);
  return index;
}

/** Returns the visible ones of these columns, or all where all are hidden. */
export function onlyVisible({ hidden }: TableHead, found: readonly number[]): readonly number[] {
  const visible = found.filter((index) => hidden?.has(index) !== true);
  return visible.length > 0 ? visible : found;
}

/** Returns the only one of the columns, or the one that `letter` names; -1 for none, undefined where nobody can tell. */
export function decideColumn(table: TableHead, found: readonly number[], letter = ""): number | undefined {
  const [index = -1, ...others] = found;
  if (others.length === 0) return index;
  const chosen = columnOfLetter(letter);
  return found.includes(chosen) ? chosen : defaultColumn(table, found);
}

/** Returns the key that most JSON objects have, if the other keys are in objects without it: those are odd, and no second column. */
function defaultColumn({ filled }: TableHead, found: readonly number[]): number | undefined {
  if (filled === undefined) return undefined;
  const { rows, counts } = filled;
  const count = (index: number): number => counts[index] ?? 0;
  const [usual = -1, ...others] = [...found].sort((one, other) => count(other) - count(one));
  const odd = others.reduce((sum, index) => sum + count(index), 0);
  return count(usual) * 2 > rows && odd <= rows - count(usual) ? usual : undefined;
}

export function knownColumns({ columns }: TableHead, names: readonly string[]): number[] {
  return columns.flatMap((column, index) => (names.includes(fold(column)) ? [index] : []));
}

export function columnMissing(
  table: TableHead,
  field: string,
  also: readonly CompetingColumns[] = [],
): Error {
  const of = table.format === "csv" ? "text" : table.format === "xlsx" ? "sheet" : "json";
  return unusable(table.file, { kind: "column_missing", field, headers: table.columns, of, also });
}
