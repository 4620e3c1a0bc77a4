import type { Client } from "../../api/client.ts";
import { numberOf } from "../../api/json.ts";
import { orderIdentity, orderIdText } from "../../api/pages.ts";
import { limits } from "../../contract/limits.ts";
import type { Order, OrdersResponse } from "../../contract/order.ts";
import { type OrderState, orderStates } from "../../contract/order-states.ts";
import { BposError } from "../../errors.ts";

/** Which orders to list. */
export interface OrdersListQuery {
  states: readonly OrderState[];
  /** ISO 8601 with offset. */
  since?: string | undefined;
  /** One page of each state; 1 when absent. Ignored with `all` or `limit`. */
  page?: number | undefined;
  all?: boolean | undefined;
  /** At most this many orders in all. */
  limit?: number | undefined;
}

/** One page as it arrives. */
export interface ListedPage {
  /** Its orders without those that came before; the other fields describe the listing up to here. */
  response: OrdersResponse;
  mismatches: readonly string[];
}

/** The orders that are new, at most `room` of them, and whether any new one was left out. */
function takeUnseen(
  orders: readonly Order[],
  seen: Set<string>,
  room: number,
): { fresh: Order[]; leftOut: boolean } {
  const fresh: Order[] = [];
  for (const order of orders) {
    const id = orderIdentity(order);
    // An order can move to a later state, or to another page, while the listing is read.
    if (seen.has(id)) continue;
    if (fresh.length >= room) return { fresh, leftOut: true };
    seen.add(id);
    fresh.push(order);
  }
  return { fresh, leftOut: false };
}

/** Totals of two states together; where one is nothing the other as it came, whatever kind of number that is. */
function sumOf(one: number, other: number | null | undefined): number {
  if (other === null || other === undefined || other === 0) return one;
  return one === 0 ? other : (numberOf(one) ?? 0) + (numberOf(other) ?? 0);
}

/**
 * Lists orders page by page, in the order of the states and then as the service sorts them, each order once.
 *
 * @example
 * for await (const { response } of listOrders(client, { states: ["pendiente"], all: true })) print(response.orders);
 */
export async function* listOrders(
  client: Client,
  query: OrdersListQuery,
  signal?: AbortSignal,
): AsyncGenerator<ListedPage> {
  const seen = new Set<string>();
  const manyPages = query.all === true || query.limit !== undefined;
  const asService = !manyPages && query.states.length === 1;
  const limit = query.limit ?? Number.POSITIVE_INFINITY;
  let total = 0;
  let leftOutBefore = false;
  for (const status of query.states) {
    const request = { status, ...(query.since !== undefined && { since: query.since }) };
    const options = signal ? { signal } : {};
    const pages = manyPages
      ? client.orderPages(request, options)
      : [await client.listOrders({ ...request, page: query.page ?? 1 }, options)];
    let counted = false;
    let leftOut = false;
    for await (const { body, mismatches } of pages) {
      // Only the orders are certain: a service may leave the rest of the envelope out.
      const envelope: Partial<OrdersResponse> = body;
      const taken = takeUnseen(body.orders, seen, limit - seen.size);
      if (!counted) total = sumOf(total, envelope.total);
      counted = true;
      const more = envelope.has_more ?? (numberOf(envelope.total) ?? 0) > seen.size;
      leftOut = more || taken.leftOut;
      const listing = {
        page: query.page ?? 1,
        per_page: seen.size,
        total,
        has_more: leftOutBefore || leftOut,
      };
      // One page of one state is the service's own answer, unknown fields included.
      yield {
        response: asService ? { ...body, orders: taken.fresh } : { orders: taken.fresh, ...listing },
        mismatches,
      };
      if (seen.size >= limit) break;
    }
    leftOutBefore ||= leftOut;
  }
}

/** The listing of nothing, for a service that sent no page at all. */
export const emptyListing: OrdersResponse = {
  orders: [],
  page: 1,
  per_page: limits.ordersPerPage,
  total: 0,
  has_more: false,
};

/**
 * Finds one order by its id, looking through the eight states in the order in which orders pass through them.
 * Throws `order_not_found`.
 */
export async function findOrder(client: Client, orderId: string, signal?: AbortSignal): Promise<Order> {
  for await (const { response } of listOrders(client, { states: orderStates, all: true }, signal)) {
    const found = response.orders.find((order) => orderIdText(order) === orderId);
    if (found) return found;
  }
  throw new BposError("order_not_found", { orderId });
}
