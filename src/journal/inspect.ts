import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "libsql";
import { BposError } from "../errors.ts";
import { listed } from "./engine.ts";
import { isHeld, isSqliteError } from "./lock-files.ts";
import type { Holder } from "./locks.ts";
import { openFailure, openReadOnly, versionOf } from "./sqlite.ts";

/** Long enough for a process that writes one step down. */
const busyMs = 500;

interface OpenWork {
  sends: readonly { ref: string; people: number }[];
  /** The newest push where it has batches without an answer; `file` is null where it has no name. */
  push: { file: string | null } | null;
  pids: readonly number[];
}

type JournalLook =
  | { kind: "none" | "busy" }
  | { kind: "good"; bytes: number; work: OpenWork }
  | { kind: "broken"; error: BposError };

/** Who of these lives. Asked inside a write transaction, as `Locks.take` does: two who ask at once would take each other for one. */
function living(file: string, holders: readonly Omit<Holder, "host">[]): number[] {
  const locks = join(dirname(file), "locks");
  try {
    const journal = new Database(file, { fileMustExist: true, timeout: busyMs });
    try {
      journal.exec("BEGIN IMMEDIATE");
      return holders.filter(({ id }) => isHeld(join(locks, `${id}.lock`))).map(({ pid }) => pid);
    } finally {
      journal.close();
    }
  } catch {
    return [];
  }
}

function openWork(journal: Database.Database, version: number, ids: readonly string[]) {
  if (version === 0) return { sends: [], push: null, holders: [] };
  const branches = JSON.stringify(ids);
  const sends = journal
    .prepare(
      `SELECT ref, sum(people) AS people FROM send JOIN send_call USING (send_id)
       WHERE branch IN ${listed} AND state <> 'sent' GROUP BY ref ORDER BY max(seq) DESC`,
    )
    .all(branches) as { ref: string; people: number }[];
  // Every column: a journal of an older version has no file, and is not brought up to date by looking at it.
  const newest = journal
    .prepare(
      `SELECT push.*, EXISTS (
         SELECT 1 FROM push_event WHERE push_event.push_id = push.push_id AND state <> 'answered') AS waits
       FROM push WHERE branch IN ${listed} ORDER BY seq DESC LIMIT 1`,
    )
    .get(branches) as { open: number; waits: number; file?: string | null } | undefined;
  const push = newest?.open === 1 && newest.waits === 1 ? { file: newest.file ?? null } : null;
  if ((sends.length === 0 && push === null) || version === 1) return { sends, push, holders: [] };
  const holders = journal
    .prepare(`SELECT holder AS id, pid FROM claim WHERE name IN ${listed}`)
    .all(JSON.stringify(ids.flatMap((id) => [`push ${id}`, `send ${id}`]))) as Omit<Holder, "host">[];
  return { sends, push, holders };
}

function look(file: string, branches: readonly string[]): JournalLook {
  const journal = openReadOnly(file, busyMs);
  try {
    const version = versionOf(journal, file);
    const { quick_check: said } = journal.prepare("PRAGMA quick_check(1)").get() as { quick_check: string };
    if (said !== "ok") throw new BposError("journal_damaged", { file, detail: said });
    const { holders, ...work } = openWork(journal, version, branches);
    const pids = holders.length === 0 ? [] : living(file, holders);
    return { kind: "good", bytes: statSync(file).size, work: { ...work, pids } };
  } finally {
    journal.close();
  }
}

/** Looks whether a journal is intact and what of a branch is open in it. Creates, moves and changes nothing. Never throws. */
export function inspectJournal(file: string, branches: readonly string[]): JournalLook {
  if (!existsSync(file)) return { kind: "none" };
  const changedAt = (): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  const before = changedAt();
  try {
    return look(file, branches);
  } catch (thrown) {
    const error = openFailure(file, thrown);
    const isBusy =
      isSqliteError(thrown, "SQLITE_BUSY") || (error.reason === "journal_damaged" && changedAt() !== before);
    return isBusy ? { kind: "busy" } : { kind: "broken", error };
  }
}

const newestOf = (column: string): string =>
  `SELECT ${column} AS value, NULL AS note FROM send GROUP BY 1 ORDER BY max(seq) DESC`;
const queries = {
  ref: "SELECT ref AS value, template_name AS note FROM send GROUP BY ref ORDER BY max(seq) DESC",
  template: newestOf("template_name"),
  template_id: newestOf("template_id"),
  language: newestOf("template_language"),
  campaign: `SELECT campaign_id AS value, ref AS note FROM send_call JOIN send USING (send_id)
    ORDER BY send.seq DESC, n DESC`,
  consumer: "SELECT consumer AS value, NULL AS note FROM watch GROUP BY 1 ORDER BY 1",
};

export type Remembered = keyof typeof queries;

/** The newest values over all branches. Neither changes nor makes a file, nor waits long. Throws what `openReadOnly` throws. */
export function remembered(file: string, what: Remembered, limit: number) {
  const database = openReadOnly(file, 100);
  try {
    const rows = database.prepare(`${queries[what]} LIMIT ?`).all(limit);
    return rows as { value: string | null; note: string | null }[];
  } finally {
    database.close();
  }
}
