import { visible } from "./format.ts";
import type { Ui } from "./ui.ts";
import { textWidth, truncate, truncateStart, wrap } from "./width.ts";

/** A column of a table. */
export interface Column<Row> {
  title: string;
  /** The text of a cell; the table makes it safe. */
  cell: (row: Row) => string;
  align?: "left" | "right";
  /** 1 is the most important; the highest numbers are left out first where the terminal is narrow. */
  priority: number;
  /** To how many columns cells may be cut before another column is left out; without it, only at the very end. */
  shrinkTo?: number;
  /** Which end of a cell that is too long is cut off (default "end"). */
  cutAt?: "start" | "end";
  /** Wraps a cell that is too long instead of cutting it; for the last column of a short table. */
  wraps?: boolean;
  /** Colours the finished cell. */
  style?: (text: string, row: Row) => string;
}

const GAP = 2;

/** A safe text and its columns on a terminal; finding those out is what takes time, so it is done once. */
interface Cell {
  text: string;
  width: number;
}

interface Laid<Row> {
  column: Column<Row>;
  title: Cell;
  cells: Cell[];
  width: number;
}

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, widths.length - 1);

/** Leaves out the least important columns until the rest fits, cut as far as it may be. */
function dropColumns<Row>(all: readonly Laid<Row>[], width: number): Laid<Row>[] {
  let kept = [...all];
  const least = (laid: Laid<Row>): number => Math.min(laid.width, laid.column.shrinkTo ?? laid.width);
  while (kept.length > 1 && total(kept.map(least)) > width) {
    const last = Math.max(...kept.map(({ column }) => column.priority));
    const victim = kept.findLastIndex(({ column }) => column.priority === last);
    kept = kept.filter((_, index) => index !== victim);
  }
  return kept;
}

/** Cuts the widest of the columns that may be cut, one step at a time, so that narrow ones stay whole. */
function shrink<Row>(kept: readonly Laid<Row>[], width: number): void {
  // The one that is left is cut as far as it must be.
  const floorOf = (laid: Laid<Row>): number => (kept.length === 1 ? 1 : (laid.column.shrinkTo ?? laid.width));
  let excess = total(kept.map((laid) => laid.width)) - width;
  while (excess > 0) {
    const spare = (laid: Laid<Row>): boolean => laid.width > floorOf(laid);
    const widest = kept
      .filter(spare)
      .reduce<Laid<Row> | undefined>(
        (best, laid) => (best === undefined || laid.width > best.width ? laid : best),
        undefined,
      );
    if (widest === undefined) return;
    const floor = floorOf(widest);
    const next = Math.max(
      0,
      ...kept.filter((l) => l !== widest && l.width < widest.width).map((l) => l.width),
    );
    const step = Math.max(1, Math.min(excess, widest.width - Math.max(floor, next)));
    widest.width -= step;
    excess -= step;
  }
}

function line<Row>(columns: readonly Laid<Row>[], text: (laid: Laid<Row>, last: boolean) => string): string {
  // Nothing is filled up behind the last text: trailing spaces wrap on a narrow terminal and spoil a copy.
  return columns
    .map((laid, index) => text(laid, index === columns.length - 1))
    .join(" ".repeat(GAP))
    .trimEnd();
}

const EMPTY: Cell = { text: "", width: 0 };

function measured(text: string): Cell {
  const safe = visible(text);
  return { text: safe, width: textWidth(safe) };
}

function fill<Row>({ column, width }: Laid<Row>, cell: Cell, last: boolean): string {
  const shorten = column.cutAt === "start" ? truncateStart : truncate;
  const cut = cell.width > width ? measured(shorten(cell.text, width)) : cell;
  const space = " ".repeat(width - cut.width);
  if (column.align === "right") return space + cut.text;
  return last ? cut.text : cut.text + space;
}

/** One row of cells as one line, or more when the last column wraps. */
function rowLines<Row>(kept: readonly Laid<Row>[], row: Row, index: number): string[] {
  const styled = (laid: Laid<Row>, text: string): string => laid.column.style?.(text, row) ?? text;
  const last = kept.at(-1);
  const cell = last?.cells[index] ?? EMPTY;
  if (last === undefined || last.column.wraps !== true || cell.width <= last.width) {
    return [line(kept, (laid, end) => styled(laid, fill(laid, laid.cells[index] ?? EMPTY, end)))];
  }
  const before = kept.slice(0, -1);
  const inset = " ".repeat(total([...before.map(({ width }) => width), 0]));
  const [first = "", ...more] = wrap(cell.text, last.width);
  const head = before.map((laid) => styled(laid, fill(laid, laid.cells[index] ?? EMPTY, false)));
  return [
    [...head, styled(last, first)].join(" ".repeat(GAP)),
    ...more.map((each) => inset + styled(last, each)),
  ];
}

/**
 * A table as text with a newline at its end. On a terminal it fits the width: the least important columns are left
 * out first and named below, then cells are cut. In a pipe it has every column, no colour, no rule and no cut.
 *
 * The layout is our own rather than cli-table3's: that one measures every cell again for each row (10,000 rows take
 * six seconds), counts emoji differently, and would add 14 ms to each start for what is here a pad and a join.
 *
 * @example
 * table([{ title: "Code", cell: (item) => item.codigo, priority: 1 }], items, ui);
 */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], ui: Ui): string {
  const all = columns.map((column): Laid<Row> => {
    const title = measured(column.title);
    const cells = rows.map((row) => measured(column.cell(row)));
    const width = cells.reduce((widest, cell) => Math.max(widest, cell.width), title.width);
    return { column, title, cells, width };
  });
  const kept = ui.width === undefined ? all : dropColumns(all, ui.width);
  if (ui.width !== undefined) shrink(kept, ui.width);
  const { theme } = ui;
  const head = [line(kept, (laid, last) => theme.heading(fill(laid, laid.title, last)))];
  if (ui.width !== undefined) head.push(theme.dim("─".repeat(total(kept.map((laid) => laid.width)))));
  const body = rows.flatMap((row, index) => rowLines(kept, row, index));
  const left = all.filter((laid) => !kept.includes(laid)).map(({ title }) => title.text);
  const remark = left.length > 0 ? note(ui.texts.table.leftOut(left.join(", ")), ui) : [];
  return `${[...head, ...body, ...remark].join("\n")}\n`;
}

/** A quiet remark below a report, wrapped to the terminal. */
export function note(text: string, ui: Ui): string[] {
  return paragraph(text, ui).map((each) => ui.theme.dim(each));
}

/** A sentence wrapped to the terminal, one line in a pipe; safe whatever it holds. */
export function paragraph(text: string, ui: Pick<Ui, "width">): string[] {
  const safe = visible(text);
  return ui.width === undefined ? [safe] : wrap(safe, ui.width);
}

/** What stands above a part of a report. */
export function heading(text: string, ui: Ui): string[] {
  return paragraph(text, ui).map((each) => ui.theme.heading(each));
}

/** The first lines of a report: what it is, and MOCK or SANDBOX before it when it is not live. */
export function title(text: string, ui: Ui): string[] {
  const [first = "", ...more] = paragraph(ui.badge === null ? text : `${ui.badge} · ${text}`, ui);
  const rest = ui.badge !== null && first.startsWith(ui.badge) ? first.slice(ui.badge.length) : first;
  const badge = rest === first ? "" : ui.theme.warn(ui.theme.strong(ui.badge ?? ""));
  return [badge + ui.theme.heading(rest), ...more.map((each) => ui.theme.heading(each))];
}
