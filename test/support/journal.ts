import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Sql } from "../../src/journal/engine/engine.ts";
import { openSqlite } from "../../src/journal/engine/sqlite.ts";
import { Journal, openJournal } from "../../src/journal/journal.ts";
import { FileLocks } from "../../src/journal/locks/lock-files.ts";
import { type Database, openDatabase } from "../../src/sqlite.ts";
import { journals } from "./journals.ts";

/** A journal with the engine under it, where a test breaks something that the interface cannot break. */
export function journalWith(file = ":memory:", pid = 4711): { journal: Journal; sql: Sql } {
  const sql = openSqlite(file);
  const place = file === ":memory:" ? undefined : file;
  return {
    journal: new Journal(sql, new FileLocks(sql, { id: crypto.randomUUID(), pid, host: "caja-1" }, place)),
    sql,
  };
}

/** A journal that is closed with the test, or before. */
export function journalIn(file?: string, pid?: number): Journal {
  const { journal } = journalWith(file, pid);
  onTestFinished(() => journal.close().catch(() => undefined));
  return journal;
}

/** The database of a journal on a connection of its own, where a test looks at or breaks what no interface shows. */
export function databaseIn(file: string): Database {
  void openSqlite(file).close();
  const database = openDatabase(file);
  onTestFinished(() => database.close());
  return database;
}

const fileIn = (home: string): string => join(home, "state", "journal.db");

/** The journal of a home, whatever the engine, closed with the test or before. */
export async function journalOf(home: string): Promise<Journal> {
  const place = journals.envOf(home)["BPOS_JOURNAL"] ?? fileIn(home);
  const holder = { id: crypto.randomUUID(), pid: 4711, host: "caja-1" };
  const journal = await openJournal(place, { holder, env: {} });
  onTestFinished(() => journal.close().catch(() => undefined));
  return journal;
}

/** Asks the journal of a home, or breaks what is in it, beside the commands that use it, whatever the engine. */
export async function askJournal(home: string, sql: string): Promise<Record<string, unknown>[]> {
  if (journals.ask !== undefined) return journals.ask(home, sql);
  const database = databaseIn(fileIn(home));
  try {
    if (sql.startsWith("SELECT")) return database.prepare(sql).all() as Record<string, unknown>[];
    database.exec(sql);
    return [];
  } finally {
    database.close();
  }
}

/** The locks of a home that nobody gave back. Who is killed before it takes one leaves an empty file in `locks`, which holds nobody off. */
export const locksLeft = (home: string): Promise<Record<string, unknown>[]> =>
  askJournal(home, "SELECT name FROM claim");
