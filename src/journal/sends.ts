import { BposError } from "../errors.ts";
import { atomically, type Journal } from "./open.ts";

/** What makes a person unique: nobody is messaged twice under one reference of one branch. */
export interface SendScope {
  branch: string;
  ref: string;
}

/** The template of a send as its calls name it; null where they do not. */
export interface SendTemplate {
  name: string | null;
  id: string | null;
  language: string | null;
}

/** A plan as it is written down; `at` in epoch milliseconds. */
export interface NewSend extends SendScope {
  send_id: string;
  template: SendTemplate;
  at: number;
  /** When it is too late to send what has not left, epoch milliseconds; null for never. */
  notAfter: number | null;
  isTest: boolean;
}

/** One call of a plan: its exact body, and the people in it. */
export interface PlannedCall {
  idempotency_key: string;
  body: string;
  persons: readonly string[];
  /** On which line of the file each recipient of the body stands, in the order of the body. */
  lines: readonly number[];
}

/** planned: never left; attempted: left, outcome unknown; sent: answered. */
export type CallState = "planned" | "attempted" | "sent";

/** One call as the journal knows it. */
export interface JournalCall {
  send_id: string;
  n: number;
  idempotency_key: string;
  body: string;
  people: number;
  state: CallState;
  campaign_id: string | null;
  /** The service's answer as JSON text, null until answered. */
  answer: string | null;
  /** Epoch milliseconds, null until answered. */
  answered_at: number | null;
  /** When it is too late for it to leave, epoch milliseconds; null for never. */
  not_after: number | null;
}

type CallName = Pick<JournalCall, "send_id" | "n">;

/** Writes a plan down, its people unique under their scope; to be done atomically. */
export function recordPlan(journal: Journal, send: NewSend, calls: readonly PlannedCall[]): void {
  const { send_id: id, branch, ref, template, at, notAfter, isTest } = send;
  const addCall = journal.prepare(
    `INSERT INTO send_call (send_id, n, idempotency_key, body, people, lines, state)
     VALUES (?, ?, ?, ?, ?, ?, 'planned')`,
  );
  const addPerson = journal.prepare(
    "INSERT INTO send_person (branch, ref, person, send_id, n) VALUES (?, ?, ?, ?, ?)",
  );
  journal
    .prepare(
      `INSERT INTO send (send_id, branch, ref, template_name, template_id, template_language, at, not_after, is_test)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(id, branch, ref, template.name, template.id, template.language, at, notAfter, Number(isTest));
  calls.forEach((call, n) => {
    const { idempotency_key: key, body, persons, lines } = call;
    addCall.run(id, n, key, body, persons.length, JSON.stringify(lines));
    for (const person of persons) addPerson.run(branch, ref, person, id, n);
  });
}

/** Every call under that scope, in the order in which they were planned. */
export function callsOf(journal: Journal, { branch, ref }: SendScope): JournalCall[] {
  // The order of insertion decides: this machine's clock can go back.
  return journal
    .prepare(
      `SELECT send_call.*, not_after FROM send_call JOIN send USING (send_id)
       WHERE branch = ? AND ref = ? ORDER BY send.seq, n`,
    )
    .all(branch, ref) as JournalCall[];
}

/** A send that was planned, as the journal keeps it; `at` in epoch milliseconds. */
export interface KnownSend extends SendScope {
  /** The order of planning: this machine's clock can go back. */
  seq: number;
  send_id: string;
  template: SendTemplate;
  at: number;
  isTest: boolean;
}

/** The sends of a branch with that id or reference; without a name those that are not finished. In the order of their planning. */
export function sendsNamed(journal: Journal, branch: string, name: string | undefined): KnownSend[] {
  const isMeant =
    name === undefined
      ? "EXISTS (SELECT 1 FROM send_call WHERE send_call.send_id = send.send_id AND state <> 'sent')"
      : "? IN (send_id, ref)";
  const rows = journal
    .prepare(
      `SELECT seq, send_id, branch, ref, template_name, template_id, template_language, at, is_test
       FROM send WHERE branch = ? AND ${isMeant} ORDER BY seq`,
    )
    .all(branch, ...(name === undefined ? [] : [name])) as (SendScope & {
    seq: number;
    send_id: string;
    template_name: string | null;
    template_id: string | null;
    template_language: string | null;
    at: number;
    is_test: number;
  })[];
  return rows.map((row) => {
    const { template_name: name, template_id: id, template_language: language, is_test, ...send } = row;
    return { ...send, template: { name, id, language }, isTest: is_test === 1 };
  });
}

/** How many tests whose reference begins so went out. */
export function testsSent(journal: Journal, branch: string, prefix: string): number {
  const { tests } = journal
    .prepare(
      `SELECT count(DISTINCT send_id) AS tests FROM send JOIN send_call USING (send_id)
       WHERE branch = ? AND is_test = 1 AND state = 'sent' AND substr(ref, 1, length(?)) = ?`,
    )
    .get(branch, prefix, prefix) as { tests: number };
  return tests;
}

/** The calls of one send, in the order in which they were planned. */
export function callsOfSend(journal: Journal, sendId: string): JournalCall[] {
  return journal
    .prepare(
      "SELECT send_call.*, not_after FROM send_call JOIN send USING (send_id) WHERE send_id = ? ORDER BY n",
    )
    .all(sendId) as JournalCall[];
}

/** The people of a send whose calls are not finished, each with the number of the call. */
export function openPeople(journal: Journal, sendId: string): { person: string; n: number }[] {
  return journal
    .prepare(
      "SELECT person, n FROM send_person JOIN send_call USING (send_id, n) WHERE send_id = ? AND state <> 'sent'",
    )
    .all(sendId) as { person: string; n: number }[];
}

/** Whether any call of a send left, answered or not. */
export function hasLeft(journal: Journal, sendId: string): boolean {
  const sql = "SELECT 1 FROM send_call WHERE send_id = ? AND state <> 'planned' LIMIT 1";
  return journal.prepare(sql).get(sendId) !== undefined;
}

/** Whether tests are kept under that scope, or real sends. */
export function holdsSends(
  journal: Journal,
  { branch, ref }: SendScope,
  { isTest }: { isTest: boolean },
): boolean {
  const sql = "SELECT 1 FROM send WHERE branch = ? AND ref = ? AND is_test = ? LIMIT 1";
  return journal.prepare(sql).get(branch, ref, Number(isTest)) !== undefined;
}

/** Until when what has not left under that scope may leave, as it was confirmed last. */
export function recordNotAfter(journal: Journal, { branch, ref }: SendScope, notAfter: number | null): void {
  journal.prepare("UPDATE send SET not_after = ? WHERE branch = ? AND ref = ?").run(notAfter, branch, ref);
}

/** The people of every call under that scope, each with the state of the call. */
export function peopleOf(journal: Journal, { branch, ref }: SendScope): Map<string, CallState> {
  const rows = journal
    .prepare(
      "SELECT person, state FROM send_person JOIN send_call USING (send_id, n) WHERE branch = ? AND ref = ?",
    )
    .all(branch, ref) as { person: string; state: CallState }[];
  return new Map(rows.map(({ person, state }) => [person, state]));
}

/** The templates of what went out under that scope, or may have. */
export function templatesOf(journal: Journal, { branch, ref }: SendScope): SendTemplate[] {
  return journal
    .prepare(
      `SELECT DISTINCT template_name AS name, template_id AS id, template_language AS language
       FROM send JOIN send_call USING (send_id) WHERE branch = ? AND ref = ? AND state <> 'planned'`,
    )
    .all(branch, ref) as SendTemplate[];
}

/** Who was messaged, or may have been, with a template under another reference. */
export interface EarlierMessage {
  person: string;
  ref: string;
  /** When it last left, epoch milliseconds of this machine's clock as it goes now. */
  leftAt: number;
  /** The same as that clock went then. */
  attemptedAt: number;
  /** The place of that send in the order of planning. */
  seq: number;
}

/** An instant of this machine's clock, epoch milliseconds, and by how much that is ahead of the service's, where it is known. */
export interface MachineTime {
  at: number;
  aheadMs?: number | undefined;
}

/**
 * Whom this branch messaged with that template, whatever its language, after `since`, under other references; newest first. Where it is
 * known how far this machine's clock was off then and is off now, the service's counts: this one may have been set meanwhile.
 */
export function messagedElsewhere(
  journal: Journal,
  { branch, ref }: SendScope,
  template: SendTemplate,
  since: MachineTime,
): EarlierMessage[] {
  // What never left has no attempted_at.
  return journal
    .prepare(
      `SELECT person, send.ref AS ref, attempted_at + coalesce(? - ahead_ms, 0) AS leftAt, attempted_at AS attemptedAt, send.seq AS seq
       FROM send JOIN send_call USING (send_id) JOIN send_person USING (send_id, n)
       WHERE send.branch = ? AND send.ref <> ? AND template_name IS ? AND template_id IS ?
         AND leftAt > ? AND is_test = 0
       ORDER BY leftAt DESC, send.seq DESC`,
    )
    .all(since.aheadMs ?? null, branch, ref, template.name, template.id, since.at) as EarlierMessage[];
}

/**
 * Writes down that a call is about to leave; what it was before that. Throws `bug` when the call is not in the journal, or answered:
 * it must not leave.
 */
export function recordAttempt(journal: Journal, call: JournalCall, { at, aheadMs }: MachineTime): CallState {
  return atomically(journal, () => {
    const before = stateOf(journal, call);
    const { changes } = journal
      .prepare(
        `UPDATE send_call SET state = 'attempted', attempted_at = ?, ahead_ms = ?
         WHERE send_id = ? AND n = ? AND idempotency_key = ? AND state <> 'sent'`,
      )
      .run(at, aheadMs ?? null, call.send_id, call.n, call.idempotency_key);
    if (changes !== 1 || before === undefined) {
      throw new BposError("bug", {
        detail: `call ${call.n + 1} of the send ${call.send_id} is ${before ?? "not in the journal"}: it was not sent`,
      });
    }
    return before;
  });
}

/** What the journal holds of a call now; undefined when it is not there. */
export function stateOf(journal: Journal, call: CallName): CallState | undefined {
  const row = journal
    .prepare("SELECT state FROM send_call WHERE send_id = ? AND n = ?")
    .get(call.send_id, call.n) as { state: CallState } | undefined;
  return row?.state;
}

/** Writes down the service's answer to a call, as JSON text. */
export function recordResult(
  journal: Journal,
  call: CallName,
  { campaign_id, answer, at, aheadMs }: MachineTime & { campaign_id: string; answer: string },
): void {
  journal
    .prepare(
      `UPDATE send_call SET state = 'sent', campaign_id = ?, answer = ?, answered_at = ?, ahead_ms = coalesce(?, ahead_ms)
       WHERE send_id = ? AND n = ?`,
    )
    .run(campaign_id, answer, at, aheadMs ?? null, call.send_id, call.n);
}

/** Writes down that an attempt is known not to have been carried out, so that nothing is open about it. */
export function recordNotSent(journal: Journal, call: CallName): void {
  journal
    .prepare(
      "UPDATE send_call SET state = 'planned', attempted_at = NULL WHERE send_id = ? AND n = ? AND state = 'attempted'",
    )
    .run(call.send_id, call.n);
}

/** Forgets the calls under that scope that never left, and frees their people for another plan; to be done atomically. */
export function forgetUnsent(journal: Journal, { branch, ref }: SendScope): void {
  journal
    .prepare(
      `DELETE FROM send_person WHERE branch = ? AND ref = ? AND EXISTS (
         SELECT 1 FROM send_call
         WHERE send_call.send_id = send_person.send_id AND send_call.n = send_person.n AND state = 'planned')`,
    )
    .run(branch, ref);
  journal
    .prepare(
      `DELETE FROM send_call WHERE state = 'planned'
       AND send_id IN (SELECT send_id FROM send WHERE branch = ? AND ref = ?)`,
    )
    .run(branch, ref);
  const isEmpty =
    "branch = ? AND ref = ? AND NOT EXISTS (SELECT 1 FROM send_call WHERE send_call.send_id = send.send_id)";
  journal
    .prepare(`DELETE FROM send_report WHERE send_id IN (SELECT send_id FROM send WHERE ${isEmpty})`)
    .run(branch, ref);
  journal.prepare(`DELETE FROM send WHERE ${isEmpty}`).run(branch, ref);
}
