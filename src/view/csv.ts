import { isLosslessNumber, type LosslessNumber } from "lossless-json";
import { visible } from "./format.ts";
import { toJson } from "./json.ts";

/** What a cell may hold; null and undefined become an empty cell. */
export type Cell = string | number | bigint | LosslessNumber | boolean | null | undefined;

/** A value of an answer as a cell: objects and lists have no place in a flat file, and become their JSON. */
export function cellOf(value: unknown): Cell {
  const isNested = typeof value === "object" && value !== null && !isLosslessNumber(value);
  return isNested ? toJson(value) : (value as Cell);
}

const FORMULA = /^[=+\-@\t]/;
const PHONE = /^\+\d+$/;

/** A text that a spreadsheet would run as a formula, with an apostrophe before it; phones stay as they are. */
export function spreadsheetSafe(cell: Cell): Cell {
  return typeof cell === "string" && FORMULA.test(cell) && !PHONE.test(cell) ? `'${cell}` : cell;
}

/** One record of RFC 4180, with its line end. */
export function csvLine(cells: readonly Cell[], delimiter = ","): string {
  const written = cells.map((cell) => {
    const text = cell === null || cell === undefined ? "" : String(cell);
    return /["\r\n]|^\s|\s$/.test(text) || text.includes(delimiter)
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  });
  return `${written.join(delimiter)}\r\n`;
}

const chunkCharacters = 1 << 16;

/** Short texts in pieces that are worth a write each. */
export function* inChunks(lines: Iterable<string>, end = ""): Generator<string> {
  let chunk = "";
  for (const line of lines) {
    chunk += line;
    if (chunk.length < chunkCharacters) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk + end;
}

/**
 * A CSV document (RFC 4180) with a header, safe to open in a spreadsheet. On a terminal (`terminal`) control
 * characters are shown as signs; in a file or a pipe the cells keep them.
 *
 * @example
 * toCsv(["phone", "note"], [["+5491161234567", "=1+1"]]); // "phone,note\r\n+5491161234567,'=1+1\r\n"
 */
export function toCsv(
  header: readonly string[],
  rows: Iterable<readonly Cell[]>,
  { terminal = false }: { terminal?: boolean } = {},
): string {
  const show = (cell: Cell): Cell => (terminal && typeof cell === "string" ? visible(cell) : cell);
  const lines = [csvLine(header)];
  for (const row of rows) lines.push(csvLine(row.map((cell) => show(spreadsheetSafe(cell)))));
  return lines.join("");
}
