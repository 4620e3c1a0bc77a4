import { readCsv } from "./csv.ts";
import { decode } from "./decode.ts";
import { type InputFile, unusable } from "./file.ts";
import { readJson } from "./json.ts";
import type { Table } from "./table.ts";

/** The written forms of a file. */
type Format = "csv" | "json" | "ndjson";

/** What a person may say about a file's form; everything absent is found out. */
export interface TableOptions {
  format?: Format;
  delimiter?: string;
  encoding?: string;
}

/** By flag, else by the name's ending, else by how the text begins. */
function formatOf(file: InputFile, utf8: Buffer, given?: Format): Format {
  if (given !== undefined) return given;
  const name = file.name.toLowerCase();
  if (/\.(ndjson|jsonl)$/.test(name)) return "ndjson";
  if (name.endsWith(".json")) return "json";
  return /^\s*[[{]/.test(utf8.toString("utf8", 0, 64)) ? "json" : "csv";
}

/**
 * Reads a file into a header and rows (`design/input.md`); an object in JSON holds its list under `listKey`.
 *
 * @throws BposError input_unusable
 */
export async function readTable(file: InputFile, options: TableOptions, listKey: string): Promise<Table> {
  const { utf8, notices } = decode(file, options.encoding);
  if (utf8.every((byte) => byte <= 0x20)) throw unusable(file, { kind: "no_rows" });
  const format = formatOf(file, utf8, options.format);
  const { columns, rows } =
    format === "csv"
      ? await readCsv(file, utf8, options.delimiter)
      : readJson(file, utf8, { ndjson: format === "ndjson", listKey });
  if (rows.length === 0) throw unusable(file, { kind: "no_rows" });
  return { file, columns, rows, notices };
}
