import type { OrderState } from "../contract/order-states.ts";
import type { OrderStep } from "./order-life.ts";
import type { MockOrder } from "./orders.ts";

/** An order that time moves on. */
interface Mover {
  order: MockOrder;
  readonly branch: string;
  /** The world's age at its birth, milliseconds. */
  readonly born: number;
  readonly steps: readonly OrderStep[];
  /** The step that comes next. */
  next: number;
}

/** The orders of all branches, each branch's oldest first. */
export interface OrderBook {
  readonly byBranch: Map<string, MockOrder[]>;
  readonly branchOf: Map<number, string>;
  /** By order_id: the orders that time still moves. */
  readonly movers: Map<number, Mover>;
  /** Until the world is that old, time moves none of them. */
  nextMoveAt: number;
  nextId: number;
  /** Grows with every change, so that answers can be kept until then. */
  version: number;
}

/** A book without orders, whose ids begin at `firstId`. */
export function startBook(firstId: number): OrderBook {
  return {
    byBranch: new Map(),
    branchOf: new Map(),
    movers: new Map(),
    nextMoveAt: Infinity,
    nextId: firstId,
    version: 0,
  };
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

/** Lets time move an order on, which was born when the world had the age `born`, milliseconds. */
export function letMove(book: OrderBook, order: MockOrder, born: number, steps: readonly OrderStep[]): void {
  const [first] = steps;
  const branch = book.branchOf.get(order.order_id);
  if (!first || branch === undefined) return;
  book.movers.set(order.order_id, { order, branch, born, steps, next: 0 });
  book.nextMoveAt = Math.min(book.nextMoveAt, born + first.at);
}

/** Moves every order to the state that time has brought it to by the world's age. */
export function moveOrders(book: OrderBook, age: number): void {
  if (age < book.nextMoveAt) return;
  book.nextMoveAt = Infinity;
  for (const [orderId, mover] of book.movers) {
    const { steps, born, branch } = mover;
    const reached = mover.next;
    while ((steps[mover.next]?.at ?? Infinity) + born <= age) mover.next++;
    const state = steps[mover.next - 1]?.state;
    if (mover.next > reached && state) {
      const orders = book.byBranch.get(branch) ?? [];
      mover.order = { ...mover.order, status: state };
      orders[positionOf(orders, mover.order)] = mover.order;
      book.version++;
    }
    const next = steps[mover.next];
    if (next) book.nextMoveAt = Math.min(book.nextMoveAt, born + next.at);
    else book.movers.delete(orderId);
  }
}

/** Moves an order to a state for good: what a person sets, time changes no more. */
export function setStatus(book: OrderBook, orderId: number, status: OrderState): void {
  const found = findOrder(book, orderId);
  if (!found) return;
  book.movers.delete(orderId);
  found.orders[found.index] = { ...found.order, status };
  book.version++;
}

/** The orders of a branch in a state, created strictly after `since` (epoch milliseconds). */
export function ordersIn(book: OrderBook, branch: string, status: OrderState, since: number): MockOrder[] {
  const orders = book.byBranch.get(branch) ?? [];
  return orders.filter((order) => order.status === status && order.created_at > since);
}
