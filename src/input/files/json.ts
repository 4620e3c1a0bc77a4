import { isLosslessNumber, parse, stringify } from "lossless-json";
import type { Detail, RowProblem } from "../../errors/problems.ts";
import { isReason } from "../../errors.ts";
import { type InputFile, unusable } from "./file.ts";
import { type Kind, lineEnds, nextLine, type Row, type RowPlace, type TableSink } from "./table.ts";

const maxDocumentBytes = 256 << 20;
const restBytes = 1 << 20;
const newline = 0x0a;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x09 || byte === newline || byte === 0x0d;

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

/** Returns the offset behind the value that begins at `from`; brackets are matched by depth, their kinds by the parser later. */
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

type Field = { key: string; cell: string; kind: Kind | undefined; list?: readonly unknown[] };

const space = "[ \\t\\r\\n]*";
const string = '"([^"\\\\\\u0000-\\u001f]*)"';
const number = "(-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)";
const plainField = new RegExp(
  `(?:^${space}\\{|(?!^))${space}${string}${space}:${space}(?:${string}|${number}|(true|false)|null)${space}(,|\\}${space}$)`,
  "y",
);

/** Returns the fields of a flat object without escapes, each once, in a fifth of the parser's time; null for any other text. */
function plainFields(text: string): Field[] | null {
  const fields: Field[] = [];
  plainField.lastIndex = 0;
  for (;;) {
    const match = plainField.exec(text);
    if (match === null) return null;
    const [, key = "", string, number, boolean, sign] = match;
    if (key === "__proto__" || fields.some((field) => field.key === key)) return null;
    const kind = number !== undefined ? "number" : boolean !== undefined ? "boolean" : undefined;
    fields.push({ key, cell: string ?? number ?? boolean ?? "", kind });
    if (sign !== ",") return fields;
  }
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : (stringify(value) ?? "");
}

function readKind(value: unknown): Kind | undefined {
  if (isLosslessNumber(value)) return "number";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "object" && value !== null ? "nested" : undefined;
}

function parseFields(text: string): { fields: Field[] } | { problem: RowProblem } {
  const plain = plainFields(text);
  if (plain !== null) return { fields: plain };
  try {
    const value = parse(text);
    if (readKind(value) !== "nested" || Array.isArray(value))
      return { problem: { kind: "not_an_object", text: value === null ? "null" : toCell(value) } };
    const fields = Object.entries(value as object).map(([key, each]: [string, unknown]) => ({
      key,
      cell: toCell(each),
      kind: readKind(each),
      ...(Array.isArray(each) && { list: each }),
    }));
    return { fields };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { problem: { kind: "json_broken", detail } };
  }
}

/** Reads JSON twice, since the header is all keys, wherever they are. A broken line of NDJSON is a bad row, a broken document is refused. */
export class JsonRows {
  readonly format: "json" | "ndjson";
  readonly delimiter = null;
  readonly #file: Pick<InputFile, "name">;
  readonly #utf8: Buffer;
  readonly #listKey: string;
  readonly #columns = new Map<string, number>();

  constructor(file: Pick<InputFile, "name">, utf8: Buffer, asked: "json" | "ndjson", listKey: string) {
    this.#file = file;
    this.#utf8 = utf8;
    this.#listKey = listKey;
    this.format = asked === "json" && isOnlyValue(utf8) ? "json" : "ndjson";
    if (this.format === "json" && utf8.length > maxDocumentBytes)
      throw unusable(file, { kind: "json_too_large", limit: maxDocumentBytes });
  }

  #broken(at: number, detail?: Detail): Error {
    const found = at < this.#utf8.length ? String.fromCodePoint(this.#utf8[at] ?? 0) : null;
    const line = 1 + lineEnds(this.#utf8, 0, at, newline);
    const problem = { kind: "json_broken", detail: detail ?? { kind: "json_unexpected", found } } as const;
    return unusable(this.#file, problem, line);
  }

  /** Elements are found by their brackets, so that one is parsed at a time; an object without the list is the only one. */
  *#elements(): Generator<[start: number, end: number]> {
    const utf8 = this.#utf8;
    const first = skipSpace(utf8, 0);
    const inObject = utf8[first] === openBrace;
    const list = inObject ? listUnder(utf8, first, this.#listKey) : first;
    if (list === null || utf8[list] !== openBracket) {
      yield [first, utf8.length];
      return;
    }
    let at = skipSpace(utf8, list + 1);
    while (utf8[at] !== closeBracket) {
      const end = skipValue(utf8, at);
      if (end === at) throw this.#broken(at);
      yield [at, end];
      at = skipSpace(utf8, end);
      if (utf8[at] === closeBracket) break;
      if (utf8[at] !== comma) throw this.#broken(at);
      at = skipSpace(utf8, at + 1);
      if (utf8[at] === closeBracket) throw this.#broken(at);
    }
    const rest = skipSpace(utf8, at + 1);
    if (inObject) this.#checkRest(rest);
    else if (rest < utf8.length) throw this.#broken(rest);
  }

  /** Checks the text behind the list of an object: it must close the object, and hold no other such list, which would be lost. */
  #checkRest(from: number): void {
    const listKey = this.#listKey;
    const text = `{${JSON.stringify(listKey)}:[]${this.#utf8.toString("utf8", from)}`;
    const onDuplicateKey = ({ key }: { key: string }): void => {
      if (key === listKey) throw this.#broken(from, { kind: "json_list_twice", listKey });
    };
    try {
      parse(text, undefined, { onDuplicateKey });
    } catch (error) {
      throw error instanceof SyntaxError ? this.#broken(from, error.message) : error;
    }
  }

  *#lines(): Generator<[start: number, end: number]> {
    for (let start = 0; start < this.#utf8.length; ) {
      const end = nextLine(this.#utf8, start, newline);
      let at = start;
      while (at < end && (this.#utf8[at] ?? 0) <= 0x20) at++;
      if (at < end) yield [start, end];
      start = end;
    }
  }

  async #each(sink: TableSink, take: (start: number, end: number) => void): Promise<void> {
    let rested = 0;
    for (const [start, end] of this.format === "ndjson" ? this.#lines() : this.#elements()) {
      take(start, end);
      if (end - rested < restBytes) continue;
      rested = end;
      await sink.rest?.();
    }
  }

  async stream(sink: TableSink): Promise<void> {
    await this.#header(sink);
    let line = 1;
    let counted = 0;
    await this.#each(sink, (start, end) => {
      line += lineEnds(this.#utf8, counted, start, newline);
      counted = start;
      sink.row(this.rowAt({ start, end, line }));
    });
  }

  async #header(sink: TableSink): Promise<void> {
    let elements = 0;
    const counts: number[] = [];
    let last: readonly Field[] = [];
    await this.#each(sink, (start, end) => {
      elements += 1;
      const read = parseFields(this.#utf8.toString("utf8", start, end));
      if ("fields" in read) {
        last = read.fields;
        for (const { key, cell } of last) {
          const column = this.#columns.get(key) ?? this.#columns.size;
          this.#columns.set(key, column);
          counts[column] = (counts[column] ?? 0) + Number(cell !== "");
        }
      } else if (this.format === "json" && read.problem.kind === "json_broken")
        throw this.#broken(start, read.problem.detail);
    });
    if (elements === 0) throw unusable(this.#file, { kind: "no_rows" });
    try {
      sink.header([...this.#columns.keys()], undefined, { rows: elements, counts });
    } catch (error) {
      // The list in a single object may be the one that was meant.
      const held = last.filter(({ kind, cell }) => kind === "nested" && /^(?:\[[{\]]|\{)/.test(cell));
      const found = elements === 1 ? held.map(({ key }) => key) : [];
      const isMissing = isReason(error, "input_unusable") && error.facts.problem.kind === "column_missing";
      if (!isMissing || found.length === 0) throw error;
      throw unusable(this.#file, { kind: "list_elsewhere", found, listKey: this.#listKey });
    }
  }

  rowAt(place: RowPlace): Row {
    const { line, start, end } = place;
    const text = this.#utf8.toString("utf8", start, end);
    const cells = Array<string>(this.#columns.size).fill("");
    const kinds = Array<Kind | undefined>(cells.length);
    const row: Row = { line, start, end, cells, kinds };
    const read = parseFields(text);
    if ("problem" in read) {
      const { problem } = read;
      return { ...place, cells: problem.kind === "json_broken" ? [text.trim()] : cells, problem };
    }
    for (const { key, cell, kind, list } of read.fields) {
      const column = this.#columns.get(key) ?? 0;
      cells[column] = cell;
      kinds[column] = kind;
      if (key === "params" && list)
        row.params = list.map((each) => ({ text: toCell(each), kind: readKind(each) }));
    }
    return row;
  }
}
