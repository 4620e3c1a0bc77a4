import { isLosslessNumber, parse, stringify } from "lossless-json";
import { type InputFile, unusable } from "./file.ts";
import { elementsOf, isOnlyValue, type Slice } from "./json-scan.ts";
import { lineCounter, nextLine } from "./lines.ts";
import type { RowProblem } from "./problems.ts";
import type { Row } from "./table.ts";

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

/** Gathers objects into rows whose cells follow the keys in order of their first appearance. */
class RowBuilder {
  readonly rows: Row[] = [];
  private readonly columns = new Map<string, number>();

  add(line: number, value: unknown): void {
    if (typeof value !== "object" || value === null || Array.isArray(value) || isLosslessNumber(value)) {
      this.addProblem(line, { kind: "not_an_object", text: cellOf(value) });
      return;
    }
    const cells: string[] = [];
    const numbers = new Set<number>();
    const nested = new Set<number>();
    const row: Row = { line, cells, numbers, nested };
    for (const [key, field] of Object.entries(value)) {
      const column = this.columnOf(key);
      cells[column] = cellOf(field);
      if (isLosslessNumber(field)) numbers.add(column);
      else if (typeof field === "object" && field !== null) nested.add(column);
      if (key === "params" && Array.isArray(field)) row.params = field.map(cellOf);
    }
    this.rows.push(row);
  }

  addProblem(line: number, problem: RowProblem): void {
    this.rows.push({ line, cells: [], problem });
  }

  /** The table, every row with one cell a column. */
  finish(): { columns: string[]; rows: Row[] } {
    const columns = [...this.columns.keys()];
    return {
      columns,
      rows: this.rows.map((row) => ({ ...row, cells: columns.map((_, index) => row.cells[index] ?? "") })),
    };
  }

  private columnOf(key: string): number {
    const known = this.columns.get(key);
    if (known !== undefined) return known;
    this.columns.set(key, this.columns.size);
    return this.columns.size - 1;
  }
}

/** How a JSON file is asked to be read: NDJSON by force, and the key under which an object holds the list. */
export interface JsonShape {
  ndjson: boolean;
  listKey: string;
}

/**
 * Reads an array, an object with a list under `listKey`, or NDJSON, one element at a time. A broken line of NDJSON is
 * a bad row; a broken document is refused, since what follows the break cannot be trusted.
 *
 * @throws BposError input_unusable
 */
export function readJson(
  file: InputFile,
  utf8: Buffer,
  shape: JsonShape,
): { columns: string[]; rows: Row[] } {
  const builder = new RowBuilder();
  const lineOf = lineCounter(utf8, 0x0a);
  if (shape.ndjson || !isOnlyValue(utf8)) {
    for (const slice of linesOf(utf8)) {
      const parsed = parseSlice(utf8, slice);
      const line = lineOf(slice.start);
      if (parsed.ok) builder.add(line, parsed.value);
      else builder.addProblem(line, { kind: "json_broken", detail: parsed.detail });
    }
    return builder.finish();
  }
  for (const slice of elementsOf(utf8, shape.listKey)) {
    const line = lineOf(slice.start);
    const parsed = "broken" in slice ? { ok: false as const, detail: slice.broken } : parseSlice(utf8, slice);
    if (!parsed.ok) throw unusable(file, { kind: "json_broken", detail: parsed.detail }, line);
    builder.add(line, parsed.value);
  }
  return builder.finish();
}
