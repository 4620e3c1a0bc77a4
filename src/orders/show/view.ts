import { type Fields, fields, list, present } from "../../cli/fields.ts";
import { createdTime, money, number, shown, timeOfDay, visible } from "../../cli/format.ts";
import type { Ui } from "../../cli/output.ts";
import { pad, paragraph, textWidth, wrap } from "../../cli/text.ts";
import type { Order } from "../../contract/order.ts";
import { address, customerName, customerPhone, deliveryType, payment, toCollect } from "../order-fields.ts";
import type { OrderChanged } from "../watch/outputs.ts";

interface Row {
  left: string;
  right?: string;
  indent?: number;
  style?: (text: string) => string;
}

interface Ticket {
  title: string;
  state: string;
  groups: Row[][];
}

export interface TicketOptions {
  repeated?: boolean;
  /** The branch as people name it, where orders of several stand below each other. */
  branch?: string | undefined;
}

type ChangeShown = Pick<OrderChanged, "order_id" | "from" | "to" | "at"> & { branch?: string | undefined };

/** States in which an order is off (`docs/service.md` 3): whoever is at work on it must see that. */
const OFF: ReadonlySet<string> = new Set(["cancelado", "rechazado"]);

/** Beyond this many columns a ticket is harder to read, not easier. */
const WIDEST = 64;
/** Below this many columns a frame leaves no room for what it frames. */
const NARROWEST = 32;

function head(order: Fields, ui: Ui): Row[] {
  const words = ui.texts.ticket;
  const rows: Row[] = [
    {
      // When, not how long ago: a ticket stays where it is printed.
      left: createdTime(order, ui),
      right: deliveryType(order, words),
      style: ui.theme.strong,
    },
    { left: customerName(order, ui.texts), right: customerPhone(order) },
  ];
  const where = address(order);
  if (where !== "") rows.push({ left: visible(where) });
  const { referencia } = fields(order["domicilio"]);
  if (present(referencia))
    rows.push({ left: `${words.reference}: ${shown(referencia)}`, style: ui.theme.warn });
  return rows;
}

function orderLine(line: Fields, ui: Ui): Row[] {
  const start = `${number(line["cantidad"], ui)} × `;
  const indent = textWidth(start);
  const rows: Row[] = [
    {
      left: `${start}${shown(line["nombre"])}  [${shown(line["codigo"])}]`,
      right: money(line["subtotal"], ui),
      indent,
      style: ui.theme.strong,
    },
  ];
  const each = (price: unknown): string =>
    line["cantidad"] === 1 ? money(price, ui) : ui.texts.ticket.each(money(price, ui));
  const unit = line["precio_unitario"];
  if (line["cantidad"] !== 1 && present(unit)) rows.push({ left: each(unit), indent, style: ui.theme.dim });
  for (const option of list(line["opciones"])) {
    const extra = option["precio_adicional"];
    const code = present(option["codigo"]) ? `  [${shown(option["codigo"])}]` : "";
    const price = extra === 0 || !present(extra) ? "" : `  ${each(extra)}`;
    rows.push({ left: `+ ${shown(option["nombre"])}${code}${price}`, indent: indent + 2 });
  }
  // The first line of a row is never set in; what follows stands under the product's name.
  return rows.map((row, index) => (index === 0 ? row : { ...row, left: " ".repeat(indent) + row.left }));
}

/** costo_envio is part of total already (`docs/service.md` 2.1): it is named, never added. */
function sums(order: Fields, ui: Ui): Row[] {
  const words = ui.texts.ticket;
  const { theme } = ui;
  const rows: Row[] = [];
  if (present(order["costo_envio"]) && order["costo_envio"] !== 0) {
    rows.push({ left: words.shipping, right: money(order["costo_envio"], ui), style: theme.dim });
  }
  rows.push({ left: words.total, right: money(order["total"], ui) });
  const state = payment(order);
  const bold = (style: (text: string) => string) => (text: string) => theme.strong(style(text));
  if (state === "paid_online") rows.push({ left: words.nothingToCollect, style: bold(theme.good) });
  else if (state === "paid") rows.push({ left: words.paid, style: bold(theme.good) });
  else {
    if (state === "online_unpaid") rows.push({ left: words.onlineUnpaid, style: theme.warn });
    rows.push({ left: words.collect, right: toCollect(order, ui), style: theme.strong });
  }
  return rows;
}

function orderTitle(name: string, branch: string | undefined, ui: Ui): string {
  return [ui.badge ?? [], branch === undefined ? [] : shown(branch), name].flat().join(" · ");
}

function ticketOf(order: Fields, { repeated, branch }: TicketOptions, ui: Ui): Ticket {
  const words = ui.texts.ticket;
  const lines = list(order["lineas"]).flatMap((line) => orderLine(line, ui));
  const groups = [head(order, ui), lines.length > 0 ? lines : [{ left: words.noLines }], sums(order, ui)];
  if (repeated === true) groups.unshift([{ left: words.repeated, style: ui.theme.warn }]);
  return {
    title: orderTitle(words.order(shown(order["order_id"])), branch, ui),
    state: shown(order["status"]),
    groups,
  };
}

/** A row in lines of exactly `width` columns, the amount at the right of the first one where both fit. */
function layRow({ left, right = "", indent = 0, style = (text) => text }: Row, width: number): string[] {
  const beside = right !== "" && textWidth(right) <= width / 2;
  const room = beside ? width - textWidth(right) - 2 : width;
  const start = /^ */.exec(left)?.[0] ?? "";
  const inset = Math.min(Math.max(start.length, indent), Math.floor(room / 2));
  const [first = "", ...more] = wrap(left.slice(start.length), room - inset);
  // Wrapped once for the narrower room, so that no later line is longer than the first may be.
  const texts = [
    `${" ".repeat(Math.min(start.length, inset))}${first}`,
    ...more.map((each) => " ".repeat(inset) + each),
  ];
  const lines = texts.map((text, index) =>
    index === 0 && beside ? `${pad(text, width - textWidth(right))}${right}` : pad(text, width),
  );
  const below = right === "" || beside ? [] : wrap(right, width).map((each) => pad(each, width, "right"));
  return [...lines, ...below].map(style);
}

function framed({ title, state, groups }: Ticket, width: number, ui: Ui): string[] {
  const { dim, heading, accent } = ui.theme;
  const inner = width - 4;
  const fill = inner - textWidth(title) - textWidth(state) - 2;
  const fits = fill > 0;
  // A title too long for the frame's edge stands inside it, where it wraps: an order's number is never cut.
  const inside = fits ? groups : [[{ left: title, right: state, style: heading }], ...groups];
  const bar = (text: string): string => `${dim("│")} ${text} ${dim("│")}`;
  const body = inside.flatMap((group, index) => [
    ...(index === 0 ? [] : [dim(`├${"─".repeat(width - 2)}┤`)]),
    ...group.flatMap((row) => layRow(row, inner)).map(bar),
  ]);
  return [
    fits
      ? `${dim("╭")} ${heading(title)} ${dim("─".repeat(fill))} ${accent(state)} ${dim("╮")}`
      : dim(`╭${"─".repeat(width - 2)}╮`),
    ...body,
    dim(`╰${"─".repeat(width - 2)}╯`),
  ];
}

function plain({ title, state, groups }: Ticket, ui: Ui): string[] {
  const rows = groups.flat().map(({ left, right = "" }) => (right === "" ? left : `${left}  ${right}`));
  return [`${title} · ${state}`, ...rows.map((row) => `  ${row}`)].flatMap((row) => paragraph(row, ui));
}

/** Framed on a terminal, plain lines in a pipe (`docs/service.md` 2.1 to 2.4); never fails, whatever is missing from the order. */
export function orderTicket(order: Order, ui: Ui, options: TicketOptions = {}): string {
  const ticket = ticketOf(order, options, ui);
  const { width = 0 } = ui;
  const lines = width < NARROWEST ? plain(ticket, ui) : framed(ticket, Math.min(width, WIDEST), ui);
  return `${lines.join("\n")}\n`;
}

export function orderChanged(change: ChangeShown, ui: Ui): string {
  const { order_id: id, from, to, branch, at } = change;
  const words = ui.texts.ticket;
  const title = orderTitle(words.changed(shown(id), shown(from), shown(to)), branch, ui);
  const style = OFF.has(to) ? ui.theme.warn : (text: string) => text;
  return `${paragraph(`${timeOfDay(at)}  ${title}`, ui)
    .map(style)
    .join("\n")}\n`;
}
