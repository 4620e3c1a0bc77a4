import type { CatalogAction } from "../contract/catalog.ts";
import { insert, Part, type Sql } from "./engine.ts";

export interface NewPush {
  push_id: string;
  branch: string;
  action: CatalogAction;
  file: string | null;
  /** Of all that would be sent: the same content pushed again takes up where it stopped. */
  contentHash: string;
  at: number;
}

export interface PlannedEvent {
  first_row: number;
  row_count: number;
  event_id: string;
  occurred_at: string;
  stamp: number;
}

export interface PushEvent extends PlannedEvent {
  /** planned: known not to be applied; attempted: left, outcome unknown; answered: settled. */
  state: "planned" | "attempted" | "answered";
  answer: string | null;
}

export interface KeptPush extends Pick<NewPush, "push_id" | "at" | "action" | "file"> {
  /** JSON text; null while it is under way, or when its process was killed. */
  report: string | null;
  pending: boolean;
}

const isPending =
  "EXISTS (SELECT 1 FROM push_event WHERE push_event.push_id = push.push_id AND state <> 'answered') AS pending";

function addEvents(sql: Sql, push_id: string, events: readonly PlannedEvent[]): Promise<void> {
  const rows = events.map(({ first_row, row_count, event_id, stamp, occurred_at }) => ({
    push_id,
    first_row,
    row_count,
    event_id,
    stamp,
    occurred_at,
    state: "planned",
  }));
  return insert(sql, "push_event", rows);
}

/** "Newest" goes by insertion: this machine's clock can go back. */
export class Pushes extends Part {
  /** Takes the newest push up where it has the same content and is not finished; else stamps later than any of the branch are reserved. */
  begin(
    { contentHash: content_hash, ...push }: NewPush,
    plan: (firstStamp: number) => readonly PlannedEvent[],
  ): Promise<string> {
    const { push_id, branch, at, action, file } = push;
    return this.sql.transaction(async (sql) => {
      const newest = await sql.get<{ push_id: string; content_hash: string; pending: number }>(
        `SELECT push_id, content_hash, ${isPending} FROM push WHERE branch = ? ORDER BY seq DESC LIMIT 1`,
        branch,
      );
      if (newest?.pending === 1 && newest.content_hash === content_hash) return newest.push_id;
      const first = Math.max(at, (await new Pushes(sql).lastStamp(branch)) + 1);
      const events = plan(first);
      await insert(sql, "push", [{ push_id, branch, at, action, content_hash, file }]);
      await addEvents(sql, push_id, events);
      const last = events.at(-1)?.stamp ?? first;
      await sql.run(
        "INSERT INTO branch_stamp VALUES (?, ?) ON CONFLICT (branch) DO UPDATE SET stamp = excluded.stamp",
        ...[branch, last],
      );
      return push_id;
    });
  }

  async lastStamp(branch: string): Promise<number> {
    const text = "SELECT stamp FROM branch_stamp WHERE branch = ?";
    return (await this.sql.get<{ stamp: number }>(text, branch))?.stamp ?? 0;
  }

  /** When the last push began that the service answered; undefined of none that is still kept. */
  async lastAnswered(branch: string): Promise<number | undefined> {
    const text = `SELECT at FROM push WHERE branch = ? AND EXISTS
      (SELECT 1 FROM push_event WHERE push_event.push_id = push.push_id AND state = 'answered') ORDER BY seq DESC`;
    return (await this.sql.get<{ at: number }>(`${text} LIMIT 1`, branch))?.at;
  }

  events(pushId: string): Promise<PushEvent[]> {
    return this.sql.all("SELECT * FROM push_event WHERE push_id = ? ORDER BY first_row", pushId);
  }

  attempted(pushId: string, events: readonly PushEvent[]): Promise<void> {
    return this.#move("planned", "attempted", pushId, events);
  }

  notApplied(pushId: string, events: readonly PushEvent[]): Promise<void> {
    return this.#move("attempted", "planned", pushId, events);
  }

  #move(from: string, to: string, pushId: string, events: readonly PushEvent[]): Promise<void> {
    return this.sql.many(
      "UPDATE push_event SET state = ? WHERE push_id = ? AND first_row = ? AND event_id = ? AND state = ?",
      events.map(({ first_row, event_id }) => [to, pushId, first_row, event_id, from]),
    );
  }

  answered(pushId: string, answers: readonly { event: PushEvent; answer: string }[]): Promise<void> {
    return this.sql.many(
      "UPDATE push_event SET state = 'answered', answer = ? WHERE push_id = ? AND first_row = ? AND event_id = ?",
      answers.map(({ event: { first_row, event_id }, answer }) => [answer, pushId, first_row, event_id]),
    );
  }

  /** Also the planned ones behind it that are larger than its half. Another process may have done so already. */
  halve(
    pushId: string,
    { first_row, row_count, event_id }: PushEvent,
    halves: (event: PushEvent) => readonly PlannedEvent[],
  ): Promise<void> {
    return this.sql.transaction(async (sql) => {
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

  async report(pushId: string, report: string): Promise<void> {
    await this.sql.run(
      `INSERT INTO push_report (push_id, report) SELECT push_id, ? FROM push WHERE push_id = ?
         ON CONFLICT (push_id) DO UPDATE SET report = excluded.report`,
      ...[report, pushId],
    );
  }

  async newest(branch: string, limit: number): Promise<KeptPush[]> {
    const rows = await this.sql.all<Omit<KeptPush, "pending"> & { pending: number }>(
      `SELECT push.push_id, at, action, file, report, ${isPending}
         FROM push LEFT JOIN push_report USING (push_id) WHERE branch = ? ORDER BY seq DESC LIMIT ?`,
      ...[branch, limit],
    );
    return rows.map((row) => ({ ...row, pending: row.pending === 1 }));
  }
}
