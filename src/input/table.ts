import type { InputFile } from "./file.ts";
import type { Notice, RowProblem } from "./problems.ts";

/** One row as read: arrays, not objects, because there may be a million of them. */
export interface Row {
  /** Physical line on which the row begins, counted from 1. */
  line: number;
  cells: readonly string[];
  /** Set when the row itself cannot be read. */
  problem?: RowProblem;
  /** JSON only: indexes of the cells that were written as numbers. */
  numbers?: ReadonlySet<number>;
  /** JSON only: indexes of the cells that were written as an array or object. */
  nested?: ReadonlySet<number>;
  /** JSON recipients only: the array `params`. */
  params?: readonly string[];
}

/** A file as a header and rows, blank rows left out. */
export interface Table {
  file: InputFile;
  columns: readonly string[];
  rows: Row[];
  notices: Notice[];
}
