import type { CatalogAction, CatalogResult } from "../contract/catalog.ts";
import type { Journal } from "./open.ts";

/** What a push is: the same content pushed again takes up where it stopped. */
export interface PushIdentity {
  branch: string;
  action: CatalogAction;
  /** SHA-256 of what would be sent, in its order. */
  contentHash: string;
}

/** One catalog event of a push: a range of its rows, with a stamp and an id that never change. */
export interface PushEvent {
  n: number;
  event_id: string;
  occurred_at: string;
  /** Epoch milliseconds of occurred_at. */
  stamp: number;
  first_row: number;
  row_count: number;
  answer: CatalogResult | null;
}

/** The push of that content that was begun and not finished, or undefined. */
export function findOpenPush(
  journal: Journal,
  push: PushIdentity,
): { push_id: string; events: PushEvent[] } | undefined {
  // Only the newest push counts: once something newer was pushed, going on with older stamps would undo it.
  const newest = journal
    .prepare(
      "SELECT push_id, content_hash, action, open FROM push WHERE branch = ? ORDER BY at DESC, rowid DESC LIMIT 1",
    )
    .get(push.branch) as { push_id: string; content_hash: string; action: string; open: number } | undefined;
  if (newest?.open !== 1 || newest.content_hash !== push.contentHash || newest.action !== push.action)
    return undefined;
  const rows = journal
    .prepare("SELECT * FROM push_event WHERE push_id = ? ORDER BY n")
    .all(newest.push_id) as (Omit<PushEvent, "answer"> & { answer: string | null })[];
  return {
    push_id: newest.push_id,
    events: rows.map((row) => ({
      n: row.n,
      event_id: row.event_id,
      occurred_at: row.occurred_at,
      stamp: row.stamp,
      first_row: row.first_row,
      row_count: row.row_count,
      answer: row.answer === null ? null : (JSON.parse(row.answer) as CatalogResult),
    })),
  };
}

/** Writes down that a push begins; `at` in epoch milliseconds. */
export function beginPush(journal: Journal, pushId: string, push: PushIdentity, at: number): void {
  journal
    .prepare("INSERT INTO push (push_id, branch, at, action, content_hash) VALUES (?, ?, ?, ?, ?)")
    .run(pushId, push.branch, at, push.action, push.contentHash);
}

/** The stamp of the last event of this branch, in epoch milliseconds; 0 when there was none. */
export function lastStamp(journal: Journal, branch: string): number {
  const row = journal.prepare("SELECT max(stamp) AS stamp FROM push_event WHERE branch = ?").get(branch) as {
    stamp: number | null;
  };
  return row.stamp ?? 0;
}

/** Writes down that an event is about to be sent. */
export function recordEvent(journal: Journal, pushId: string, branch: string, event: PushEvent): void {
  journal
    .prepare(
      `INSERT INTO push_event (push_id, n, branch, event_id, stamp, occurred_at, first_row, row_count)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      pushId,
      event.n,
      branch,
      event.event_id,
      event.stamp,
      event.occurred_at,
      event.first_row,
      event.row_count,
    );
}

/** Writes down what the service answered to an event. */
export function recordEventAnswer(journal: Journal, pushId: string, n: number, answer: CatalogResult): void {
  journal
    .prepare("UPDATE push_event SET answer = ? WHERE push_id = ? AND n = ?")
    .run(JSON.stringify(answer), pushId, n);
}

/** Forgets an event that the service is known not to have applied. */
export function forgetEvent(journal: Journal, pushId: string, n: number): void {
  journal.prepare("DELETE FROM push_event WHERE push_id = ? AND n = ?").run(pushId, n);
}

/** Writes down that a push ended: pushing the same content again starts a new one. */
export function closePush(journal: Journal, pushId: string): void {
  journal.prepare("UPDATE push SET open = 0 WHERE push_id = ?").run(pushId);
}
