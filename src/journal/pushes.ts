import type { CatalogAction } from "../contract/catalog.ts";
import { atomically, type Journal, prepared } from "./open.ts";

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

/** The newest push of the branch, if it has that content and is not finished: going on with an older one would undo it. */
function openPush(journal: Journal, { branch, contentHash }: NewPush): string | undefined {
  // The order of insertion decides what is newest: this machine's clock can go back.
  const newest = prepared(
    journal,
    `SELECT push_id, content_hash, ${isOpen} FROM push WHERE branch = ? ORDER BY seq DESC LIMIT 1`,
  ).get(branch) as { push_id: string; content_hash: string; open: number } | undefined;
  return newest?.open === 1 && newest.content_hash === contentHash ? newest.push_id : undefined;
}

function addEvents(journal: Journal, pushId: string, events: readonly PlannedEvent[]): void {
  const add = prepared(
    journal,
    `INSERT INTO push_event (push_id, first_row, row_count, event_id, stamp, occurred_at, state)
     VALUES (?, ?, ?, ?, ?, ?, 'planned')`,
  );
  for (const { first_row, row_count, event_id, stamp, occurred_at } of events) {
    add.run(pushId, first_row, row_count, event_id, stamp, occurred_at);
  }
}

/**
 * Begins a push, or takes up the one with the same content that was begun last and not finished; its id either way.
 * A new one gets, in one step, stamps later than any that was ever reserved for its branch, and all of its events.
 *
 * @param plan makes the events from the first free stamp on, in epoch milliseconds, at least one.
 */
export function beginPush(
  journal: Journal,
  push: NewPush,
  plan: (firstStamp: number) => readonly PlannedEvent[],
): string {
  return atomically(journal, () => {
    const begun = openPush(journal, push);
    if (begun !== undefined) return begun;
    const first = Math.max(push.at, lastStamp(journal, push.branch) + 1);
    const events = plan(first);
    prepared(
      journal,
      "INSERT INTO push (push_id, branch, at, action, content_hash, file) VALUES (?, ?, ?, ?, ?, ?)",
    ).run(push.push_id, push.branch, push.at, push.action, push.contentHash, push.file);
    addEvents(journal, push.push_id, events);
    prepared(
      journal,
      "INSERT INTO branch_stamp VALUES (?, ?) ON CONFLICT (branch) DO UPDATE SET stamp = excluded.stamp",
    ).run(push.branch, events.at(-1)?.stamp ?? first);
    return push.push_id;
  });
}

/** The last stamp that was reserved for a branch, epoch milliseconds; 0 where there was none. */
export function lastStamp(journal: Journal, branch: string): number {
  const row = prepared(journal, "SELECT stamp FROM branch_stamp WHERE branch = ?").get(branch) as
    | { stamp: number }
    | undefined;
  return row?.stamp ?? 0;
}

/** All events of a push, in the order of their rows. */
export function eventsOf(journal: Journal, pushId: string): PushEvent[] {
  return prepared(journal, "SELECT * FROM push_event WHERE push_id = ? ORDER BY first_row").all(
    pushId,
  ) as PushEvent[];
}

/** Writes down that an event is about to leave. */
export function recordAttempt(journal: Journal, pushId: string, event: PushEvent): void {
  prepared(
    journal,
    "UPDATE push_event SET state = 'attempted' WHERE push_id = ? AND first_row = ? AND event_id = ? AND state = 'planned'",
  ).run(pushId, event.first_row, event.event_id);
}

/** Writes down that the service is known not to have applied an event, though it was attempted. */
export function recordNotApplied(journal: Journal, pushId: string, event: PushEvent): void {
  prepared(
    journal,
    "UPDATE push_event SET state = 'planned' WHERE push_id = ? AND first_row = ? AND event_id = ? AND state = 'attempted'",
  ).run(pushId, event.first_row, event.event_id);
}

/** Writes down what the service answered to an event, as JSON text. */
export function recordAnswer(journal: Journal, pushId: string, event: PushEvent, answer: string): void {
  prepared(
    journal,
    "UPDATE push_event SET state = 'answered', answer = ? WHERE push_id = ? AND first_row = ? AND event_id = ?",
  ).run(answer, pushId, event.first_row, event.event_id);
}

/**
 * Replaces an event that is too large for the service, and the planned ones behind it that are larger than its half,
 * by two each. Another process may have done so already: then there is nothing to replace.
 */
export function halveEvents(
  journal: Journal,
  pushId: string,
  tooLarge: PushEvent,
  halves: (event: PushEvent) => readonly PlannedEvent[],
): void {
  atomically(journal, () => {
    const large = prepared(
      journal,
      `SELECT * FROM push_event WHERE push_id = ? AND first_row >= ? AND row_count > ?
         AND (state = 'planned' OR (state = 'attempted' AND event_id = ?))`,
    ).all(pushId, tooLarge.first_row, Math.ceil(tooLarge.row_count / 2), tooLarge.event_id) as PushEvent[];
    const remove = prepared(
      journal,
      "DELETE FROM push_event WHERE push_id = ? AND first_row = ? AND event_id = ?",
    );
    for (const event of large) {
      remove.run(pushId, event.first_row, event.event_id);
      addEvents(journal, pushId, halves(event));
    }
  });
}

/** Keeps what came of a push, for people who ask later: the report as JSON text. */
export function recordReport(journal: Journal, pushId: string, report: string): void {
  prepared(
    journal,
    `INSERT INTO push_report (push_id, report) SELECT push_id, ? FROM push WHERE push_id = ?
       ON CONFLICT DO UPDATE SET report = excluded.report`,
  ).run(report, pushId);
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
  /** 1 while a batch has no answer. */
  open: number;
}

const isOpen =
  "EXISTS (SELECT 1 FROM push_event WHERE push_event.push_id = push.push_id AND state <> 'answered') AS open";

/** The pushes of a branch that began, newest first. */
export function keptPushes(journal: Journal, branch: string, limit: number): KeptPush[] {
  return prepared(
    journal,
    `SELECT push.push_id, at, action, coalesce(push.file, push_report.file) AS file, report, ${isOpen}
       FROM push LEFT JOIN push_report USING (push_id)
       WHERE branch = ? ORDER BY seq DESC LIMIT ?`,
  ).all(branch, limit) as KeptPush[];
}
