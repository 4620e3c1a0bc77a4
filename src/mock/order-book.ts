import type { OrderState } from "../contract/limits.ts";
import type { MockOrder } from "./orders.ts";
import { type Draw, draw } from "./random.ts";

/** A state that an order reaches by itself, `at` milliseconds after its birth. */
export interface OrderStep {
  readonly state: OrderState;
  readonly at: number;
}

interface Mover {
  readonly order: MockOrder;
  /** The world's age at its birth, milliseconds. */
  readonly born: number;
  readonly steps: OrderStep[];
}

/** The orders of all branches, each branch's oldest first. They are the book's own: it changes their status in place. */
export interface OrderBook {
  readonly byBranch: Map<string, MockOrder[]>;
  readonly byId: Map<number, MockOrder>;
  readonly movers: Map<number, Mover>;
  /** Until the world is that old, time moves none of them. */
  nextMoveAt: number;
  nextId: number;
  /** Grows with every change, so that answers can be kept until then. */
  version: number;
}

export function startBook(firstId: number): OrderBook {
  const maps = { byBranch: new Map(), byId: new Map(), movers: new Map() };
  return { ...maps, nextMoveAt: Infinity, nextId: firstId, version: 0 };
}

export function freeId(book: OrderBook, from = book.nextId): number {
  let id = from;
  while (book.byId.has(id)) id++;
  return id;
}

export function addOrder(book: OrderBook, branch: string, given: MockOrder): MockOrder {
  const order = { ...given };
  const orders = book.byBranch.get(branch) ?? [];
  book.byBranch.set(branch, orders);
  const before = orders.findLastIndex(
    ({ created_at, order_id }) =>
      created_at < order.created_at || (created_at === order.created_at && order_id < order.order_id),
  );
  orders.splice(before + 1, 0, order);
  book.byId.set(order.order_id, order);
  book.version++;
  return order;
}

/** Schedules the states of an order that was born when the world had the age `born`, milliseconds. */
export function scheduleSteps(book: OrderBook, order: MockOrder, born: number, steps: OrderStep[]): void {
  book.movers.set(order.order_id, { order, born, steps });
  book.nextMoveAt = Math.min(book.nextMoveAt, born + (steps[0]?.at ?? Infinity));
}

export function moveOrders(book: OrderBook, age: number): void {
  if (age < book.nextMoveAt) return;
  book.nextMoveAt = Infinity;
  for (const [orderId, { order, born, steps }] of book.movers) {
    while (steps[0] && born + steps[0].at <= age) {
      order.status = steps[0].state;
      steps.shift();
      book.version++;
    }
    if (steps[0]) book.nextMoveAt = Math.min(book.nextMoveAt, born + steps[0].at);
    else book.movers.delete(orderId);
  }
}

/** Moves an order to a state for good: what a person sets, time changes no more. */
export function setStatus(book: OrderBook, orderId: number, status: OrderState): void {
  const order = book.byId.get(orderId);
  if (!order) return;
  book.movers.delete(orderId);
  order.status = status;
  book.version++;
}

const seconds = 1_000;
const minutes = 60 * seconds;

// How long an order stays in the state before each of these.
function onTheWay(from: Draw, delivery: boolean): OrderStep[] {
  const usual = [
    { state: "en_preparacion", after: from.int(15 * seconds, 4 * minutes) },
    { state: "listo", after: from.int(3 * minutes, 15 * minutes) },
    ...(delivery
      ? ([
          { state: "asignado", after: from.int(20 * seconds, 5 * minutes) },
          { state: "en_camino", after: from.int(20 * seconds, 4 * minutes) },
        ] as const)
      : []),
    { state: "entregado", after: from.int(3 * minutes, 20 * minutes) },
  ] as const;
  let at = 0;
  return usual.map(({ state, after }) => {
    at += after;
    return { state, at };
  });
}

/**
 * What becomes of an order that nobody touches. Of 100 about 6 are rejected, 8 cancelled, and 15 too quick for a poll: they
 * leave pendiente within a second, or are born in a later state unless they were `placed`.
 */
export function lifeOf(
  seed: number,
  order: Pick<MockOrder, "order_id" | "delivery_type">,
  placed: boolean,
): OrderStep[] {
  const from = draw(seed, "life", order.order_id);
  const fate = from.fraction();
  const steps = onTheWay(from, order.delivery_type === "delivery");
  const firstAt = steps[0]?.at ?? 0;
  if (fate < 0.06) return [{ state: "rechazado", at: firstAt }];
  if (fate < 0.14) {
    const kept = steps.slice(0, from.int(0, steps.length - 1));
    const [last, next] = [kept.at(-1)?.at ?? 0, steps[kept.length]?.at ?? 0];
    return [...kept, { state: "cancelado", at: from.int(last + 1, next) }];
  }
  if (fate >= 0.29) return steps;
  const early = from.int(1, 900);
  const shift = firstAt - (fate < 0.21 && !placed ? 0 : early);
  return steps.map(({ state, at }) => ({ state, at: at - shift }));
}
