import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import Database from "libsql";
import { BposError } from "../errors.ts";

/** A lock file that this process holds; the operating system frees it however the process ends. */
export interface HeldFile {
  release(): void;
}

/** True for an SQLite error of one of those kinds, whatever its extended code; of any kind when none is named. */
export function isSqliteError(error: unknown, ...kinds: readonly `SQLITE_${string}`[]): error is Error {
  if (!(error instanceof Error) || error.name !== "SqliteError") return false;
  const { code } = error as { code?: unknown };
  if (kinds.length === 0) return true;
  return typeof code === "string" && kinds.some((kind) => code === kind || code.startsWith(`${kind}_`));
}

/** Does something with a lock file; whatever the operating system has against it is `journal_unreadable`. */
function using<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new BposError("journal_unreadable", { file, detail: (error as Error).message }, { cause: error });
  }
}

/** Holds the file at an SQLite address. Throws SQLite's own SQLITE_BUSY after `timeout` milliseconds. */
function holdAt(address: string, timeout: number): HeldFile {
  const database = new Database(address, { timeout });
  try {
    // Nothing is ever written there: a rollback journal on the disk would only be one more file to leave behind.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    throw error;
  }
  return { release: () => void database.close() };
}

/**
 * Holds a lock file, created with its folder where missing, until it is released or this process ends.
 * Throws `journal_unreadable`, also when another process still holds it after `timeout` milliseconds.
 */
export function holdFile(file: string, timeout = 0): HeldFile {
  return using(file, () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return holdAt(file, timeout);
  });
}

/** Whether somebody who lives holds that lock file. Never creates it. Throws `journal_unreadable`. */
export function isHeld(file: string): boolean {
  return using(file, () => {
    if (!existsSync(file)) return false;
    try {
      // mode=rw: a file that goes away right now stays away.
      holdAt(`${pathToFileURL(file).href}?mode=rw`, 0).release();
      return false;
    } catch (error) {
      if (isSqliteError(error, "SQLITE_BUSY")) return true;
      if (!existsSync(file)) return false;
      throw error;
    }
  });
}

/**
 * Removes the lock file of a process that is dead, or of this one: another's would seem free while it is held.
 * Throws `journal_unreadable`.
 */
export function removeLockFile(file: string): void {
  using(file, () => {
    rmSync(file, { force: true });
  });
}
