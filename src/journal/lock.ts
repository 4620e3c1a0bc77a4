import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { BposError } from "../errors.ts";

/** A lock that this process holds; it dies with the process, however that ends. */
export interface Lock {
  release(): void;
}

/**
 * Takes the lock called `name` in a folder, for as long as this process lives or until it is released. SQLite's own
 * file lock holds it, so a killed process leaves none behind. Throws `locked` naming the process that has it.
 *
 * @example
 * const lock = takeLock("/home/ana/.local/state/bpos/locks", "push-3f9a", 4711);
 */
export function takeLock(folder: string, name: string, pid: number): Lock {
  const file = join(folder, `${name}.lock`);
  const holder = join(folder, `${name}.pid`);
  let database: Database.Database | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    database = new Database(file, { timeout: 0 });
    database.exec("BEGIN EXCLUSIVE");
    writeFileSync(holder, String(pid), { mode: 0o600 });
  } catch (error) {
    database?.close();
    const { code, message } = error as { code?: string; message: string };
    if (code !== "SQLITE_BUSY") {
      throw new BposError("journal_unreadable", { file, detail: message }, { cause: error });
    }
    throw new BposError("locked", { pid: holderOf(holder) }, { cause: error });
  }
  const held = database;
  return {
    release: () => {
      held.close();
    },
  };
}

/** The pid that was written down by whoever holds the lock; null when it cannot be told. */
function holderOf(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}
