import type { CampaignCreated } from "../contract/campaign.ts";
import { atomically, type Journal } from "./open.ts";

/** What makes a person unique: nobody gets one template twice under one reference of one branch. */
export interface SendScope {
  branch: string;
  ref: string;
  template: string;
}

/** One call of a plan: its exact body, and the people in it. */
export interface PlannedCall {
  idempotency_key: string;
  body: string;
  persons: readonly string[];
}

/**
 * planned: never left; attempted: left, outcome unknown; sent: answered.
 */
export type CallState = "planned" | "attempted" | "sent";

/** One call as the journal knows it. */
export interface JournalCall {
  send_id: string;
  n: number;
  idempotency_key: string;
  body: string;
  people: number;
  state: CallState;
  answer: CampaignCreated | null;
  /** Epoch milliseconds, null until answered. */
  answered_at: number | null;
}

/** Which of these people are in the journal under that scope already; with a state, only those in calls of that state. */
export function knownPersons(
  journal: Journal,
  scope: SendScope,
  persons: readonly string[],
  state?: CallState,
): Set<string> {
  const find = journal.prepare(
    `SELECT 1 FROM send_person JOIN send_call USING (send_id, n)
     WHERE branch = ? AND ref = ? AND template = ? AND person = ? AND (? IS NULL OR state = ?)`,
  );
  const { branch, ref, template } = scope;
  const given = state ?? null;
  return new Set(
    persons.filter((person) => find.get(branch, ref, template, person, given, given) !== undefined),
  );
}

/** Writes a plan down, its people unique under their scope; to be done atomically. `at` in epoch milliseconds. */
export function recordPlan(
  journal: Journal,
  send: SendScope & { send_id: string; at: number },
  calls: readonly PlannedCall[],
): void {
  const addCall = journal.prepare(
    "INSERT INTO send_call (send_id, n, idempotency_key, body, people, state) VALUES (?, ?, ?, ?, ?, 'planned')",
  );
  const addPerson = journal.prepare("INSERT INTO send_person VALUES (?, ?, ?, ?, ?, ?)");
  journal
    .prepare("INSERT INTO send (send_id, branch, ref, template, at) VALUES (?, ?, ?, ?, ?)")
    .run(send.send_id, send.branch, send.ref, send.template, send.at);
  calls.forEach((call, n) => {
    addCall.run(send.send_id, n, call.idempotency_key, call.body, call.persons.length);
    for (const person of call.persons)
      addPerson.run(send.branch, send.ref, send.template, person, send.send_id, n);
  });
}

/** Every call under that scope, in the order in which they were planned. */
export function callsOf(journal: Journal, scope: SendScope): JournalCall[] {
  const rows = journal
    .prepare(
      `SELECT send_call.* FROM send_call JOIN send USING (send_id)
       WHERE branch = ? AND ref = ? AND template = ? ORDER BY send.at, send.rowid, n`,
    )
    .all(scope.branch, scope.ref, scope.template) as (Omit<JournalCall, "answer"> & {
    answer: string | null;
  })[];
  return rows.map((row) => ({
    ...row,
    answer: row.answer === null ? null : (JSON.parse(row.answer) as CampaignCreated),
  }));
}

/** Writes down that a call is about to leave. */
export function recordAttempt(journal: Journal, call: { send_id: string; n: number }): void {
  journal
    .prepare("UPDATE send_call SET state = 'attempted' WHERE send_id = ? AND n = ? AND state = 'planned'")
    .run(call.send_id, call.n);
}

/** Writes down the service's answer to a call; `at` in epoch milliseconds. */
export function recordResult(
  journal: Journal,
  call: { send_id: string; n: number },
  answer: CampaignCreated,
  at: number,
): void {
  journal
    .prepare("UPDATE send_call SET state = 'sent', answer = ?, answered_at = ? WHERE send_id = ? AND n = ?")
    .run(JSON.stringify(answer), at, call.send_id, call.n);
}

/** Writes down that an attempt is known not to have left this machine, so that nothing is open about it. */
export function recordNotSent(journal: Journal, call: { send_id: string; n: number }): void {
  journal
    .prepare("UPDATE send_call SET state = 'planned' WHERE send_id = ? AND n = ? AND state = 'attempted'")
    .run(call.send_id, call.n);
}

/** Forgets the calls of a send that never left, and frees their people for another plan. */
export function forgetUnsent(journal: Journal, sendId: string): void {
  atomically(journal, () => {
    journal
      .prepare(
        `DELETE FROM send_person WHERE send_id = ?
         AND n IN (SELECT n FROM send_call WHERE send_call.send_id = send_person.send_id AND state = 'planned')`,
      )
      .run(sendId);
    journal.prepare("DELETE FROM send_call WHERE send_id = ? AND state = 'planned'").run(sendId);
    journal
      .prepare(
        "DELETE FROM send WHERE send_id = ? AND NOT EXISTS (SELECT 1 FROM send_call WHERE send_call.send_id = send.send_id)",
      )
      .run(sendId);
  });
}

/** The campaign ids of every send under a reference, oldest first. */
export function campaignIdsOf(journal: Journal, branch: string, ref: string): string[] {
  const rows = journal
    .prepare(
      `SELECT answer FROM send_call JOIN send USING (send_id)
       WHERE branch = ? AND ref = ? AND state = 'sent' ORDER BY send.at, send.rowid, n`,
    )
    .all(branch, ref) as { answer: string }[];
  return rows.map(({ answer }) => (JSON.parse(answer) as CampaignCreated).campaign_id);
}
