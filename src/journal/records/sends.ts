import type { WaitReason } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import { finds, insert, listed, plainText, Records } from "../engine/engine.ts";
import { restoreNames, toPseudonym } from "./pseudonyms.ts";
import type {
  CallState,
  EarlierMessage,
  JournalCall,
  KeptCall,
  KnownSend,
  LeftOut,
  LeftOutSend,
  MachineTime,
  NewSend,
  PersonCall,
  PlannedCall,
  RepliedSend,
  SendScope,
  SendTemplate,
  Terms,
} from "./send-rows.ts";
import {
  inCall,
  joinCalls,
  joinSends,
  scopeOf,
  selectCalls,
  selectPersonCalls,
  selectSends,
  templateColumns,
} from "./send-sql.ts";

export type * from "./send-rows.ts";

type SendRow = Omit<KnownSend, "template" | "isTest"> & SendTemplate & { is_test: number };

const toKnownSend = ({ name, id, language, is_test, ...send }: SendRow): KnownSend => ({
  ...send,
  template: { name, id, language },
  isTest: is_test === 1,
});

type PersonRow = Omit<PersonCall, "isTest"> & { is_test: number };
const personCall = ({ is_test, ...call }: PersonRow): PersonCall => ({ ...call, isTest: is_test === 1 });

const callOfSend = "SELECT 1 FROM send_call WHERE send_call.send_id = send.send_id";

/** Plans of campaigns, their calls, and who is in them. "Newest" goes by insertion. */
export class Sends extends Records {
  /** `calls` may make each call when it is asked for: their bodies are never all in memory. */
  plan(send: NewSend, calls: Iterable<PlannedCall>): Promise<void> {
    const { send_id, branch, ref, at, notAfter: not_after, schedule, isTest } = send;
    const param_names = JSON.stringify(send.paramNames);
    const { name: template_name, id: template_id, language: template_language } = send.template;
    const named = { template_name, template_id, template_language };
    return this.sql.transaction(async (sql) => {
      const more = {
        at,
        not_after,
        schedule,
        is_test: Number(isTest),
        param_names,
        template_text: send.templateText ?? null,
      };
      await insert(sql, "send", [{ send_id, branch, ref, ...named, ...more }]);
      const { seq } = await sql.one<{ seq: number }>("SELECT seq FROM send WHERE send_id = ?", send_id);
      const scope = scopeOf(send);
      let n = 0;
      for (const { persons, lines, idempotency_key, body, isCanary } of calls) {
        const kept = { people: persons.length, lines: JSON.stringify(lines), state: "planned" };
        const more = { ...kept, is_canary: Number(isCanary) };
        await insert(sql, "send_call", [{ send_id, n, idempotency_key, body, ...more }]);
        await sql.run(
          `INSERT INTO send_person (person, scope, send_seq, n)
           SELECT value, CAST(? AS bigint), CAST(? AS bigint), CAST(? AS bigint) FROM json_each(?)`,
          ...[scope, seq, n, JSON.stringify(persons)],
        );
        n += 1;
      }
    });
  }

  callsUnder({ branch, ref }: SendScope): Promise<JournalCall[]> {
    return this.sql.all(`${selectCalls} WHERE branch = ? AND ref = ? ORDER BY send.seq, n`, branch, ref);
  }

  callsOf(sendId: string): Promise<JournalCall[]> {
    return this.sql.all(`${selectCalls} WHERE send_id = ? ORDER BY n`, sendId);
  }

  /** Returns the calls with their bodies. */
  whole(calls: readonly JournalCall[]): Promise<JournalCall[]> {
    return Promise.all(calls.map(async (call) => ({ ...call, ...(await this.bodyOf(call)) })));
  }

  bodyOf({ send_id: id, n }: JournalCall): Promise<Pick<JournalCall, "body" | "lines"> | undefined> {
    return this.sql.get("SELECT body, lines FROM send_call WHERE send_id = ? AND n = ?", id, n);
  }

  /** Returns the sends of an id or reference, or, without one, those that are not finished; in the order of their planning. */
  async named(branch: string, name: string | undefined): Promise<KnownSend[]> {
    const isMeant =
      name === undefined ? `EXISTS (${callOfSend} AND state <> 'sent')` : "? IN (send.send_id, ref)";
    const values = name === undefined ? [branch] : [branch, name];
    const text = `${selectSends} WHERE branch = ? AND ${isMeant} ORDER BY seq`;
    return (await this.sql.all<SendRow>(text, ...values)).map(toKnownSend);
  }

  async newest(branch: string, limit: number): Promise<(KnownSend & { calls: KeptCall[] })[]> {
    const text = `${selectSends} WHERE branch = ? ORDER BY seq DESC LIMIT ?`;
    const sends = await this.sql.all<SendRow>(text, branch, limit);
    const calls = await this.sql.all<KeptCall>(
      `SELECT send_id, n, idempotency_key, people, state, campaign_id, answer, answered_at, ahead_ms
       FROM send_call WHERE send_id IN ${listed} ORDER BY n`,
      JSON.stringify(sends.map(({ send_id }) => send_id)),
    );
    const callsOf = (id: string): KeptCall[] => calls.filter(({ send_id }) => send_id === id);
    return sends.map((send) => ({ ...toKnownSend(send), calls: callsOf(send.send_id) }));
  }

  bodies(branch: string, campaignIds: readonly string[]) {
    const text = `SELECT campaign_id, body, lines FROM send_call JOIN send USING (send_id)
      WHERE branch = ? AND campaign_id IN ${listed} ORDER BY send.seq, n`;
    type Row = { campaign_id: string; body: string; lines: string | null };
    return this.sql.all<Row>(text, branch, JSON.stringify(campaignIds.map(plainText)));
  }

  /** Returns at most two persons whose phone ends so. */
  async peopleEndingWith(branch: string, digits: string): Promise<string[]> {
    const text = `SELECT DISTINCT person FROM send_person ${joinSends} WHERE branch = ? AND person LIKE ? LIMIT 2`;
    const rows = await this.sql.all<{ person: string }>(text, branch, `+%${digits}`);
    return rows.map(({ person }) => person);
  }

  /** Returns every call in which a person was planned, newest first. */
  async callsTo(branch: string, person: string): Promise<PersonCall[]> {
    const rows = await this.sql.all<PersonRow>(
      `${selectPersonCalls} WHERE person IN (?, ?) AND branch = ? ORDER BY send.seq DESC`,
      ...[person, toPseudonym(person), branch],
    );
    return rows.map(personCall);
  }

  /** Returns the call of a send that a person is in; undefined where there is none. */
  async callTo(sendId: string, person: string): Promise<PersonCall | undefined> {
    const row = await this.sql.get<PersonRow>(
      `${selectPersonCalls} WHERE person IN (?, ?) AND send.send_id = ?`,
      ...[person, toPseudonym(person), sendId],
    );
    return row && personCall(row);
  }

  async personsIn({ send_id: id, n }: JournalCall): Promise<string[]> {
    const text = `SELECT person FROM send_person WHERE ${inCall}`;
    return (await this.sql.all<{ person: string }>(text, id, n)).map(({ person }) => person);
  }

  /** Takes people out of a call that never left: `rest` is the call without them, undefined where nobody is left. */
  shorten(
    { send_id: id, n }: JournalCall,
    gone: readonly string[],
    rest: Pick<JournalCall, "idempotency_key" | "body" | "lines" | "people"> | undefined,
  ): Promise<void> {
    return this.sql.transaction(async (sql) => {
      await sql.run(
        `DELETE FROM send_person WHERE ${inCall} AND person IN ${listed}`,
        ...[id, n, JSON.stringify(gone)],
      );
      const where = "WHERE send_id = ? AND n = ? AND state = 'planned'";
      const changed =
        rest === undefined
          ? await sql.run(`DELETE FROM send_call ${where}`, id, n)
          : await sql.run(
              `UPDATE send_call SET idempotency_key = ?, body = ?, lines = ?, people = ? ${where}`,
              ...[rest.idempotency_key, rest.body, rest.lines, rest.people, id, n],
            );
      if (changed !== 1)
        throw new BposError("bug", { detail: `call ${n + 1} of the send ${id} may have left` });
    });
  }

  /** Records the people that a send names but does not message. */
  async leaveOut(
    { branch, ref }: SendScope,
    about: { at: number; template: string },
    people: readonly LeftOut[],
  ): Promise<void> {
    const rows = people.map(({ person, reason }) => ({ branch, ref, person, reason, ...about }));
    const newest =
      "ON CONFLICT (branch, ref, person) DO UPDATE SET reason = excluded.reason, at = excluded.at";
    await insert(this.sql, "send_left_out", rows, newest);
  }

  /** Returns the sends that left a person out, and have no call with the person since, newest first. */
  leftOutOf(branch: string, person: string): Promise<LeftOutSend[]> {
    return this.sql.all(
      `SELECT at, ref, template, reason FROM send_left_out AS l WHERE person = ? AND branch = ? AND NOT EXISTS (
         SELECT 1 FROM send_person AS p ${joinSends} WHERE send.branch = l.branch AND send.ref = l.ref AND p.person = l.person)
       ORDER BY at DESC`,
      ...[person, branch],
    );
  }

  async testsSent(branch: string, prefix: string): Promise<number> {
    const text = `SELECT count(DISTINCT send_id) AS tests FROM send JOIN send_call USING (send_id)
      WHERE branch = ?1 AND is_test = 1 AND state = 'sent' AND substr(ref, 1, length(?2)) = ?2`;
    return (await this.sql.one<{ tests: number }>(text, branch, prefix)).tests;
  }

  /** Returns the people of a send's calls without an answer, with their call and the `seq` of the send. */
  pendingPeople(sendId: string): Promise<{ person: string; send_id: string; n: number; seq: number }[]> {
    const text = `SELECT person, send.send_id AS send_id, send_call.n AS n, seq FROM send_person ${joinCalls}
      WHERE send.send_id = ? AND state <> 'sent'`;
    return this.sql.all(text, sendId);
  }

  hasLeft(sendId: string): Promise<boolean> {
    return finds(this.sql, "SELECT 1 FROM send_call WHERE send_id = ? AND state <> 'planned'", sendId);
  }

  holds({ branch, ref }: SendScope, { isTest }: { isTest: boolean }): Promise<boolean> {
    const text = "SELECT 1 FROM send WHERE branch = ? AND ref = ? AND is_test = ?";
    return finds(this.sql, text, branch, ref, Number(isTest));
  }

  async setTerms({ branch, ref }: SendScope, { notAfter, schedule }: Terms): Promise<void> {
    const text = `UPDATE send SET not_after = ?, schedule = ?, waits_until = NULL, waits_for = NULL
      WHERE branch = ? AND ref = ?`;
    await this.sql.run(text, notAfter, schedule, branch, ref);
  }

  /** Records what a send waits for; without `wait`, nothing. */
  async setWait({ branch, ref }: SendScope, wait?: { until: number; reason: WaitReason }): Promise<void> {
    const text = "UPDATE send SET waits_until = ?, waits_for = ? WHERE branch = ? AND ref = ?";
    await this.sql.run(text, wait?.until ?? null, wait?.reason ?? null, branch, ref);
  }

  /** Returns the state of each person's call. A pruned person has a name only where it is in `asked`. */
  async people(scope: SendScope, asked: Iterable<string>): Promise<Map<string, CallState>> {
    const rows = await this.sql.all<{ person: string; state: CallState }>(
      `SELECT person, state FROM send_person ${joinCalls} WHERE branch = ? AND ref = ?`,
      ...[scope.branch, scope.ref],
    );
    return new Map(restoreNames(rows, asked).map(({ person, state }) => [person, state]));
  }

  templates({ branch, ref }: SendScope): Promise<SendTemplate[]> {
    const text = `SELECT DISTINCT ${templateColumns} FROM send JOIN send_call USING (send_id)
      WHERE branch = ? AND ref = ? AND state <> 'planned'`;
    return this.sql.all(text, branch, ref);
  }

  /**
   * Returns who got the template under another reference since then. Times are by the service's clock where it is known how far this machine's
   * was off, then and now: it may have been set meanwhile. People who were pruned have their name only where it is in `asked`.
   */
  async messagedElsewhere(
    { branch, ref, template }: SendScope & { template: SendTemplate },
    since: MachineTime,
    asked: Iterable<string>,
  ): Promise<readonly EarlierMessage[]> {
    const calls = await this.sql.all<Omit<EarlierMessage, "person"> & { seq: number; n: number }>(
      `SELECT send.seq AS seq, n, send.ref AS ref, attempted_at + coalesce(? - ahead_ms, 0) AS "leftAt",
              campaign_id AS "campaignId", after_seq AS "afterSeq"
       FROM send JOIN send_call USING (send_id)
       WHERE send.branch = ? AND send.ref <> ? AND template_name IS NOT DISTINCT FROM ?
         AND template_id IS NOT DISTINCT FROM ?
         AND attempted_at + coalesce(? - ahead_ms, 0) > ? AND is_test = 0
       ORDER BY "leftAt" DESC, send.seq DESC`,
      ...[since.aheadMs ?? null, branch, ref, template.name, template.id, since.aheadMs ?? null, since.at],
    );
    const rows: EarlierMessage[] = [];
    const people = "SELECT person FROM send_person WHERE send_seq = ? AND n = ?";
    // Each call is asked by itself: no database can guess how few are recent, and would read everybody who was ever messaged.
    for (const { seq, n, ...message } of calls)
      for (const one of await this.sql.all<{ person: string }>(people, seq, n))
        rows.push({ ...one, ...message });
    return restoreNames(rows, asked);
  }

  /** Records that a call leaves. Returns its state before. Throws `bug` where the call is not in the journal, or answered: it must not leave. */
  attempt(call: JournalCall, { at, aheadMs }: MachineTime): Promise<CallState> {
    const { send_id: id, n, idempotency_key: key } = call;
    return this.sql.transaction(async (sql) => {
      const before = await new Sends(sql).stateOf(call);
      const changed = await sql.run(
        `UPDATE send_call SET state = 'attempted', attempted_at = ?, ahead_ms = ?, after_seq = (SELECT max(seq) FROM send)
         WHERE send_id = ? AND n = ? AND idempotency_key = ? AND state <> 'sent'`,
        ...[at, aheadMs ?? null, id, n, key],
      );
      if (changed === 1 && before !== undefined) return before;
      const state = before ?? "not in the journal";
      throw new BposError("bug", { detail: `call ${n + 1} of the send ${id} is ${state}: it was not sent` });
    });
  }

  async stateOf({ send_id: id, n }: JournalCall): Promise<CallState | undefined> {
    const text = "SELECT state FROM send_call WHERE send_id = ? AND n = ?";
    return (await this.sql.get<{ state: CallState }>(text, id, n))?.state;
  }

  async answered(
    { send_id: id, n }: JournalCall,
    { campaign_id, answer, at, aheadMs }: MachineTime & { campaign_id: string; answer: string },
  ): Promise<void> {
    await this.sql.run(
      `UPDATE send_call SET state = 'sent', campaign_id = ?, answer = ?, answered_at = ?, ahead_ms = coalesce(?, ahead_ms)
       WHERE send_id = ? AND n = ?`,
      ...[plainText(campaign_id), answer, at, aheadMs ?? null, id, n],
    );
  }

  async notSent({ send_id: id, n }: JournalCall): Promise<void> {
    const text = "UPDATE send_call SET state = 'planned', attempted_at = NULL WHERE send_id = ? AND n = ?";
    await this.sql.run(`${text} AND state = 'attempted'`, id, n);
  }

  forgetUnsent({ branch, ref }: SendScope): Promise<void> {
    const isEmpty = `branch = ? AND ref = ? AND NOT EXISTS (${callOfSend})`;
    const steps = [
      `DELETE FROM send_person WHERE (send_seq, n) IN (
         SELECT seq, n FROM send JOIN send_call USING (send_id) WHERE branch = ? AND ref = ? AND state = 'planned')`,
      `DELETE FROM send_call WHERE state = 'planned'
         AND send_id IN (SELECT send_id FROM send WHERE branch = ? AND ref = ?)`,
      `DELETE FROM send_report WHERE send_id IN (SELECT send_id FROM send WHERE ${isEmpty})`,
      `DELETE FROM send WHERE ${isEmpty}`,
    ];
    return this.sql.transaction(async (sql) => {
      for (const step of steps) await sql.run(step, branch, ref);
      // SQLite numbers the next send as the newest of those that went. Other branches are not under this lock.
      const newest = "(SELECT coalesce(max(seq), 0) FROM send)";
      await sql.run(
        `UPDATE send_call SET after_seq = ${newest} WHERE after_seq > ${newest}
           AND EXISTS (SELECT 1 FROM send WHERE send.send_id = send_call.send_id AND branch = ?)`,
        branch,
      );
    });
  }

  async report(sendId: string, report: string): Promise<void> {
    const text = "INSERT INTO send_report (send_id, report) SELECT send_id, ? FROM send WHERE send_id = ?";
    await this.sql.run(text, report, sendId);
  }

  /** Gives one send to another branch: its answer named a mock's world only afterwards. */
  move(sendId: string, to: string): Promise<void> {
    return this.sql.transaction(async (sql) => {
      const moved = await sql.get<{ seq: number; ref: string }>(
        "UPDATE send SET branch = ? WHERE send_id = ? RETURNING seq, ref",
        ...[to, sendId],
      );
      if (moved === undefined) return;
      const scope = scopeOf({ branch: to, ref: moved.ref });
      const text = `DELETE FROM send_person WHERE scope = ?1 AND send_seq <> ?2
        AND send_seq IN (SELECT seq FROM send WHERE branch = ?3 AND ref = ?4)
        AND person IN (SELECT person FROM send_person WHERE send_seq = ?2)`;
      await sql.run(text, ...[scope, moved.seq, to, moved.ref]);
      await sql.run("UPDATE send_person SET scope = ? WHERE send_seq = ?", scope, moved.seq);
    });
  }

  /** Returns the send that a reply belongs to, by its campaign_id and else by its external_ref; undefined where it is of another journal. */
  async ofReply(named: Record<"campaign_id" | "external_ref", string | null>) {
    const columns = "send.send_id, ref, coalesce(template_name, template_id) AS template, send.at";
    const newest = async (where: string, name: string | null): Promise<RepliedSend | undefined> =>
      // PostgreSQL takes no text with a NUL, and no text of bpos has one.
      name === null || name.includes("\0")
        ? undefined
        : this.sql.get(`SELECT ${columns} FROM send ${where} = ? ORDER BY seq DESC LIMIT 1`, name);
    return (
      (await newest("JOIN send_call USING (send_id) WHERE campaign_id", named.campaign_id)) ??
      (await newest("WHERE ref", named.external_ref))
    );
  }
}
