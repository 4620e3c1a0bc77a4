import { age, count, createdTime, money, number, shown } from "../../../cli/display/format.ts";
import { customerName, deliveryType, deliveryWords, editedWords } from "../../../cli/display/order-facts.ts";
import { column, table } from "../../../cli/display/table.ts";
import { forScreen, textWidth, truncate } from "../../../cli/display/text.ts";
import type { Ui } from "../../../cli/display/ui.ts";
import { type Fields, list } from "../../../cli/display/values.ts";
import { isOffState } from "../../../contract/limits.ts";
import type { Board, BoardOrder } from "./board.ts";

/** A branch as the compact screen shows it; `ui` has its money. */
export type BranchBoard = { name: string; board: Board; ui: Ui };

/** Marks the number of the order that came last. */
const newestMark = "› ";
/** The header and its rule. */
const headerLines = 2;

type Row = BoardOrder & Pick<BranchBoard, "name" | "ui"> & { isNewest?: boolean };

const items = (order: Fields, ui: Ui): string =>
  list(order["lineas"])
    .map((line) => `${number(line["cantidad"], ui)} ${shown(line["nombre"])}`)
    .join(", ");

/** `from`: the state before, of a change; `changes`: what was edited. */
type LineOptions = {
  repeated?: boolean;
  from?: string;
  changes?: string[] | undefined;
  branch?: string | undefined;
};

const noStyle = (text: string): string => text;

function formatState(order: Fields, from: string | undefined, asides: readonly string[]): string {
  const state = shown(order["status"]);
  const before = from === undefined || from === order["status"] ? "" : `${shown(from)} → `;
  const more = asides.length === 0 ? "" : ` (${asides.join(", ")})`;
  return before + state + more;
}

/** Returns an order in one line, for a file or a pipe: time, number, customer, delivery, items, total, state. */
export function orderLine(given: object, ui: Ui, options: LineOptions): string {
  const { repeated, from, changes, branch } = options;
  const order = forScreen(given, ui) as Fields;
  const { t } = ui.texts;
  const asides: string[] = [];
  if (changes !== undefined) asides.push(editedWords(changes, ui.texts));
  if (repeated === true) asides.push(t("possibly shown before"));

  const join = (what: string): string =>
    [
      createdTime(order, ui),
      ...(branch === undefined ? [] : [shown(branch)]),
      shown(order["order_id"]),
      customerName(order, ui.texts),
      deliveryType(order, deliveryWords(t)),
      ...(what === "" ? [] : [what]),
      money(order["total"], ui),
      formatState(order, from, asides),
    ].join("  ");
  const what = items(order, ui);
  const { width } = ui;
  if (width === undefined) return `${join(what)}\n`;

  // On a terminal the items give way: the total and the state are at the end.
  const room = width - textWidth(join("")) - 2;
  const line = truncate(join(truncate(what, Math.max(0, room))), width);
  const isOff = from !== undefined && isOffState(order["status"]);
  const whereOn = changes === undefined ? noStyle : ui.theme.warn;
  const style = isOff ? ui.theme.bad : whereOn;
  return `${style(line)}\n`;
}

function rowColumns(rows: readonly Row[], isMany: boolean, lateMs: number, ui: Ui) {
  const { theme, texts } = ui;
  const { t } = texts;
  const types = deliveryWords(t);
  const isLate = ({ since, leftAt }: Row): boolean => leftAt === undefined && ui.now - since >= lateMs;
  const style = (text: string, row: Row): string => {
    if (row.leftAt !== undefined) return isOffState(row.order["status"]) ? theme.bad(text) : theme.dim(text);
    if (isLate(row)) return theme.bad(text);
    return row.isEdited === true ? theme.warn(text) : text;
  };
  const strong = (text: string, row: Row): string => theme.strong(style(text, row));

  const formatNumber = ({ order, isNewest }: Row): string =>
    (isNewest === true ? newestMark : "") + shown(order["order_id"]);
  const formatWait = ({ since, leftAt = ui.now }: Row): string => age(leftAt - since);
  // An order on this screen waits in pendiente: only another state, or an edit, is worth a column.
  const formatRowState = ({ order, isEdited, leftAt }: Row): string =>
    leftAt === undefined ? (isEdited === true ? t("edited") : "") : shown(order["status"]);
  return [
    isMany && column<Row>(t("Branch"), 2, ({ name }) => shown(name), { shrinkTo: 8, style }),
    column<Row>(t("Order"), 1, formatNumber, { align: "right", style: strong }),
    column<Row>(t("Waits"), 1, formatWait, { align: "right", style: strong }),
    column<Row>(t("Customer"), 2, ({ order }) => customerName(order, ui.texts), { shrinkTo: 10, style }),
    column<Row>(t("Delivery"), 5, ({ order }) => deliveryType(order, types), { shrinkTo: 8, style }),
    column<Row>(t("Items"), 3, ({ order, ui: own }) => items(order, own), { shrinkTo: 12, style }),
    column<Row>(t("Total"), 4, ({ order, ui: own }) => money(order["total"], own), {
      align: "right",
      style,
    }),
    rows.some((row) => formatRowState(row) !== "") &&
      column<Row>(t("State"), 1, formatRowState, { shrinkTo: 14, style: strong }),
  ];
}

function rowsTable(rows: readonly Row[], isMany: boolean, lateMs: number, ui: Ui): string[] {
  // The header shows what a narrow window leaves out: a note about it would take an order's line.
  return table(rowColumns(rows, isMany, lateMs, ui), rows, { ...ui, width: (ui.width ?? 80) - 1 })
    .split("\n")
    .slice(0, rows.length + headerLines);
}

/** Returns a line with number and total of today's orders, a total for each currency. */
function todayLine(boards: readonly BranchBoard[], ui: Ui): string {
  const sums = new Map<string, { total: number; ui: Ui }>();
  let orders = 0;
  for (const { board, ui: own } of boards) {
    const today = board.today();
    const { currency } = own.money;
    const before = sums.get(currency)?.total ?? 0;
    sums.set(currency, { total: before + today.total, ui: own });
    orders += today.orders;
  }
  const totals = [...sums.values()].map(({ total, ui: own }) => money(total, own));
  return ui.texts.t("Today: {count, plural, one {# order} other {# orders}} · {total}", {
    count: count(orders, ui),
    total: totals.join(" + "),
  });
}

/**
 * Returns the rows that fit into `room` lines: the latest changes and both ends of the waiting orders; `above` rows come before the
 * gap.
 */
function fitRows(changed: readonly Row[], waiting: readonly Row[], room: number) {
  const all = [...changed, ...waiting];
  if (all.length <= room) return { rows: all, above: all.length, more: 0 };

  // One line counts what is left out.
  const lines = Math.max(1, room - 1);
  const first = changed.slice(0, waiting.length === 0 ? lines : Math.ceil(lines / 2));
  const left = lines - first.length;
  const newestCount = Math.min(waiting.length, Math.floor(left / 2));
  const oldestCount = Math.min(waiting.length, left) - newestCount;
  const newest = waiting.slice(waiting.length - newestCount);
  const oldest = waiting.slice(0, oldestCount);
  const rows = [...first, ...oldest, ...newest];
  return { rows, above: first.length + oldest.length, more: all.length - rows.length };
}

/**
 * Returns the compact screen in at most `height` lines: the latest changes, the waiting orders (the oldest first, the newest marked),
 * how many of them do not fit, today's total; no line before the first poll.
 */
export function compactScreen(
  boards: readonly BranchBoard[],
  lateMs: number,
  height: number,
  ui: Ui,
): string[] {
  const { t } = ui.texts;
  if (!boards.some(({ board }) => board.isRead)) return [];
  const toRows = (pick: (board: Board) => BoardOrder[]): Row[] =>
    boards
      .flatMap(({ name, board, ui: own }) => pick(board).map((row) => ({ ...row, name, ui: own })))
      .sort((a, b) => (a.since || 0) - (b.since || 0));

  const changed = toRows((board) => board.changed());
  const waiting = toRows((board) => board.waiting());
  const newest = waiting.pop();
  if (newest !== undefined) waiting.push({ ...newest, isNewest: waiting.length > 0 });

  const { dim, strong } = ui.theme;
  const today = truncate(todayLine(boards, ui), (ui.width ?? 80) - 1);
  const room = Math.max(1, height - headerLines - 1);
  const { rows, above, more } = fitRows(changed, waiting, room);
  const lines =
    rows.length === 0 ? [dim(t("No orders waiting."))] : rowsTable(rows, boards.length > 1, lateMs, ui);
  const left = more > 0 ? [dim(t("+{count} more", { count: count(more, ui) }))] : [];
  const upper = headerLines + above;
  return [...lines.slice(0, upper), ...left, ...lines.slice(upper), strong(today)];
}
