import type { OrdersQuery, OrdersResponse } from "../contract/order.ts";
import type { Answer } from "./call.ts";

const idsOf = ({ orders }: OrdersResponse): (string | undefined)[] =>
  orders.map((order) => {
    // Read generously: an order without a usable order_id may arrive.
    const id: unknown = order.order_id;
    return typeof id === "number" || typeof id === "bigint" || typeof id === "string"
      ? String(id)
      : undefined;
  });

/**
 * Pages of orders from `query.page` (default 1) on, while `has_more` is true and a page brings an order_id that is
 * new (`spec.md` 4.1). A page that holds nothing but orders handed out before is not handed out.
 *
 * @example
 * for await (const { body } of orderPages((query) => client.listOrders(query))) print(body.orders);
 */
export async function* orderPages(
  listOrders: (query: OrdersQuery) => Promise<Answer<OrdersResponse>>,
  query: OrdersQuery = {},
): AsyncGenerator<Answer<OrdersResponse>, void, undefined> {
  const seen = new Set<string | undefined>();
  for (let page = query.page ?? 1; ; page++) {
    const answer = await listOrders({ ...query, page });
    const ids = idsOf(answer.body);
    const fresh = ids.filter((id) => id !== undefined && !seen.has(id));
    const onlyRepeats = ids.length > 0 && ids.every((id) => seen.has(id));
    if (onlyRepeats) return;
    yield answer;
    for (const id of fresh) seen.add(id);
    const { has_more: more, total }: { has_more?: unknown; total?: unknown } = answer.body;
    // An answer that leaves has_more out still says by its total whether more remain.
    const remain = typeof more === "boolean" ? more : typeof total === "number" && seen.size < total;
    if (!remain || fresh.length === 0) return;
  }
}
