import type { Client } from "../../api/client.ts";
import { numberOf } from "../../api/json.ts";
import { orderIdentity, orderIdText } from "../../api/pages.ts";
import { chosenObjects } from "../../cli/fields.ts";
import { exclusive, readInstant } from "../../cli/flags.ts";
import { toJson } from "../../cli/json.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session.ts";
import { limits, type OrderState, orderStates } from "../../contract/limits.ts";
import type { Order, OrdersResponse } from "../../contract/order.ts";
import { isoWithOffset } from "../../contract/time.ts";
import { BposError } from "../../errors.ts";
import { orderTicket } from "../show/view.ts";
import type { ListFlags } from "./command.ts";
import { orderFields, ordersCsv, ordersList } from "./view.ts";

interface OrdersListQuery {
  states: readonly OrderState[];
  since?: string | undefined;
  /** One page of each state; 1 when absent. Ignored with `all` or `limit`. */
  page?: number | undefined;
  all?: boolean | undefined;
  limit?: number | undefined;
}

interface ListedPage {
  /** Its orders without those that came before; the other fields describe the listing up to here. */
  response: OrdersResponse;
  mismatches: readonly string[];
}

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

/** In the order of the states and then as the service sorts them, each order once. */
async function* listOrders(
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

const emptyListing: OrdersResponse = {
  orders: [],
  page: 1,
  per_page: limits.ordersPerPage,
  total: 0,
  has_more: false,
};

/** Looks through the eight states in the order in which orders pass through them. Throws `order_not_found`. */
async function findOrder(client: Client, orderId: string, signal?: AbortSignal): Promise<Order> {
  for await (const { response } of listOrders(client, { states: orderStates, all: true }, signal)) {
    const found = response.orders.find((order) => orderIdText(order) === orderId);
    if (found) return found;
  }
  throw new BposError("order_not_found", { orderId });
}

export async function list(runtime: Runtime, flags: ListFlags): Promise<void> {
  if (flags.page !== undefined && flags.all === true) throw exclusive("--page", "--all");
  if (flags.page !== undefined && flags.limit !== undefined) throw exclusive("--page", "--limit");
  const sinceMs =
    flags.since === undefined
      ? undefined
      : await readInstant(runtime, { flag: "--since", text: flags.since });
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async ({ client, output }) => {
    const query = {
      states: flags.status ?? (["pendiente"] as const),
      since: sinceMs === undefined ? undefined : isoWithOffset(sinceMs),
      page: flags.page,
      all: flags.all,
      limit: flags.limit,
    };
    const { fields } = runtime.flags;
    const chosen = (some: readonly Order[]): unknown[] =>
      chosenObjects(orderFields, some, { fields, format: output.format });
    const orders: Order[] = [];
    const mismatches: string[] = [];
    let last = emptyListing;
    for await (const { response, mismatches: odd } of listOrders(client, query, runtime.signal)) {
      last = response;
      mismatches.push(...odd);
      if (output.format === "ndjson") {
        const objects = chosen(response.orders);
        await output.data(objects.map((order) => `${toJson(order)}\n`).join(""));
      } else orders.push(...response.orders);
    }
    const objects = chosen(orders);
    const listing = { ...last, orders };
    if (output.format === "json") await output.document({ ...listing, orders: objects });
    if (output.format === "csv") await output.data(ordersCsv(orders, output.ui, fields));
    if (output.format === "table") {
      const paged = flags.all !== true && flags.limit === undefined;
      const listed = { states: query.states, paged, limited: flags.limit !== undefined, fields };
      await output.data(ordersList(listing, listed, output.ui));
    }
    await output.mismatches(mismatches);
  });
}

export async function show(runtime: Runtime, orderId: string): Promise<void> {
  if (!/^\d+$/.test(orderId))
    throw new BposError("usage_flag", { problem: { kind: "order_number", text: orderId } });
  const needs = { address: "base_url", formats: ["table", "json", "ndjson"] } as const;
  await withSession(runtime, needs, async ({ client, output }) => {
    const order = await findOrder(client, orderId, runtime.signal);
    if (output.format === "table") await output.data(orderTicket(order, output.ui));
    else await output.document(order);
  });
}
