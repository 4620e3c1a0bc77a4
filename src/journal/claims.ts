import { join } from "node:path";
import { BposError } from "../errors.ts";
import { type HeldFile, holdFile, isHeld, removeLockFile } from "./lock-file.ts";
import { atomically, type Journal } from "./open.ts";

/** Work that one process at a time may do for a branch; a watch, for a branch and consumer. */
export interface Claim {
  work: "push" | "send" | "watch" | "listen";
  /** As `branchId` makes it; `all` for listening, which is for every branch. */
  branch: string;
  /** Whose memory a watch keeps. */
  consumer?: string;
}

/** What one process claims, all of it by one lock file; it dies with the process, however that ends. */
export interface Claims {
  /** Takes a claim until `close`. Throws `locked` naming the process that has it, this one included; `journal_unreadable`. */
  take(claim: Claim): void;
  /** Gives everything back. */
  close(): void;
}

// A branch is hexadecimal, so that the rest is the consumer, whatever is in its name.
const nameOf = ({ work, branch, consumer }: Claim): string =>
  [work, branch, ...(consumer === undefined ? [] : [consumer])].join(" ");

/**
 * The claims of a process: rows of the journal, each good for as long as the lock file of its holder is held. `close`
 * them before the journal. Whatever the number of claims, a process holds one file, and none before its first claim.
 *
 * @param folder where the lock files of all processes are.
 * @param holder a new UUID, and the process id for people.
 *
 * @example
 * const claims = openClaims(journal, "/home/ana/.local/state/bpos/locks", { id: uuid(), pid: 4711 });
 * claims.take({ work: "watch", branch, consumer: "kitchen" });
 */
export function openClaims(journal: Journal, folder: string, holder: { id: string; pid: number }): Claims {
  const lockFile = (id: string): string => join(folder, `${id}.lock`);
  const own = lockFile(holder.id);
  let held: HeldFile | undefined;

  const takeFrom = (claim: Claim): void => {
    const name = nameOf(claim);
    const found = journal.prepare("SELECT holder, pid FROM claim WHERE name = ?").get(name) as
      | { holder: string; pid: number }
      | undefined;
    if (found !== undefined) {
      const { holder: other, pid } = found;
      if (isHeld(lockFile(other))) {
        const { work, consumer } = claim;
        throw new BposError("locked", { pid, work, ...(consumer !== undefined && { consumer }) });
      }
      // It died with all that it claimed, and nobody else would ever tidy up behind it.
      removeLockFile(lockFile(other));
      journal.prepare("DELETE FROM claim WHERE holder = ?").run(other);
    }
    journal
      .prepare("INSERT INTO claim (name, holder, pid) VALUES (?, ?, ?)")
      .run(name, holder.id, holder.pid);
  };

  return {
    take(claim) {
      // First of all: a claim whose holder has no lock file counts as a dead one's.
      held ??= holdFile(own);
      // To find out whether a file is held is to hold it for an instant. Two processes that do so at once would each
      // take the other for a live holder; inside the journal's write transaction there is one at a time.
      atomically(journal, () => takeFrom(claim));
    },
    close() {
      if (held === undefined) return;
      try {
        // Before the file goes, so that nobody looks for it any more.
        journal.prepare("DELETE FROM claim WHERE holder = ?").run(holder.id);
      } finally {
        held.release();
        held = undefined;
        removeLockFile(own);
      }
    },
  };
}
