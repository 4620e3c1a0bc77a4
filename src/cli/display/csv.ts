import { type Options, stringify } from "csv-stringify/sync";
import { isLosslessNumber, type LosslessNumber } from "lossless-json";
import { guardText } from "../../input/files/own-rows.ts";
import { visible } from "./format.ts";
import { toJson } from "./json.ts";

export type Cell = string | number | bigint | LosslessNumber | boolean | null | undefined;

/** Returns a value of an answer as a cell; objects and lists become JSON. */
export function toCell(value: unknown): Cell {
  const isNested = typeof value === "object" && value !== null && !isLosslessNumber(value);
  return isNested ? toJson(value) : (value as Cell);
}

function csvText(records: readonly (readonly Cell[])[], options?: Options): string {
  return stringify([...records], {
    record_delimiter: "windows",
    quote_record_delimiter: true,
    quoted_match: /^\s|\s$/,
    ...options,
    cast: { boolean: String, ...options?.cast },
  });
}

/** The number of lines in a piece; with 1,000, a million records took 0.3 GB more. */
const chunkRecords = 20;

export function* csvChunks(records: Iterable<readonly Cell[]>, options?: Options): Generator<string> {
  let chunk: (readonly Cell[])[] = [];
  for (const record of records) {
    chunk.push(record);
    if (chunk.length < chunkRecords) continue;
    yield csvText(chunk, options);
    chunk = [];
  }
  yield csvText(chunk, options);
}

const chunkCharacters = 1 << 16;

/** Joins lines to pieces, each large enough for a write. */
export function* inChunks(lines: Iterable<string>, end = ""): Generator<string> {
  let chunk = "";
  for (const line of lines) {
    chunk += line;
    if (chunk.length < chunkCharacters) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk + end;
}

const PHONE = /^\+\d+$/;
const asItIs = (value: string): { value: string } & Options => ({ value, escape_formulas: false });

/** Options that put an apostrophe before a text, or a part of one, that a spreadsheet would run; phones stay as they are. */
const guarded = (terminal: boolean): Options => ({
  escape_formulas: true,
  cast: {
    string: (text) => (PHONE.test(text) ? asItIs(text) : guardText(terminal ? visible(text) : text)),
    // A LosslessNumber: its minus is no formula.
    object: ({ value }) => asItIs(String(value)),
  },
});

/** Yields CSV (RFC 4180) in pieces, safe in a spreadsheet: the whole may be too large for memory. */
export function* guardedChunks(
  header: readonly string[],
  rows: Iterable<readonly Cell[]>,
  terminal = false,
): Generator<string> {
  yield csvText([header], guarded(terminal));
  yield* inChunks(csvChunks(rows, guarded(terminal)));
}

/** Returns the same as one text. */
export const toCsv = (...of: Parameters<typeof guardedChunks>): string => [...guardedChunks(...of)].join("");
