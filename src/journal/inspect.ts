import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "libsql";
import { BposError, isReason } from "../errors.ts";
import { type Holder, isHeld, isSqliteError } from "./locks.ts";
import { isHopeless, openReadOnly, versionOf } from "./sqlite.ts";

/** Long enough for a process that writes one step down; nobody waits for a longer one just to look. */
const busyMs = 500;

export type JournalLook =
  | { kind: "none" }
  | { kind: "good"; bytes: number; work: OpenWork }
  | { kind: "busy" }
  | { kind: "broken"; error: BposError };

interface OpenWork {
  sends: readonly { ref: string; people: number }[];
  /** The newest push where it has batches without an answer; `file` is null where it has no name. */
  push: { file: string | null } | null;
  pids: readonly number[];
}

const ofBranch = "branch IN (SELECT value FROM json_each(?))";

function openSends(journal: Database.Database, branches: string): OpenWork["sends"] {
  return journal
    .prepare(
      `SELECT ref, sum(people) AS people FROM send JOIN send_call USING (send_id)
       WHERE ${ofBranch} AND state <> 'sent' GROUP BY ref ORDER BY max(seq) DESC`,
    )
    .all(branches) as { ref: string; people: number }[];
}

function openPush(journal: Database.Database, branches: string): OpenWork["push"] {
  // Every column: a journal of an older version has no file, and is not brought up to date by looking at it.
  const newest = journal
    .prepare(
      `SELECT push.*, EXISTS (
         SELECT 1 FROM push_event WHERE push_event.push_id = push.push_id AND state <> 'answered') AS waits
       FROM push WHERE ${ofBranch} ORDER BY seq DESC LIMIT 1`,
    )
    .get(branches) as { open: number; waits: number; file?: string | null } | undefined;
  return newest?.open === 1 && newest.waits === 1 ? { file: newest.file ?? null } : null;
}

/** Who of these lives. Asked inside a write transaction, as `Locks.take` does: two who ask at once would take each other for one. */
function living(file: string, holders: readonly Holder[]): number[] {
  const locks = join(dirname(file), "locks");
  const isAlive = ({ id }: Holder): boolean => isHeld(join(locks, `${id}.lock`));
  try {
    const journal = new Database(file, { fileMustExist: true, timeout: busyMs });
    try {
      journal.exec("BEGIN IMMEDIATE");
      return holders.filter(isAlive).map(({ pid }) => pid);
    } finally {
      journal.close();
    }
  } catch {
    // Where nothing can be written, nobody works either.
    return [];
  }
}

function openWork(
  journal: Database.Database,
  version: number,
  ids: readonly string[],
): Omit<OpenWork, "pids"> & { holders: readonly Holder[] } {
  if (version === 0) return { sends: [], push: null, holders: [] };
  const branches = JSON.stringify(ids);
  const sends = openSends(journal, branches);
  const push = openPush(journal, branches);
  // The first version knew no locks.
  if ((sends.length === 0 && push === null) || version === 1) return { sends, push, holders: [] };
  const holders = journal
    .prepare("SELECT holder AS id, pid FROM claim WHERE name IN (SELECT value FROM json_each(?))")
    .all(JSON.stringify(ids.flatMap((id) => [`push ${id}`, `send ${id}`]))) as Holder[];
  return { sends, push, holders };
}

const damaged = (file: string, detail: string): BposError =>
  new BposError("journal_damaged", { file, detail });

function look(file: string, branches: readonly string[]): JournalLook {
  const journal = openReadOnly(file, busyMs);
  let work: ReturnType<typeof openWork>;
  try {
    const version = versionOf(journal, file);
    const { quick_check: said } = journal.prepare("PRAGMA quick_check(1)").get() as { quick_check: string };
    if (said !== "ok") return { kind: "broken", error: damaged(file, said) };
    work = openWork(journal, version, branches);
  } finally {
    journal.close();
  }
  const { sends, push, holders } = work;
  const pids = holders.length === 0 ? [] : living(file, holders);
  return { kind: "good", bytes: statSync(file).size, work: { sends, push, pids } };
}

function judged(file: string, branches: readonly string[]): JournalLook {
  try {
    return look(file, branches);
  } catch (error) {
    if (isSqliteError(error, "SQLITE_BUSY")) return { kind: "busy" };
    const { message: detail } = error as Error;
    if (isHopeless(error)) return { kind: "broken", error: damaged(file, detail) };
    const isNewer = isReason(error, "journal_unreadable");
    return { kind: "broken", error: isNewer ? error : new BposError("journal_unreadable", { file, detail }) };
  }
}

/** Looks whether a journal is intact and what of a branch is open in it. Creates, moves and changes nothing. Never throws. */
export function inspectJournal(file: string, branches: readonly string[]): JournalLook {
  if (!existsSync(file)) return { kind: "none" };
  const changedAt = (): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  const before = changedAt();
  const found = judged(file, branches);
  const isDamaged = found.kind === "broken" && found.error.reason === "journal_damaged";
  return isDamaged && changedAt() !== before ? { kind: "busy" } : found;
}

const queries = {
  ref: "SELECT ref AS value, template_name AS note FROM send GROUP BY ref ORDER BY max(seq) DESC",
  template: "SELECT template_name AS value, NULL AS note FROM send GROUP BY 1 ORDER BY max(seq) DESC",
  template_id: "SELECT template_id AS value, NULL AS note FROM send GROUP BY 1 ORDER BY max(seq) DESC",
  language: "SELECT template_language AS value, NULL AS note FROM send GROUP BY 1 ORDER BY max(seq) DESC",
  campaign: `SELECT campaign_id AS value, ref AS note FROM send_call JOIN send USING (send_id)
    ORDER BY send.seq DESC, n DESC`,
  consumer: "SELECT consumer AS value, NULL AS note FROM watch GROUP BY 1 ORDER BY 1",
};

export type Remembered = keyof typeof queries;

/** The newest values over all branches. Neither changes nor makes a file, nor waits long. Throws what `openReadOnly` throws. */
export function remembered(
  file: string,
  what: Remembered,
  limit: number,
): { value: string | null; note: string | null }[] {
  const database = openReadOnly(file, 100);
  try {
    return database.prepare(`${queries[what]} LIMIT ?`).all(limit) as ReturnType<typeof remembered>;
  } finally {
    database.close();
  }
}
