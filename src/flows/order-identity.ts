import type { Order } from "../contract/order.ts";

/**
 * The order_id as text if an order can be remembered and named by it: an integer, or a short text of plain letters,
 * digits, `_` and `-`; undefined otherwise.
 */
export function usableOrderId(order: Order): string | undefined {
  const id: unknown = order.order_id;
  const isKey = Number.isSafeInteger(id) || typeof id === "bigint" || typeof id === "string";
  // It becomes the name of a file, and 64 characters fit everywhere.
  return isKey && /^[A-Za-z0-9_-]{1,64}$/.test(String(id)) ? String(id) : undefined;
}

/** What tells an order from every other: its order_id, or all that it says when it has none that can be used. */
export function orderIdentity(order: Order): string {
  const id: unknown = order.order_id;
  if (typeof id === "number" || typeof id === "bigint" || typeof id === "string") return String(id);
  return JSON.stringify(order, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}
