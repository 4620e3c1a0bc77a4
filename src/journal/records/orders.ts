import { isLosslessNumber } from "lossless-json";
import { isOffState } from "../../contract/limits.ts";
import { insert, listed, plainText, Records, type Sql } from "../engine/engine.ts";
import {
  type FirstPage,
  openWatches,
  type PendingOrder,
  type WatchOutput,
  type WatchProgress,
} from "./watch-progress.ts";

export type { FirstPage, PendingOrder, WatchOutput, WatchProgress } from "./watch-progress.ts";

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
export const toOrderKey = (orderId: string, nth: number): string =>
  nth === 1 ? orderId : `${orderId} (${nth})`;
export const readNth = (key: string): number => Number(/ \((\d+)\)$/.exec(key)?.[1] ?? 1);
export const numberIn = (key: string): string => key.replace(/ .*/, "");

/** How often an order that left pendiente is looked up: one that is in no state, as if deleted, is not looked up for ever. */
export const maxLookups = 3;

/** A placeholder for the time at which the journal was found to be older, until the service sends its time. */
export const notYetKnown = Number.MAX_SAFE_INTEGER;

export interface KnownOrder {
  status: string;
  /** `skipped`: was there before the watch began, and is not delivered. */
  state: "found" | "skipped";
  createdAt: string | null;
  /** A hash that changes with an edit while the order is pendiente. */
  content: string | null;
}

export interface FoundOrder extends Pick<KnownOrder, "createdAt" | "status"> {
  orderKey: string;
  /** When it was read, epoch milliseconds by this machine's clock. */
  at: number;
  body: string;
  content?: KnownOrder["content"];
}

/** Another state, or the fields that were edited, or both. */
export interface OrderChange
  extends Pick<FoundOrder, "orderKey" | "at" | "body">,
    Pick<KnownOrder, "content"> {
  from: string;
  to: string;
  edited: readonly string[];
}

/** An event that is pending for an output. */
export type Owed = { output: string } & Record<"orders" | "changes", number>;

/**
 * Outputs for whoever looks at the moment. They are owed what was found while they were there, and no more: nobody who looks once
 * with `orders watch` asks for what a later run with --quiet finds. All others are owed everything from their first run on.
 */
const passing = "('stdout', 'notify')";

export type RememberedOrder = Omit<FoundOrder, "at" | "body">;
type State = KnownOrder["state"];

function addOrders(
  sql: Sql,
  watch_id: number,
  orders: readonly RememberedOrder[],
  state: State,
): Promise<void> {
  const rows = orders.map(({ orderKey, createdAt, status, content = null }) => ({
    watch_id,
    order_id: orderKey,
    created_at: createdAt,
    status,
    state,
    content,
    lookups: state === "found" && status === "pendiente" ? maxLookups : 0,
  }));
  return insert(sql, "watch_order", rows, "ON CONFLICT DO NOTHING");
}

const isOwed = (event: string): string =>
  `EXISTS (SELECT 1 FROM watch_delivery AS d WHERE d.event = ${event} AND d.state <> 'done')`;

/** Removes events, of a watch or a single one, that no output still has to receive. */
export async function dropDelivered(sql: Sql, where: "event" | "watch_id", id: number): Promise<void> {
  const text = `SELECT event FROM watch_event AS e WHERE ${where} = ? AND NOT ${isOwed("e.event")}`;
  const rows = (await sql.all<{ event: number }>(text, id)).map(({ event }) => [event]);
  for (const table of ["watch_delivery", "watch_event"])
    await sql.many(`DELETE FROM ${table} WHERE event = ?`, rows);
}

const newestEvent = async (sql: Sql): Promise<number> =>
  (await sql.one<{ newest: number }>("SELECT coalesce(max(event), 0) AS newest FROM watch_event")).newest;

const owing = `INSERT INTO watch_delivery (watch_id, event, output, state) SELECT e.watch_id, e.event, `;

/** A created_at as a number; 0 where `createdAtText` gave no instant. */
const instant = `CASE WHEN created_at <> '' AND ltrim(created_at, '0123456789') = ''
  THEN CAST(substr(created_at, 1, 40) AS NUMERIC) ELSE 0 END`;

export class Orders extends Records {
  async open(branch: string, consumer: string): Promise<WatchProgress> {
    return (await this.openAll([branch], consumer)).get(branch) as WatchProgress;
  }

  /** Returns what is known of many branches, in as many statements as for one. */
  openAll(branches: readonly string[], consumer: string): Promise<Map<string, WatchProgress>> {
    return this.sql.transaction((sql) => openWatches(sql, branches, consumer));
  }

  async known(watchId: number, keys: readonly string[]): Promise<Map<string, KnownOrder>> {
    const rows = await this.sql.all<KnownOrder & { orderKey: string }>(
      `SELECT order_id AS "orderKey", status, state, created_at AS "createdAt", content
         FROM watch_order WHERE watch_id = ? AND order_id IN ${listed}`,
      ...[watchId, JSON.stringify(keys)],
    );
    return new Map(rows.map(({ orderKey, ...known }) => [orderKey, known]));
  }

  count(watchId: number, until: number): Promise<{ all: number; early: number }> {
    return this.sql.one(
      `SELECT count(*) AS "all", count(*) FILTER (WHERE ${instant} <= ?) AS early
         FROM watch_order WHERE watch_id = ?`,
      ...[until, watchId],
    );
  }

  /** When the newest order was created of those up to an instant; null where there is none. */
  async newest(watchId: number, until: number): Promise<number | null> {
    const text = `SELECT max(${instant}) AS newest FROM watch_order WHERE watch_id = ? AND ${instant} BETWEEN 1 AND ?`;
    return (await this.sql.one<{ newest: number | null }>(text, watchId, until)).newest;
  }

  setCreatedAt(watchId: number, orders: readonly { orderKey: string; createdAt: string }[]): Promise<void> {
    return this.sql.many(
      "UPDATE watch_order SET created_at = ? WHERE watch_id = ? AND order_id = ?",
      orders.map(({ orderKey, createdAt }) => [createdAt, watchId, orderKey]),
    );
  }

  setContent(watchId: number, orders: readonly { orderKey: string; content: string }[]): Promise<void> {
    return this.sql.many(
      "UPDATE watch_order SET content = ? WHERE watch_id = ? AND order_id = ?",
      orders.map(({ orderKey, content }) => [content, watchId, orderKey]),
    );
  }

  /**
   * The outputs of a run. One that is new gets what is owed to others and what nobody but a screen has got yet: nobody knows whether it stands
   * for one that never worked. What others have got it does not get.
   */
  join(watchId: number, outputs: readonly WatchOutput[]): Promise<void> {
    const names = JSON.stringify(outputs.map(({ name }) => name));
    return this.sql.transaction(async (sql) => {
      await sql.run(
        `DELETE FROM watch_output WHERE watch_id = ? AND output IN ${passing} AND output NOT IN ${listed}`,
        ...[watchId, names],
      );
      const text = "SELECT output FROM watch_output WHERE watch_id = ?";
      const known = (await sql.all<{ output: string }>(text, watchId)).map(({ output }) => output);
      await insert(
        sql,
        "watch_output",
        outputs.map(({ name, changes }) => ({ watch_id: watchId, output: name, changes })),
        "ON CONFLICT (watch_id, output) DO UPDATE SET changes = excluded.changes",
      );
      const added = outputs.flatMap(({ name }) => (known.includes(name) ? [] : [[name, watchId]]));
      await sql.many(
        `${owing} ?1, 'open' FROM watch_event AS e WHERE e.watch_id = ?2 AND e.from_status IS NULL
           AND NOT EXISTS (SELECT 1 FROM watch_delivery AS d
             WHERE d.event = e.event AND d.state = 'done' AND d.output NOT IN ${passing})
           ON CONFLICT (event, output) DO NOTHING`,
        added,
      );
      await dropDelivered(sql, "watch_id", watchId);
    });
  }

  /** Returns a row for every output with pending orders. */
  owed(watchId: number): Promise<Owed[]> {
    return this.sql.all(
      `SELECT output, count(CASE WHEN from_status IS NULL THEN 1 END) AS orders, count(from_status) AS changes
         FROM watch_delivery AS d JOIN watch_event AS e ON e.event = d.event
         WHERE d.watch_id = ? AND d.state <> 'done' GROUP BY output ORDER BY output`,
      watchId,
    );
  }

  /** Undefined if no watch has run for this branch and consumer. */
  async find(branch: string, consumer: string): Promise<number | undefined> {
    const text = `SELECT watch_id AS "watchId" FROM watch WHERE branch = ? AND consumer = ?`;
    return (await this.sql.get<{ watchId: number }>(text, branch, consumer))?.watchId;
  }

  /** Drops an output's pending orders, and those that would become pending for it. */
  forget(watchId: number, output: string): Promise<void> {
    return this.sql.transaction(async (sql) => {
      await sql.run("DELETE FROM watch_output WHERE watch_id = ? AND output = ?", watchId, output);
      // Marked as delivered, not deleted: a new output would get the pending orders of the others.
      await sql.run(
        "UPDATE watch_delivery SET state = 'done' WHERE watch_id = ? AND output = ? AND state <> 'done'",
        ...[watchId, output],
      );
      await dropDelivered(sql, "watch_id", watchId);
    });
  }

  /** Before the first of them is delivered; `began` comes with the first page that the first run read. */
  found(
    watchId: number,
    orders: readonly FoundOrder[],
    began?: { beganAt: number; firstPage: FirstPage | null },
  ): Promise<void> {
    return this.sql.transaction(async (sql) => {
      const newest = await newestEvent(sql);
      await sql.many(
        `INSERT INTO watch_event (watch_id, order_id, at, body) SELECT ?1, ?2, ?3, ?4
           WHERE NOT EXISTS (SELECT 1 FROM watch_order WHERE watch_id = ?1 AND order_id = ?2)`,
        orders.map(({ orderKey, at, body }) => [watchId, orderKey, Math.round(at), body]),
      );
      if (orders.length > 0)
        await sql.run(
          `${owing} o.output, 'open' FROM watch_event AS e JOIN watch_output AS o ON o.watch_id = e.watch_id
             WHERE e.watch_id = ? AND e.event > ?`,
          ...[watchId, newest],
        );
      await addOrders(sql, watchId, orders, "found");
      if (began === undefined) return;
      const { total = null, end = null } = began.firstPage ?? {};
      const text = "UPDATE watch SET began_at = ?, first_total = ?, first_page_end = ? WHERE watch_id = ?";
      await sql.run(text, began.beganAt, total, end, watchId);
    });
  }

  /** Records changes, and the outputs that have to receive them. */
  changed(watchId: number, changes: readonly OrderChange[]): Promise<void> {
    return this.sql.transaction(async (sql) => {
      await sql.many(
        "UPDATE watch_order SET status = ?, content = ?, lookups = CASE WHEN status = ? THEN lookups ELSE 0 END WHERE watch_id = ? AND order_id = ?",
        changes.map(({ orderKey, to, content }) => [to, content, to, watchId, orderKey]),
      );
      const text = "SELECT output AS name, changes FROM watch_output WHERE watch_id = ?";
      const outputs = (await sql.all<WatchOutput>(text, watchId)).map(({ name, changes: wants }) => ({
        name,
        wanted: changes.filter(
          ({ to, edited }) => wants === "all" || (wants === "off" && (isOffState(to) || edited.length > 0)),
        ),
      }));
      const events = changes
        .filter((change) => outputs.some(({ wanted }) => wanted.includes(change)))
        .map(({ orderKey: order_id, from: from_status, at, edited, body }) => ({
          watch_id: watchId,
          order_id,
          from_status,
          at: Math.round(at),
          body,
          edited: edited.length === 0 ? null : edited.join(","),
        }));
      const newest = await newestEvent(sql);
      await insert(sql, "watch_event", events);
      await sql.many(
        `${owing} ?1, 'open' FROM watch_event AS e WHERE e.watch_id = ?2 AND e.event > ?3
           AND e.order_id IN (SELECT value FROM json_each(?4))`,
        outputs.map(({ name, wanted }) => {
          return [name, watchId, newest, JSON.stringify(wanted.map(({ orderKey }) => orderKey))];
        }),
      );
    });
  }

  setLookups(watchId: number, orders: readonly Omit<PendingOrder, "createdAt">[]): Promise<void> {
    if (orders.length === 0) return Promise.resolve();
    return this.sql.many(
      "UPDATE watch_order SET lookups = ? WHERE watch_id = ? AND order_id = ?",
      orders.map(({ orderKey, lookups }) => [lookups, watchId, orderKey]),
    );
  }

  scanned(watchId: number, sinceFloor: number | null, skipped: readonly RememberedOrder[]): Promise<void> {
    return this.sql.transaction(async (sql) => {
      await addOrders(sql, watchId, skipped, "skipped");
      const text = "UPDATE watch SET first_run = 0, since_floor = ? WHERE watch_id = ?";
      await sql.run(text, sinceFloor, watchId);
    });
  }

  /** Returns the next event in the sequence in which they were found; a change of an order waits for what the output is to get of that order before. */
  async next(watchId: number, output: string, after: number): Promise<number | undefined> {
    // The plus has those of an order looked up by the order.
    const row = await this.sql.get<{ event: number }>(
      `SELECT owed.event FROM watch_delivery AS owed JOIN watch_event AS e ON e.event = owed.event
         WHERE owed.watch_id = ?1 AND owed.output = ?2 AND owed.state <> 'done' AND owed.event > ?3
           AND NOT EXISTS (SELECT 1 FROM watch_event AS b JOIN watch_delivery AS d ON d.event = b.event
             WHERE +b.watch_id = ?1 AND b.order_id = e.order_id AND b.event < owed.event
               AND d.output = ?2 AND d.state <> 'done')
         ORDER BY owed.event LIMIT 1`,
      ...[watchId, output, after],
    );
    return row?.event;
  }

  /** Undefined where an output has no part of the event after all: another station, which had it at once, found that out. */
  begin(event: number, output: string) {
    return this.sql.transaction(async (sql) => {
      type Row = Record<"orderKey" | "body" | "state", string> &
        Record<"from" | "edited", string | null> & { olderAt: number | null };
      const found = await sql.get<Row>(
        `SELECT order_id AS "orderKey", body, from_status AS "from", edited, d.state, older_at AS "olderAt"
           FROM watch_event AS e JOIN watch AS w ON w.watch_id = e.watch_id JOIN watch_delivery AS d ON d.event = e.event
           WHERE e.event = ? AND output = ? AND d.state <> 'done'`,
        ...[event, output],
      );
      if (found === undefined) return undefined;
      const { state, edited, ...row } = found;
      await sql.run(
        "UPDATE watch_delivery SET state = 'begun' WHERE event = ? AND output = ?",
        event,
        output,
      );
      return { ...row, edited: edited?.split(",") ?? [], wasBegun: state === "begun" };
    });
  }

  /** The journal knows less than this machine: what was created until then may have been delivered. */
  async setOlder(watchId: number, olderAt: number): Promise<void> {
    await this.sql.run("UPDATE watch SET older_at = ? WHERE watch_id = ?", olderAt, watchId);
  }

  async notDelivered(event: number, output: string): Promise<void> {
    const text = "UPDATE watch_delivery SET state = 'open' WHERE event = ? AND output = ?";
    await this.sql.run(text, event, output);
  }

  /** Records that an output received an event; removes its contents once no other output still has to receive it. */
  delivered(event: number, output: string): Promise<void> {
    return this.sql.transaction(async (sql) => {
      const text = "UPDATE watch_delivery SET state = 'done' WHERE event = ? AND output = ?";
      await sql.run(text, event, output);
      await dropDelivered(sql, "event", event);
    });
  }
}
