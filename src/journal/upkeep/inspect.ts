import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { BposError } from "../../errors.ts";
import { type Database, isSqliteError, openDatabase } from "../../sqlite.ts";
import { listed, type Value } from "../engine/engine.ts";
import { holdsJournal, openFailure, openReadOnly, refuseCopied } from "../engine/sqlite.ts";
import { isHeld } from "../locks/lock-files.ts";
import type { Holder } from "../locks/locks.ts";
import {
  locksOfWork,
  newestValues,
  noWork,
  type PendingWork,
  pendingWork,
  type Reader,
  type Remembered,
  type RememberedValue,
} from "./inspect-queries.ts";

/** Long enough for a process that writes one step down. */
const busyMs = 500;

type JournalLook =
  | { kind: "none" | "busy" }
  | { kind: "good"; bytes: number; work: PendingWork }
  | { kind: "broken"; error: BposError };

/** Who of these lives. Asked inside a write transaction, as `Locks.take` does: two who ask at once would take each other for one. */
function living(file: string, holders: readonly Omit<Holder, "host">[]): PendingWork["processes"] {
  const locks = join(dirname(file), "locks");
  try {
    const journal = openDatabase(`${pathToFileURL(file).href}?mode=rw`, { timeout: busyMs });
    try {
      journal.exec("BEGIN IMMEDIATE");
      return holders.filter(({ id }) => isHeld(join(locks, `${id}.lock`))).map(({ pid }) => ({ pid }));
    } finally {
      journal.close();
    }
  } catch {
    return [];
  }
}

const openReader = (database: Database): Reader => ({
  // Whatever it throws must reject.
  all: async <Row>(text: string, ...values: readonly Value[]) =>
    await Promise.resolve(database.prepare(text).all(...values) as Row[]),
});

async function readWork(journal: Database, file: string, ids: readonly string[]): Promise<PendingWork> {
  const work = await pendingWork(openReader(journal), ids);
  if (work.sends.length === 0 && work.push === null) return noWork;
  const holders = journal
    .prepare(`SELECT holder AS id, pid FROM claim WHERE name IN ${listed}`)
    .all(locksOfWork(ids)) as Omit<Holder, "host">[];
  return { ...work, processes: holders.length === 0 ? [] : living(file, holders) };
}

async function look(file: string, branches: readonly string[]): Promise<JournalLook> {
  const journal = openReadOnly(file, busyMs);
  try {
    const isThere = holdsJournal(journal, file);
    const { quick_check: said } = journal.prepare("PRAGMA quick_check(1)").get() as { quick_check: string };
    if (said !== "ok") throw new BposError("journal_damaged", { file, detail: said });
    if (isThere) refuseCopied(journal, file);
    const work = isThere ? await readWork(journal, file, branches) : noWork;
    return { kind: "good", bytes: statSync(file).size, work };
  } finally {
    journal.close();
  }
}

/** Checks whether a journal is intact and lists the pending work of a branch. Read-only; never throws. */
export async function inspectJournal(file: string, branches: readonly string[]): Promise<JournalLook> {
  if (!existsSync(file)) return { kind: "none" };
  const changedAt = (): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  const before = changedAt();
  try {
    return await look(file, branches);
  } catch (thrown) {
    const error = openFailure(file, thrown);
    const isBusy =
      isSqliteError(thrown, "SQLITE_BUSY") || (error.reason === "journal_damaged" && changedAt() !== before);
    return isBusy ? { kind: "busy" } : { kind: "broken", error };
  }
}

/** Returns whether a file has records that were never copied to a database; false for a file that cannot be read. */
export function isLeftBehind(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    const journal = openReadOnly(file, busyMs);
    try {
      if (!holdsJournal(journal, file)) return false;
      refuseCopied(journal, file);
      return ["push", "send", "watch", "opt_out"].some(
        (table) => journal.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined,
      );
    } finally {
      journal.close();
    }
  } catch {
    return false;
  }
}

/** Returns the newest values over all branches. Read-only, and does not wait long. Throws what `openReadOnly` throws. */
export async function readRemembered(
  file: string,
  what: Remembered,
  limit: number,
): Promise<RememberedValue[]> {
  const database = openReadOnly(file, 100);
  try {
    return await newestValues(openReader(database), what, limit);
  } finally {
    database.close();
  }
}
