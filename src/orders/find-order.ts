import type { Client } from "../api/client.ts";
import { orderIdText } from "../api/pages.ts";
import { orderStates } from "../contract/limits.ts";
import type { Order } from "../contract/order.ts";
import { BposError } from "../errors.ts";
import { listOrders } from "./list-orders.ts";

/** Throws `usage_flag` for a text that is not an order number. */
export function checkOrderId(text: string): void {
  if (!/^\d+$/.test(text)) throw new BposError("usage_flag", { problem: { kind: "order_number", text } });
}

/** Returns the order, whatever its state. Throws `order_not_found`. */
export async function findOrder(client: Client, orderId: string, signal: AbortSignal): Promise<Order> {
  // In the order in which orders pass through the states.
  for await (const { response } of listOrders(client, { states: orderStates, all: true }, signal)) {
    const order = response.orders.find((each) => orderIdText(each) === orderId);
    if (order !== undefined) return order;
  }
  throw new BposError("order_not_found", { orderId });
}
