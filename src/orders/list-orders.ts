import type { Client } from "../api/client.ts";
import { toNumber } from "../api/json.ts";
import { countUntil, orderIdentity } from "../api/pages.ts";
import type { OrderState } from "../contract/limits.ts";
import type { Order, OrdersResponse } from "../contract/order.ts";
import type { Unread } from "./unread.ts";

const maxConcurrency = 8;

interface Listing {
  states: readonly OrderState[];
  since?: string | undefined;
  page?: number | undefined;
  all?: boolean | undefined;
  limit?: number | undefined;
}

/** True if only one page of each state is read. */
function isOnePage({ all, limit }: Listing): boolean {
  return all !== true && limit === undefined;
}

async function* readPages(client: Client, status: OrderState, listing: Listing, signal: AbortSignal) {
  const { since, page = 1, limit = Number.POSITIVE_INFINITY } = listing;
  const query = { status, ...(since !== undefined && { since }) };
  if (isOnePage(listing)) {
    yield await client.listOrders({ ...query, page }, { signal });
    return;
  }

  // Beyond a limit at most a fifth more is read.
  const concurrency = Math.max(1, Math.min(maxConcurrency, Math.floor(limit / 100)));
  yield* client.orderPages(query, { signal, concurrency });
}

/** Returns the new orders, each once: an order can move to a later state, or to another page, while the list is read. */
function selectUnseen(orders: readonly Order[], seen: ReadonlySet<string>): [id: string, order: Order][] {
  const unseen = new Map<string, Order>();
  for (const order of orders) {
    const id = orderIdentity(order);
    if (!seen.has(id) && !unseen.has(id)) unseen.set(id, order);
  }
  return [...unseen];
}

/** One page of each state, with `all` or `limit` all of them: in the order of the states and then as the service sorts them, each order once. */
export async function* listOrders(
  client: Client,
  listing: Listing,
  signal: AbortSignal,
  unread: Unread[] = [],
) {
  const { states, since, page = 1, limit = Number.POSITIVE_INFINITY } = listing;
  const isPaged = isOnePage(listing);
  // One page of one state is the service's own answer, unknown fields included.
  const isAsCame = isPaged && states.length === 1;
  const seen = new Set<string>();
  let total = 0;
  let isLeft = false;

  for (const state of states) {
    const read = new Set<string>();
    let ofState: number | undefined;
    let counted = 0;
    let more = false;

    for await (const { body, mismatches } of readPages(client, state, listing, signal)) {
      // Only the orders are certain: a service may leave the rest of the envelope out.
      const envelope: Partial<OrdersResponse> = body;
      counted = toNumber(envelope.total) ?? 0;
      ofState ??= counted;

      const unseen = selectUnseen(body.orders, seen);
      const fresh = unseen.slice(0, limit - seen.size);
      for (const order of body.orders) read.add(orderIdentity(order));
      for (const [id] of fresh) seen.add(id);

      // With `since` a service may count those before it, too.
      const isShort = counted > (isPaged ? countUntil(body, page) : read.size);
      const remain = envelope.has_more ?? isShort;
      more = fresh.length < unseen.length || remain || (isShort && since === undefined);

      const orders = fresh.map(([, order]) => order);
      const sums = { page, per_page: seen.size, total: total + ofState, has_more: isLeft || more };
      yield { response: isAsCame ? { ...body, orders } : { orders, ...sums }, mismatches };
      if (seen.size >= limit) break;
    }

    if (!isPaged && since === undefined && seen.size < limit && counted > read.size)
      unread.push({ state, read: read.size, total: counted });
    total += ofState ?? 0;
    isLeft ||= more;
  }
}
