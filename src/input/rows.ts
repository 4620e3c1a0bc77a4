import { isErrorColumn } from "./columns.ts";
import { type CsvRows, openCsv } from "./csv.ts";
import { decode } from "./decode.ts";
import { type InputFile, unusable } from "./file.ts";
import { JsonRows } from "./json.ts";
import type { Notice, Row, RowPlace, TableSink } from "./table.ts";

type Format = "csv" | "json" | "ndjson";

export interface TableOptions {
  format?: Format;
  delimiter?: string;
  encoding?: string;
}

/** How a file is written, as found or as the person said. */
export interface FileForm {
  format: Format;
  encoding: string;
  marked: boolean;
  /** The character between two cells; null in JSON. */
  delimiter: string | null;
}

/** A file whose rows can be read, and read again. */
export interface RowSource {
  form: FileForm;
  notices: Notice[];
  /** Gives the header and then every row to `sink`, in order. Throws BposError input_unusable, and what `sink` throws. */
  stream: (sink: TableSink) => Promise<void>;
  cellsAt: (start: number, end: number) => readonly string[];
  rowAt: (place: RowPlace) => Row;
}

/** By flag, else by the name's ending, else by how the text begins. */
function formatOf(file: InputFile, utf8: Buffer, given?: Format): Format {
  if (given !== undefined) return given;
  const name = file.name.toLowerCase();
  if (/\.(ndjson|jsonl)$/.test(name)) return "ndjson";
  if (name.endsWith(".json")) return "json";
  return /^\s*[[{]/.test(utf8.toString("utf8", 0, 64)) ? "json" : "csv";
}

const isBlank = (cell: string): boolean => cell.trim() === "";

/**
 * A row of ours: it stays out while it holds the cell that a person was to delete. A spreadsheet gives every row as many
 * cells as the longest: they are no part of it.
 */
function rowOfOurs(row: Row, columns: readonly string[]): Row {
  const { cells, problem } = row;
  if (problem !== undefined && problem.kind !== "cell_count") return row;
  const last = cells.findLastIndex((cell) => !isBlank(cell));
  const left = cells[last]?.trim() ?? "";
  const [expected, found] = [columns.length, last + 1];
  if (isHelperCell(left)) {
    const kept = cells.slice(0, found);
    const said = cells[columns.findIndex(isErrorColumn)]?.trim() || left;
    if (isExcludedCell(left)) return { ...row, cells: kept, problem: { kind: "excluded_before", said } };
    return { ...row, cells: kept, problem: { kind: "cell_count", expected, found, left } };
  }
  if (problem !== undefined || cells.length === expected) return row;
  if (found > expected) return { ...row, problem: { kind: "cell_count", expected, found } };
  return { ...row, cells: cells.slice(0, expected) };
}

/**
 * Reads our own rejected files, which have a column `error`: takes their apostrophes off again, and knows the cell that a
 * person was to delete.
 */
function asOurs(rows: CsvRows): CsvRows {
  let own: readonly string[] | undefined;
  return {
    ...rows,
    stream: (sink) =>
      rows.stream({
        header(columns) {
          const width = columns.findLastIndex((name) => !isBlank(name)) + 1;
          if (columns.some(isErrorColumn)) own = columns.map(unguardCell).slice(0, width);
          sink.header(own ?? columns);
        },
        row: (row) => sink.row(own ? rowOfOurs({ ...row, cells: row.cells.map(unguardCell) }, own) : row),
        takeLines: (lines) => (own ? undefined : sink.takeLines?.(lines)) ?? { next: lines.from, lines: 0 },
        rest: async () => sink.rest?.(),
      }),
    cellsAt: (start, end) => {
      const cells = rows.cellsAt(start, end);
      return own ? cells.map(unguardCell).slice(0, own.length) : cells;
    },
  };
}

/**
 * Opens a file as a header and rows; an object in JSON holds its list under `listKey`. The decoded text is kept, the
 * file's bytes are not.
 *
 * @throws BposError input_unusable
 */
export function openRows(file: InputFile, options: TableOptions, listKey: string): RowSource {
  const { utf8, encoding, marked, notices } = decode(file, options.encoding);
  const named = { name: file.name };
  if (utf8.every((byte) => byte <= 0x20)) throw unusable(named, { kind: "no_rows" });
  const format = formatOf(file, utf8, options.format);
  if (format === "csv") {
    const rows = asOurs(openCsv(named, utf8, options.delimiter));
    return {
      form: { format, encoding, marked, delimiter: rows.delimiter },
      notices,
      stream: rows.stream,
      cellsAt: rows.cellsAt,
      rowAt: (place) => ({ ...place, cells: rows.cellsAt(place.start, place.end) }),
    };
  }
  const rows = new JsonRows(named, utf8, format, listKey);
  return {
    form: { format: rows.format, encoding, marked, delimiter: null },
    notices,
    stream: (sink) => rows.stream(sink),
    cellsAt: (start, end) => rows.cellsAt(start, end),
    rowAt: (place) => rows.rowAt(place),
  };
}

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
