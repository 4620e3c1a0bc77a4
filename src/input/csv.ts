import { type Options, Parser } from "csv-parse";
import { parse } from "csv-parse/sync";
import { findDialect } from "./dialect.ts";
import { type InputFile, unusable } from "./file.ts";
import { lineCounter, lineEnd, nextLine } from "./lines.ts";
import type { Row } from "./table.ts";

const chunkBytes = 1 << 16;
/** No row of a real file is this long: a quote that swallows more was never closed. */
const longestRowCharacters = 100_000;

/** Takes the cells of one row and the offset behind it; throws when they are no row. */
type OnRecord = (cells: string[], end: number) => void;

/** Feeds the bytes from `start` on to csv-parse; false when a row broke it. */
async function parseFrom(
  utf8: Buffer,
  start: number,
  options: Options,
  onRecord: OnRecord,
): Promise<boolean> {
  const parser = new Parser({
    ...options,
    on_record: (cells: string[], { bytes }) => {
      onRecord(cells, start + bytes);
      // Nothing is pushed on: the rows are taken here, and the stream stays empty.
      return null;
    },
  });
  const ended = new Promise<boolean>((resolve) => {
    parser.once("end", () => resolve(true));
    parser.once("error", () => resolve(false));
  });
  parser.resume();
  for (let at = start; at < utf8.length && !parser.destroyed; at += chunkBytes) {
    const chunk = utf8.subarray(at, at + chunkBytes);
    await new Promise<void>((resolve) => parser.write(chunk, () => resolve()));
  }
  if (!parser.destroyed) parser.end();
  return ended;
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === "");
}

/** Reads one file row by row; `at` is always the offset of the next row. */
class CsvReader {
  columns: string[] | null = null;
  readonly rows: Row[] = [];
  private at: number;
  private readonly utf8: Buffer;
  private readonly end: number;
  private readonly delimiter: string;
  private readonly lineOf: (offset: number) => number;
  private readonly options: Options;

  constructor(utf8: Buffer, start: number, delimiter: string) {
    this.utf8 = utf8;
    this.at = start;
    this.delimiter = delimiter;
    this.end = lineEnd(utf8);
    this.lineOf = lineCounter(utf8, this.end);
    this.options = {
      delimiter,
      record_delimiter: this.end === 0x0a ? ["\r\n", "\n"] : "\r",
      relax_column_count: true,
      max_record_size: longestRowCharacters,
    };
  }

  /** Reads until the file ends or a row breaks; returns the line of the broken row, or null. */
  async readOn(): Promise<number | null> {
    const done = await parseFrom(this.utf8, this.at, this.options, (cells, next) => this.take(cells, next));
    return done ? null : this.lineOf(this.at);
  }

  /** Reads the broken row again as one physical line, its stray quotes kept as text, and moves behind it. */
  salvage(line: number): void {
    const next = nextLine(this.utf8, this.at, this.end);
    const bytes = this.utf8.subarray(this.at, next);
    const cells = this.readAlone(bytes);
    if (cells !== null && cells.length === this.columns?.length) this.rows.push({ line, cells });
    else this.rows.push({ line, cells: [bytes.toString().trimEnd()], problem: { kind: "quote_open" } });
    this.at = next;
  }

  private take(cells: string[], next: number): void {
    if (!isBlank(cells)) {
      const line = this.lineOf(this.at);
      const expected = this.columns?.length ?? cells.length;
      if (this.isGlued(cells, next, expected)) throw new RangeError("a quote swallowed a line end");
      if (this.columns === null) this.columns = cells.map((cell) => cell.trim());
      else if (cells.length === expected) this.rows.push({ line, cells });
      else this.rows.push({ line, cells, problem: { kind: "cell_count", expected, found: cells.length } });
    }
    this.at = next;
  }

  /**
   * True for several lines that an unclosed quote made into one row, up to the next stray quote: the cells are too
   * few or too many, or the first and the last line would be whole rows without their quotes.
   */
  private isGlued(cells: readonly string[], next: number, expected: number): boolean {
    const second = nextLine(this.utf8, this.at, this.end);
    if (second >= next) return false;
    if (cells.length !== expected) return true;
    const last = this.utf8.lastIndexOf(this.end, next - 2) + 1;
    const width = (from: number, to: number): number =>
      this.utf8.toString("utf8", from, to).split(this.delimiter).length;
    return width(this.at, second) === expected && width(last, next) === expected;
  }

  private readAlone(line: Buffer): string[] | null {
    try {
      const records: unknown = parse(line, { ...this.options, relax_quotes: true });
      return (records as string[][])[0] ?? null;
    } catch {
      return null;
    }
  }
}

/**
 * Reads delimited text. A row with a broken or unclosed quote costs only its own first line: reading goes on with the
 * next physical line.
 *
 * @throws BposError input_unusable
 */
export async function readCsv(
  file: InputFile,
  utf8: Buffer,
  given?: string,
): Promise<{ columns: string[]; rows: Row[] }> {
  const { start, delimiter } = findDialect(file, utf8, given);
  const reader = new CsvReader(utf8, start, delimiter);
  for (;;) {
    const broken = await reader.readOn();
    if (broken === null) return { columns: reader.columns ?? [], rows: reader.rows };
    if (reader.columns === null) throw unusable(file, { kind: "header_broken" }, broken);
    reader.salvage(broken);
  }
}
