import { Records } from "../engine/engine.ts";

/** How the service answers a branch; `stopped` where the process that watched it gave it up. */
export type WatchState = "ok" | "outage" | "stopped";

/** A watch's own report. Instants are epoch milliseconds by the clock of its machine. */
interface WatchHealth {
  /** The profile, or what else the branch is called. */
  name: string;
  state: WatchState;
  since: number;
  /** When its last poll read every page; null before the first. */
  polledAt: number | null;
}

/** Polled less often than configured, since the service limits the rate. */
export interface Slowed {
  since: number;
  intervalMs: number;
  everyMs: number;
}

/** A watch that reported its state, running or not; `behindSince`, `intervalMs` and `everyMs` are null unless it is slowed. */
export interface KeptWatch extends WatchHealth {
  watchId: number;
  branch: string;
  consumer: string;
  behindSince: number | null;
  intervalMs: number | null;
  everyMs: number | null;
}

/** A report to record; with `polledAt` null the time of an earlier process is kept. */
export type NotedWatch = WatchHealth & { watchId: number; slowed?: Slowed | undefined };

const rounded = (ms: number | null | undefined): number | null => (ms == null ? null : Math.round(ms));

/** The number of pending deliveries of an output, and the time of the oldest. */
export interface Undelivered {
  watchId: number;
  output: string;
  undelivered: number;
  oldestAt: number;
}

/** The state of each watch, for other processes. */
export class Watches extends Records {
  noteAll(watches: readonly NotedWatch[]): Promise<void> {
    return this.sql.many(
      `UPDATE watch SET name = ?, state = ?, state_since = ?, polled_at = coalesce(?, polled_at),
         behind_since = ?, interval_ms = ?, every_ms = ? WHERE watch_id = ?`,
      watches.map(({ watchId, name, state, since, polledAt, slowed }) => [
        name,
        state,
        ...[since, polledAt, slowed?.since, slowed?.intervalMs, slowed?.everyMs].map(rounded),
        watchId,
      ]),
    );
  }

  all(): Promise<KeptWatch[]> {
    return this.sql.all(
      `SELECT watch_id AS "watchId", branch, consumer, name, state, state_since AS since, polled_at AS "polledAt",
           behind_since AS "behindSince", interval_ms AS "intervalMs", every_ms AS "everyMs"
         FROM watch WHERE state IS NOT NULL ORDER BY name, consumer`,
    );
  }

  /** Returns whether the service has accepted the key of a branch: a poll, a push or a campaign was answered. */
  async hasWorked(branch: string): Promise<boolean> {
    const answered = [
      "FROM watch WHERE branch = ?1 AND (began_at IS NOT NULL OR polled_at IS NOT NULL)",
      "FROM push JOIN push_event USING (push_id) WHERE branch = ?1 AND state = 'answered'",
      "FROM send JOIN send_call USING (send_id) WHERE branch = ?1 AND answered_at IS NOT NULL",
    ].map((rows) => `EXISTS (SELECT 1 ${rows})`);
    const text = `SELECT CASE WHEN ${answered.join(" OR ")} THEN 1 ELSE 0 END AS worked`;
    return (await this.sql.one<{ worked: number }>(text, branch)).worked === 1;
  }

  /** Every output of every watch, including watches that are not running. */
  outputs(): Promise<Pick<Undelivered, "watchId" | "output">[]> {
    return this.sql.all('SELECT watch_id AS "watchId", output FROM watch_output ORDER BY watch_id, output');
  }

  /** Returns a row for every watch and output with pending deliveries. */
  undelivered(): Promise<Undelivered[]> {
    return this.sql.all(
      `SELECT d.watch_id AS "watchId", output, count(*) AS undelivered, min(at) AS "oldestAt"
         FROM watch_delivery AS d JOIN watch_event AS e ON e.event = d.event
         WHERE d.state <> 'done' GROUP BY d.watch_id, output ORDER BY d.watch_id, output`,
    );
  }
}
