import type { Order } from "../contract/order.ts";

/**
 * The order_id as text if an order can be remembered and named by it: an integer, or a short text of plain letters,
 * digits, `_` and `-`; undefined otherwise.
 */
export function usableOrderId(order: Order): string | undefined {
  // A service may list what is no object, null too.
  const id: unknown = (order as Order | null)?.order_id;
  const isKey = Number.isSafeInteger(id) || typeof id === "bigint" || typeof id === "string";
  // It becomes the name of a file, and 64 characters fit everywhere.
  return isKey && /^[A-Za-z0-9_-]{1,64}$/.test(String(id)) ? String(id) : undefined;
}
