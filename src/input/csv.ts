import { type Options, Parser } from "csv-parse";
import { parse } from "csv-parse/sync";
import type { RowProblem } from "../errors/row-problem.ts";
import type { Dialect } from "./dialect.ts";
import { type InputFile, unusable } from "./file.ts";
import { LineCounter, lineEnd, nextLine } from "./lines.ts";
import type { Row, TableSink } from "./table.ts";

const chunkBytes = 1 << 16;
/** No row of a real file is longer: a quote that swallows more was never closed. */
const longestRowBytes = 100_000;

/** A stretch that holds quotes is given to csv-parse in pieces of this size; without any, a line is a row. */
const quotedBytes = 1 << 20;
const quote = 0x22;
/** What of a stretch without quotes is made text at once. */
const plainBytes = 1 << 15;
/** After so many lines of such a stretch that cannot be taken as bytes, the rest of it is made text in one go. */
const mostOdd = 16;
const restBytes = 1 << 20;

/** Takes the cells of one row and the offset behind it. */
type OnRecord = (cells: string[], end: number) => void;

/** csv-parse with its rows taken at once: nothing is queued, and `info` still tells where the row ended. */
class RowParser extends Parser {
  private readonly onRecord: OnRecord;

  constructor(options: Options, onRecord: OnRecord) {
    super(options);
    this.onRecord = onRecord;
  }

  override push(cells: string[] | null): boolean {
    if (cells === null) return super.push(null);
    this.onRecord(cells, this.info.bytes);
    return true;
  }
}

/** Feeds the bytes from `start` on to csv-parse until `isEnough`; false when a row broke it. */
async function parseFrom(
  utf8: Buffer,
  start: number,
  options: Options,
  { onRecord, isEnough }: { onRecord: OnRecord; isEnough: () => boolean },
): Promise<boolean> {
  let failure: unknown;
  const parser = new RowParser(options, (cells, end) => {
    if (failure !== undefined || isEnough()) return;
    try {
      onRecord(cells, start + end);
    } catch (error) {
      // Inside the parser it would look like a broken row.
      failure = error ?? new Error("thrown");
    }
  });
  const ended = new Promise<boolean>((resolve) => {
    parser.once("end", () => resolve(true));
    parser.once("error", () => resolve(false));
  });
  parser.resume();
  const goesOn = (): boolean => !parser.destroyed && failure === undefined && !isEnough();
  for (let at = start; at < utf8.length && goesOn(); at += chunkBytes) {
    const chunk = utf8.subarray(at, at + chunkBytes);
    await new Promise<void>((resolve) => parser.write(chunk, () => resolve()));
  }
  if (failure === undefined && !parser.destroyed && !isEnough()) parser.end();
  const whole = failure !== undefined || isEnough() || (await ended);
  parser.destroy();
  if (failure !== undefined) throw failure as Error;
  return whole;
}

/** What JSON escapes, line ends left out. Text that was decoded holds no half of a pair. */
const escaped = /[\\\u0000-\u0009\u000b\u000c\u000e-\u001f]|\r(?!\n)/;

const tooLong: RowProblem = { kind: "row_too_long", limit: longestRowBytes };

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === "");
}

/** Reads one file row by row; `at` is always the offset of the next row. */
class CsvReader {
  private width: number | null = null;
  /** Whether cells have a blank before them, as the header shows. */
  private isSpaced = false;
  private at: number;
  private rested = 0;
  private readonly utf8: Buffer;
  private readonly end: number;
  private readonly delimiter: string;
  private readonly delimiterEnd: number | undefined;
  /** Undefined where it takes several. */
  private readonly delimiterByte: number | undefined;
  private readonly sink: TableSink;
  private readonly lines: LineCounter;
  private readonly options: Options;

  constructor(utf8: Buffer, form: Dialect & { options: Options }, sink: TableSink) {
    this.utf8 = utf8;
    this.at = form.start;
    this.delimiter = form.delimiter;
    const delimiter = Buffer.from(form.delimiter);
    this.delimiterEnd = delimiter.at(-1);
    this.delimiterByte = delimiter.length === 1 ? this.delimiterEnd : undefined;
    this.options = form.options;
    this.sink = sink;
    this.end = lineEnd(utf8);
    this.lines = new LineCounter(utf8, this.end);
  }

  get hasHeader(): boolean {
    return this.width !== null;
  }

  /** Reads until the file ends or a row breaks; returns the line of the broken row, or null. */
  async readOn(): Promise<number | null> {
    while (this.at < this.utf8.length) {
      await this.readPlainLines();
      const enough = this.at + quotedBytes;
      const whole = await parseFrom(this.utf8, this.at, this.options, {
        onRecord: (cells, next) => this.take(cells, next),
        isEnough: () => this.at >= enough,
      });
      if (!whole) return this.lines.at(this.at);
      await this.restAfter(0);
      // What is left behind the last row is no row.
      if (this.at < enough) return null;
    }
    return null;
  }

  /** Lets others have their turn once so many bytes were read without. */
  private async restAfter(bytes: number): Promise<void> {
    if (this.at - this.rested < bytes) return;
    this.rested = this.at;
    await this.sink.rest?.();
  }

  /** Lines up to the next quote: there a row is a line, and a cell is what stands between two delimiters. */
  private async readPlainLines(): Promise<void> {
    for (;;) {
      const found = this.utf8.indexOf(quote, this.at);
      const until = found < 0 ? this.utf8.length : this.utf8.lastIndexOf(this.end, found) + 1;
      while (this.at < until) {
        const cut = this.utf8.lastIndexOf(this.end, this.at + plainBytes) + 1;
        this.readPlain(Math.min(until, cut > this.at ? cut : nextLine(this.utf8, this.at, this.end)));
        await this.restAfter(restBytes);
      }
      if (!this.isStray(found)) return;
      this.salvage(this.lines.at(this.at));
      await this.restAfter(restBytes);
    }
  }

  /**
   * True for a row's first quote that stands behind a visible character of ASCII: such a row breaks for certain, which
   * takes csv-parse long.
   */
  private isStray(found: number): boolean {
    const before = found > this.at ? this.utf8[found - 1] : undefined;
    return (
      this.hasHeader && before !== undefined && before > 0x20 && before < 0x80 && before !== this.delimiterEnd
    );
  }

  /** Whole lines without a quote, from here to `until`: as bytes where they can be taken so. */
  private readPlain(until: number): void {
    while (this.width === null && this.at < until) this.readPlainLine();
    for (let odd = 0; odd < mostOdd && this.at < until; odd++) {
      const taken = this.takeLines(until);
      if (taken === null) break;
      this.at = taken.next;
      this.lines.skipTo(this.at, taken.lines);
      if (this.at < until) this.readPlainLine();
    }
    if (this.at < until) this.readPlainText(until);
  }

  private takeLines(until: number): ReturnType<NonNullable<TableSink["takeLines"]>> {
    const { utf8, at: from, width, end: lineEnd, delimiterByte: delimiter } = this;
    if (width === null || delimiter === undefined || until - from > longestRowBytes) return null;
    const lines = { utf8, from, until, line: this.lines.at(from) };
    return this.sink.takeLines?.(lines, { width, delimiter, lineEnd }) ?? null;
  }

  private readPlainLine(): void {
    this.readPlainText(nextLine(this.utf8, this.at, this.end));
  }

  /** The same, made text in one go. */
  private readPlainText(until: number): void {
    const text = this.utf8.toString("utf8", this.at, until);
    const isAscii = text.length === until - this.at;
    const isPlain = !escaped.test(text);
    const lineBreak = String.fromCharCode(this.end);
    const first = this.lines.at(this.at);
    let lines = 0;
    for (let from = 0; from < text.length; lines++) {
      const found = text.indexOf(lineBreak, from);
      const next = found < 0 ? text.length : found + 1;
      let last = found < 0 ? next : found;
      if (this.end === 0x0a && text[last - 1] === "\r" && last > from) last -= 1;
      const start = this.at;
      const end = isAscii ? start + next - from : this.lineEndFrom(start);
      const cells = text.slice(from, last).split(this.delimiter);
      this.at = end;
      from = next;
      if (!isBlank(cells)) this.give({ line: first + lines, cells, start, end, isPlain });
    }
    this.lines.skipTo(until, lines);
  }

  /** As `nextLine`, which takes longer to call than to look for the end of a short line. */
  private lineEndFrom(start: number): number {
    const { utf8, end } = this;
    let at = start;
    while (at < utf8.length && utf8[at] !== end) at++;
    return Math.min(at + 1, utf8.length);
  }

  /** Reads the broken row again as one physical line, its stray quotes kept as text, and moves behind it. */
  salvage(line: number): void {
    const next = nextLine(this.utf8, this.at, this.end);
    const bytes = this.utf8.subarray(this.at, next);
    const cells = readAlone(bytes, this.options);
    const place = { line, start: this.at, end: next };
    if (cells !== null && bytes.length > longestRowBytes)
      this.sink.row({ ...place, cells, problem: tooLong });
    else if (cells !== null && cells.length === this.width)
      this.sink.row({ ...place, cells, salvaged: true });
    else this.sink.row({ ...place, cells: [bytes.toString().trimEnd()], problem: { kind: "quote_open" } });
    this.at = next;
  }

  private take(cells: string[], next: number): void {
    const start = this.at;
    this.at = next;
    if (isBlank(cells)) return;
    const row: Row = { line: this.lines.at(start), cells, start, end: next };
    const { length: found } = cells;
    const expected = this.width ?? found;
    if (this.isGlued(start, next, found === expected ? expected : null)) {
      this.sink.row({ ...row, problem: { kind: "quote_late", lastLine: this.lines.at(next - 1) } });
    } else this.give(row);
  }

  /** Hands on a row whose extent is certain; the first one is the header. */
  private give(row: Row): void {
    const { cells } = row;
    const { length: found } = cells;
    const isTooLong = row.end - row.start > longestRowBytes;
    if (this.width === null) {
      this.width = found;
      this.isSpaced = this.utf8.toString("utf8", row.start, row.end).includes(`${this.delimiter} `);
      this.sink.header(cells.map((cell) => cell.trim()));
    } else if (isTooLong) this.sink.row({ ...row, problem: tooLong });
    else if (found === this.width) this.sink.row(row);
    else this.sink.row({ ...row, problem: { kind: "cell_count", expected: this.width, found } });
  }

  /**
   * True for several lines that may be rows which an unclosed quote made one, up to the next stray quote: the number of
   * cells is wrong (`width` null), or the first and the last line would be whole rows without their quotes.
   */
  private isGlued(start: number, next: number, width: number | null): boolean {
    const second = nextLine(this.utf8, start, this.end);
    if (second >= next) return false;
    const last = this.utf8.lastIndexOf(this.end, next - 2) + 1;
    const isWhole = (from: number, to: number): boolean => this.cellsBetween(from, to) === width;
    return width === null || (isWhole(start, second) && isWhole(last, next));
  }

  /** How many cells a line has without its quotes; a comma within a sentence has a blank and a letter behind it. */
  private cellsBetween(from: number, to: number): number {
    const cells = this.utf8.toString("utf8", from, to).split(this.delimiter);
    return this.isSpaced
      ? cells.length
      : cells.filter((cell, at) => at === 0 || !/^ \p{L}/u.test(cell)).length;
  }
}

/** The cells of the one row that some bytes hold, stray quotes kept as text; null when there is none. */
function readAlone(bytes: Buffer, options: Options): string[] | null {
  try {
    const records: unknown = parse(bytes, { ...options, relax_quotes: true, max_record_size: 0 });
    return (records as string[][])[0] ?? null;
  } catch {
    return null;
  }
}

function optionsOf(utf8: Buffer, delimiter: string): Options {
  return {
    delimiter,
    record_delimiter: lineEnd(utf8) === 0x0a ? ["\r\n", "\n"] : "\r",
    relax_column_count: true,
    // A blank beside a quote is no part of the cell; the others are taken off where a cell is read.
    trim: true,
    max_record_size: longestRowBytes,
  };
}

/** Delimited text as rows. */
export interface CsvRows {
  format: "csv";
  stream(sink: TableSink): Promise<void>;
  /** The cells of a row again, by its byte offsets. */
  cellsAt(start: number, end: number): readonly string[];
}

/**
 * Reads delimited text. A quote that is never closed costs only its own physical line; one that is closed lines later
 * costs those lines, as one bad row that names the last of them. `stream` throws BposError input_unusable, and what its
 * sink throws.
 */
export function openCsv(file: Pick<InputFile, "name">, utf8: Buffer, dialect: Dialect): CsvRows {
  const options = optionsOf(utf8, dialect.delimiter);
  return {
    format: "csv",
    async stream(sink) {
      const reader = new CsvReader(utf8, { ...dialect, options }, sink);
      for (;;) {
        const broken = await reader.readOn();
        if (broken === null) return;
        if (!reader.hasHeader) throw unusable(file, { kind: "header_broken" }, broken);
        reader.salvage(broken);
      }
    },
    cellsAt: (start, end) => {
      let at = start;
      while (at < end && utf8[at] !== quote) at++;
      if (at < end) return readAlone(utf8.subarray(start, end), options) ?? [];
      // To set csv-parse up takes many times longer than to read a row of plain cells.
      const line = utf8.toString("utf8", start, end);
      return line.replace(/\r?\n$|\r$/, "").split(dialect.delimiter);
    },
  };
}
