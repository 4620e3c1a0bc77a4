import type { Sql } from "../engine/engine.ts";

export interface WatchProgress {
  watchId: number;
  /** When its first run began, epoch milliseconds of the service's clock; null when it has not. */
  beganAt: number | null;
  firstRun: 0 | 1;
  /** Totals of the first page that the first run read, where there were more pages; otherwise null. */
  firstPage: FirstPage | null;
  /** The next scan of all states begins here, epoch milliseconds of the service's clock; null while the branch has had no order. */
  sinceFloor: number | null;
  /** When the journal was found to know less than this machine, epoch milliseconds of the service's clock: older orders may have been delivered. */
  olderAt: number | null;
  /** When it was last polled, epoch milliseconds by the clock of that machine, some seconds late; null where nobody said so. */
  polledAt: number | null;
  /** Orders to look up once they are no longer listed as pendiente. */
  pending: readonly PendingOrder[];
  /** Those of the last run. */
  outputs: readonly WatchOutput[];
  /** True where an output may not have got everything. */
  hasEvents: boolean;
}

export interface PendingOrder {
  orderKey: string;
  createdAt: string | null;
  /** How many are left. */
  lookups: number;
}

/** `end`: when its last order was created, epoch milliseconds. */
export type FirstPage = Record<"total" | "end", number>;

/** Which changes an output takes: `off` stands for those that call an order off, and for what was edited. */
type WantedChanges = "none" | "off" | "all";

export interface WatchOutput {
  name: string;
  changes: WantedChanges;
}

function byWatch<T extends { watchId: number }>(rows: readonly T[]): Map<number, Omit<T, "watchId">[]> {
  const groups = new Map<number, Omit<T, "watchId">[]>();
  for (const { watchId, ...row } of rows) {
    const group = groups.get(watchId);
    if (group === undefined) groups.set(watchId, [row]);
    else group.push(row);
  }
  return groups;
}

/** Creates a row for each branch that has none, and returns what is known of them, by their names. */
export async function openWatches(
  sql: Sql,
  branches: readonly string[],
  consumer: string,
): Promise<Map<string, WatchProgress>> {
  const names = JSON.stringify(branches);
  await sql.run(
    `INSERT INTO watch (branch, consumer) SELECT value, ?2 FROM json_each(?1) WHERE true ORDER BY value
         ON CONFLICT (branch, consumer) DO NOTHING`,
    ...[names, consumer],
  );
  type Row = Omit<WatchProgress, "firstPage" | "pending" | "outputs" | "hasEvents"> &
    Record<keyof FirstPage, number | null> & { branch: string };
  const which = `consumer = ?2 AND branch IN (SELECT value FROM json_each(?1))`;
  const all = <T>(text: string) => sql.all<T & { watchId: number }>(text, names, consumer);
  const rows = await all<Row>(
    `SELECT watch_id AS "watchId", branch, began_at AS "beganAt", first_run AS "firstRun", since_floor AS "sinceFloor",
              older_at AS "olderAt", polled_at AS "polledAt",
              first_total AS total, first_page_end AS "end"
         FROM watch WHERE ${which}`,
  );
  // The plus has the index of those few read: SQLite takes the primary key, and reads every order that the watch has seen.
  const pending = await all<PendingOrder>(
    `SELECT o.watch_id AS "watchId", order_id AS "orderKey", o.created_at AS "createdAt", lookups
         FROM watch_order AS o JOIN watch AS w ON w.watch_id = +o.watch_id WHERE lookups > 0 AND ${which}`,
  );
  const outputs = await all<WatchOutput>(
    `SELECT o.watch_id AS "watchId", output AS name, changes
         FROM watch_output AS o JOIN watch AS w ON w.watch_id = o.watch_id WHERE ${which}`,
  );
  const events = await all<object>(
    `SELECT w.watch_id AS "watchId" FROM watch AS w
         WHERE ${which} AND EXISTS (SELECT 1 FROM watch_event AS e WHERE e.watch_id = w.watch_id)`,
  );
  const withEvents = new Set(events.map(({ watchId }) => watchId));
  const [pendingOf, outputsOf] = [byWatch(pending), byWatch(outputs)];
  return new Map(
    rows.map(({ branch, total, end, ...progress }) => {
      const { watchId } = progress;
      const firstPage = total === null || end === null ? null : { total, end };
      const known = { pending: pendingOf.get(watchId) ?? [], outputs: outputsOf.get(watchId) ?? [] };
      return [branch, { ...progress, ...known, firstPage, hasEvents: withEvents.has(watchId) }];
    }),
  );
}
