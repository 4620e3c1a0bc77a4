import { parse, stringify } from "lossless-json";
import { listed, plainText, Records, type Sql } from "../engine/engine.ts";
import type { Owed } from "../records/orders.ts";
import { pseudonymMark, toPseudonym } from "../records/pseudonyms.ts";
import type { KeptPush } from "../records/pushes.ts";
import { inCall } from "../records/send-sql.ts";

const subjects = [
  "orders",
  "pushes",
  "products",
  "sends",
  "calls",
  "recipients",
  "replies",
  "opt_outs",
] as const;

export interface Subject {
  subject: (typeof subjects)[number];
  entries: number;
  /** The number of pending orders, batches or recipients. */
  pending: number;
  /** Time of the oldest, epoch milliseconds; null where none has a time. */
  oldest: number | null;
}

/** Orders that an output has not got; `branch` is an identity. */
export type OwedOutput = Owed & Record<"branch" | "consumer", string>;

/** `branch` is an identity. */
type KnownSend = Record<"branch" | "send_id" | "external_ref", string> & { remaining: number };

/** The newest push of a branch; `pending` where batches have no answer. */
export type LastPush = Omit<KeptPush, "pending"> & { branch: string; pending: number };

/** Replies that an output has not got; `branch` is null where they name no send of this journal. */
interface WaitingReplies {
  branch: string | null;
  replies: number;
  /** When the oldest of them came, epoch milliseconds. */
  oldestAt: number;
}

/** How many of each lose their personal data, or have lost it. */
export type Pruned = Record<"sends" | "calls" | "recipients" | "replies" | "opt_outs", number>;

const isOpen = (id: string, of: string, done: string): string =>
  `EXISTS (SELECT 1 FROM ${of} WHERE ${of}.${id} = t.${id} AND ${of}.state <> '${done}')`;

const counts: Readonly<Record<Subject["subject"], string>> = {
  orders: `(SELECT count(*) FROM watch_order) AS entries,
    (SELECT count(*) FROM watch_event) AS pending, (SELECT min(began_at) FROM watch) AS oldest`,
  pushes: `count(*) AS entries, count(CASE WHEN ${isOpen("push_id", "push_event", "answered")} THEN 1 END) AS pending,
    min(at) AS oldest FROM push AS t`,
  products: "count(*) AS entries, coalesce(sum(open), 0) AS pending, NULL AS oldest FROM catalog_item",
  sends: `count(*) AS entries, count(CASE WHEN ${isOpen("send_id", "send_call", "sent")} THEN 1 END) AS pending,
    min(at - coalesce((SELECT max(ahead_ms) FROM send_call AS c WHERE c.send_id = t.send_id), 0)) AS oldest FROM send AS t`,
  calls: `count(*) AS entries, count(CASE WHEN state <> 'sent' THEN 1 END) AS pending,
    min(attempted_at - coalesce(ahead_ms, 0)) AS oldest FROM send_call`,
  recipients: `(SELECT count(*) FROM send_person) AS entries,
    (SELECT coalesce(sum(people), 0) FROM send_call WHERE state <> 'sent') AS pending, NULL AS oldest`,
  replies: `count(*) AS entries, (SELECT count(DISTINCT arrival) FROM reply_delivery) AS pending,
    min(at) AS oldest FROM reply_arrival`,
  opt_outs: `count(CASE WHEN state = 'active' THEN 1 END) AS entries, count(CASE WHEN state = 'doubtful' THEN 1 END) AS pending,
    min(at) AS oldest FROM opt_out WHERE state IN ('active', 'doubtful')`,
};

const sizes = {
  sqlite: "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()",
  postgres: `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint AS bytes
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = 'bpos' AND c.relkind = 'r'`,
};

const rowsAtOnce = 2_000;
/** People in a step of prune. Whoever waits for SQLite's file asks now and then, and would miss short gaps between many steps: a call is one. */
const peopleAtOnce = { sqlite: 1_000_000, postgres: 250 };
/** Pages of SQLite's file, each of 4 KiB. */
const pagesAtOnce = 1_000;

/** The body of a call whose recipients were removed. */
const noBody = '{"recipients":[]}';
const removed = "removed by prune";

/** Sends of which every call was answered before ?1, and that hold a body yet. */
const finishedSends = `send.at < ?1 AND NOT EXISTS (SELECT 1 FROM send_call AS c WHERE c.send_id = send.send_id
    AND (c.state <> 'sent' OR coalesce(c.answered_at, c.attempted_at, 0) >= ?1))
  AND EXISTS (SELECT 1 FROM send_call AS c WHERE c.send_id = send.send_id AND c.body <> '${noBody}')`;

/** Replies that came before ?1 and that every output has. */
const finishedReplies = `body <> '' AND NOT EXISTS (SELECT 1 FROM reply_arrival AS a WHERE a.reply = reply.reply
    AND (a.at >= ?1 OR a.arrival IN (SELECT arrival FROM reply_delivery)))`;

/** Opt-outs from before ?1 that hold a phone yet; a doubtful message is kept until somebody looks at it. */
const oldOptOuts = "at < ?1 AND phone IS NOT NULL AND state <> 'doubtful'";

/** Returns the service's answer about a campaign without the phones that its errors name; their number stays, since it counts. */
function answerWithoutPeople(text: string | null): string | null {
  if (text === null) return null;
  const { campaign_id, campaign_name, status, replayed, recipients } = parse(text) as Record<string, unknown>;
  const { added, duplicates, errors } = (recipients ?? {}) as Record<string, unknown>;
  const said = [errors ?? []].flat().map(() => removed);
  const kept = {
    campaign_id,
    campaign_name,
    status,
    replayed,
    recipients: { added, duplicates, errors: said },
  };
  return stringify(kept) ?? null;
}

/** Returns a report with as many errors and left-out rows as before, each of them empty. */
const reportWithoutPeople = (text: string): string =>
  JSON.stringify(
    JSON.parse(text, (key, value: unknown) => {
      if (key === "errors" && Array.isArray(value)) return value.map(() => removed);
      if (key === "phone") return "";
      return key === "error" && typeof value === "string" ? removed : value;
    }),
  );

/** Removes text and person of the replies in a range. Returns how many there were. */
async function pruneReplies(sql: Sql, before: number, range: readonly [number, number]): Promise<number> {
  const where = `reply > ?2 AND reply <= ?3 AND ${finishedReplies}`;
  // Whoever receives one of them again waits from here on; what came just before is seen by the next statement.
  await sql.run(`UPDATE reply SET hash = hash WHERE ${where}`, before, ...range);
  return sql.run(`UPDATE reply SET body = '', person = '' WHERE ${where}`, before, ...range);
}

/** Gives some people of a call that was answered a pseudonym. Returns how many. */
async function pruneSomePeople(
  sql: Sql,
  { sendId, n, atOnce }: { sendId: string; n: number; atOnce: number },
): Promise<number> {
  const people = await sql.all<{ person: string; scope: number }>(
    `SELECT person, scope FROM send_person
       WHERE ${inCall} AND substr(person, 1, 1) <> '${pseudonymMark}' LIMIT ${atOnce}`,
    ...[sendId, n],
  );
  await sql.many(
    "UPDATE send_person SET person = ? WHERE person = ? AND scope = ?",
    people.map(({ person, scope }) => [toPseudonym(person), person, scope]),
  );
  return people.length;
}

/** Queries and work over a whole journal. */
export class Upkeep extends Records {
  async subjects(): Promise<Subject[]> {
    const rows: Subject[] = [];
    for (const subject of subjects) {
      const row = await this.sql.one<Omit<Subject, "subject">>(`SELECT ${counts[subject]}`);
      rows.push({ subject, ...row });
    }
    return rows;
  }

  /** Returns what is pending by branch, consumer and output. */
  owed(): Promise<OwedOutput[]> {
    return this.sql.all(
      `SELECT branch, consumer, output, count(CASE WHEN from_status IS NULL THEN 1 END) AS orders, count(from_status) AS changes
         FROM watch_delivery AS d JOIN watch_event AS e ON e.event = d.event JOIN watch AS w ON w.watch_id = e.watch_id
         WHERE d.state <> 'done' GROUP BY branch, consumer, output ORDER BY branch, consumer, output`,
    );
  }

  /** Every send, and how many of its recipients are in calls that are left. */
  sends(): Promise<KnownSend[]> {
    return this.sql.all(
      `SELECT branch, send_id, ref AS external_ref, sum(CASE WHEN state = 'sent' THEN 0 ELSE people END) AS remaining
         FROM send JOIN send_call USING (send_id) GROUP BY branch, send_id, ref ORDER BY min(seq)`,
    );
  }

  /** The names of all locks, also of those whose process died without giving them up. */
  async locks(): Promise<string[]> {
    return (await this.sql.all<{ name: string }>("SELECT name FROM claim")).map(({ name }) => name);
  }

  /** Returns a row for every branch that was pushed to. */
  lastPushes(): Promise<LastPush[]> {
    return this.sql.all(
      `SELECT branch, push_id, at, action, file, report, ${isOpen("push_id", "push_event", "answered")} AS pending
         FROM push AS t LEFT JOIN push_report USING (push_id) WHERE seq IN (SELECT max(seq) FROM push GROUP BY branch)`,
    );
  }

  /** Returns the replies by the branch whose send they answer. */
  async waitingReplies(): Promise<WaitingReplies[]> {
    const replies = await this.sql.all<{ body: string; at: number }>(
      `SELECT body, at FROM reply_arrival JOIN reply USING (reply)
         WHERE arrival IN (SELECT arrival FROM reply_delivery) ORDER BY at`,
    );
    if (replies.length === 0) return [];
    const named = replies.map(({ body }) =>
      Array.from(body.matchAll(/"(?:campaign_id|external_ref)"\s*:\s*"([^"\\]+)"/g), ([, name = ""]) => name),
    );
    const names = JSON.stringify([...new Set(named.flat().map(plainText))]);
    const sends = await this.sql.all<Record<"name" | "branch", string>>(
      `SELECT campaign_id AS name, branch FROM send_call JOIN send USING (send_id) WHERE campaign_id IN ${listed}
         UNION SELECT ref, branch FROM send WHERE ref IN ${listed}`,
      ...[names, names],
    );
    const branches = new Map(sends.map(({ name, branch }) => [name, branch]));

    const waiting = new Map<string | null, WaitingReplies>();
    for (const [n, { at }] of replies.entries()) {
      const branch = named[n]?.flatMap((name) => branches.get(name) ?? [])[0] ?? null;
      const before = waiting.get(branch) ?? { branch, replies: 0, oldestAt: at };
      waiting.set(branch, { ...before, replies: before.replies + 1 });
    }
    return [...waiting.values()];
  }

  async bytes(engine: keyof typeof sizes): Promise<number> {
    return (await this.sql.one<{ bytes: number }>(sizes[engine])).bytes;
  }

  /** Counts the records from which `prune` would remove personal data. */
  async prunable(before: number): Promise<Pruned> {
    const { sends, calls, recipients } = await this.sql.one<Omit<Pruned, "replies" | "opt_outs">>(
      `SELECT count(DISTINCT send_id) AS sends, count(*) AS calls, coalesce(sum(people), 0) AS recipients
         FROM send JOIN send_call USING (send_id) WHERE ${finishedSends} AND body <> '${noBody}'`,
      before,
    );
    const text = `SELECT count(*) AS replies FROM reply WHERE ${finishedReplies}`;
    const { replies } = await this.sql.one<Pick<Pruned, "replies">>(text, before);
    const optOuts = `SELECT count(*) AS opt_outs FROM opt_out WHERE ${oldOptOuts}`;
    const { opt_outs } = await this.sql.one<Pick<Pruned, "opt_outs">>(optOuts, before);
    return { sends, calls, recipients, replies, opt_outs };
  }

  /**
   * Takes the personal data out of what was finished before: of a call at a time, so that nobody waits for it. Keys, counts and pseudonyms stay.
   * Finished work never becomes unfinished again, so that no lock is needed.
   */
  async prune(
    before: number,
    engine: keyof typeof sizes,
    onProgress: (people: number) => Promise<void>,
  ): Promise<Pruned> {
    const done: Pruned = { sends: 0, calls: 0, recipients: 0, replies: 0, opt_outs: 0 };
    const sends = await this.sql.all<{ send_id: string }>(
      `SELECT send_id FROM send WHERE ${finishedSends} ORDER BY seq`,
      before,
    );
    for (const { send_id: id } of sends) {
      await this.#pruneReport(id);
      const text = `SELECT n, people FROM send_call WHERE send_id = ? AND state = 'sent' AND body <> '${noBody}' ORDER BY n`;
      for (const { n, people } of await this.sql.all<{ n: number; people: number }>(text, id)) {
        await this.#pruneCall(id, n, peopleAtOnce[engine]);
        done.calls += 1;
        done.recipients += people;
        await onProgress(done.recipients);
      }
      done.sends += 1;
    }
    await this.#pruneLeftOut(before);
    done.replies = await this.#inRanges("reply", "reply", (sql, from, to) =>
      pruneReplies(sql, before, [from, to]),
    );
    // Their pseudonyms stay: nobody who opted out is messaged again.
    const optOuts = `UPDATE opt_out SET phone = NULL, text = NULL WHERE seq > ?2 AND seq <= ?3 AND ${oldOptOuts}`;
    done.opt_outs = await this.#inRanges("opt_out", "seq", (sql, from, to) =>
      sql.run(optOuts, before, from, to),
    );
    return done;
  }

  /** A transaction for each few thousand rows, so that nobody waits for all of them. Returns how many were changed. */
  async #inRanges(
    table: string,
    key: string,
    change: (sql: Sql, from: number, to: number) => Promise<number>,
  ): Promise<number> {
    const text = `SELECT coalesce(min(${key}), 1) - 1 AS first, coalesce(max(${key}), 0) AS last FROM ${table}`;
    const { first, last } = await this.sql.one<Record<"first" | "last", number>>(text);
    let changed = 0;
    for (let from = first; from < last; from += rowsAtOnce)
      changed += await this.sql.transaction((sql) => change(sql, from, from + rowsAtOnce));
    return changed;
  }

  async #pruneLeftOut(before: number): Promise<void> {
    const some = `SELECT branch, ref, person FROM send_left_out WHERE at < ? LIMIT ${rowsAtOnce}`;
    const text = `DELETE FROM send_left_out WHERE (branch, ref, person) IN (${some})`;
    while ((await this.sql.run(text, before)) > 0);
  }

  async #pruneReport(sendId: string): Promise<void> {
    const text = "SELECT report FROM send_report WHERE send_id = ?";
    const row = await this.sql.get<{ report: string }>(text, sendId);
    if (row === undefined) return;
    const report = reportWithoutPeople(row.report);
    await this.sql.run("UPDATE send_report SET report = ? WHERE send_id = ?", report, sendId);
  }

  async #pruneCall(sendId: string, n: number, atOnce: number): Promise<void> {
    let left = true;
    while (left)
      left = await this.sql.transaction(async (sql) => {
        if ((await pruneSomePeople(sql, { sendId, n, atOnce })) === atOnce) return true;
        // Last: one that was killed is taken up again.
        const { answer } = await sql.one<{ answer: string | null }>(
          "SELECT answer FROM send_call WHERE send_id = ? AND n = ?",
          ...[sendId, n],
        );
        await sql.run(
          `UPDATE send_call SET body = '${noBody}', lines = NULL, answer = ? WHERE send_id = ? AND n = ?`,
          ...[answerWithoutPeople(answer), sendId, n],
        );
        return false;
      });
  }

  /** Makes SQLite overwrite what it removes from the file from here on. */
  async overwriteDeleted(): Promise<void> {
    await this.sql.all("PRAGMA secure_delete = ON");
  }

  /** Returns whether much of SQLite's file is free: a prune was killed before it could shrink it. */
  async isLoose(): Promise<boolean> {
    const text =
      "SELECT freelist_count * 4 > page_count AS loose FROM pragma_freelist_count(), pragma_page_count()";
    return (await this.sql.one<{ loose: 0 | 1 }>(text)).loose === 1;
  }

  /** Gives the free pages of SQLite's file back to the disk, a few at a time: others write meanwhile. */
  async shrink(): Promise<void> {
    const text = "SELECT freelist_count AS pages FROM pragma_freelist_count()";
    const free = async (): Promise<number> => (await this.sql.one<{ pages: number }>(text)).pages;
    let left = await free();
    for (let before = Infinity; left > 0 && left < before; left = await free()) {
      before = left;
      await this.sql.all(`PRAGMA incremental_vacuum(${pagesAtOnce})`);
    }
    await this.#emptyLog();
  }

  /** Moves all of SQLite's log into its file, unless somebody reads it: what was there before is in the log as well. */
  async #emptyLog(): Promise<void> {
    await this.sql.all("PRAGMA wal_checkpoint(TRUNCATE)");
  }
}
