import { isLosslessNumber, parse, stringify } from "lossless-json";
import type { Detail } from "../errors/detail.ts";
import type { RowProblem } from "../errors/row-problem.ts";
import { isReason } from "../errors.ts";
import { type InputFile, unusable } from "./file.ts";
import { type Break, elementsOf, isOnlyValue, type Slice } from "./json-scan.ts";
import { LineCounter, nextLine } from "./lines.ts";
import { numberCell } from "./numbers.ts";
import { type Field, PlainObjects } from "./plain-json.ts";
import type { RowPlace } from "./rejected-rows.ts";
import type { Row, TableSink } from "./table.ts";

/** A larger document is refused: a list in one piece can be checked only as a whole. */
const maxDocumentBytes = 256 << 20;
/** After so many bytes others have their turn. */
const restBytes = 1 << 20;

type Parsed = { ok: true; fields: readonly Field[]; isPlain: boolean } | { ok: false; problem: RowProblem };

/** The value as a cell: what a person would read in a spreadsheet, numbers exactly as written. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  return stringify(value) ?? "";
}

const isNested = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !isLosslessNumber(value);

function fieldOf(key: string, value: unknown): Field {
  const cell = cellOf(value);
  if (isLosslessNumber(value)) return { key, cell, kind: "number" };
  if (typeof value === "boolean") return { key, cell, kind: "boolean" };
  if (!isNested(value)) return { key, cell, kind: "text" };
  return { key, cell, kind: "nested", ...(Array.isArray(value) && { list: value }) };
}

function parseObject(text: string, plain: readonly Field[] | null): Parsed {
  if (plain !== null) return { ok: true, fields: plain, isPlain: true };
  try {
    const value = parse(text);
    if (!isNested(value) || Array.isArray(value))
      return { ok: false, problem: { kind: "not_an_object", text: cellOf(value) } };
    const fields = Object.entries(value as object).map(([key, field]) => fieldOf(key, field));
    return { ok: true, fields, isPlain: false };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: { kind: "json_broken", detail } };
  }
}

function* linesOf(utf8: Buffer): Generator<Slice> {
  for (let start = 0; start < utf8.length; ) {
    const end = nextLine(utf8, start, 0x0a);
    let at = start;
    while (at < end && (utf8[at] ?? 0) <= 0x20) at++;
    if (at < end) yield { start, end };
    start = end;
  }
}

/** The keys of the only object that hold objects or lists of them. */
function wrapped(fields: readonly Field[]): string[] {
  return fields
    .filter(({ kind, cell }) => kind === "nested" && /^(?:\[[{\]]|\{)/.test(cell))
    .map(({ key }) => key);
}

/** The error for a document that is one object, when the list that it holds may be what was meant; else `error`. */
function orListElsewhere(
  file: Pick<InputFile, "name">,
  error: unknown,
  found: readonly string[],
  listKey: string,
): unknown {
  if (found.length === 0 || !isReason(error, "input_unusable")) return error;
  return error.facts.problem.kind === "column_missing"
    ? unusable(file, { kind: "list_elsewhere", found, listKey })
    : error;
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
  rowAt(place: RowPlace): Row;
}

/** The columns of some fields, and which of them hold what. */
interface Shape extends Required<Pick<Row, "numbers" | "booleans" | "nested">> {
  fields: readonly Field[];
  columns: readonly number[];
}

/** Reads one file twice, an element at a time: the header is all keys in order of their first appearance, wherever that is. */
class JsonReader {
  readonly #file: Pick<InputFile, "name">;
  readonly #utf8: Buffer;
  readonly #asked: JsonShape;
  readonly #plain = new PlainObjects();
  readonly #columns = new Map<string, number>();
  #names: readonly string[] = [];
  #shape: Shape = { fields: [], columns: [], numbers: new Set(), booleans: new Set(), nested: new Set() };
  #rested = 0;

  constructor(file: Pick<InputFile, "name">, utf8: Buffer, asked: JsonShape) {
    this.#file = file;
    this.#utf8 = utf8;
    this.#asked = asked;
  }

  #slices(): Iterable<Slice | Break> {
    const { ndjson, listKey } = this.#asked;
    return ndjson ? linesOf(this.#utf8) : elementsOf(this.#utf8, listKey);
  }

  #textOf({ start, end }: Slice): string {
    return this.#utf8.toString("utf8", start, end);
  }

  #parse(slice: Slice): Parsed {
    const text = this.#textOf(slice);
    return parseObject(text, this.#plain.fields(text));
  }

  /** True once so many bytes were read that others are to have their turn. */
  #isDue(offset: number): boolean {
    if (offset - this.#rested < restBytes) return false;
    this.#rested = offset;
    return true;
  }

  #broken(slice: Slice, detail: Detail): Error {
    const line = new LineCounter(this.#utf8, 0x0a).at(slice.start);
    return unusable(this.#file, { kind: "json_broken", detail }, line);
  }

  /** Reads the keys; throws where a document breaks, since what follows cannot be trusted. */
  async header(sink: TableSink): Promise<void> {
    let elements = 0;
    let last: readonly Field[] = [];
    this.#rested = 0;
    for (const slice of this.#slices()) {
      if ("broken" in slice) throw this.#broken(slice, slice.broken);
      elements += 1;
      if (this.#isDue(slice.end)) await sink.rest?.();
      if (this.#plain.isAlike(this.#textOf(slice))) continue;
      const parsed = this.#parse(slice);
      if (parsed.ok) {
        last = parsed.fields;
        for (const { key } of last) if (!this.#columns.has(key)) this.#columns.set(key, this.#columns.size);
      } else if (!this.#asked.ndjson && parsed.problem.kind === "json_broken")
        throw this.#broken(slice, parsed.problem.detail);
    }
    if (elements === 0) throw unusable(this.#file, { kind: "no_rows" });
    this.#names = [...this.#columns.keys()];
    try {
      sink.header(this.#names);
    } catch (error) {
      const found = elements === 1 ? wrapped(last) : [];
      throw orListElsewhere(this.#file, error, found, this.#asked.listKey);
    }
  }

  async rows(sink: TableSink): Promise<void> {
    const lines = new LineCounter(this.#utf8, 0x0a);
    this.#rested = 0;
    for (const { start, end } of this.#slices()) {
      sink.row(this.rowAt({ start, end, line: lines.at(start) }));
      if (this.#isDue(end)) await sink.rest?.();
    }
  }

  rowAt(place: RowPlace): Row {
    const { line, start, end } = place;
    const parsed = this.#parse(place);
    if (parsed.ok) return this.#rowOf(place, parsed.fields, parsed.isPlain);
    const isText = parsed.problem.kind === "json_broken";
    const cells = isText ? [this.#textOf(place).trim()] : this.#names.map(() => "");
    return { line, start, end, cells, problem: parsed.problem };
  }

  /** Where the fields of an element stand: mostly as in the one before, and to look that up takes longer than all else. */
  #shapeOf(fields: readonly Field[]): Shape {
    const last = this.#shape;
    const isSame =
      last.fields.length === fields.length &&
      last.fields.every(({ key, kind }, n) => fields[n]?.key === key && fields[n].kind === kind);
    if (isSame) return last;
    const columns = fields.map(({ key }) => this.#columns.get(key) ?? 0);
    const of = (kind: Field["kind"]): ReadonlySet<number> =>
      new Set(columns.filter((_, n) => fields[n]?.kind === kind));
    const shape = { numbers: of("number"), booleans: of("boolean"), nested: of("nested") };
    this.#shape = { fields, columns, ...shape };
    return this.#shape;
  }

  #rowOf(place: Pick<Row, "line" | "start" | "end">, fields: readonly Field[], isPlain: boolean): Row {
    const { columns, numbers, booleans, nested } = this.#shapeOf(fields);
    const cells = this.#names.map(() => "");
    for (let n = 0; n < fields.length; n++) cells[columns[n] ?? 0] = fields[n]?.cell ?? "";
    const { line, start, end } = place;
    // A spread here would take longer than the parsing.
    const row: Row = { line, start, end, cells, numbers, booleans, nested, isPlain };
    const list = nested.size === 0 ? undefined : fields.find(({ key }) => key === "params")?.list;
    if (list !== undefined) {
      row.params = list.map(cellOf);
      row.nestedParams = new Set(list.flatMap((value, index) => (isNested(value) ? [index] : [])));
    }
    return row;
  }

  cellsAt(slice: Slice): readonly string[] {
    const { cells, numbers } = this.rowAt({ ...slice, line: 0 });
    return cells.map((cell, column) => (numbers?.has(column) ? numberCell(cell) : cell));
  }
}

/**
 * Reads an array, an object with a list under `listKey`, or NDJSON, one element at a time. A broken line of NDJSON is
 * a bad row; a broken document is refused.
 *
 * @throws BposError input_unusable
 */
export function openJson(file: Pick<InputFile, "name">, utf8: Buffer, shape: JsonShape): JsonRows {
  const ndjson = shape.ndjson || !isOnlyValue(utf8);
  if (!ndjson && utf8.length > maxDocumentBytes)
    throw unusable(file, { kind: "json_too_large", limit: maxDocumentBytes });
  const reader = new JsonReader(file, utf8, { ...shape, ndjson });
  return {
    format: ndjson ? "ndjson" : "json",
    async stream(sink) {
      await reader.header(sink);
      await reader.rows(sink);
    },
    cellsAt: (start, end) => reader.cellsAt({ start, end }),
    rowAt: (place) => reader.rowAt(place),
  };
}
