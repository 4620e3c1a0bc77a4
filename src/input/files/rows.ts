import { CsvRows } from "./csv.ts";
import { decode, isWorkbook } from "./decode.ts";
import { type InputFile, unusable } from "./file.ts";
import { JsonRows } from "./json.ts";
import type { HeaderWish, Row, RowPlace, TableSink } from "./table.ts";
import type { SheetOptions } from "./xlsx.ts";

type Format = "csv" | "json" | "ndjson";

export type TableOptions = SheetOptions & {
  format?: Format;
  delimiter?: string;
  encoding?: string;
  /** The line of the header, where a person named it. */
  headerRow?: number | undefined;
};

/** The form of a file; `sheet` is that of a workbook. */
export interface FileForm {
  format: Format | "xlsx";
  encoding: string;
  marked: boolean;
  delimiter: string | null;
  sheet?: string;
}

export type RowSource = Awaited<ReturnType<typeof openRows>>;

function detectFormat(file: InputFile, utf8: Buffer, given?: Format): Format {
  if (given !== undefined) return given;
  const name = file.name.toLowerCase();
  if (/\.(ndjson|jsonl)$/.test(name)) return "ndjson";
  if (name.endsWith(".json")) return "json";
  return /^\s*[[{]/.test(utf8.toString("utf8", 0, 64)) ? "json" : "csv";
}

/** Opens a file as a header and rows; an object in JSON holds its list under `listKey`. Throws BposError input_unusable. */
export async function openRows(file: InputFile, options: TableOptions & HeaderWish, listKey: string) {
  if (isWorkbook(file)) {
    const { openSheet } = await import("./xlsx.ts");
    const source = await openSheet(file, options);
    const { form, notices } = source;
    return { form: form as FileForm, notices, ...bindMethods(source) };
  }
  if (options.sheet !== undefined) throw unusable({ name: file.name }, { kind: "no_workbook" });
  const { utf8, encoding, marked, notices } = decode(file, options.encoding);
  const named = { name: file.name };
  if (utf8.every((byte) => byte <= 0x20)) throw unusable(named, { kind: "no_rows" });
  const found = detectFormat(file, utf8, options.format);
  if (found !== "csv" && options.headerRow !== undefined) throw unusable(named, { kind: "no_header_row" });
  const rows =
    found === "csv" ? new CsvRows(named, utf8, options) : new JsonRows(named, utf8, found, listKey);
  if (rows instanceof CsvRows && rows.headerLine !== undefined)
    notices.push({ kind: "header_row", line: rows.headerLine });
  const { format, delimiter } = rows;
  const form: FileForm = { format, encoding, marked, delimiter };
  return { form, notices, ...bindMethods(rows) };
}

const bindMethods = (rows: { stream(sink: TableSink): Promise<void>; rowAt(place: RowPlace): Row }) => ({
  stream: (sink: TableSink): Promise<void> => rows.stream(sink),
  rowAt: (place: RowPlace): Row => rows.rowAt(place),
});
