import type { RowProblem } from "../errors/row-problem.ts";
import type { InputFile } from "./file.ts";

/** One row as read: arrays, not objects, because there may be a million of them. */
export interface Row {
  /** Physical line on which the row begins, counted from 1. */
  line: number;
  cells: readonly string[];
  /** Byte offsets of the row in the decoded text: it can be read again. */
  start: number;
  end: number;
  /** Set when the row itself cannot be read. */
  problem?: RowProblem;
  /** No cell holds a character that JSON escapes. */
  isPlain?: boolean;
  /** Its stray quotes were kept as text. */
  salvaged?: true;
  /** JSON only: indexes of the cells that were written as numbers. */
  numbers?: ReadonlySet<number>;
  /** JSON only: indexes of the cells that were written as true or false. */
  booleans?: ReadonlySet<number>;
  /** JSON only: indexes of the cells that were written as an array or object. */
  nested?: ReadonlySet<number>;
  /** JSON recipients only: the array `params`. */
  params?: readonly string[];
  /** Those of them that are lists or objects. */
  nestedParams?: ReadonlySet<number>;
}

/** A file's name and header. */
export interface TableHead {
  file: Pick<InputFile, "name">;
  columns: readonly string[];
}

/** How the lines of a delimited file are written, as bytes. */
export interface PlainForm {
  /** Cells of the header. */
  width: number;
  delimiter: number;
  lineEnd: number;
}

/** Lines of a file, each a row: no quote stands in them. */
export interface PlainLines {
  utf8: Buffer;
  /** Byte offsets of the first of them, and behind the last. */
  from: number;
  until: number;
  /** The number of the first, counted from 1. */
  line: number;
}

/** Takes what a file holds, in its order: the header, then each row. */
export interface TableSink {
  header(columns: readonly string[]): void;
  row(row: Row): void;
  /**
   * Takes the first of these lines as bytes, as far as it can; the offset behind them, and how many they are. Null where it takes
   * no line of this file so.
   */
  takeLines?(lines: PlainLines, form: PlainForm): { next: number; lines: number } | null;
  /** Asked now and then within a large file: gives others their turn. What it throws ends the reading. */
  rest?(): Promise<void>;
}
