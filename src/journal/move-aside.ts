import { existsSync, readdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { BposError } from "../errors.ts";
import { holdFile, isHeld } from "./lock-file.ts";

/** What SQLite keeps beside a database; the database itself comes last, so that a move cut short is finished the next time. */
const parts = ["-wal", "-shm", "-journal", ""] as const;

const moveLock = "move.lock";

/** The first name that is free: `journal.db.moved-20261121-181951` (UTC), then the same with -2, -3, … */
function freeName(file: string, now: number): string {
  const instant = new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
  const base = `${file}.moved-${instant}`;
  const taken = (name: string): boolean => parts.some((part) => existsSync(name + part));
  let name = base;
  for (let n = 2; taken(name); n += 1) name = `${base}-${n}`;
  return name;
}

/**
 * Moves a file that can be no journal out of the way, with what SQLite keeps beside it; its new name.
 * Throws `journal_unreadable` when it must stay: somebody works with it, or another process has moved it already.
 *
 * @param isHopeless looks at the file again, now that no other process can move it.
 */
export function moveAside(
  file: string,
  { now, isHopeless }: { now: number; isHopeless: () => boolean },
): string {
  const locks = join(dirname(file), "locks");
  // Never removed: who waits for a file that is removed, and who creates the next one, would both hold it.
  const lock = holdFile(join(locks, moveLock), 5000);
  try {
    const refuse = (kind: "journal_moved_meanwhile" | "journal_damaged_in_use"): BposError =>
      new BposError("journal_unreadable", { file, detail: { kind } });
    if (!isHopeless()) throw refuse("journal_moved_meanwhile");
    // Its claims are rows of that file: in a new journal, a second process would take them from one that lives.
    const others = readdirSync(locks).filter((name) => name.endsWith(".lock") && name !== moveLock);
    if (others.some((name) => isHeld(join(locks, name)))) {
      throw refuse("journal_damaged_in_use");
    }
    const movedTo = freeName(file, now);
    for (const part of parts) if (existsSync(file + part)) renameSync(file + part, movedTo + part);
    return movedTo;
  } finally {
    lock.release();
  }
}
