import { isLosslessNumber, parse } from "lossless-json";
import { insert, listed, Part, plainText, type Sql } from "./engine.ts";

/** The created_at of an order in the one spelling that tells it from another under its number; null where it says nothing. */
export function createdAtText(order: unknown): string | null {
  const made = (order as { created_at?: unknown } | null | undefined)?.created_at;
  if (typeof made === "string" && /^\d{4}-\d\d-\d\dT/.test(made)) {
    const instant = Date.parse(made);
    return Number.isNaN(instant) ? plainText(made) : String(instant);
  }
  const isKnown = ["string", "number", "bigint"].includes(typeof made) || isLosslessNumber(made);
  const text = isKnown ? plainText(String(made).trim()) : "";
  const number = Number(text);
  // Digits that no double holds stay as they are.
  return text === "" ? null : Number.isSafeInteger(number) ? String(number) : text;
}

/** The key of the nth order under a number, the first being 1: no order_id that is used as a key holds a blank. */
export const orderKey = (orderId: string, nth: number): string =>
  nth === 1 ? orderId : `${orderId} (${nth})`;
export const nthOf = (key: string): number => Number(/ \((\d+)\)$/.exec(key)?.[1] ?? 1);
export const numberIn = (key: string): string => key.replace(/ .*/, "");

/** How often an order that left pendiente is looked up: one that is in no state, as if deleted, is not looked up for ever. */
export const maxLookups = 3;

export interface WatchMemory {
  watchId: number;
  /** When its first run began, epoch milliseconds of the service's clock; null when it has not. */
  beganAt: number | null;
  firstRun: 0 | 1;
  /** What the first page that the first run read said, where there were more pages; otherwise null. */
  firstPage: FirstPage | null;
  /** Where the next scan of all states begins, epoch milliseconds of the service's clock; null while the branch has had no order. */
  sinceFloor: number | null;
  /** What is to be looked up once it is no longer listed as pendiente. */
  pending: PendingOrder[];
}

export interface PendingOrder {
  orderId: string;
  createdAt: string | null;
  /** How many are left. */
  lookups: number;
}

/** `end`: when its last order was created, epoch milliseconds. */
export type FirstPage = Record<"total" | "end", number>;

export interface KnownOrder {
  status: string;
  /** `skipped`: was there before the watch began, and is not delivered. */
  state: "found" | "skipped";
  createdAt: string | null;
}

export interface FoundOrder extends Pick<KnownOrder, "createdAt" | "status"> {
  orderId: string;
  body: string;
}

/** Of an order that 0.1 wrote down. */
function createdAtIn(body: string | null): string | null {
  try {
    return body === null ? null : createdAtText(parse(body));
  } catch {
    return null;
  }
}

type Remembered = Omit<FoundOrder, "body">;
type State = KnownOrder["state"];

function addOrders(sql: Sql, watch_id: number, orders: readonly Remembered[], state: State): Promise<void> {
  const rows = orders.map(({ orderId, createdAt, status }) => ({
    ...{ watch_id, order_id: orderId, created_at: createdAt, status, state },
    lookups: state === "found" && status === "pendiente" ? maxLookups : 0,
  }));
  return insert(sql, "watch_order", rows, "ON CONFLICT DO NOTHING");
}

async function dropDelivered(sql: Sql, where: string, id: number, outputs: readonly string[]): Promise<void> {
  const events = await sql.all<{ event: number }>(
    `SELECT event FROM watch_event AS e WHERE ${where} = ? AND (
       SELECT count(*) FROM watch_delivery AS d WHERE d.event = e.event AND d.state = 'done'
         AND d.output IN ${listed}) = ?`,
    ...[id, JSON.stringify(outputs), outputs.length],
  );
  const rows = events.map(({ event }) => [event]);
  for (const table of ["watch_delivery", "watch_event"])
    await sql.many(`DELETE FROM ${table} WHERE event = ?`, rows);
}

/** A created_at as a number; 0 where `createdAtText` gave no instant. */
const instant = `CASE WHEN created_at <> '' AND ltrim(created_at, '0123456789') = ''
  THEN CAST(substr(created_at, 1, 40) AS NUMERIC) ELSE 0 END`;

const lacks = (event: string): string =>
  `NOT EXISTS (SELECT 1 FROM watch_delivery AS d WHERE d.event = ${event}.event AND d.output = ?2 AND d.state = 'done')`;

export class Orders extends Part {
  open(branch: string, consumer: string): Promise<WatchMemory> {
    return this.sql.transaction(async (sql) => {
      await insert(sql, "watch", [{ branch, consumer }], "ON CONFLICT (branch, consumer) DO NOTHING");
      type Row = Omit<WatchMemory, "firstPage" | "pending"> & Record<keyof FirstPage, number | null>;
      const { total, end, ...memory } = await sql.one<Row>(
        `SELECT watch_id AS "watchId", began_at AS "beganAt", first_run AS "firstRun", since_floor AS "sinceFloor",
                first_total AS total, first_page_end AS "end"
           FROM watch WHERE branch = ? AND consumer = ?`,
        ...[branch, consumer],
      );
      // As a range: for one value SQLite takes the primary key, and reads every order that the watch has seen.
      const pending = await sql.all<PendingOrder>(
        `SELECT order_id AS "orderId", created_at AS "createdAt", lookups
           FROM watch_order WHERE watch_id BETWEEN ?1 AND ?1 AND lookups > 0`,
        memory.watchId,
      );
      return { ...memory, pending, firstPage: total === null || end === null ? null : { total, end } };
    });
  }

  async known(watchId: number, keys: readonly string[]): Promise<Map<string, KnownOrder>> {
    const rows = await this.sql.all<KnownOrder & { orderId: string; body: string | null }>(
      `SELECT order_id AS "orderId", status, state, created_at AS "createdAt",
              (SELECT body FROM watch_event AS e
                WHERE o.created_at IS NULL AND e.watch_id = o.watch_id AND e.order_id = o.order_id LIMIT 1) AS body
         FROM watch_order AS o WHERE watch_id = ? AND order_id IN ${listed}`,
      ...[watchId, JSON.stringify(keys)],
    );
    return new Map(
      rows.map(({ orderId, body, createdAt, ...known }) => [
        orderId,
        { ...known, createdAt: createdAt ?? createdAtIn(body) },
      ]),
    );
  }

  count(watchId: number, until: number): Promise<{ all: number; early: number }> {
    return this.sql.one(
      `SELECT count(*) AS "all", count(*) FILTER (WHERE ${instant} <= ?) AS early
         FROM watch_order WHERE watch_id = ?`,
      ...[until, watchId],
    );
  }

  setCreatedAt(watchId: number, orders: readonly { orderId: string; createdAt: string }[]): Promise<void> {
    return this.sql.many(
      "UPDATE watch_order SET created_at = ? WHERE watch_id = ? AND order_id = ?",
      orders.map(({ orderId, createdAt }) => [createdAt, watchId, orderId]),
    );
  }

  /** Before the first of them is delivered; `began` comes with the first page that the first run read. */
  found(
    watchId: number,
    orders: readonly FoundOrder[],
    began?: { beganAt: number; firstPage: FirstPage | null },
  ): Promise<void> {
    return this.sql.transaction(async (sql) => {
      await sql.many(
        `INSERT INTO watch_event (watch_id, order_id, body) SELECT ?1, ?2, ?3
           WHERE NOT EXISTS (SELECT 1 FROM watch_order WHERE watch_id = ?1 AND order_id = ?2)`,
        orders.map(({ orderId, body }) => [watchId, orderId, body]),
      );
      await addOrders(sql, watchId, orders, "found");
      if (began === undefined) return;
      const { total = null, end = null } = began.firstPage ?? {};
      const text = "UPDATE watch SET began_at = ?, first_total = ?, first_page_end = ? WHERE watch_id = ?";
      await sql.run(text, began.beganAt, total, end, watchId);
    });
  }

  changed(
    watchId: number,
    changes: readonly { orderId: string; from: string; to: string; body: string | null }[],
  ): Promise<void> {
    return this.sql.transaction(async (sql) => {
      await sql.many(
        "UPDATE watch_order SET status = ?, lookups = 0 WHERE watch_id = ? AND order_id = ?",
        changes.map(({ orderId, to }) => [to, watchId, orderId]),
      );
      const events = changes.flatMap(({ orderId: order_id, from: from_status, body }) =>
        body === null ? [] : [{ watch_id: watchId, order_id, from_status, body }],
      );
      await insert(sql, "watch_event", events);
    });
  }

  setLookups(watchId: number, orders: readonly Omit<PendingOrder, "createdAt">[]): Promise<void> {
    if (orders.length === 0) return Promise.resolve();
    return this.sql.many(
      "UPDATE watch_order SET lookups = ? WHERE watch_id = ? AND order_id = ?",
      orders.map(({ orderId, lookups }) => [lookups, watchId, orderId]),
    );
  }

  scanned(watchId: number, sinceFloor: number | null, skipped: readonly Remembered[]): Promise<void> {
    return this.sql.transaction(async (sql) => {
      await addOrders(sql, watchId, skipped, "skipped");
      const text = "UPDATE watch SET first_run = 0, since_floor = ? WHERE watch_id = ?";
      await sql.run(text, sinceFloor, watchId);
    });
  }

  /** In the sequence in which they were found; a change of an order waits for what the output is to get of that order before. */
  async next(watchId: number, output: string, after: number): Promise<number | undefined> {
    // The plus has those of an order looked up by the order.
    const row = await this.sql.get<{ event: number }>(
      `SELECT event FROM watch_event AS e WHERE watch_id = ?1 AND event > ?3 AND ${lacks("e")}
         AND NOT EXISTS (SELECT 1 FROM watch_event AS b
           WHERE +b.watch_id = ?1 AND b.order_id = e.order_id AND b.event < e.event AND ${lacks("b")})
         ORDER BY event LIMIT 1`,
      ...[watchId, output, after],
    );
    return row?.event;
  }

  begin(event: number, output: string) {
    return this.sql.transaction(async (sql) => {
      const row = await sql.one<{ orderId: string; body: string; from: string | null; begun: 0 | 1 }>(
        `SELECT order_id AS "orderId", body, from_status AS "from", d.event IS NOT NULL AS begun
           FROM watch_event AS e LEFT JOIN watch_delivery AS d ON d.event = e.event AND d.output = ?
           WHERE e.event = ?`,
        ...[output, event],
      );
      if (row.begun === 0) await insert(sql, "watch_delivery", [{ event, output, state: "begun" }]);
      return { ...row, wasBegun: row.begun === 1 };
    });
  }

  async notDelivered(event: number, output: string): Promise<void> {
    await this.sql.run("DELETE FROM watch_delivery WHERE event = ? AND output = ?", event, output);
  }

  /** Writes down that an output has an event; once all of `outputs` have it, it is never delivered again to this consumer. */
  delivered(event: number, output: string, outputs: readonly string[]): Promise<void> {
    return this.sql.transaction(async (sql) => {
      const text = "UPDATE watch_delivery SET state = 'done' WHERE event = ? AND output = ?";
      await sql.run(text, event, output);
      await dropDelivered(sql, "event", event, outputs);
    });
  }

  dropDelivered(watchId: number, outputs: readonly string[]): Promise<void> {
    return this.sql.transaction((sql) => dropDelivered(sql, "watch_id", watchId, outputs));
  }
}
