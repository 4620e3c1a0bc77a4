import type { CatalogAction } from "../contract/catalog.ts";
import type { Sql } from "./engine.ts";

/** A push that is to begin. */
export interface NewPush {
  push_id: string;
  branch: string;
  action: CatalogAction;
  /** The file's name, for people who ask later; null when there is none. */
  file: string | null;
  /** SHA-256 of all that would be sent: the same content pushed again takes up where it stopped. */
  contentHash: string;
  /** When it begins, epoch milliseconds. */
  at: number;
}

/** One catalog event of a push: a range of its rows, with a stamp and an id that never change. */
export interface PlannedEvent {
  first_row: number;
  row_count: number;
  event_id: string;
  occurred_at: string;
  /** Epoch milliseconds of occurred_at. */
  stamp: number;
}

/** planned: known not to be applied; attempted: left, outcome unknown; answered: settled. */
type EventState = "planned" | "attempted" | "answered";

/** One catalog event as the journal knows it. */
export interface PushEvent extends PlannedEvent {
  state: EventState;
  /** The service's answer as JSON text, null until answered. */
  answer: string | null;
}

/** A push as the journal keeps it. */
export interface KeptPush {
  push_id: string;
  /** Epoch milliseconds. */
  at: number;
  action: CatalogAction;
  file: string | null;
  /** JSON text; null while it is under way, or when its process was killed. */
  report: string | null;
  /** A batch has no answer. */
  pending: boolean;
}

const isPending =
  "EXISTS (SELECT 1 FROM push_event WHERE push_event.push_id = push.push_id AND state <> 'answered') AS pending";

const setState = (from: string, to: string): string =>
  `UPDATE push_event SET state = '${to}' WHERE push_id = ? AND first_row = ? AND event_id = ? AND state = '${from}'`;

function addEvents(sql: Sql, pushId: string, events: readonly PlannedEvent[]): Promise<void> {
  return sql.many(
    `INSERT INTO push_event (push_id, first_row, row_count, event_id, stamp, occurred_at, state)
     VALUES (?, ?, ?, ?, ?, ?, 'planned')`,
    events.map(({ first_row, row_count, event_id, stamp, occurred_at }) => [
      ...[pushId, first_row, row_count, event_id, stamp, occurred_at],
    ]),
  );
}

/** Pushes of catalogs and their events. "Newest" goes by insertion: this machine's clock can go back. */
export class Pushes {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Begins a push, or takes up the newest one where it has the same content and is not finished: going on with an older one would undo
   * it. Its id either way. A new one gets, in one step, stamps later than any that was ever reserved for its branch, and its events.
   *
   * @param plan makes the events from the first free stamp on, in epoch milliseconds, at least one.
   */
  begin(push: NewPush, plan: (firstStamp: number) => readonly PlannedEvent[]): Promise<string> {
    const { push_id: id, branch, at, action, contentHash, file } = push;
    return this.#sql.transaction(async (sql) => {
      const newest = await sql.get<{ push_id: string; content_hash: string; pending: number }>(
        `SELECT push_id, content_hash, ${isPending} FROM push WHERE branch = ? ORDER BY seq DESC LIMIT 1`,
        branch,
      );
      if (newest?.pending === 1 && newest.content_hash === contentHash) return newest.push_id;
      const first = Math.max(at, (await new Pushes(sql).lastStamp(branch)) + 1);
      const events = plan(first);
      await sql.run(
        "INSERT INTO push (push_id, branch, at, action, content_hash, file) VALUES (?, ?, ?, ?, ?, ?)",
        ...[id, branch, at, action, contentHash, file],
      );
      await addEvents(sql, id, events);
      await sql.run(
        "INSERT INTO branch_stamp VALUES (?, ?) ON CONFLICT (branch) DO UPDATE SET stamp = excluded.stamp",
        ...[branch, events.at(-1)?.stamp ?? first],
      );
      return id;
    });
  }

  /** The last stamp that was reserved for a branch, epoch milliseconds; 0 where there was none. */
  async lastStamp(branch: string): Promise<number> {
    const row = await this.#sql.get("SELECT stamp FROM branch_stamp WHERE branch = ?", branch);
    return (row as { stamp: number } | undefined)?.stamp ?? 0;
  }

  /** All events of a push, in the order of their rows. */
  events(pushId: string): Promise<PushEvent[]> {
    const text = "SELECT * FROM push_event WHERE push_id = ? ORDER BY first_row";
    return this.#sql.all(text, pushId);
  }

  /** Writes down that events are about to leave. */
  attempted(pushId: string, events: readonly PushEvent[]): Promise<void> {
    return this.#setStates(setState("planned", "attempted"), pushId, events);
  }

  /** Writes down that the service is known not to have applied events, though they were attempted. */
  notApplied(pushId: string, events: readonly PushEvent[]): Promise<void> {
    return this.#setStates(setState("attempted", "planned"), pushId, events);
  }

  #setStates(text: string, pushId: string, events: readonly PushEvent[]): Promise<void> {
    return this.#sql.many(
      text,
      events.map(({ first_row, event_id }) => [pushId, first_row, event_id]),
    );
  }

  /** Writes down what the service answered to an event, as JSON text. */
  async answered(pushId: string, { first_row, event_id }: PushEvent, answer: string): Promise<void> {
    await this.#sql.run(
      "UPDATE push_event SET state = 'answered', answer = ? WHERE push_id = ? AND first_row = ? AND event_id = ?",
      ...[answer, pushId, first_row, event_id],
    );
  }

  /**
   * Replaces an event that is too large for the service, and the planned ones behind it that are larger than its half,
   * by two each. Another process may have done so already: then there is nothing to replace.
   */
  halve(
    pushId: string,
    { first_row, row_count, event_id }: PushEvent,
    halves: (event: PushEvent) => readonly PlannedEvent[],
  ): Promise<void> {
    return this.#sql.transaction(async (sql) => {
      const large = await sql.all<PushEvent>(
        `SELECT * FROM push_event WHERE push_id = ? AND first_row >= ? AND row_count > ?
           AND (state = 'planned' OR (state = 'attempted' AND event_id = ?))`,
        ...[pushId, first_row, Math.ceil(row_count / 2), event_id],
      );
      await sql.many(
        "DELETE FROM push_event WHERE push_id = ? AND first_row = ? AND event_id = ?",
        large.map((event) => [pushId, event.first_row, event.event_id]),
      );
      await addEvents(sql, pushId, large.flatMap(halves));
    });
  }

  /** Keeps what came of a push, for people who ask later: the report as JSON text, in the place of an earlier one. */
  async report(pushId: string, report: string): Promise<void> {
    await this.#sql.run(
      `INSERT INTO push_report (push_id, report) SELECT push_id, ? FROM push WHERE push_id = ?
         ON CONFLICT DO UPDATE SET report = excluded.report`,
      ...[report, pushId],
    );
  }

  /** The newest pushes of a branch, newest first. */
  async newest(branch: string, limit: number): Promise<KeptPush[]> {
    const rows = await this.#sql.all<Omit<KeptPush, "pending"> & { pending: number }>(
      `SELECT push.push_id, at, action, coalesce(push.file, push_report.file) AS file, report, ${isPending}
         FROM push LEFT JOIN push_report USING (push_id)
         WHERE branch = ? ORDER BY seq DESC LIMIT ?`,
      ...[branch, limit],
    );
    return rows.map((row) => ({ ...row, pending: row.pending === 1 }));
  }
}
