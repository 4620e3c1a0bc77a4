import type { Options } from "csv-parse";
import { CsvError, parse } from "csv-parse/sync";
import type { RowProblem } from "../errors/problems.ts";
import { type InputFile, unusable } from "./file.ts";
import { LineCounter, lineEnd, nextLine, type Row, type TableSink } from "./table.ts";

/** No row of a real file is longer: a quote that swallows more was never closed. */
const maxRowBytes = 100_000;
/** Rows with quotes are given to csv-parse in pieces of this size; where none stand, a line is a row. */
const quotedBytes = 1 << 20;
const quote = 0x22;
const plainBytes = 1 << 15;
/** After so many lines of such a part that cannot be taken as bytes, the rest of it is made text in one go. */
const maxOddLines = 16;
/** After so many bytes others have their turn. */
const restBytes = 1 << 20;

const tooLong: RowProblem = { kind: "row_too_long", limit: maxRowBytes };

export const candidates: readonly string[] = [";", ",", "\t", "|"];
const spelledOut: Readonly<Record<string, string>> = { tab: "\t", "\\t": "\t" };

function checked(file: Pick<InputFile, "name">, given: string): string {
  const delimiter = spelledOut[given] ?? given;
  if (delimiter.length !== 1 || /["\r\n\p{L}\p{N}]/u.test(delimiter))
    throw unusable(file, { kind: "delimiter_unusable", delimiter: given });
  return delimiter;
}

function mostFrequent(header: string): string {
  const bare = header.replace(/"[^"]*"/g, "");
  const counts = candidates.map((each) => bare.split(each).length);
  return candidates[counts.indexOf(Math.max(...counts))] ?? ";";
}

/**
 * Finds the delimiter, `given` by the person, else named by a first line such as `sep=;`, else read off the header, and
 * the offset of the first line that is not the `sep=` line.
 */
function findDialect(
  file: Pick<InputFile, "name">,
  utf8: Buffer,
  given: string | undefined,
): { delimiter: string; start: number } {
  const end = lineEnd(utf8);
  const second = nextLine(utf8, 0, end);
  const first = utf8.toString("utf8", 0, Math.min(second, 16)).replace(/[\r\n]+$/, "");
  const said = /^sep=(.)\s*$/i.exec(first)?.[1];
  const start = said === undefined ? 0 : second;
  const named = given ?? said;
  if (named !== undefined) return { delimiter: checked(file, named), start };
  let header = "";
  for (let from = start; header.trim() === "" && from < utf8.length; ) {
    const next = nextLine(utf8, from, end);
    header = utf8.toString("utf8", from, next);
    from = next;
  }
  return { delimiter: mostFrequent(header), start };
}

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === "");

/** The cells of the one row that some bytes hold, stray quotes kept as text; null when there is none. */
function readAlone(bytes: Buffer, options: Options): string[] | null {
  try {
    const records: unknown = parse(bytes, { ...options, relax_quotes: true, max_record_size: 0 });
    return (records as string[][])[0] ?? null;
  } catch {
    return null;
  }
}

/** Reads one file row by row; `#at` is always the offset of the next row. */
class CsvReader {
  #width: number | null = null;
  /** Whether cells have a blank before them, as the header shows. */
  #isSpaced = false;
  #at: number;
  #rested = 0;
  readonly #file: Pick<InputFile, "name">;
  readonly #utf8: Buffer;
  readonly #end: number;
  readonly #delimiter: Buffer;
  readonly #separator: string;
  readonly #sink: TableSink;
  readonly #lines: LineCounter;
  readonly #options: Options;

  constructor(
    file: Pick<InputFile, "name">,
    utf8: Buffer,
    { delimiter, start, options }: { delimiter: string; start: number; options: Options },
    sink: TableSink,
  ) {
    this.#file = file;
    this.#utf8 = utf8;
    this.#at = start;
    this.#separator = delimiter;
    this.#delimiter = Buffer.from(delimiter);
    this.#options = options;
    this.#sink = sink;
    this.#end = lineEnd(utf8);
    this.#lines = new LineCounter(utf8, this.#end);
  }

  async read(): Promise<void> {
    while (this.#at < this.#utf8.length) {
      await this.#readPlainLines();
      if (!this.#readQuoted()) this.#salvage();
      await this.#restAfter(0);
    }
  }

  async #restAfter(bytes: number): Promise<void> {
    if (this.#at - this.#rested < bytes) return;
    this.#rested = this.#at;
    await this.#sink.rest?.();
  }

  /** Reads rows with csv-parse, and what lies between them; false where the first of them is broken. */
  #readQuoted(): boolean {
    const from = this.#at;
    const piece = this.#utf8.subarray(from, from + quotedBytes);
    const isLast = from + piece.length === this.#utf8.length;
    let held: { cells: string[]; next: number } | undefined;
    const release = (): void => {
      if (held !== undefined) this.#take(held.cells, held.next);
      held = undefined;
    };
    try {
      const onRecord = (cells: string[], { bytes }: { bytes: number }): null => {
        release();
        held = { cells, next: from + bytes };
        return null;
      };
      parse(piece, { ...this.#options, on_record: onRecord });
      // The last row of a piece may be cut: it is the first of the next.
      if (!isLast) return true;
      release();
      this.#at = this.#utf8.length;
    } catch (error) {
      // Not what the sink has thrown.
      if (!(error instanceof CsvError)) throw error;
      release();
      return this.#at > from;
    }
    return true;
  }

  /** Lines up to the next quote: there a row is a line, and a cell is what stands between two delimiters. */
  async #readPlainLines(): Promise<void> {
    for (;;) {
      const found = this.#utf8.indexOf(quote, this.#at);
      const until = found < 0 ? this.#utf8.length : this.#utf8.lastIndexOf(this.#end, found) + 1;
      while (this.#at < until) {
        const cut = this.#utf8.lastIndexOf(this.#end, this.#at + plainBytes) + 1;
        this.#readPlain(Math.min(until, cut > this.#at ? cut : nextLine(this.#utf8, this.#at, this.#end)));
        await this.#restAfter(restBytes);
      }
      if (!this.#isStray(found)) return;
      this.#salvage();
      await this.#restAfter(restBytes);
    }
  }

  /**
   * True for a row's first quote that stands behind a visible character of ASCII: such a row breaks for certain, which
   * takes csv-parse long.
   */
  #isStray(found: number): boolean {
    const before = found > this.#at ? (this.#utf8[found - 1] ?? 0) : 0;
    return this.#width !== null && before > 0x20 && before < 0x80 && before !== this.#delimiter.at(-1);
  }

  /** Whole lines without a quote, from here to `until`: as bytes where they can be taken so. */
  #readPlain(until: number): void {
    const readLine = (): void => this.#readText(nextLine(this.#utf8, this.#at, this.#end));
    while (this.#width === null && this.#at < until) readLine();
    const [delimiter = 0, more] = this.#delimiter;
    const form = { utf8: this.#utf8, until, width: this.#width ?? 0, delimiter, lineEnd: this.#end };
    const maxOdd = more === undefined && until - this.#at <= maxRowBytes ? maxOddLines : 0;
    for (let odd = 0; odd < maxOdd && this.#at < until; odd++) {
      const line = this.#lines.at(this.#at);
      const taken = this.#sink.takeLines?.({ ...form, from: this.#at, line });
      if (taken === undefined) break;
      this.#at = taken.next;
      this.#lines.skipTo(this.#at, taken.lines);
      if (this.#at < until) readLine();
    }
    if (this.#at < until) this.#readText(until);
  }

  #readText(until: number): void {
    const text = this.#utf8.toString("utf8", this.#at, until);
    const lineBreak = String.fromCharCode(this.#end);
    const first = this.#lines.at(this.#at);
    let lines = 0;
    for (let from = 0; from < text.length; lines++) {
      const found = text.indexOf(lineBreak, from);
      const next = found < 0 ? text.length : found + 1;
      let last = found < 0 ? next : found;
      if (this.#end === 0x0a && text[last - 1] === "\r" && last > from) last -= 1;
      const start = this.#at;
      const cells = text.slice(from, last).split(this.#separator);
      this.#at = nextLine(this.#utf8, start, this.#end);
      from = next;
      if (!isBlank(cells)) this.#give({ line: first + lines, cells, start, end: this.#at });
    }
    this.#lines.skipTo(until, lines);
  }

  /** Reads the broken row again as one physical line, its stray quotes kept as text, and moves behind it. */
  #salvage(): void {
    const line = this.#lines.at(this.#at);
    if (this.#width === null) throw unusable(this.#file, { kind: "header_broken" }, line);
    const next = nextLine(this.#utf8, this.#at, this.#end);
    const bytes = this.#utf8.subarray(this.#at, next);
    const cells = readAlone(bytes, this.#options);
    const place = { line, start: this.#at, end: next };
    this.#at = next;
    if (cells !== null && bytes.length > maxRowBytes) this.#sink.row({ ...place, cells, problem: tooLong });
    else if (cells !== null && cells.length === this.#width)
      this.#sink.row({ ...place, cells, salvaged: true });
    else this.#sink.row({ ...place, cells: [bytes.toString().trimEnd()], problem: { kind: "quote_open" } });
  }

  #take(cells: string[], next: number): void {
    const start = this.#at;
    this.#at = next;
    if (isBlank(cells)) return;
    const row: Row = { line: this.#lines.at(start), cells, start, end: next };
    if (this.#isGlued(start, next, cells.length))
      this.#sink.row({ ...row, problem: { kind: "quote_late", lastLine: this.#lines.at(next - 1) } });
    else this.#give(row);
  }

  /** Passes a row whose extent is certain to the sink; the first one is the header. */
  #give(row: Row): void {
    const { cells } = row;
    const { length: found } = cells;
    if (this.#width === null) {
      this.#width = found;
      this.#isSpaced = this.#utf8.toString("utf8", row.start, row.end).includes(`${this.#separator} `);
      this.#sink.header(cells.map((cell) => cell.trim()));
    } else if (row.end - row.start > maxRowBytes) this.#sink.row({ ...row, problem: tooLong });
    else if (found === this.#width) this.#sink.row(row);
    else this.#sink.row({ ...row, problem: { kind: "cell_count", expected: this.#width, found } });
  }

  /**
   * True for several lines that may be rows which an unclosed quote made one, up to the next stray quote: the number of
   * cells is wrong, or the first and the last line would be whole rows without their quotes.
   */
  #isGlued(start: number, next: number, found: number): boolean {
    const second = nextLine(this.#utf8, start, this.#end);
    if (second >= next) return false;
    if (this.#width !== null && found !== this.#width) return true;
    const last = this.#utf8.lastIndexOf(this.#end, next - 2) + 1;
    return this.#cellsBetween(start, second) === found && this.#cellsBetween(last, next) === found;
  }

  /** How many cells a line has without its quotes; a comma within a sentence has a blank and a letter behind it. */
  #cellsBetween(from: number, to: number): number {
    const cells = this.#utf8.toString("utf8", from, to).split(this.#separator);
    return this.#isSpaced
      ? cells.length
      : cells.filter((cell, at) => at === 0 || !/^ \p{L}/u.test(cell)).length;
  }
}

export interface CsvRows {
  format: "csv";
  delimiter: string;
  stream: (sink: TableSink) => Promise<void>;
  cellsAt: (start: number, end: number) => readonly string[];
}

/**
 * Reads delimited text. A quote that is never closed costs only its own physical line; one that is closed lines later
 * costs those lines, as one bad row that names the last of them. Throws BposError input_unusable, as `stream` does, and
 * `stream` what its sink throws.
 */
export function openCsv(file: Pick<InputFile, "name">, utf8: Buffer, given: string | undefined): CsvRows {
  const { delimiter, start } = findDialect(file, utf8, given);
  const options: Options = {
    delimiter,
    record_delimiter: lineEnd(utf8) === 0x0a ? ["\r\n", "\n"] : "\r",
    relax_column_count: true,
    // A blank beside a quote is no part of the cell; the others are taken off where a cell is read.
    trim: true,
    max_record_size: maxRowBytes,
  };
  return {
    format: "csv",
    delimiter,
    stream: (sink) => new CsvReader(file, utf8, { delimiter, start, options }, sink).read(),
    cellsAt: (from, to) => {
      let at = from;
      while (at < to && utf8[at] !== quote) at++;
      if (at < to) return readAlone(utf8.subarray(from, to), options) ?? [];
      // To set csv-parse up takes many times longer than to read a row of plain cells.
      const line = utf8.toString("utf8", from, to);
      return line.replace(/\r?\n$|\r$/, "").split(delimiter);
    },
  };
}
