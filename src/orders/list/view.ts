import { cellOf } from "../../cli/csv.ts";
import {
  type Fields,
  type FieldsOf,
  fieldColumns,
  fields,
  fieldsCsv,
  list,
  objectsOf,
} from "../../cli/fields.ts";
import { age, count, createdAt, createdTime, money, shown } from "../../cli/format.ts";
import type { Ui } from "../../cli/output.ts";
import { type Column, table } from "../../cli/table.ts";
import { note, paragraph, title } from "../../cli/text.ts";
import { examples } from "../../contract/openapi.ts";
import type { Order, OrdersResponse } from "../../contract/order.ts";
import {
  address,
  asCame,
  customerName,
  deliveryType,
  linesSummary,
  payment,
  toCollect,
} from "../order-fields.ts";

interface OrdersListed {
  states: readonly string[];
  /** True when one page was read; false with `--all` or `--limit`, where no next page can be asked for. */
  paged: boolean;
  limited: boolean;
  fields?: readonly string[] | undefined;
}

function collect(order: Fields, ui: Ui): string {
  const state = payment(order);
  if (state === "paid_online") return ui.texts.orders.paidOnline;
  return state === "paid" ? ui.texts.orders.paid : toCollect(order, ui);
}

function columns(oneState: boolean, ui: Ui): Column<Fields>[] {
  // Where all are of the state that was asked for, its column says the least.
  const statePriority = oneState ? 6 : 3;
  const { theme, texts } = ui;
  const words = texts.orders;
  return [
    { title: words.columns.id, cell: (o) => shown(o["order_id"]), priority: 1, style: theme.strong },
    { title: words.columns.created, cell: (o) => createdTime(o, ui), priority: 5 },
    { title: words.columns.age, cell: (o) => age(ui.now - createdAt(o)), align: "right", priority: 2 },
    {
      title: words.columns.state,
      cell: (o) => shown(o["status"]),
      priority: statePriority,
      shrinkTo: 9,
      style: theme.accent,
    },
    { title: words.columns.delivery, cell: (o) => deliveryType(o, words), priority: 3, shrinkTo: 8 },
    { title: words.columns.customer, cell: (o) => customerName(o, texts), priority: 2, shrinkTo: 10 },
    { title: words.columns.items, cell: (o) => linesSummary(o, ui), priority: 4, shrinkTo: 16 },
    {
      title: words.columns.collect,
      cell: (o) => collect(o, ui),
      align: "right",
      priority: 1,
      shrinkTo: 12,
      style: (text, o) => (payment(o).startsWith("paid") ? theme.good(text) : text),
    },
    {
      title: words.columns.total,
      cell: (o) => money(o["total"], ui),
      align: "right",
      priority: 5,
      shrinkTo: 12,
    },
  ];
}

function footer(response: object, here: number, listed: OrdersListed, ui: Ui): string {
  const words = ui.texts.orders;
  const { total, page, has_more: more } = fields(response);
  const known = typeof total === "number" && total >= here;
  if (more !== true && known && total === here) return words.everything(count(here, ui));
  const much = known ? words.some(count(here, ui), count(total, ui)) : words.everything(count(here, ui));
  if (more !== true) return much;
  const next = listed.paged
    ? words.nextPage((typeof page === "number" ? page : 1) + 1)
    : listed.limited
      ? words.allOfThem
      : words.notAllRead;
  return `${known && total > here ? much : words.someOfMore(count(here, ui))} ${next}`;
}

export function ordersList(response: Pick<OrdersResponse, "orders">, listed: OrdersListed, ui: Ui): string {
  const words = ui.texts.orders;
  const states = listed.states.join(", ");
  const head = title(words.title(states), ui).join("\n");
  const rows = objectsOf(response.orders);
  if (rows.length === 0) {
    const { total } = fields(response);
    const nothing = typeof total === "number" && total > 0 ? words.noMoreHere : words.none(states);
    return `${[head, "", ...paragraph(nothing, ui)].join("\n")}\n`;
  }
  const shownColumns =
    listed.fields === undefined
      ? columns(listed.states.length === 1, ui)
      : fieldColumns(orderFields, listed.fields, rows);
  return `${head}\n\n${table(shownColumns, rows, ui)}\n${note(footer(response, rows.length, listed, ui), ui).join("\n")}\n`;
}

function csvLines(order: Fields): string {
  return list(order["lineas"])
    .map((line) => {
      const options = list(line["opciones"]).map((option) => asCame(option["nombre"]));
      const more = options.length > 0 ? ` (${options.join(", ")})` : "";
      return `${asCame(line["cantidad"])} x ${asCame(line["codigo"])} ${asCame(line["nombre"])}${more}`;
    })
    .join("; ");
}

/** What there is to choose of an order; the columns of the CSV are stable and named after the service's own fields. */
export const orderFields: FieldsOf<Fields> = {
  object: (order) => order,
  example: fields(examples.listOrders.response.orders[0]),
  columns: [
    ["order_id", (o) => cellOf(o["order_id"])],
    ["created_at_iso", (o) => cellOf(o["created_at_iso"])],
    ["status", (o) => cellOf(o["status"])],
    ["delivery_type", (o) => cellOf(o["delivery_type"])],
    ["cliente_nombre", (o) => cellOf(fields(o["cliente"])["nombre"])],
    ["cliente_telefono", (o) => cellOf(fields(o["cliente"])["telefono"])],
    ["direccion", (o) => address(o)],
    ["lineas", csvLines],
    ["costo_envio", (o) => cellOf(o["costo_envio"])],
    ["total", (o) => cellOf(o["total"])],
    ["pago_modo", (o) => cellOf(fields(o["pago"])["modo"])],
    ["pago_pagado", (o) => cellOf(fields(o["pago"])["pagado"])],
    ["pago_monto", (o) => cellOf(fields(o["pago"])["monto"])],
  ],
};

export function ordersCsv(
  orders: readonly Order[],
  ui: Pick<Ui, "width">,
  chosen?: readonly string[],
): string {
  return fieldsCsv(orderFields, chosen, objectsOf(orders), ui);
}
