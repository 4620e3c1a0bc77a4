import { parse } from "lossless-json";
import { atomically, type Journal, prepared } from "./open.ts";
import { createdAtText } from "./order-key.ts";

// An `orderId` here is a key as `orderKey` makes it: the order_id, and for another order under the same number one more.

/** What a watch of one branch by one consumer remembers beside its orders. */
export interface WatchMemory {
  watchId: number;
  /** When its first run began, epoch milliseconds of the service's clock; null when it has not. */
  beganAt: number | null;
  /** 1 until the first run has read everything, then 0. */
  firstRun: 0 | 1;
  /** What the first page that the first run read said, where there were more pages; otherwise null. */
  firstPage: FirstPage | null;
  /**
   * Where the next look through all states begins, epoch milliseconds of the service's clock: everything that was
   * there earlier is known. Null while the branch has had no order.
   */
  sinceFloor: number | null;
}

/** The first page of several. */
export interface FirstPage {
  /** How many orders were pendiente. */
  total: number;
  /** When its last order was created, epoch milliseconds. */
  end: number;
}

/** `open`: found and not handed on to every output; `handed`: done; `skipped`: was there before the watch began. */
type OrderHandingState = "open" | "handed" | "skipped";

/** An order as a watch remembers it. */
export interface KnownOrder {
  /** The service's state of the order when it was last looked at. */
  status: string;
  state: OrderHandingState;
  /** As `createdAtText` has it; null where that is not known. */
  createdAt: string | null;
}

/** An order that was found. */
export interface FoundOrder {
  orderId: string;
  createdAt: string | null;
  status: string;
  /** The whole order as JSON text. */
  body: string;
}

/** `begun`: the output was about to get the order, and nobody knows whether it did; `done`: it has it. */
export type DeliveryState = "begun" | "done";

/** An order that is not handed on to every output yet. */
export interface OpenOrder {
  body: string;
  /** By output; one that is missing has not begun. */
  deliveries: ReadonlyMap<string, DeliveryState>;
}

/** What a watch knows of its branch; begins empty for a new branch or consumer. */
export function openWatch(journal: Journal, branch: string, consumer: string): WatchMemory {
  return atomically(journal, () => {
    prepared(
      journal,
      "INSERT INTO watch (branch, consumer) VALUES (?, ?) ON CONFLICT (branch, consumer) DO NOTHING",
    ).run(branch, consumer);
    const { total, end, ...memory } = prepared(
      journal,
      `SELECT watch_id AS watchId, began_at AS beganAt, first_run AS firstRun, since_floor AS sinceFloor,
              first_total AS total, first_page_end AS end
         FROM watch WHERE branch = ? AND consumer = ?`,
    ).get(branch, consumer) as Omit<WatchMemory, "firstPage"> & { [K in keyof FirstPage]: number | null };
    return { ...memory, firstPage: total === null || end === null ? null : { total, end } };
  });
}

/** The created_at of an order that 0.1 wrote down, which kept it within the order alone. */
function createdAtIn(body: string | null): string | null {
  try {
    return body === null ? null : createdAtText(parse(body));
  } catch {
    return null;
  }
}

/** What is remembered of an order; undefined when it was never seen. */
export function knownOrder(journal: Journal, watchId: number, orderId: string): KnownOrder | undefined {
  const row = prepared(
    journal,
    `SELECT status, state, created_at AS createdAt, CASE WHEN created_at IS NULL THEN body END AS body
       FROM watch_order WHERE watch_id = ? AND order_id = ?`,
  ).get(watchId, orderId) as (KnownOrder & { body: string | null }) | undefined;
  if (row === undefined) return undefined;
  const { body, ...known } = row;
  return { ...known, createdAt: known.createdAt ?? createdAtIn(body) };
}

/** How many orders are remembered. */
export function countOrders(journal: Journal, watchId: number): number {
  const counted = prepared(journal, "SELECT count(*) AS orders FROM watch_order WHERE watch_id = ?");
  return (counted.get(watchId) as { orders: number }).orders;
}

/** Writes down when orders were created of which that was not known. */
export function recordCreatedAt(
  journal: Journal,
  watchId: number,
  orders: readonly { orderId: string; createdAt: string }[],
): void {
  const fill = prepared(journal, "UPDATE watch_order SET created_at = ? WHERE watch_id = ? AND order_id = ?");
  atomically(journal, () => {
    for (const { orderId, createdAt } of orders) fill.run(createdAt, watchId, orderId);
  });
}

function addOrders(
  journal: Journal,
  watchId: number,
  orders: readonly (Omit<FoundOrder, "body"> & { body: string | null })[],
  state: OrderHandingState,
): void {
  const add = prepared(
    journal,
    `INSERT INTO watch_order (watch_id, order_id, created_at, status, state, body) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
  );
  for (const { orderId, createdAt, status, body } of orders)
    add.run(watchId, orderId, createdAt, status, state, body);
}

/** Writes down when the first run began, epoch milliseconds of the service's clock, and what its first page said. */
export function recordBegan(
  journal: Journal,
  watchId: number,
  { beganAt, firstPage }: { beganAt: number; firstPage: FirstPage | null },
): void {
  prepared(
    journal,
    "UPDATE watch SET began_at = ?, first_total = ?, first_page_end = ? WHERE watch_id = ?",
  ).run(beganAt, firstPage?.total ?? null, firstPage?.end ?? null, watchId);
}

/** Writes down orders that are to be handed on, before the first of them is. */
export function recordFound(journal: Journal, watchId: number, orders: readonly FoundOrder[]): void {
  atomically(journal, () => addOrders(journal, watchId, orders, "open"));
}

/**
 * Writes down that all states were read: where the next look through them begins, and which orders are not to be
 * handed on at all.
 */
export function recordLook(
  journal: Journal,
  watchId: number,
  look: { sinceFloor: number | null; skipped: readonly Omit<FoundOrder, "body">[] },
): void {
  atomically(journal, () => {
    const skipped = look.skipped.map((order) => ({ ...order, body: null }));
    addOrders(journal, watchId, skipped, "skipped");
    prepared(journal, "UPDATE watch SET first_run = 0, since_floor = ? WHERE watch_id = ?").run(
      look.sinceFloor,
      watchId,
    );
  });
}

/** The ids of the orders that are not handed on to every output, the smallest first. */
export function openOrderIds(journal: Journal, watchId: number): string[] {
  const rows = prepared(
    journal,
    "SELECT order_id FROM watch_order WHERE watch_id = ? AND state = 'open' ORDER BY length(order_id), order_id",
  ).all(watchId) as { order_id: string }[];
  return rows.map((row) => row.order_id);
}

/** An order that is still to be handed on; undefined when it no longer is. */
export function openOrder(journal: Journal, watchId: number, orderId: string): OpenOrder | undefined {
  const row = prepared(
    journal,
    "SELECT body FROM watch_order WHERE watch_id = ? AND order_id = ? AND state = 'open'",
  ).get(watchId, orderId) as { body: string } | undefined;
  if (row === undefined) return undefined;
  const deliveries = prepared(
    journal,
    "SELECT output, state FROM watch_delivery WHERE watch_id = ? AND order_id = ?",
  ).all(watchId, orderId) as { output: string; state: DeliveryState }[];
  return {
    body: row.body,
    deliveries: new Map(deliveries.map(({ output, state }) => [output, state])),
  };
}

/** Writes down that an output is about to get an order, or has it. */
export function recordDelivery(
  journal: Journal,
  watchId: number,
  delivery: { orderId: string; output: string; state: DeliveryState },
): void {
  const { orderId, output, state } = delivery;
  prepared(
    journal,
    `INSERT INTO watch_delivery (watch_id, order_id, output, state) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET state = excluded.state`,
  ).run(watchId, orderId, output, state);
}

/** Writes down that an output is known not to have taken an order. */
export function recordNotTaken(journal: Journal, watchId: number, orderId: string, output: string): void {
  prepared(journal, "DELETE FROM watch_delivery WHERE watch_id = ? AND order_id = ? AND output = ?").run(
    watchId,
    orderId,
    output,
  );
}

/** Writes down that every output has an order: it is never handed on again to this consumer. */
export function recordHandedOn(journal: Journal, watchId: number, orderId: string): void {
  atomically(journal, () => {
    prepared(journal, "DELETE FROM watch_delivery WHERE watch_id = ? AND order_id = ?").run(watchId, orderId);
    prepared(
      journal,
      "UPDATE watch_order SET state = 'handed', body = NULL WHERE watch_id = ? AND order_id = ?",
    ).run(watchId, orderId);
  });
}

/** Writes down the state of an order that was handed on earlier. */
export function recordStatus(journal: Journal, watchId: number, orderId: string, status: string): void {
  prepared(journal, "UPDATE watch_order SET status = ? WHERE watch_id = ? AND order_id = ?").run(
    status,
    watchId,
    orderId,
  );
}
