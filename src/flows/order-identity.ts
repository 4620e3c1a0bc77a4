import type { Order } from "../contract/order.ts";

/** What tells an order from every other: its order_id, or all that it says when it has none that can be used. */
export function orderIdentity(order: Order): string {
  const id: unknown = order.order_id;
  if (typeof id === "number" || typeof id === "bigint" || typeof id === "string") return String(id);
  return JSON.stringify(order, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}
