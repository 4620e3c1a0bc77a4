import CliTable from "cli-table3";
import { ABSENT, visible } from "./format.ts";
import { forScreen, note, pad, textWidth, truncate, wrap } from "./text.ts";
import type { Ui } from "./ui.ts";

export interface Column<Row> {
  title: string;
  cell: (row: Row) => string;
  align?: "left" | "right";
  /** 1 is the most important; the highest numbers are left out first where the terminal is narrow. */
  priority: number;
  /** The number of columns to which cells may be cut before another column is left out; without it, they are cut last. */
  shrinkTo?: number;
  wraps?: boolean;
  style?: (text: string, row: Row) => string;
}

export const column = <Row>(
  title: string,
  priority: number,
  cell: (row: Row) => string,
  more: Omit<Column<Row>, "title" | "priority" | "cell"> = {},
): Column<Row> => ({ title, priority, cell, ...more });

type Laid<Row> = ReturnType<typeof layOut<Row>>;
const GAP = "  ";

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + GAP.length * Math.max(0, widths.length - 1);

/** In a pipe a longer cell stands out: to pad all others to it would take too much memory. */
const maxAligned = 1_000;

function layOut<Row>(column: Column<Row>, rows: readonly Row[], ui: Pick<Ui, "width">) {
  const title = visible(forScreen(column.title, ui));
  const cells = rows.map((row) => visible(forScreen(column.cell(forScreen(row, ui)), ui)));
  const widest = cells.reduce((most, cell) => Math.max(most, textWidth(cell)), textWidth(title));
  return { column, title, cells, width: Math.min(widest, ui.width ?? maxAligned) };
}

function dropColumns<Row>(all: readonly Laid<Row>[], width: number): Laid<Row>[] {
  let kept = [...all];
  const least = (laid: Laid<Row>): number => Math.min(laid.width, laid.column.shrinkTo ?? laid.width);
  while (kept.length > 1 && total(kept.map(least)) > width) {
    const last = Math.max(...kept.map(({ column }) => column.priority));
    const at = kept.findLastIndex(({ column }) => column.priority === last);
    kept = kept.toSpliced(at, 1);
  }
  return kept;
}

/** Cuts the widest columns first, one place at a time, so that narrow ones stay whole. Columns that wrap are cut last. */
function shrink<Row>(kept: readonly Laid<Row>[], width: number): void {
  // The last column is cut as far as necessary.
  const minWidth = (laid: Laid<Row>): number =>
    kept.length === 1 ? 1 : (laid.column.shrinkTo ?? laid.width);
  const byRoom = (a: Laid<Row>, b: Laid<Row>): number =>
    Number(a.column.wraps ?? false) - Number(b.column.wraps ?? false) || b.width - a.width;
  for (let excess = total(kept.map((laid) => laid.width)) - width; excess > 0; excess--) {
    const [widest] = kept.filter((laid) => laid.width > minWidth(laid)).sort(byRoom);
    if (widest === undefined) return;
    widest.width--;
  }
}

function cellLines<Row>({ column, width }: Laid<Row>, text: string, isPipe: boolean): string[] {
  if (isPipe || textWidth(text) <= width) return [text];
  return column.wraps === true ? wrap(text, width) : [truncate(text, width)];
}

/** The number of rows drawn at once: cli-table3's time grows with the square of the rows of a table. */
const BLOCK = 100;
/** More rows than people read. */
export const MANY = 300;
const chars = {
  ...Object.fromEntries(Object.keys(new CliTable().options.chars).map((name) => [name, ""])),
  middle: GAP,
};
/** The letters that cli-table3 measures right; it does not know dim colours, emoji since 2019 and accents of most scripts. */
const MEASURED_RIGHT = /^[ -~\xa1-\u02ff]*$/;
/** For a line that it measures wrong it draws a sign of plane 15, which nothing else is, filled to the line's width. */
const FIRST_SIGN = 0xf0000;
const SIGNS = /[\u{f0000}-\u{ffffd}]\u{e000}*/gu;

function drawBlock<Row>(kept: readonly Laid<Row>[], rows: readonly (readonly string[][])[]): string[] {
  const hidden: string[] = [];
  const measurable = (line: string, width: number): string => {
    if (line.length <= width && MEASURED_RIGHT.test(line)) return line;
    const sign = String.fromCodePoint(FIRST_SIGN + hidden.push(line) - 1);
    return sign + "\u{e000}".repeat(Math.max(0, Math.min(width, textWidth(line)) - 1));
  };
  const drawing = new CliTable({
    chars,
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
    colWidths: kept.map(({ width }) => width),
    colAligns: kept.map(({ column }) => column.align ?? "left"),
  });
  // One line per cell, because cli-table3's time grows with the square of the lines in a cell.
  for (const cells of rows)
    for (let at = 0; at < Math.max(...cells.map((lines) => lines.length)); at++)
      drawing.push(cells.map((lines, n) => measurable(lines[at] ?? "", kept[n]?.width ?? 0)));
  const text = drawing
    .toString()
    .replace(SIGNS, (sign) => hidden[(sign.codePointAt(0) ?? 0) - FIRST_SIGN] ?? "");
  // No padding after the last text: trailing spaces wrap on a narrow terminal and spoil a copy.
  return text.split("\n").map((line) => line.trimEnd());
}

function draw<Row>(kept: readonly Laid<Row>[], rows: readonly (readonly string[][])[]): string[] {
  const lines: string[] = [];
  for (let from = 0; from < rows.length; from += BLOCK)
    lines.push(...drawBlock(kept, rows.slice(from, from + BLOCK)));
  return lines;
}

/** Draws a table as cli-table3 does, which takes seconds for thousands of rows. */
function drawMany<Row>(kept: readonly Laid<Row>[], rows: Iterable<readonly string[][]>): string[] {
  const drawn: string[] = [];
  for (const cells of rows) {
    const height = Math.max(...cells.map((lines) => lines.length));
    for (let at = 0; at < height; at++) {
      const padded = kept.map(({ width, column }, n) => pad(cells[n]?.[at] ?? "", width, column.align));
      drawn.push(padded.join(GAP).trimEnd());
    }
  }
  return drawn;
}

/** Yields the lines of each cell, row by row below the titles: all rows at once would be many more arrays than rows. */
function* cellsOfRows<Row>(
  kept: readonly Laid<Row>[],
  rows: readonly Row[],
  { theme, width }: Ui,
): Generator<string[][]> {
  const isPipe = width === undefined;
  const addStyle = ({ column }: Laid<Row>, line: string, row: Row): string =>
    line === ABSENT ? theme.dim(line) : (column.style?.(line, row) ?? line);
  yield kept.map((laid) => cellLines(laid, laid.title, isPipe).map(theme.heading));
  for (const [n, row] of rows.entries())
    yield kept.map((laid) =>
      cellLines(laid, laid.cells[n] ?? "", isPipe).map((line) => addStyle(laid, line, row)),
    );
}

/** On a terminal the least important columns are left out first and named below, then cells are cut; in a pipe nothing is. */
export function table<Row>(columns: readonly (Column<Row> | false)[], rows: readonly Row[], ui: Ui): string {
  const { theme, width } = ui;
  const all = columns.filter((column) => column !== false).map((column) => layOut(column, rows, ui));
  const kept = width === undefined ? all : dropColumns(all, width);
  if (width !== undefined) shrink(kept, width);
  const cells = cellsOfRows(kept, rows, ui);
  const lines = rows.length > MANY ? drawMany(kept, cells) : draw(kept, [...cells]);
  if (width !== undefined) lines.splice(1, 0, theme.dim("─".repeat(total(kept.map((laid) => laid.width)))));
  // The bars of a table have no title, and say nothing that its numbers do not.
  const left = all.filter((laid) => !kept.includes(laid) && laid.title !== "").map(({ title }) => title);
  if (left.length > 0) {
    const text = ui.texts.t("No room for: {columns}. Use a wider window or --json.", {
      columns: left.join(", "),
    });
    lines.push(...note(text, ui));
  }
  return `${lines.join("\n")}\n`;
}

/** A list: its rows below one heading line, and what people read above and below them. */
export interface Listing {
  head: readonly string[];
  rows: string;
  foot: readonly string[];
}

export const listing = <Row>(
  columns: readonly (Column<Row> | false)[],
  rows: readonly Row[],
  { head, foot }: Omit<Listing, "rows">,
  ui: Ui,
): Listing => ({
  head,
  foot,
  rows: rows.length === 0 && ui.width !== undefined ? "" : table(columns, rows, ui),
});

/** On a terminal, the whole list. In a pipe, one heading line and the rows, for `wc -l`, `sort` and `awk`. */
export function listText({ head, rows, foot }: Listing, { width }: Pick<Ui, "width">): string {
  if (width === undefined) return rows;
  return `${[...head, ...(rows === "" ? [] : [rows.trimEnd(), ""]), ...foot].join("\n")}\n`;
}
