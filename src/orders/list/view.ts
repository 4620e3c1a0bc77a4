import { countUntil } from "../../api/pages.ts";
import { toCell } from "../../cli/display/csv.ts";
import { type FieldsOf, fieldColumns } from "../../cli/display/fields.ts";
import { age, count, createdAt, createdTime, money, number, shown } from "../../cli/display/format.ts";
import {
  address,
  asCame,
  customerName,
  deliveryType,
  deliveryWords,
  payment,
  toCollect,
} from "../../cli/display/order-facts.ts";
import { type Column, column, type Listing, listing } from "../../cli/display/table.ts";
import { note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { type Fields, fields, list, onlyObjects } from "../../cli/display/values.ts";
import { examples } from "../../contract/examples.ts";
import type { OrdersResponse } from "../../contract/order.ts";

interface OrdersListed {
  states: readonly string[];
  /** False if there is no next page to request. */
  isPaged: boolean;
  fields?: readonly string[] | undefined;
}

function columns(oneState: boolean, ui: Ui): Column<Fields>[] {
  const { theme, texts } = ui;
  const { t } = texts;
  const words = deliveryWords(t);
  const paid = {
    paid_online: t("PAID ONLINE"),
    paid: t("PAID"),
    online_unpaid: undefined,
    to_collect: undefined,
  };
  const collect = (order: Fields): string => paid[payment(order)] ?? toCollect(order, ui);
  const items = (order: Fields): string =>
    list(order["lineas"])
      .map((line) => `${number(line["cantidad"], ui)} ${shown(line["nombre"])}`)
      .join(", ");
  const paidIsGood = (text: string, order: Fields): string =>
    payment(order).startsWith("paid") ? theme.good(text) : text;
  return [
    column(t("Order"), 1, (o) => shown(o["order_id"]), { style: theme.strong }),
    column(t("Created"), 5, (o) => createdTime(o, ui)),
    column(t("Age"), 2, (o) => age(ui.now - createdAt(o)), { align: "right" }),
    // If all have the state that was asked for, its column says the least.
    column(t("State"), oneState ? 6 : 3, (o) => shown(o["status"]), { shrinkTo: 9, style: theme.accent }),
    column(t("Delivery"), 3, (o) => deliveryType(o, words), { shrinkTo: 8 }),
    column(t("Customer"), 2, (o) => customerName(o, texts), { shrinkTo: 10 }),
    column(t("Items"), 4, items, { shrinkTo: 16 }),
    column(t("To collect"), 1, collect, { align: "right", shrinkTo: 12, style: paidIsGood }),
    column(t("Total"), 5, (o) => money(o["total"], ui), { align: "right", shrinkTo: 12 }),
  ];
}

function footer(response: Listed, here: number, { isPaged }: OrdersListed, ui: Ui): string {
  const { t } = ui.texts;
  const { total, page, has_more: more } = fields(response);
  const isPart = typeof total === "number" && total > here;
  const all = t(
    more === true
      ? "{count, plural, one {# order} other {# orders}} shown; there are more."
      : "{count, plural, one {# order.} other {# orders.}}",
    { count: count(here, ui) },
  );
  const much = isPart
    ? t("{count} of {total, plural, one {# order} other {# orders}} shown.", {
        count: count(here, ui),
        total: count(total, ui),
      })
    : all;
  const at = typeof page === "number" ? page : 1;
  const isLeft = more === true || (isPart && countUntil(response, at) < total);
  const next = t("--page {page} shows the next page, --all every page.", { page: at + 1 });
  return isLeft && isPaged ? `${much} ${next}` : much;
}

type Listed = Pick<OrdersResponse, "orders"> & Partial<OrdersResponse>;

export function ordersList(response: Listed, listed: OrdersListed, ui: Ui): Listing {
  const { t } = ui.texts;
  const states = listed.states.join(", ");
  const rows = onlyObjects(response.orders);
  const { total } = fields(response);
  const nothing =
    typeof total === "number" && total > 0
      ? t("No orders on this page.")
      : t("No orders in {states}.", { states });
  const foot =
    rows.length === 0 ? paragraph(nothing, ui) : note(footer(response, rows.length, listed, ui), ui);
  const shownColumns =
    listed.fields === undefined
      ? columns(listed.states.length === 1, ui)
      : fieldColumns(orderFields, listed.fields, rows);
  return listing(
    shownColumns,
    rows,
    { head: [...title(t("Orders · {states}", { states }), ui), ""], foot },
    ui,
  );
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

type CsvColumn = FieldsOf<Fields>["columns"][number];

const own = (name: string): CsvColumn => [name, (order) => toCell(order[name])];
const within = (part: string, ...names: string[]): CsvColumn[] =>
  names.map((name) => [`${part}_${name}`, (order) => toCell(fields(order[part])[name])]);

/** The fields of an order; the columns of the CSV are stable and named after the service's own fields. */
export const orderFields: FieldsOf<Fields> = {
  object: (order) => order,
  get example() {
    return fields(examples.listOrders.response.orders[0]);
  },
  columns: [
    ...["order_id", "created_at_iso", "status", "delivery_type"].map(own),
    ...within("cliente", "nombre", "telefono"),
    ["direccion", (order) => address(order)],
    ["lineas", csvLines],
    ...["costo_envio", "total"].map(own),
    ...within("pago", "modo", "pagado", "monto"),
  ],
};
