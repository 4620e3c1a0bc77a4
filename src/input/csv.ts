import { type Options, Parser } from "csv-parse";
import { parse } from "csv-parse/sync";
import { findDialect } from "./dialect.ts";
import { type InputFile, unusable } from "./file.ts";
import { lineCounter, lineEnd, nextLine } from "./lines.ts";
import type { Row } from "./table.ts";

const chunkBytes = 1 << 16;
/** No row of a real file is this long: a quote that swallows more was never closed. */
const longestRowCharacters = 100_000;

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

/** Feeds the bytes from `start` on to csv-parse; false when a row broke it. */
async function parseFrom(
  utf8: Buffer,
  start: number,
  options: Options,
  onRecord: OnRecord,
): Promise<boolean> {
  const parser = new RowParser(options, (cells, end) => onRecord(cells, start + end));
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
      const found = cells.length;
      const expected = this.columns?.length ?? found;
      if (this.isGlued(next, found === expected ? expected : null)) {
        this.rows.push({ line, cells, problem: { kind: "quote_late", lastLine: this.lineOf(next - 1) } });
      } else if (this.columns === null) this.columns = cells.map((cell) => cell.trim());
      else if (found === expected) this.rows.push({ line, cells });
      else this.rows.push({ line, cells, problem: { kind: "cell_count", expected, found } });
    }
    this.at = next;
  }

  /**
   * True for several lines that may be rows which an unclosed quote made one, up to the next stray quote: the number of
   * cells is wrong (`width` null), or the first and the last line would be whole rows without their quotes.
   */
  private isGlued(next: number, width: number | null): boolean {
    const second = nextLine(this.utf8, this.at, this.end);
    if (second >= next) return false;
    const last = this.utf8.lastIndexOf(this.end, next - 2) + 1;
    const isWhole = (from: number, to: number): boolean =>
      this.utf8.toString("utf8", from, to).split(this.delimiter).length === width;
    return width === null || (isWhole(this.at, second) && isWhole(last, next));
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
 * Reads delimited text. A quote that is never closed costs only its own physical line; one that is closed lines later
 * costs those lines, as one bad row that names the last of them.
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
