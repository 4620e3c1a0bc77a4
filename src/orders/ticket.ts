import { createdTime, money, number, shown, timeOfDay, visible } from "../cli/display/format.ts";
import {
  address,
  customerName,
  customerPhone,
  deliveryType,
  eachText,
  editedWords,
  isOff,
  orderName,
  payment,
  toCollect,
} from "../cli/display/order-facts.ts";
import { forScreen, pad, paragraph, textWidth, wrap } from "../cli/display/text.ts";
import type { Ui } from "../cli/display/ui.ts";
import { type Fields, fields, list, present } from "../cli/display/values.ts";
import { isOffState } from "../contract/limits.ts";
import type { Order } from "../contract/order.ts";
import type { T } from "../texts/texts.ts";

/** A row of a ticket; `mark` stands before its first line, and later lines are set in by as much. */
interface Row extends Partial<Record<"mark" | "right", string>> {
  left: string;
  style?: (text: string) => string;
}

const widest = 64;
const narrowest = 32;

function head(order: Fields, ui: Ui): Row[] {
  const { t } = ui.texts;
  const words = { pickUp: t("PICK-UP"), delivery: t("DELIVERY") };
  // When, not how long ago: a ticket stays where it is printed.
  const rows: Row[] = [
    { left: createdTime(order, ui), right: deliveryType(order, words), style: ui.theme.strong },
    { left: customerName(order, ui.texts), right: customerPhone(order) },
  ];
  const where = address(order);
  if (where !== "") rows.push({ left: visible(where) });
  const { referencia } = fields(order["domicilio"]);
  if (present(referencia)) rows.push({ left: `${t("Note")}: ${shown(referencia)}`, style: ui.theme.warn });
  return rows;
}

function orderLine(line: Fields, ui: Ui): Row[] {
  const mark = `${number(line["cantidad"], ui)} × `;
  const inset = " ".repeat(textWidth(mark));
  const name = `${shown(line["nombre"])}  [${shown(line["codigo"])}]`;
  const rows: Row[] = [{ mark, left: name, right: money(line["subtotal"], ui), style: ui.theme.strong }];
  const each = (price: unknown): string =>
    line["cantidad"] === 1 ? money(price, ui) : eachText(money(price, ui), ui.texts.t);
  const unit = line["precio_unitario"];
  if (line["cantidad"] !== 1 && present(unit))
    rows.push({ mark: inset, left: each(unit), style: ui.theme.dim });
  for (const option of list(line["opciones"])) {
    const extra = option["precio_adicional"];
    const code = present(option["codigo"]) ? `  [${shown(option["codigo"])}]` : "";
    const price = extra === 0 || !present(extra) ? "" : `  ${each(extra)}`;
    rows.push({ mark: `${inset}+ `, left: `${shown(option["nombre"])}${code}${price}` });
  }
  return rows;
}

/** costo_envio is already part of total (`docs/reference/service.md` 2.1): it is shown, never added. */
function sums(order: Fields, ui: Ui): Row[] {
  const { theme, texts } = ui;
  const { t } = texts;
  const { costo_envio: shipping, total } = order;
  const isPaid = (text: string): string => theme.strong(theme.good(text));
  const collect: Row = { left: t("TO COLLECT"), right: toCollect(order, ui), style: theme.strong };
  const payments: Record<ReturnType<typeof payment>, Row[]> = {
    paid_online: [{ left: t("PAID ONLINE · nothing to collect"), style: isPaid }],
    paid: [{ left: t("PAID · nothing to collect"), style: isPaid }],
    online_unpaid: [{ left: t("Online payment, not paid yet"), style: theme.warn }, collect],
    to_collect: [collect],
  };
  const payable = isOff(order) ? [] : payments[payment(order)];
  const rows = [{ left: t("Total"), right: money(total, ui) }, ...payable];
  if (!present(shipping) || shipping === 0) return rows;
  return [{ left: t("Shipping (included in total)"), right: money(shipping, ui), style: theme.dim }, ...rows];
}

function orderTitle(name: string, branchName: string | undefined, ui: Ui): string {
  return [ui.badge ?? [], branchName === undefined ? [] : shown(forScreen(branchName, ui)), name]
    .flat()
    .join(" · ");
}

/** Returns a row as lines of exactly `width` columns, the amount at the right of the first line if both fit. */
function layRow({ mark = "", left, right = "", style = (text) => text }: Row, width: number): string[] {
  const beside = right !== "" && textWidth(right) <= width / 2;
  const room = beside ? width - textWidth(right) - 2 : width;
  const inset = textWidth(mark) <= room / 2 ? textWidth(mark) : 0;
  const texts = wrap(inset > 0 ? left : mark + left, room - inset);
  const lines = texts.map((text, index) => {
    const line = (index === 0 && inset > 0 ? mark : " ".repeat(inset)) + text;
    return index === 0 && beside ? `${pad(line, width - textWidth(right))}${right}` : pad(line, width);
  });
  const below = right === "" || beside ? [] : wrap(right, width).map((each) => pad(each, width, "right"));
  return [...lines, ...below].map(style);
}

function frame([title, state]: [string, string], groups: Row[][], width: number, ui: Ui): string[] {
  const { dim, heading, accent, bad } = ui.theme;
  const inner = width - 4;
  const fill = inner - textWidth(title) - textWidth(state) - 2;
  // A title too long for the frame's edge goes inside, where it wraps: an order number is never cut.
  const inside = fill > 0 ? groups : [[{ left: title, right: state, style: heading }], ...groups];

  const edge = "─".repeat(width - 2);
  const stateStyle = isOffState(state) ? bad : accent;
  const top =
    fill > 0
      ? `${dim("╭")} ${heading(title)} ${dim("─".repeat(fill))} ${stateStyle(state)} ${dim("╮")}`
      : dim(`╭${edge}╮`);
  const bar = (text: string): string => `${dim("│")} ${text} ${dim("│")}`;
  const body = inside.flatMap((group, index) => [
    ...(index === 0 ? [] : [dim(`├${edge}┤`)]),
    ...group.flatMap((row) => layRow(row, inner)).map(bar),
  ]);
  return [top, ...body, dim(`╰${edge}╯`)];
}

/** Returns the lines of a ticket: framed on a terminal, plain in a pipe. */
function layOut(title: [string, string], groups: Row[][], ui: Ui): string[] {
  const { width = 0 } = ui;
  if (width >= narrowest) return frame(title, groups, Math.min(width, widest), ui);
  const rows = groups
    .flat()
    .map(({ mark = "", left, right = "" }) => `  ${mark}${left}${right === "" ? "" : `  ${right}`}`);
  return [title.join(" · "), ...rows].flatMap((row) => paragraph(row, ui));
}

function ticketGroups(order: Fields, ui: Ui): Row[][] {
  const items = list(order["lineas"]).flatMap((line) => orderLine(line, ui));
  return [head(order, ui), items.length > 0 ? items : [{ left: ui.texts.t("No items.") }], sums(order, ui)];
}

/** Returns an order as a ticket (`docs/reference/service.md` 2.1 to 2.4); never fails, whatever is missing from the order. */
export function orderTicket(given: Order, ui: Ui, repeated = false, branchName?: string): string {
  const order = forScreen(given, ui) as Fields;
  const { t } = ui.texts;
  const title = orderTitle(orderName(order["order_id"], t), branchName, ui);
  const state = shown(order["status"]);
  const groups = ticketGroups(order, ui);
  const left = t("This order might have been shown before: bpos stopped while delivering it.");
  if (repeated) groups.unshift([{ left, style: ui.theme.warn }]);
  return `${layOut([title, state], groups, ui).join("\n")}\n`;
}

const wasText = (state: string, t: T): string => t("Previous state: {state}.", { state: shown(state) });

type Change = Record<"from" | "to" | "at", string> &
  Pick<Order, "order_id"> & { changes?: readonly string[] | undefined };

function formatEditedTicket(
  { order_id: id, from, to, at, changes }: Change & { changes: readonly string[] },
  order: Fields,
  ui: Ui,
  branchName: string | undefined,
): string {
  const { texts, theme } = ui;
  const { warn } = theme;
  const strong = (text: string): string => theme.strong(warn(text));
  const { t } = texts;
  const was = from === to ? [] : [{ left: wasText(from, t), style: warn }];
  const what = { left: editedWords(changes, texts), right: timeOfDay(at), style: strong };
  const words = `${t("CHANGED")} · ${shown(to)}`;
  const title = orderTitle(orderName(id, texts.t), branchName, ui);
  const own = { ...ui, theme: { ...theme, dim: warn, heading: strong, accent: strong } };
  const groups = [[what, ...was], ...ticketGroups(order, ui)];
  return `${layOut([title, words], groups, own).join("\n")}\n`;
}

function formatOffTicket(
  { order_id: id, from, to, at }: Change,
  order: Fields,
  ui: Ui,
  branchName: string | undefined,
): string {
  const { texts, theme } = ui;
  const style = theme.bad;
  const strong = (text: string): string => theme.strong(style(text));
  const about: Row[] = [
    { left: wasText(from, texts.t), right: timeOfDay(at), style },
    { left: customerName(order, texts), right: customerPhone(order), style },
  ];
  const items = list(order["lineas"]).map((line) => {
    return { mark: `${number(line["cantidad"], ui)} × `, left: shown(line["nombre"]), style };
  });

  const red = { ...ui, theme: { ...theme, dim: style, heading: strong, accent: strong } };
  const title = orderTitle(orderName(id, texts.t), branchName, ui);
  const groups = items.length > 0 ? [about, items] : [about];
  return `${layOut([title, shown(to).toUpperCase()], groups, red).join("\n")}\n`;
}

/** Returns a change in one line; a red ticket for a cancelled or rejected order, the whole ticket for an edited one: the kitchen must notice it. */
export function orderChanged(change: Change, given: Order, ui: Ui, branchName?: string): string {
  const order = forScreen(given, ui) as Fields;
  const cut = forScreen(change, ui);
  const { order_id: id, from, to, at, changes } = cut;
  if (isOffState(to)) return formatOffTicket(cut, order, ui, branchName);
  if (changes !== undefined) return formatEditedTicket({ ...cut, changes }, order, ui, branchName);

  const states = { id: shown(id), from: shown(from), to: shown(to) };
  const title = orderTitle(ui.texts.t("Order {id}: {from} → {to}", states), branchName, ui);
  const lines = paragraph(`${timeOfDay(at)}  ${title}`, ui);
  return `${lines.join("\n")}\n`;
}
