import { stringify } from "lossless-json";
import type { Order, OrdersQuery, OrdersResponse } from "../contract/order.ts";
import type { Answer } from "./call.ts";

/** The order_id as text; undefined where there is none that can be used. */
export function orderIdText(order: Order): string | undefined {
  // A service may list what is no object: that holds no other order up.
  const id: unknown = (order as Order | null)?.order_id;
  return typeof id === "number" || typeof id === "bigint" || typeof id === "string" ? String(id) : undefined;
}

/**
 * What tells an order from every other: its order_id and its created_at, since numbers come again when a branch is reset; or
 * all that it says when it has no order_id that can be used.
 */
export function orderIdentity(order: Order): string {
  const id = orderIdText(order);
  if (id !== undefined) return `${id} ${stringify(order.created_at)}`;
  // Within a list, so that the number 7 is not taken for order 7.
  return stringify([order]) ?? "";
}

/**
 * Pages of orders from `query.page` (default 1) on, while `has_more` is true and a page brings an order that is
 * new (`spec.md` 4.1). A page that holds nothing but orders handed out before is not handed out.
 *
 * @example
 * for await (const { body } of orderPages((query) => client.listOrders(query))) print(body.orders);
 */
export async function* orderPages(
  listOrders: (query: OrdersQuery) => Promise<Answer<OrdersResponse>>,
  query: OrdersQuery = {},
): AsyncGenerator<Answer<OrdersResponse>, void, undefined> {
  const seen = new Set<string>();
  for (let page = query.page ?? 1; ; page++) {
    const answer = await listOrders({ ...query, page });
    const ids = answer.body.orders.map(orderIdentity);
    const fresh = ids.filter((id) => !seen.has(id));
    if (ids.length > 0 && fresh.length === 0) return;
    yield answer;
    for (const id of fresh) seen.add(id);
    const { has_more: more, total }: { has_more?: unknown; total?: unknown } = answer.body;
    // An answer that leaves has_more out still says by its total whether more remain.
    const remain = typeof more === "boolean" ? more : typeof total === "number" && seen.size < total;
    if (!remain || fresh.length === 0) return;
  }
}
