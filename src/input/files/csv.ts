import type { Options } from "csv-parse";
import { CsvError, parse } from "csv-parse/sync";
import type { RowProblem } from "../../errors/problems.ts";
import { type InputFile, unusable } from "./file.ts";
import { isOwnColumn, joinedHeader } from "./headers.ts";
import { OwnRows } from "./own-rows.ts";
import {
  type HeaderWish,
  headerAt,
  lineEnd,
  lineEnds,
  maxRowBytes,
  maxTopRows,
  nextLine,
  type Row,
  type RowPlace,
  type TableSink,
} from "./table.ts";

/** Rows with quotes are given to csv-parse in pieces of this size; where none stand, a line is a row. */
const quotedBytes = 1 << 20;
const restBytes = 1 << 19;
/** Lines that are read as text after one that cannot be taken as bytes, before the next attempt. */
const oddLines = 16;
const quote = 0x22;
const tooLong: RowProblem = { kind: "row_too_long", limit: maxRowBytes };

export const candidates: readonly string[] = [";", ",", "\t", "|"];
const spelledOut: Readonly<Record<string, string>> = { tab: "\t", "\\t": "\t" };

function checkDelimiter(file: Pick<InputFile, "name">, given: string): string {
  const delimiter = spelledOut[given] ?? given;
  if (delimiter.length !== 1 || /["\r\n\p{L}\p{N}]/u.test(delimiter))
    throw unusable(file, { kind: "delimiter_unusable", delimiter: given });
  return delimiter;
}

function detectDelimiter(header: string): string {
  const bare = header.replace(/"[^"]*"/g, "");
  const counts = candidates.map((each) => bare.split(each).length);
  return candidates[counts.indexOf(Math.max(...counts))] ?? ";";
}

function readDeclaredDelimiter(utf8: Buffer, second: number): string | undefined {
  return /^sep=(.)\s*$/i.exec(utf8.toString("utf8", 0, Math.min(second, 16)))?.[1];
}

/** Characters other than blanks, quotes and delimiters. */
const holdsAnything = /[^\s";,|]/;
/** Returns whether a quote is not closed; one behind other letters, as in `14" de diámetro`, opens no cell. */
const isOpen = (text: string): boolean => /(?:^|[;,|\t])\s*"/.test(text) && text.split('"').length % 2 === 0;

const isBlank = (cell: string): boolean => cell.trim() === "";

/** A quote that is never closed costs only its own physical line; one that is closed lines later, those as one bad row. */
export class CsvRows {
  readonly format = "csv";
  readonly delimiter: string;
  /** The line of a header that was found below others. */
  readonly headerLine: number | undefined;
  readonly #file: Pick<InputFile, "name">;
  readonly #utf8: Buffer;
  readonly #end: number;
  readonly #options: Options;
  #sink!: TableSink;
  #at: number;
  #line: number;
  #rested = 0;
  #width = 0;
  #isSpaced = false;
  #own: OwnRows | undefined;
  /** The second row of a header, and the names that both give. */
  readonly #second: { start: number | undefined; names: readonly string[] | undefined };

  constructor(
    file: Pick<InputFile, "name">,
    utf8: Buffer,
    { delimiter: given, ...wish }: HeaderWish & { delimiter?: string },
  ) {
    this.#file = file;
    this.#utf8 = utf8;
    this.#end = lineEnd(utf8);
    const second = nextLine(utf8, 0, this.#end);
    const said = readDeclaredDelimiter(utf8, second);
    this.#at = said === undefined ? 0 : second;
    this.#line = said === undefined ? 1 : 2;
    const named = given ?? said;
    const header = this.#findHeader(wish, named === undefined ? undefined : checkDelimiter(file, named));
    this.delimiter = header.delimiter;
    if (header.isBelow && wish.headerRow === undefined) this.headerLine = header.line;
    this.#second = header.second;
    this.#at = header.start;
    this.#line = header.line;
    this.#options = {
      delimiter: this.delimiter,
      record_delimiter: this.#end === 0x0a ? ["\r\n", "\n"] : "\r",
      relax_column_count: true,
      // A blank next to a quote does not belong to the cell. Other blanks are trimmed when a cell is read.
      trim: true,
      max_record_size: maxRowBytes,
    };
  }

  /** Returns the rows at the top that hold anything, or the one that a person named: as text, up to where their quotes are closed. */
  *#topRows(headerRow: number | undefined): Generator<{ text: string; start: number; line: number }> {
    let count = 0;
    let line = this.#line;
    for (let start = this.#at; start < this.#utf8.length && count < maxTopRows; ) {
      const isSaid = line === headerRow;
      let end = nextLine(this.#utf8, start, this.#end);
      const textTo = (): string => this.#utf8.toString("utf8", start, Math.min(end, start + maxRowBytes));
      let text = headerRow === undefined || isSaid ? textTo() : "";
      for (let n = 0; n < maxTopRows && isOpen(text) && end - start < maxRowBytes; n++) {
        end = nextLine(this.#utf8, end, this.#end);
        text = textTo();
      }
      if (isSaid || holdsAnything.test(text)) {
        count += 1;
        yield { text, start, line };
      }
      if (isSaid) return;
      line += lineEnds(this.#utf8, start, end, this.#end);
      start = end;
    }
  }

  #findHeader(wish: HeaderWish, named: string | undefined) {
    const { headerRow, isHeader } = wish;
    const rows = [...this.#topRows(headerRow)];
    const split = (text: string, delimiter: string): string[] =>
      text.includes('"')
        ? (this.#parseCells(Buffer.from(text), { delimiter, relax_column_count: true, trim: true }) ?? [text])
        : text.trimEnd().split(delimiter);
    // The names of a header show its delimiter better than counts do: titles hold commas.
    const chooseDelimiter = (text: string): string => {
      if (named !== undefined) return named;
      const first = detectDelimiter(text);
      const all = [first, ...candidates.filter((each) => each !== first)];
      return all.find((each) => isHeader?.(split(text, each))) ?? first;
    };
    const found = rows.map((row) => ({ ...row, delimiter: chooseDelimiter(row.text) }));
    const cells = found.map(({ text, delimiter }) => split(text, delimiter));
    const at = headerRow === undefined ? headerAt(cells, wish) : 0;
    const header = found[at];
    if (headerRow !== undefined && !holdsAnything.test(header?.text ?? ""))
      throw unusable(this.#file, { kind: "header_row_empty", row: headerRow });
    const start = { start: this.#at, line: this.#line, delimiter: named ?? ";" };
    const names = (cells[at] ?? []).map((name) => name.trim());
    const second = { start: found[at + 1]?.start, names: joinedHeader(names, cells[at + 1]) };
    return { ...start, ...(header ?? {}), isBelow: at > 0, second };
  }

  async stream(sink: TableSink): Promise<void> {
    this.#sink = sink;
    while (this.#at < this.#utf8.length) {
      await this.#readPlain();
      if (!this.#readQuoted()) this.#readBroken();
      await this.#rest();
    }
  }

  rowAt(place: RowPlace): Row {
    const bytes = this.#utf8.subarray(place.start, place.end);
    // Setting up csv-parse takes many times longer than reading a row of plain cells.
    if (!bytes.includes(quote))
      return this.#ours(this.#judge(place, this.#plainCells(place.start, place.end)));
    const cells = this.#parseCells(bytes, this.#options);
    return this.#ours(cells === null ? this.#salvage(place) : this.#judge(place, cells));
  }

  async #rest(): Promise<void> {
    if (this.#at - this.#rested < restBytes) return;
    this.#rested = this.#at;
    await this.#sink.rest?.();
  }

  /** Reads lines up to the next quote: there a row is a line, and a cell is the text between two delimiters. */
  async #readPlain(): Promise<void> {
    for (;;) {
      const found = this.#utf8.indexOf(quote, this.#at);
      const until = found < 0 ? this.#utf8.length : this.#utf8.lastIndexOf(this.#end, found) + 1;
      while (this.#at < until) {
        this.#readLines(Math.min(until, nextLine(this.#utf8, this.#at + restBytes, this.#end)));
        await this.#rest();
      }
      if (!this.#isStray(found)) return;
      this.#readBroken();
      await this.#rest();
    }
  }

  #readLines(until: number): void {
    while (this.#at < until) {
      const isTaken = this.#takeBytes(until);
      for (let n = isTaken ? 1 : oddLines; n > 0 && this.#at < until; n--) {
        const next = nextLine(this.#utf8, this.#at, this.#end);
        this.#give(this.#plainCells(this.#at, next), next);
      }
    }
  }

  #takeBytes(until: number): boolean {
    const delimiter = Buffer.from(this.delimiter);
    if (this.#width === 0 || this.#own || delimiter.length > 1 || !this.#sink.takeLines) return false;
    const { next, lines } = this.#sink.takeLines({
      utf8: this.#utf8,
      from: this.#at,
      until,
      line: this.#line,
      width: this.#width,
      delimiter: delimiter[0] ?? 0,
      lineEnd: this.#end,
    });
    this.#at = next;
    this.#line += lines;
    return lines > 0;
  }

  #plainCells(from: number, to: number): string[] {
    const line = this.#utf8.toString("utf8", from, to);
    return line.replace(/\r?\n$|\r$/, "").split(this.delimiter);
  }

  /** Returns true if a row's first quote is behind a visible ASCII character: such a row always breaks, which takes csv-parse long. */
  #isStray(found: number): boolean {
    const before = found > this.#at ? (this.#utf8[found - 1] ?? 0) : 0;
    return this.#width > 0 && before > 0x20 && before < 0x80 && before !== this.delimiter.charCodeAt(0);
  }

  /** Reads rows with csv-parse, up to a broken one or the end of a piece; returns false if the first of them is broken. */
  #readQuoted(): boolean {
    const from = this.#at;
    const piece = this.#utf8.subarray(from, from + quotedBytes);
    const rows: { cells: string[]; next: number }[] = [];
    const onRecord = (cells: string[], { bytes }: { bytes: number }): null => {
      rows.push({ cells, next: from + bytes });
      return null;
    };
    let isWhole = from + piece.length === this.#utf8.length;
    try {
      parse(piece, { ...this.#options, on_record: onRecord });
      // The last row of a piece may be cut: it is the first of the next.
      if (!isWhole) rows.pop();
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      isWhole = false;
    }
    for (const { cells, next } of rows) this.#give(cells, next);
    if (isWhole) this.#at = this.#utf8.length;
    return isWhole || rows.length > 0;
  }

  #parseCells(bytes: Buffer, options: Options): string[] | null {
    try {
      const records: unknown = parse(bytes, options);
      return (records as string[][])[0] ?? null;
    } catch {
      return null;
    }
  }

  /** Reads the broken row again as one physical line, with its stray quotes as text. */
  #salvage(place: RowPlace): Row {
    const bytes = this.#utf8.subarray(place.start, place.end);
    const cells = this.#parseCells(bytes, { ...this.#options, relax_quotes: true, max_record_size: 0 });
    if (cells !== null && bytes.length > maxRowBytes) return { ...place, cells, problem: tooLong };
    if (cells !== null && cells.length === this.#width) return { ...place, cells, salvaged: true };
    return { ...place, cells: [bytes.toString().trimEnd()], problem: { kind: "quote_open" } };
  }

  #readBroken(): void {
    if (this.#width === 0) throw unusable(this.#file, { kind: "header_broken" }, this.#line);
    const next = nextLine(this.#utf8, this.#at, this.#end);
    this.#sink.row(this.#ours(this.#salvage({ line: this.#line, start: this.#at, end: next })));
    this.#at = next;
    this.#line += 1;
  }

  /** Passes a row, whose extent is certain, to the sink; the first one is the header. */
  #give(cells: string[], end: number): void {
    const place = { line: this.#line, start: this.#at, end };
    this.#at = end;
    this.#line += lineEnds(this.#utf8, place.start, end, this.#end);
    if (cells.every(isBlank) || (place.start === this.#second.start && this.#second.names)) return;
    if (this.#width > 0) this.#sink.row(this.#ours(this.#judge(place, cells)));
    else this.#header(cells, this.#utf8.toString("utf8", place.start, end));
  }

  #header(cells: string[], text: string): void {
    this.#width = cells.length;
    this.#isSpaced = text.includes(`${this.delimiter} `);
    const columns = this.#second.names ?? cells.map((cell) => cell.trim());
    const used = columns.findLastIndex((name) => name !== "") + 1;
    if (columns.some(isOwnColumn)) this.#own = new OwnRows(columns.slice(0, used));
    this.#sink.header(this.#own?.columns ?? columns);
  }

  #ours(row: Row): Row {
    return this.#own?.toRow(row) ?? row;
  }

  #judge(place: RowPlace, cells: string[]): Row {
    const { line, start, end } = place;
    const [expected, found] = [this.#width, cells.length];
    if (this.#isGlued(place, found)) {
      const lastLine = line + lineEnds(this.#utf8, start, end - 1, this.#end);
      return { ...place, cells, problem: { kind: "quote_late", lastLine } };
    }
    if (end - start > maxRowBytes) return { ...place, cells, problem: tooLong };
    if (found !== expected) return { ...place, cells, problem: { kind: "cell_count", expected, found } };
    return { line, start, end, cells };
  }

  /** Returns true for lines that an unclosed quote may have made one row: the width is wrong, or first and last line are whole rows. */
  #isGlued({ start, end }: RowPlace, found: number): boolean {
    const second = nextLine(this.#utf8, start, this.#end);
    if (second >= end) return false;
    if (found !== this.#width) return true;
    const last = this.#utf8.lastIndexOf(this.#end, end - 2) + 1;
    return this.#cellsBetween(start, second) === found && this.#cellsBetween(last, end) === found;
  }

  /** Returns the number of cells of a line without its quotes; a comma within a sentence has a blank and a letter behind it. */
  #cellsBetween(from: number, to: number): number {
    const cells = this.#utf8.toString("utf8", from, to).split(this.delimiter);
    return this.#isSpaced
      ? cells.length
      : cells.filter((cell, at) => at === 0 || !/^ \p{L}/u.test(cell)).length;
  }
}
