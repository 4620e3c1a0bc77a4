import type { CatalogAction } from "../../contract/catalog.ts";
import { insert, Records, type Sql } from "../engine/engine.ts";
import type { ProductChange } from "./catalog.ts";

export interface NewPush {
  push_id: string;
  branch: string;
  action: CatalogAction;
  file: string | null;
  /** Hash of all that would be sent: the same content pushed again continues where it stopped. */
  contentHash: string;
  at: number;
  /** The push that it undoes. */
  undo_of?: string | undefined;
  /** The push that it is a part of: deactivations follow what is upserted, and an undo may need several. */
  part_of?: string | undefined;
  /** How many pushes the group has that begins with this one; absent for a single push. */
  parts?: number;
}

/** A change of a push in a product, with its place in the push; by the journal's knowledge when the batch was first sent. */
export type KeptChange = ProductChange & { row: number };

export interface PushPart extends Pick<NewPush, "push_id" | "at" | "action" | "file"> {
  undo_of: string | null;
  part_of: string | null;
  parts: number;
  pending: boolean;
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
  undo_of: string | null;
  /** JSON text; null while it is under way, or when its process was killed. */
  report: string | null;
  pending: boolean;
}

const maxUndone = 50;

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

/** Only recent pushes can be undone. */
async function forgetChanges(sql: Sql, branch: string): Promise<void> {
  await sql.run(
    `DELETE FROM push_change WHERE push_id IN (SELECT push_id FROM push WHERE branch = ? AND seq <
       (SELECT min(seq) FROM (SELECT seq FROM push WHERE branch = ? ORDER BY seq DESC LIMIT ${maxUndone}) AS lately))`,
    ...[branch, branch],
  );
}

/** "Newest" goes by insertion: this machine's clock can go back. */
export class Pushes extends Records {
  /** Takes the newest push up where it has the same content and is not finished; else stamps later than any of the branch are reserved. */
  begin(
    { contentHash: content_hash, ...push }: NewPush,
    plan: (firstStamp: number) => readonly PlannedEvent[],
  ): Promise<string> {
    const { push_id, branch, at, action, file, undo_of = null, part_of = null, parts = 1 } = push;
    return this.sql.transaction(async (sql) => {
      const newest = await sql.get<{ push_id: string; content_hash: string; pending: number }>(
        `SELECT push_id, content_hash, ${isPending} FROM push WHERE branch = ? ORDER BY seq DESC LIMIT 1`,
        branch,
      );
      if (newest?.pending === 1 && newest.content_hash === content_hash) return newest.push_id;
      const first = Math.max(at, (await new Pushes(sql).lastStamp(branch)) + 1);
      const events = plan(first);
      await insert(sql, "push", [
        { push_id, branch, at, action, content_hash, file, undo_of, part_of, parts },
      ]);
      await forgetChanges(sql, branch);
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

  /** Halves a batch, and the planned ones behind it that are larger than its half. Another process may have done so already. */
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

  /** Records the changes of a batch before it is sent for the first time: later the former values are no longer known. */
  async keepChanges(pushId: string, firstRow: number, changes: readonly KeptChange[]): Promise<void> {
    const row = { push_id: pushId, first_row: firstRow, changes: JSON.stringify(changes) };
    await insert(this.sql, "push_change", [row], "ON CONFLICT DO NOTHING");
  }

  /** Returns what a push changed, in the order of its products; undefined where none of it was kept. */
  async changes(pushId: string): Promise<KeptChange[] | undefined> {
    const rows = await this.sql.all<{ changes: string }>(
      "SELECT changes FROM push_change WHERE push_id = ? ORDER BY first_row",
      pushId,
    );
    if (rows.length === 0) return undefined;
    return rows.flatMap(({ changes }) => JSON.parse(changes) as KeptChange[]);
  }

  /** The push, by its id or how that begins, or else the newest, of which anything was sent; with the parts of it. */
  async parts(branch: string, pushId = ""): Promise<PushPart[]> {
    const named = await this.sql.all<{ leader: string }>(
      `SELECT coalesce(part_of, push_id) AS leader FROM push WHERE branch = ?
         AND (substr(push_id, 1, ?) = ? OR substr(part_of, 1, ?) = ?) AND EXISTS
         (SELECT 1 FROM push_event WHERE push_event.push_id = push.push_id AND state <> 'planned') ORDER BY seq DESC`,
      ...[branch, pushId.length, pushId, pushId.length, pushId],
    );
    const leaders = new Set(named.map(({ leader }) => leader));
    const [leader] = leaders;
    if (leader === undefined || (pushId !== "" && leaders.size > 1)) return [];
    const rows = await this.sql.all<Omit<PushPart, "pending"> & { pending: number }>(
      `SELECT push_id, at, action, file, undo_of, part_of, parts, ${isPending} FROM push
         WHERE branch = ? AND (push_id = ? OR part_of = ?) ORDER BY seq`,
      ...[branch, leader, leader],
    );
    return rows.map((row) => ({ ...row, pending: row.pending === 1 }));
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
      `SELECT push.push_id, at, action, file, undo_of, report, ${isPending}
         FROM push LEFT JOIN push_report USING (push_id) WHERE branch = ? ORDER BY seq DESC LIMIT ?`,
      ...[branch, limit],
    );
    return rows.map((row) => ({ ...row, pending: row.pending === 1 }));
  }
}
