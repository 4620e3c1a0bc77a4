import { isLosslessNumber, parse, stringify } from "lossless-json";
import type { Detail, OwnDetail, RowProblem } from "../errors/problems.ts";
import { isReason } from "../errors.ts";
import { type InputFile, unusable } from "./file.ts";
import { numberCell } from "./numbers.ts";
import { PlainObjects } from "./plain-json.ts";
import { type Kind, LineCounter, nextLine, type Row, type RowPlace, type TableSink } from "./table.ts";

/** A part of the bytes, `end` not included; `broken` where the document stops making sense there. */
interface Slice {
  start: number;
  end: number;
  broken?: OwnDetail;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

function skipSpace(utf8: Buffer, from: number): number {
  let at = from;
  while (isSpace(utf8[at])) at += 1;
  return at;
}

function skipString(utf8: Buffer, from: number): number {
  for (let at = from + 1; at < utf8.length; at += 1) {
    if (utf8[at] === backslash) at += 1;
    else if (utf8[at] === quote) return at + 1;
  }
  return utf8.length;
}

/** The offset behind the value that begins at `from`; brackets are matched by depth, their kinds by the parser later. */
function skipValue(utf8: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < utf8.length; at += 1) {
    const byte = utf8[at];
    if (byte === quote) {
      at = skipString(utf8, at) - 1;
      if (depth === 0) return at + 1;
    } else if (byte === openBracket || byte === openBrace) depth += 1;
    else if (byte === closeBracket || byte === closeBrace) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === comma || isSpace(byte))) return at;
  }
  return utf8.length;
}

/** True unless another value follows the first one, as in NDJSON. */
function isOnlyValue(utf8: Buffer): boolean {
  const first = skipSpace(utf8, 0);
  return utf8[first] !== openBrace || skipSpace(utf8, skipValue(utf8, first)) >= utf8.length;
}

function listUnder(utf8: Buffer, start: number, key: string): number | null {
  const wanted = Buffer.from(JSON.stringify(key));
  let at = skipSpace(utf8, start + 1);
  while (utf8[at] === quote) {
    const end = skipString(utf8, at);
    const afterKey = skipSpace(utf8, end);
    if (utf8[afterKey] !== colon) return null;
    const value = skipSpace(utf8, afterKey + 1);
    if (utf8[value] === openBracket && utf8.subarray(at, end).equals(wanted)) return value;
    at = skipSpace(utf8, skipValue(utf8, value));
    if (utf8[at] === comma) at = skipSpace(utf8, at + 1);
  }
  return null;
}

type Unexpected = Extract<OwnDetail, { kind: "json_unexpected" }>;

function breakAt(utf8: Buffer, at: number, expected: Unexpected["expected"]): Slice {
  const found = at < utf8.length ? String.fromCodePoint(utf8[at] ?? 0) : null;
  return { start: at, end: at, broken: { kind: "json_unexpected", expected, found } };
}

function* breakAfterList(utf8: Buffer, listEnd: number, listKey: string | null): Generator<Slice> {
  let at = skipSpace(utf8, listEnd);
  if (listKey !== null) {
    const again = Buffer.from(`"${listKey}"`);
    while (at < utf8.length && utf8[at] !== closeBrace) {
      const end = Math.max(at + 1, skipValue(utf8, at));
      if (utf8.subarray(at, end).equals(again) && utf8[skipSpace(utf8, end)] === colon)
        yield { start: at, end: at, broken: { kind: "json_list_twice", listKey } };
      at = skipSpace(utf8, end);
    }
    if (at >= utf8.length) yield breakAt(utf8, at, ["}"]);
    at = skipSpace(utf8, at + 1);
  }
  if (at < utf8.length) yield breakAt(utf8, at, "end");
}

/**
 * The elements of a document's list, found by their brackets so that only one is parsed at a time: a top-level array,
 * or the array under `listKey`. An object without that list is itself the only element. Whoever reads stops at a broken one.
 */
function* elementsOf(utf8: Buffer, listKey: string): Generator<Slice> {
  const first = skipSpace(utf8, 0);
  const inObject = utf8[first] === openBrace;
  const list = inObject ? listUnder(utf8, first, listKey) : first;
  if (list === null || utf8[list] !== openBracket) {
    yield { start: first, end: utf8.length };
    return;
  }
  let at = skipSpace(utf8, list + 1);
  while (utf8[at] !== closeBracket) {
    const end = skipValue(utf8, at);
    yield end === at ? breakAt(utf8, at, "value") : { start: at, end };
    at = skipSpace(utf8, end);
    if (utf8[at] === closeBracket) break;
    if (utf8[at] !== comma) yield breakAt(utf8, at, [",", "]"]);
    at = skipSpace(utf8, at + 1);
    if (utf8[at] === closeBracket) yield breakAt(utf8, at, "value");
  }
  yield* breakAfterList(utf8, at + 1, inObject ? listKey : null);
}

/** A larger document is refused: a list in one piece can be checked only as a whole. */
const maxDocumentBytes = 256 << 20;
const restBytes = 1 << 20;

type Parsed = { ok: true; fields: [key: string, value: unknown][] } | { ok: false; problem: RowProblem };

/** The value as a cell: what a person would read in a spreadsheet, numbers exactly as written. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : (stringify(value) ?? "");
}

function kindOf(value: unknown): Kind | undefined {
  if (isLosslessNumber(value)) return "number";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "object" && value !== null ? "nested" : undefined;
}

function parseObject(text: string): Parsed {
  try {
    const value = parse(text);
    if (kindOf(value) === "nested" && !Array.isArray(value))
      return { ok: true, fields: Object.entries(value as object) };
    return { ok: false, problem: { kind: "not_an_object", text: cellOf(value) } };
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
function wrapped(fields: readonly [string, unknown][]): string[] {
  const isList = (value: unknown): boolean =>
    kindOf(value) === "nested" && /^(?:\[[{\]]|\{)/.test(cellOf(value));
  return fields.filter(([, value]) => isList(value)).map(([key]) => key);
}

/**
 * JSON text as rows: an array, an object with a list under `listKey`, or NDJSON, one element at a time. It is read twice: the
 * header is all keys in order of their first appearance, wherever that is. A broken line of NDJSON is a bad row; a broken
 * document is refused.
 */
export class JsonRows {
  readonly format: "json" | "ndjson";
  readonly #file: Pick<InputFile, "name">;
  readonly #utf8: Buffer;
  readonly #listKey: string;
  readonly #columns = new Map<string, number>();
  readonly #plain = new PlainObjects();

  constructor(file: Pick<InputFile, "name">, utf8: Buffer, asked: "json" | "ndjson", listKey: string) {
    this.#file = file;
    this.#utf8 = utf8;
    this.#listKey = listKey;
    this.format = asked === "json" && isOnlyValue(utf8) ? "json" : "ndjson";
    if (this.format === "json" && utf8.length > maxDocumentBytes)
      throw unusable(file, { kind: "json_too_large", limit: maxDocumentBytes });
  }

  /** Goes through the elements; throws where a document breaks, since what follows cannot be trusted. */
  async #each(sink: TableSink, take: (slice: Slice) => void): Promise<void> {
    const isLines = this.format === "ndjson";
    let rested = 0;
    for (const slice of isLines ? linesOf(this.#utf8) : elementsOf(this.#utf8, this.#listKey)) {
      if (slice.broken !== undefined) throw this.#broken(slice, slice.broken);
      take(slice);
      if (slice.end - rested < restBytes) continue;
      rested = slice.end;
      await sink.rest?.();
    }
  }

  #broken({ start }: Slice, detail: Detail): Error {
    const line = new LineCounter(this.#utf8, 0x0a).at(start);
    return unusable(this.#file, { kind: "json_broken", detail }, line);
  }

  async stream(sink: TableSink): Promise<void> {
    await this.#header(sink);
    const lines = new LineCounter(this.#utf8, 0x0a);
    await this.#each(sink, ({ start, end }) => sink.row(this.rowAt({ start, end, line: lines.at(start) })));
  }

  async #header(sink: TableSink): Promise<void> {
    let elements = 0;
    let last: readonly [string, unknown][] = [];
    await this.#each(sink, (slice) => {
      elements += 1;
      const text = this.#utf8.toString("utf8", slice.start, slice.end);
      if (this.#plain.isAlike(text)) return;
      // What is read without the parser sets the pattern of the rows that follow.
      const plain = this.#plain.fields(text);
      const parsed: Parsed =
        plain === null ? parseObject(text) : { ok: true, fields: plain.map(({ key, cell }) => [key, cell]) };
      if (parsed.ok) {
        last = parsed.fields;
        for (const [key] of last) if (!this.#columns.has(key)) this.#columns.set(key, this.#columns.size);
      } else if (this.format === "json" && parsed.problem.kind === "json_broken")
        throw this.#broken(slice, parsed.problem.detail);
    });
    if (elements === 0) throw unusable(this.#file, { kind: "no_rows" });
    try {
      sink.header([...this.#columns.keys()]);
    } catch (error) {
      // The list that a single object holds may be what was meant.
      const found = elements === 1 ? wrapped(last) : [];
      const isMissing = isReason(error, "input_unusable") && error.facts.problem.kind === "column_missing";
      if (!isMissing || found.length === 0) throw error;
      throw unusable(this.#file, { kind: "list_elsewhere", found, listKey: this.#listKey });
    }
  }

  rowAt(place: RowPlace): Row {
    const text = this.#utf8.toString("utf8", place.start, place.end);
    const cells = Array<string>(this.#columns.size).fill("");
    const kinds = Array<Kind | undefined>(cells.length);
    const row: Row = { line: place.line, start: place.start, end: place.end, cells, kinds };
    const plain = this.#plain.fields(text);
    for (const { key, cell, kind } of plain ?? []) {
      const column = this.#columns.get(key) ?? 0;
      cells[column] = cell;
      if (kind !== "text") kinds[column] = kind;
    }
    if (plain !== null) return row;
    const parsed = parseObject(text);
    if (!parsed.ok) {
      const { problem } = parsed;
      return { ...place, cells: problem.kind === "json_broken" ? [text.trim()] : cells, problem };
    }
    for (const [key, value] of parsed.fields) {
      const column = this.#columns.get(key) ?? 0;
      cells[column] = cellOf(value);
      kinds[column] = kindOf(value);
      if (key !== "params" || !Array.isArray(value)) continue;
      row.params = value.map(cellOf);
      row.nestedParams = new Set(value.flatMap((each, n) => (kindOf(each) === "nested" ? [n] : [])));
    }
    return row;
  }

  /** The cells of a row again, by its byte offsets; only once the header is known. */
  cellsAt(start: number, end: number): readonly string[] {
    const { cells, kinds } = this.rowAt({ start, end, line: 0 });
    return cells.map((cell, column) => (kinds?.[column] === "number" ? numberCell(cell) : cell));
  }
}
