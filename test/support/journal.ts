import { dirname, join } from "node:path";
import Database from "libsql";
import { onTestFinished } from "vitest";
import type { Sql } from "../../src/journal/engine.ts";
import { Journal } from "../../src/journal/journal.ts";
import { FileLocks } from "../../src/journal/lock-files.ts";
import { openSqlite } from "../../src/journal/sqlite.ts";

/** A journal with the engine under it, where a test breaks something that the interface cannot break. */
export function journalWith(file = ":memory:", pid = 4711): { journal: Journal; sql: Sql } {
  const sql = openSqlite(file);
  const folder = file === ":memory:" ? undefined : join(dirname(file), "locks");
  return {
    journal: new Journal(sql, new FileLocks(sql, { id: crypto.randomUUID(), pid, host: "caja-1" }, folder)),
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
export function databaseIn(file: string): Database.Database {
  void openSqlite(file).close();
  const database = new Database(file);
  onTestFinished(() => void database.close());
  return database;
}
