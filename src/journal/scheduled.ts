import { finds, insert, Part } from "./engine.ts";
import type { KeptChange } from "./pushes.ts";

/** `sending`: its first batch was written down. The last four are its end; `sent` whatever the service made of it. */
export type ScheduledState = "waiting" | "sending" | "sent" | "refused" | "missed" | "cancelled";

/** A push that is sent at its time, by whoever watches then. Instants are epoch milliseconds. */
export interface ScheduledPush {
  push_id: string;
  branch: string;
  /** When it was scheduled, and when it is due. */
  at: number;
  due_at: number;
  file: string | null;
  state: ScheduledState;
  /** What it is sent with, and its report as it is known so far, both JSON. */
  plan: string;
  report: string;
  /** Which push of the branch was the newest when it was scheduled, or came to its end. */
  since: number;
}

export type DuePush = Pick<ScheduledPush, "push_id" | "branch" | "due_at" | "file">;

/** Some products of one, as JSON: the lines of its file, and the products. */
export type ScheduledItems = Record<"lines" | "items", string>;

const unfinished = "state IN ('waiting', 'sending')";

export class Scheduled extends Part {
  add(
    push: Omit<ScheduledPush, "since" | "state">,
    items: Iterable<ScheduledItems & { first_row: number }>,
  ): Promise<void> {
    const { push_id, branch } = push;
    return this.sql.transaction(async (sql) => {
      const text = "SELECT coalesce(max(seq), 0) AS since FROM push WHERE branch = ?";
      const { since } = await sql.one<Pick<ScheduledPush, "since">>(text, branch);
      await insert(sql, "scheduled_push", [{ ...push, since, state: "waiting" }]);
      for (const some of items) await insert(sql, "scheduled_item", [{ push_id, ...some }]);
    });
  }

  /** Of all branches, in the order in which they are to be sent. */
  due(): Promise<DuePush[]> {
    return this.sql.all(
      `SELECT push_id, branch, due_at, file FROM scheduled_push WHERE ${unfinished} ORDER BY due_at, seq`,
    );
  }

  /** What was not sent at its time, of branches to which nothing was pushed since. */
  failed(): Promise<DuePush[]> {
    return this.sql.all(
      `SELECT push_id, branch, due_at, file FROM scheduled_push AS s WHERE state IN ('refused', 'missed')
         AND NOT EXISTS (SELECT 1 FROM push WHERE push.branch = s.branch AND push.seq > s.since) ORDER BY due_at, seq`,
    );
  }

  /** By an id, or how several begin. */
  find(branch: string, id: string): Promise<ScheduledPush[]> {
    return this.sql.all(
      "SELECT * FROM scheduled_push WHERE branch = ? AND substr(push_id, 1, ?) = ? ORDER BY seq DESC",
      ...[branch, id.length, id],
    );
  }

  /** The last one first: those of which nothing was sent. */
  unsent(branch: string, limit: number): Promise<ScheduledPush[]> {
    return this.sql.all(
      `SELECT * FROM scheduled_push AS s WHERE branch = ?
         AND NOT EXISTS (SELECT 1 FROM push WHERE push.push_id = s.push_id) ORDER BY seq DESC LIMIT ?`,
      ...[branch, limit],
    );
  }

  async *items(pushId: string): AsyncGenerator<ScheduledItems> {
    const text = "SELECT first_row, lines, items FROM scheduled_item WHERE push_id = ? AND first_row > ?";
    for (let last = -1; ; ) {
      const some = await this.sql.get<ScheduledItems & { first_row: number }>(
        `${text} ORDER BY first_row LIMIT 1`,
        ...[pushId, last],
      );
      if (some === undefined) return;
      yield some;
      last = some.first_row;
    }
  }

  /** In the step that writes its batches down. Returns false for one that was cancelled. */
  async claim(pushId: string): Promise<boolean> {
    const text = `UPDATE scheduled_push SET state = 'sending' WHERE push_id = ? AND ${unfinished}`;
    return (await this.sql.run(text, pushId)) > 0;
  }

  /** Returns false for one that is at its end, or of which something was sent and that is to be cancelled. */
  end(pushId: string, state: ScheduledState, report: string): Promise<boolean> {
    const from = state === "cancelled" ? "state = 'waiting'" : unfinished;
    return this.sql.transaction(async (sql) => {
      const newest = "SELECT coalesce(max(seq), 0) FROM push WHERE push.branch = scheduled_push.branch";
      const text = `UPDATE scheduled_push SET state = ?, report = ?, since = (${newest}) WHERE push_id = ? AND ${from}`;
      if ((await sql.run(text, state, report, pushId)) === 0) return false;
      await sql.run("DELETE FROM scheduled_item WHERE push_id = ?", pushId);
      return true;
    });
  }

  /** What was pushed since one was scheduled, but for what had been scheduled, too. */
  async changesSince({ branch, since }: Pick<ScheduledPush, "branch" | "since">): Promise<KeptChange[]> {
    const rows = await this.sql.all<{ changes: string }>(
      `SELECT changes FROM push_change JOIN push USING (push_id) WHERE branch = ? AND seq > ?
         AND coalesce(part_of, push_id) NOT IN (SELECT push_id FROM scheduled_push) ORDER BY seq, first_row`,
      ...[branch, since],
    );
    return rows.flatMap(({ changes }) => JSON.parse(changes) as KeptChange[]);
  }

  /** Whether anything of it was written down to be sent. */
  isBegun(pushId: string): Promise<boolean> {
    return finds(this.sql, "SELECT 1 FROM push WHERE push_id = ?", pushId);
  }
}
