import { isLosslessNumber, parse, stringify } from "lossless-json";
import type { RowProblem } from "../errors/row-problem.ts";
import { isReason } from "../errors.ts";
import { type InputFile, unusable } from "./file.ts";
import { elementsOf, isOnlyValue, type Slice } from "./json-scan.ts";
import { LineCounter, nextLine } from "./lines.ts";
import { numberCell } from "./numbers.ts";
import type { Row, TableSink } from "./table.ts";

type Parsed = { ok: true; value: unknown } | { ok: false; detail: string };

function parseSlice(utf8: Buffer, slice: Slice): Parsed {
  try {
    return { ok: true, value: parse(utf8.toString("utf8", slice.start, slice.end)) };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

function* linesOf(utf8: Buffer): Generator<Slice> {
  for (let start = 0; start < utf8.length; ) {
    const end = nextLine(utf8, start, 0x0a);
    if (utf8.toString("utf8", start, end).trim() !== "") yield { start, end };
    start = end;
  }
}

/** The value as a cell: what a person would read in a spreadsheet, numbers exactly as written. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  return stringify(value) ?? "";
}

const isNested = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !isLosslessNumber(value);

/** Gathers objects into rows whose cells follow the keys in order of their first appearance. */
class RowBuilder {
  readonly rows: Row[] = [];
  private readonly columns = new Map<string, number>();

  get names(): string[] {
    return [...this.columns.keys()];
  }

  add(place: Place, value: unknown): void {
    if (!isObject(value)) {
      this.addProblem(place, { kind: "not_an_object", text: cellOf(value) });
      return;
    }
    const cells: string[] = [];
    const numbers = new Set<number>();
    const booleans = new Set<number>();
    const nested = new Set<number>();
    const row: Row = { ...place, cells, numbers, booleans, nested };
    for (const [key, field] of Object.entries(value)) {
      const column = this.columnOf(key);
      cells[column] = cellOf(field);
      if (isLosslessNumber(field)) numbers.add(column);
      else if (typeof field === "boolean") booleans.add(column);
      else if (isNested(field)) nested.add(column);
      if (key === "params" && Array.isArray(field)) {
        row.params = field.map(cellOf);
        row.nestedParams = new Set(field.flatMap((value, index) => (isNested(value) ? [index] : [])));
      }
    }
    this.rows.push(row);
  }

  /** The keys of the only object that hold objects or lists of them. */
  get wrapped(): string[] {
    const [only, another] = this.rows;
    if (only === undefined || another !== undefined) return [];
    return this.names.filter(
      (_, column) => only.nested?.has(column) && /^(?:\[[{\]]|\{)/.test(only.cells[column] ?? ""),
    );
  }

  addProblem(place: Place, problem: RowProblem, text = ""): void {
    this.rows.push({ ...place, cells: text === "" ? [] : [text], problem });
  }

  private columnOf(key: string): number {
    const known = this.columns.get(key);
    if (known !== undefined) return known;
    this.columns.set(key, this.columns.size);
    return this.columns.size - 1;
  }
}

/** The error for a document that is one object, when the list that it holds may be what was meant; else `error`. */
function orListElsewhere(
  file: Pick<InputFile, "name">,
  error: unknown,
  wrapped: readonly string[],
  listKey: string,
): unknown {
  if (wrapped.length === 0 || !isReason(error, "input_unusable")) return error;
  return error.facts.problem.kind === "column_missing"
    ? unusable(file, { kind: "list_elsewhere", found: wrapped, listKey })
    : error;
}

type Place = Pick<Row, "line" | "start" | "end">;

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** How a JSON file is asked to be read: NDJSON by force, and the key under which an object holds the list. */
export interface JsonShape {
  ndjson: boolean;
  listKey: string;
}

/** JSON text as rows. */
export interface JsonRows {
  /** Which of the two it turned out to be. */
  format: "json" | "ndjson";
  stream(sink: TableSink): Promise<void>;
  /** The cells of a row again, by its byte offsets; only once the header is known. */
  cellsAt(start: number, end: number): readonly string[];
}

function gather(file: Pick<InputFile, "name">, utf8: Buffer, shape: JsonShape): RowBuilder {
  const builder = new RowBuilder();
  const lines = new LineCounter(utf8, 0x0a);
  if (shape.ndjson) {
    for (const slice of linesOf(utf8)) {
      const parsed = parseSlice(utf8, slice);
      const place = { ...slice, line: lines.at(slice.start) };
      if (parsed.ok) builder.add(place, parsed.value);
      else {
        const text = utf8.toString("utf8", slice.start, slice.end).trim();
        builder.addProblem(place, { kind: "json_broken", detail: parsed.detail }, text);
      }
    }
    return builder;
  }
  for (const slice of elementsOf(utf8, shape.listKey)) {
    const line = lines.at(slice.start);
    const parsed = "broken" in slice ? { ok: false as const, detail: slice.broken } : parseSlice(utf8, slice);
    if (!parsed.ok) throw unusable(file, { kind: "json_broken", detail: parsed.detail }, line);
    builder.add({ start: slice.start, end: "broken" in slice ? slice.start : slice.end, line }, parsed.value);
  }
  return builder;
}

/**
 * Reads an array, an object with a list under `listKey`, or NDJSON, one element at a time. A broken line of NDJSON is
 * a bad row; a broken document is refused, since what follows the break cannot be trusted.
 *
 * @throws BposError input_unusable
 */
export function openJson(file: Pick<InputFile, "name">, utf8: Buffer, shape: JsonShape): JsonRows {
  const ndjson = shape.ndjson || !isOnlyValue(utf8);
  let columns: readonly string[] = [];
  const filled = (cells: readonly string[]): string[] => columns.map((_, index) => cells[index] ?? "");
  return {
    format: ndjson ? "ndjson" : "json",
    stream(sink) {
      const builder = gather(file, utf8, { ...shape, ndjson });
      if (builder.rows.length === 0) throw unusable(file, { kind: "no_rows" });
      columns = builder.names;
      try {
        sink.header(columns);
      } catch (error) {
        throw orListElsewhere(file, error, builder.wrapped, shape.listKey);
      }
      for (const row of builder.rows)
        sink.row(row.problem?.kind === "json_broken" ? row : { ...row, cells: filled(row.cells) });
      return Promise.resolve();
    },
    cellsAt(start, end) {
      const parsed = parseSlice(utf8, { start, end });
      const value = parsed.ok && isObject(parsed.value) ? Object.entries(parsed.value) : [];
      const cells = new Map(
        value.map(([key, field]) => [
          key,
          isLosslessNumber(field) ? numberCell(cellOf(field)) : cellOf(field),
        ]),
      );
      return columns.map((name) => cells.get(name) ?? "");
    },
  };
}
