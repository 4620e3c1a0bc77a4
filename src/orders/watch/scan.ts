import type { Answer, Client } from "../../api/client.ts";
import { numberOf } from "../../api/json.ts";
import { orderIdentity } from "../../api/pages.ts";
import type { OrdersQuery, OrdersResponse } from "../../contract/order.ts";

/** What a sweep came to. */
export interface Sweep {
  /** Pages of its longest pass. */
  pages: number;
  /** Orders of its last pass. */
  orders: number;
  /** How many there are, as the service last said. */
  total: number | undefined;
}

const mostPasses = 3;

function agree(one: ReadonlySet<string>, other: ReadonlySet<string> | undefined): boolean {
  return one.size === other?.size && [...one].every((id) => other.has(id));
}

/**
 * All pages of a query, and all of them again until two passes hold the same orders, three passes at most: while pages are
 * read, an order that leaves the state moves the later ones up, and one is skipped. A single page cannot shift.
 */
export async function* sweepOrders(
  client: Client,
  query: OrdersQuery,
  signal: AbortSignal,
): AsyncGenerator<Answer<OrdersResponse>, Sweep> {
  let before: Set<string> | undefined;
  let longest = 0;
  let total: number | undefined;
  for (let pass = 1; ; pass++) {
    const seen = new Set<string>();
    let pages = 0;
    for await (const page of client.orderPages(query, { signal })) {
      pages += 1;
      total = numberOf(page.body.total);
      for (const order of page.body.orders) seen.add(orderIdentity(order));
      yield page;
    }
    longest = Math.max(longest, pages);
    if (pages <= 1 || pass === mostPasses || agree(seen, before))
      return { pages: longest, orders: seen.size, total };
    before = seen;
  }
}
