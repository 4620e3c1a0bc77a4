import type { RowProblem } from "../../errors/problems.ts";
import { fold, isOwnColumn, ownColumns } from "./headers.ts";
import type { Row } from "./table.ts";

/** A signed number or a phone: digits in groups, and nothing that could be calculated. */
const harmless = String.raw`[+-]\d+(?:[., ]\d+)*`;
const sign = String.raw`[=+\-@\uff0b\uff0d\uff1d\uff20]`;

/**
 * Matches the places where an apostrophe keeps a spreadsheet from running what follows: the begin of a cell, and behind each separator, since it may
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

/** Returns a cell for a spreadsheet, with an apostrophe before each part that it would run. */
export const guardText = (text: string): string => text.replace(unsafe, "'");

/** Returns a cell for a file that bpos reads again, guarded in the same way. */
export const guardCell = (cell: string): string => cell.replace(unsafeOfOurs, "'");

/** Returns a cell as it was before `guardCell`, which added one apostrophe to each guarded part. */
export const unguardCell = (cell: string): string => cell.replace(guardOfOurs, "");

/** The reasons to hold a row: cells are missing, a person has to look at it, or its person is excluded. The same in every language. */
const holdMarks = ["incomplete", "unchecked", "excluded"] as const;
export type HoldMark = (typeof holdMarks)[number];

export const toHoldMark = (text: string): HoldMark | undefined => holdMarks.find((mark) => mark === text);

/** Reads the rows of a corrected file of rejected rows: a row stays out while it holds its mark. */
export class OwnRows {
  readonly columns: readonly string[];
  readonly #at: Readonly<Record<keyof typeof ownColumns, number>>;
  /** Number of cells of a complete row: a spreadsheet may leave out bpos's own empty ones behind them. */
  readonly #least: number;

  constructor(columns: readonly string[]) {
    this.columns = columns.map(unguardCell);
    const find = (name: string): number => this.columns.findIndex((column) => fold(column) === fold(name));
    this.#at = {
      error: find(ownColumns.error),
      info: find(ownColumns.info),
      hold: find(ownColumns.hold),
    };
    this.#least = this.columns.findLastIndex((column) => !isOwnColumn(column)) + 1;
  }

  /** Returns a row as its file means it, without empty cells that a spreadsheet added at its end. */
  toRow({ problem, ...row }: Row): Row {
    const cells = row.cells.map(unguardCell);
    if (problem !== undefined && problem.kind !== "cell_count") return { ...row, cells, problem };

    const expected = this.columns.length;
    const found = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
    const held = this.#readHold(cells);
    if (held !== null) return { ...row, cells: cells.slice(0, found), problem: held };
    if (found > expected) return { ...row, cells, problem: { kind: "cell_count", expected, found } };

    const isShort = cells.length < this.#least;
    if (problem !== undefined && (isShort || cells.length > expected)) return { ...row, cells, problem };
    return { ...row, cells: cells.slice(0, expected) };
  }

  #readHold(cells: readonly string[]): RowProblem | null {
    const { error, info, hold } = this.#at;
    const text = (at: number): string => cells[at]?.trim() ?? "";
    // If a cell was deleted and not only emptied, the mark has moved one to the left.
    const mark = text(hold) || (toHoldMark(text(info)) ?? "");
    if (mark === "") return null;
    if (mark !== "excluded") return { kind: "row_held", under: ownColumns.hold, mark };
    return { kind: "excluded_before", said: text(error) || mark };
  }
}
