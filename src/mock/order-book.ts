import type { OrderState } from "../contract/order.ts";
import type { MockOrder } from "./orders.ts";

/** The orders of all branches, each branch's oldest first. */
export interface OrderBook {
  readonly byBranch: Map<string, MockOrder[]>;
  readonly branchOf: Map<number, string>;
  nextId: number;
  /** Grows with every change, so that answers can be kept until then. */
  version: number;
}

const firstId = 1001;

/** A book without orders. */
export function startBook(): OrderBook {
  return { byBranch: new Map(), branchOf: new Map(), nextId: firstId, version: 0 };
}

const isBefore = (a: MockOrder, b: MockOrder): boolean =>
  a.created_at < b.created_at || (a.created_at === b.created_at && a.order_id < b.order_id);

function positionOf(orders: readonly MockOrder[], order: MockOrder): number {
  let low = 0;
  let high = orders.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = orders[middle];
    if (there && isBefore(there, order)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first free id from `from` up; a placed order may have taken one ahead. */
export function freeId(book: OrderBook, from = book.nextId): number {
  let id = from;
  while (book.branchOf.has(id)) id++;
  return id;
}

/** Puts an order in its place. */
export function addOrder(book: OrderBook, branch: string, order: MockOrder): void {
  const orders = book.byBranch.get(branch) ?? [];
  book.byBranch.set(branch, orders);
  orders.splice(positionOf(orders, order), 0, order);
  book.branchOf.set(order.order_id, branch);
  book.version++;
}

/** The order with that id, and where it stands; undefined when there is none. */
export function findOrder(
  book: OrderBook,
  orderId: number,
): { readonly orders: MockOrder[]; readonly index: number; readonly order: MockOrder } | undefined {
  const orders = book.byBranch.get(book.branchOf.get(orderId) ?? "");
  const index = orders?.findIndex((order) => order.order_id === orderId) ?? -1;
  const order = orders?.[index];
  return orders && order ? { orders, index, order } : undefined;
}

/** Moves an order to a state. */
export function setStatus(book: OrderBook, orderId: number, status: OrderState): void {
  const found = findOrder(book, orderId);
  if (!found) return;
  found.orders[found.index] = { ...found.order, status };
  book.version++;
}

/** The orders of a branch in a state, created strictly after `since` (epoch milliseconds). */
export function ordersIn(book: OrderBook, branch: string, status: OrderState, since: number): MockOrder[] {
  const orders = book.byBranch.get(branch) ?? [];
  return orders.filter((order) => order.status === status && order.created_at > since);
}
