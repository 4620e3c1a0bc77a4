import { setImmediate } from "node:timers/promises";
import type { RowFaults, RowProblem } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import type { InputFile } from "./file.ts";

/** The place of a row in its file: its physical line, counted from 1, and byte offsets in the decoded text. */
export type RowPlace = { line: number; start: number; end: number };

/** The type of a JSON value that is not a text. */
export type Kind = "number" | "boolean" | "nested";

/** The reason why a cell of a workbook has no value: its calculation failed, or the result was not stored. */
export type CellFault = "cell_error" | "formula_unstored";

/** One row as read: arrays, not objects, because there may be a million of them. */
export interface Row extends RowPlace {
  cells: readonly string[];
  problem?: RowProblem;
  /** Set if it held stray quotes, which were taken as text. */
  salvaged?: true;
  kinds?: readonly (Kind | undefined)[];
  /** The numbers that cells of a workbook hold, whose texts are how they are displayed; null for a date or a share. */
  numbers?: readonly (string | null | undefined)[] | undefined;
  faults?: readonly (CellFault | undefined)[] | undefined;
  /** Which of its cells are results of formulas. */
  formulas?: readonly (true | undefined)[] | undefined;
  /** The row's place in a JSON document, counted from 1. */
  element?: number;
  params?: readonly { text: string; kind: Kind | undefined }[];
}

/** `hidden` are the places of a sheet's hidden columns, `format` that of the file. */
export interface TableHead {
  file: Pick<InputFile, "name">;
  columns: readonly string[];
  hidden?: ReadonlySet<number> | undefined;
  format?: string | undefined;
  /** The number of JSON objects, and in how many of them each column holds anything. */
  filled?: { rows: number; counts: readonly number[] } | undefined;
}

/** Finds the header: the row that a person named, else the first of the top rows that `isHeader`, preferably one that `isFuller`. */
export interface HeaderWish {
  headerRow?: number | undefined;
  isHeader?: ((cells: readonly string[]) => boolean) | undefined;
  isFuller?: ((cells: readonly string[]) => boolean) | undefined;
}

/** Rows with any content among which a header is searched. */
export const maxTopRows = 20;

/** Returns the place of the header among the top rows; if none is one, the first row of several cells, for an error to name them. */
export function headerAt(rows: readonly (readonly string[])[], { isHeader, isFuller }: HeaderWish): number {
  if (isHeader === undefined) return 0;
  const found = rows.flatMap((cells, at) => (isHeader(cells) ? [at] : []));
  const full = isFuller && found.find((at) => isFuller(rows[at] ?? []));
  const first = full ?? found[0];
  if (first !== undefined) return first;
  const wide = rows.findIndex((cells) => cells.filter((cell) => cell.trim() !== "").length > 1);
  return Math.max(0, wide);
}

/** The longest row of a real file, in bytes: a quote that swallows more was never closed. */
export const maxRowBytes = 100_000;

/** Lines of a delimited file, each a row without a quote; offsets in bytes. */
export interface PlainLines {
  utf8: Buffer;
  from: number;
  until: number;
  line: number;
  width: number;
  delimiter: number;
  lineEnd: number;
}

export interface TableSink {
  header(columns: readonly string[], hidden?: ReadonlySet<number>, filled?: TableHead["filled"]): void;
  row(row: Row): void;
  /** Takes as many of these lines as bytes as it can; returns the offset behind them, and their number. */
  takeLines?(lines: PlainLines): { next: number; lines: number };
  /** Called now and then within a large file, to give others their turn; an error that it throws ends the reading. */
  rest?(): Promise<void>;
}

export type ReadingWatch = { signal?: AbortSignal | undefined; onProgress?: (rows: number) => void };

export async function restAt(rows: number, { signal, onProgress }: ReadingWatch): Promise<void> {
  onProgress?.(rows);
  await setImmediate();
  if (signal?.aborted) throw new BposError("interrupted", { during: "reading" });
}

export interface RejectedRow extends RowFaults {
  source: "file";
  line: number;
  codigo: string | null;
  cells: readonly string[];
}

export type LandlineShape = { line: number; phone: string; proposal: string };

export type Notice =
  | { kind: "read_as_windows_1252" }
  | { kind: "sheets_hidden"; sheets: readonly string[] }
  /** `lines` are the first of `count`. */
  | { kind: "rows_hidden"; lines: readonly number[]; count: number }
  | { kind: "columns_hidden"; columns: readonly string[]; areUsed: boolean }
  | { kind: "header_row"; line: number }
  | { kind: "double_encoded"; line: number; text: string; proposal: string }
  | { kind: "columns_ignored"; columns: readonly string[] }
  /** Columns that may say whether a product is for sale, and that no field takes; `choice` is what `--map` calls one. */
  | {
      kind: "sale_unused";
      columns: readonly { column: string; field: "activo" | "deshabilitado"; choice: string }[];
    }
  /** The only such column, which is used; with `inverse` its no disables a product. */
  | { kind: "sale_used"; column: string; inverse: boolean }
  | { kind: "duplicates_resolved"; kept: "first" | "last"; dropped: number }
  /** Codes that look like another; `pairs` are the first of `count`. */
  | {
      kind: "codes_alike";
      pairs: readonly { line: number; code: string; otherLine: number; otherCode: string }[];
      count: number;
    }
  /** Codes that a spreadsheet may have changed; `codes` are the first of `count`. */
  | { kind: "codes_doubtful"; codes: readonly { line: number; code: string }[]; count: number }
  | { kind: "landline_shapes"; phones: readonly LandlineShape[]; fixed: boolean };

/** Returns the notices with what became of the hidden columns: `used` are the headers of those that count. */
export function tellHidden(notices: readonly Notice[], used: readonly string[]): Notice[] {
  return notices.flatMap((notice): Notice[] => {
    if (notice.kind !== "columns_hidden") return [notice];
    const { kind, columns } = notice;
    return [true, false].flatMap((areUsed) => {
      const own = columns.filter((column) => used.includes(column) === areUsed);
      return own.length === 0 ? [] : [{ kind, columns: own, areUsed }];
    });
  });
}

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Returns the byte that ends a line: a carriage return only in a file without any newline (old Macintosh). */
export function lineEnd(utf8: Buffer): number {
  return utf8.includes(newline) || !utf8.includes(carriageReturn) ? newline : carriageReturn;
}

export function nextLine(utf8: Buffer, from: number, end: number): number {
  const at = utf8.indexOf(end, from);
  return at < 0 ? utf8.length : at + 1;
}

export function lineEnds(utf8: Buffer, from: number, to: number, end: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (utf8[at] === end) count++;
  return count;
}
