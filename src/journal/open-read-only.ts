import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { pathToFileURL } from "node:url";
import Database from "libsql";
import type { Journal } from "./open.ts";

/** Where SQLite's header says how a file has to be read, and what stands there for WAL. */
const readVersionAt = 18;
const wal = 2;

/** Whether nobody works with a journal: whoever does has the file of its WAL open beside it. */
function isAtRest(file: string): boolean {
  if (existsSync(`${file}-wal`)) return false;
  const header = Buffer.alloc(readVersionAt + 1);
  const handle = openSync(file, "r");
  try {
    readSync(handle, header, 0, header.length, 0);
  } finally {
    closeSync(handle);
  }
  return header[readVersionAt] === wal;
}

/**
 * Opens a journal to look at it: nothing in it is changed, and no file is made beside it. What another process begins to
 * write meanwhile may look like damage. Throws SQLite's errors and those of the system.
 *
 * @param timeout how long a process that holds it is waited for, in milliseconds.
 */
export function openReadOnly(file: string, timeout: number): Journal {
  // To read one at rest SQLite would make the files of the WAL, and could not take them away again.
  const rest = isAtRest(file) ? "&immutable=1" : "";
  // The library does not heed its own option for this.
  return new Database(`${pathToFileURL(file).href}?mode=ro${rest}`, { timeout });
}
