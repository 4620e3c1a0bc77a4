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

/** An order as a watch remembers it. */
export interface KnownOrder {
  /** The service's state of the order when it was last looked at. */
  status: string;
  /** `skipped`: was there before the watch began, and is not delivered. */
  state: "found" | "skipped";
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

/** What an output is to get: a new order, or that one is in another state. */
export interface PendingDelivery {
  orderId: string;
  /** The whole order as JSON text. */
  body: string;
  /** The state that the outputs know it in; null for a new order. */
  from: string | null;
  /** The output was about to get it, and nobody knows whether it did. */
  wasBegun: boolean;
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
    `SELECT status, state, created_at AS createdAt,
            (SELECT body FROM watch_event AS e
              WHERE o.created_at IS NULL AND e.watch_id = o.watch_id AND e.order_id = o.order_id LIMIT 1) AS body
       FROM watch_order AS o WHERE watch_id = ? AND order_id = ?`,
  ).get(watchId, orderId) as (KnownOrder & { body: string | null }) | undefined;
  if (row === undefined) return undefined;
  const { body, ...known } = row;
  return { ...known, createdAt: known.createdAt ?? createdAtIn(body) };
}

/** How many orders are remembered, and how many of them were not created after an instant. */
export function countOrders(
  journal: Journal,
  watchId: number,
  instant: number,
): { all: number; early: number } {
  return prepared(
    journal,
    `SELECT count(*) AS "all", count(*) FILTER (WHERE created_at IS NULL OR CAST(created_at AS REAL) <= ?) AS early
       FROM watch_order WHERE watch_id = ?`,
  ).get(instant, watchId) as { all: number; early: number };
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

/** Adds an order; false when it was there. */
function addOrder(
  journal: Journal,
  watchId: number,
  { orderId, createdAt, status }: Omit<FoundOrder, "body">,
  state: KnownOrder["state"],
): boolean {
  const add = `INSERT INTO watch_order (watch_id, order_id, created_at, status, state) VALUES (?, ?, ?, ?, ?)
                 ON CONFLICT DO NOTHING`;
  return prepared(journal, add).run(watchId, orderId, createdAt, status, state).changes === 1;
}

const addEvent = "INSERT INTO watch_event (watch_id, order_id, from_status, body) VALUES (?, ?, ?, ?)";

/**
 * Writes down orders that are to be delivered, before the first of them is; with those of the first page that the first run read
 * when that was, epoch milliseconds of the service's clock, and what the page said.
 */
export function recordFound(
  journal: Journal,
  watchId: number,
  orders: readonly FoundOrder[],
  began?: { beganAt: number; firstPage: FirstPage | null },
): void {
  atomically(journal, () => {
    for (const order of orders)
      if (addOrder(journal, watchId, order, "found"))
        prepared(journal, addEvent).run(watchId, order.orderId, null, order.body);
    if (began === undefined) return;
    const { beganAt, firstPage } = began;
    prepared(
      journal,
      "UPDATE watch SET began_at = ?, first_total = ?, first_page_end = ? WHERE watch_id = ?",
    ).run(beganAt, firstPage?.total ?? null, firstPage?.end ?? null, watchId);
  });
}

/** Writes down the state that an order is in now, and its text where outputs are to get it. */
export function recordChange(
  journal: Journal,
  watchId: number,
  change: { orderId: string; from: string; to: string; body: string | null },
): void {
  const { orderId, from, to, body } = change;
  atomically(journal, () => {
    prepared(journal, "UPDATE watch_order SET status = ? WHERE watch_id = ? AND order_id = ?").run(
      to,
      watchId,
      orderId,
    );
    if (body !== null) prepared(journal, addEvent).run(watchId, orderId, from, body);
  });
}

/**
 * Writes down that all states were read: where the next look through them begins, and which orders are not to be
 * delivered at all.
 */
export function recordLook(
  journal: Journal,
  watchId: number,
  look: { sinceFloor: number | null; skipped: readonly Omit<FoundOrder, "body">[] },
): void {
  atomically(journal, () => {
    for (const order of look.skipped) addOrder(journal, watchId, order, "skipped");
    prepared(journal, "UPDATE watch SET first_run = 0, since_floor = ? WHERE watch_id = ?").run(
      look.sinceFloor,
      watchId,
    );
  });
}

/** True of what an output has not got, as a condition on the event of a row. */
const lacks = (event: string): string =>
  `NOT EXISTS (SELECT 1 FROM watch_delivery AS d WHERE d.event = ${event}.event AND d.output = ?2 AND d.state = 'done')`;

/**
 * The first event behind `after` that an output has not got, in the sequence in which they were found; undefined when there
 * is none. A change of an order waits for what the output is to get of that order before. The plus has these looked up by order.
 */
export function nextPending(
  journal: Journal,
  { watchId, output, after }: { watchId: number; output: string; after: number },
): number | undefined {
  const row = prepared(
    journal,
    `SELECT event FROM watch_event AS e WHERE watch_id = ?1 AND event > ?3 AND ${lacks("e")}
       AND NOT EXISTS (SELECT 1 FROM watch_event AS b
         WHERE +b.watch_id = ?1 AND b.order_id = e.order_id AND b.event < e.event AND ${lacks("b")})
       ORDER BY event LIMIT 1`,
  ).get(watchId, output, after) as { event: number } | undefined;
  return row?.event;
}

/** Writes down that an output is about to get an event, and returns that. */
export function beginDelivery(journal: Journal, event: number, output: string): PendingDelivery {
  const row = prepared(
    journal,
    `SELECT order_id AS orderId, body, from_status AS "from", d.event IS NOT NULL AS wasBegun
       FROM watch_event AS e LEFT JOIN watch_delivery AS d ON d.event = e.event AND d.output = ?
       WHERE e.event = ?`,
  ).get(output, event) as Omit<PendingDelivery, "wasBegun"> & { wasBegun: 0 | 1 };
  const wasBegun = row.wasBegun === 1;
  if (!wasBegun)
    prepared(journal, "INSERT INTO watch_delivery (event, output, state) VALUES (?, ?, 'begun')").run(
      event,
      output,
    );
  return { ...row, wasBegun };
}

/** Writes down that an output is known not to have got an event. */
export function recordNotDelivered(journal: Journal, event: number, output: string): void {
  prepared(journal, "DELETE FROM watch_delivery WHERE event = ? AND output = ?").run(event, output);
}

/** Forgets an event that all of `outputs` have. */
function dropIfDelivered(journal: Journal, event: number, outputs: readonly string[]): void {
  const rows = prepared(journal, "SELECT output FROM watch_delivery WHERE event = ? AND state = 'done'").all(
    event,
  ) as { output: string }[];
  if (!outputs.every((name) => rows.some(({ output }) => output === name))) return;
  prepared(journal, "DELETE FROM watch_delivery WHERE event = ?").run(event);
  prepared(journal, "DELETE FROM watch_event WHERE event = ?").run(event);
}

/** Writes down that an output has an event; once all of `outputs` have it, it is never delivered again to this consumer. */
export function recordDelivered(
  journal: Journal,
  { event, output, outputs }: { event: number; output: string; outputs: readonly string[] },
): void {
  atomically(journal, () => {
    prepared(journal, "UPDATE watch_delivery SET state = 'done' WHERE event = ? AND output = ?").run(
      event,
      output,
    );
    dropIfDelivered(journal, event, outputs);
  });
}

/** Forgets what all of `outputs` have: an earlier run had others. */
export function dropDelivered(journal: Journal, watchId: number, outputs: readonly string[]): void {
  atomically(journal, () => {
    const rows = prepared(journal, "SELECT event FROM watch_event WHERE watch_id = ?").all(watchId);
    for (const { event } of rows as { event: number }[]) dropIfDelivered(journal, event, outputs);
  });
}
