import type { Client } from "../../api/client.ts";
import { numberOf } from "../../api/json.ts";
import { orderIdentity, orderIdText } from "../../api/pages.ts";
import { chosenObjects } from "../../cli/fields.ts";
import { exclusive, readInstant } from "../../cli/flags.ts";
import { toJson } from "../../cli/json.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session.ts";
import { isoWithOffset, type OrderState, orderStates } from "../../contract/limits.ts";
import type { Order, OrdersResponse } from "../../contract/order.ts";
import { BposError } from "../../errors.ts";
import { orderTicket } from "../show/view.ts";
import type { ListFlags } from "./command.ts";
import { orderFields, ordersCsv, ordersList } from "./view.ts";

function takeUnseen(orders: readonly Order[], seen: Set<string>, room: number) {
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
  query: {
    states: readonly OrderState[];
    since?: string | undefined;
    /** One page of each state; ignored with `all` or `limit`. */
    page?: number | undefined;
    all?: boolean | undefined;
    limit?: number | undefined;
  },
  signal: AbortSignal,
) {
  const seen = new Set<string>();
  const manyPages = query.all === true || query.limit !== undefined;
  const asService = !manyPages && query.states.length === 1;
  const { page = 1, limit = Number.POSITIVE_INFINITY } = query;
  let total = 0;
  let leftOutBefore = false;
  for (const status of query.states) {
    const request = { status, ...(query.since !== undefined && { since: query.since }) };
    const pages = manyPages
      ? client.orderPages(request, { signal })
      : [await client.listOrders({ ...request, page }, { signal })];
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
      const listing = { page, per_page: seen.size, total, has_more: leftOutBefore || leftOut };
      // One page of one state is the service's own answer, unknown fields included.
      const { fresh: orders } = taken;
      const response: OrdersResponse = asService ? { ...body, orders } : { orders, ...listing };
      yield { response, mismatches };
      if (seen.size >= limit) break;
    }
    leftOutBefore ||= leftOut;
  }
}

export async function list(runtime: Runtime, flags: ListFlags): Promise<void> {
  if (flags.page !== undefined && flags.all === true) throw exclusive("--page", "--all");
  if (flags.page !== undefined && flags.limit !== undefined) throw exclusive("--page", "--limit");
  const { since: text } = flags;
  const since =
    text === undefined ? undefined : isoWithOffset(await readInstant(runtime, { flag: "--since", text }));
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async ({ client, output }) => {
    const { status: states = ["pendiente"] as const, page, all, limit } = flags;
    const query = { states, since, page, all, limit };
    const { fields } = runtime.flags;
    const chosen = (some: readonly Order[]): unknown[] =>
      chosenObjects(orderFields, some, { fields, format: output.format });
    const orders: Order[] = [];
    const mismatches: string[] = [];
    let last: Partial<OrdersResponse> = {};
    for await (const { response, mismatches: odd } of listOrders(client, query, runtime.signal)) {
      last = response;
      mismatches.push(...odd);
      if (output.format === "ndjson") {
        const objects = chosen(response.orders);
        await output.data(objects.map((order) => `${toJson(order)}\n`).join(""));
      } else orders.push(...response.orders);
    }
    const objects = chosen(orders);
    if (output.format === "json") await output.document({ ...last, orders: objects });
    if (output.format === "csv") await output.data(ordersCsv(orders, output.ui, fields));
    if (output.format === "table") {
      const limited = limit !== undefined;
      const listed = { states, paged: all !== true && !limited, limited, fields };
      await output.data(ordersList({ ...last, orders }, listed, output.ui));
    }
    await output.mismatches(mismatches);
  });
}

export async function show(runtime: Runtime, orderId: string): Promise<void> {
  if (!/^\d+$/.test(orderId))
    throw new BposError("usage_flag", { problem: { kind: "order_number", text: orderId } });
  const needs = { address: "base_url", formats: ["table", "json", "ndjson"] } as const;
  await withSession(runtime, needs, async ({ client, output }) => {
    // In the order in which orders pass through the states.
    for await (const { response } of listOrders(client, { states: orderStates, all: true }, runtime.signal)) {
      const order = response.orders.find((each) => orderIdText(each) === orderId);
      if (order === undefined) continue;
      if (output.format === "table") await output.data(orderTicket(order, output.ui));
      else await output.document(order);
      return;
    }
    throw new BposError("order_not_found", { orderId });
  });
}
