import type { DatabaseProblem, Detail } from "../../errors/problems.ts";
import type { ErrorFacts } from "../../errors.ts";
import { resumed } from "../../texts/phrases.ts";
import { textFor } from "../template.ts";

type RunningFacts = Pick<ErrorFacts["locked"], "pid" | "host">;

/** That the process which holds a lock is still running. */
export const runningWords = textFor<RunningFacts>();

const holder = ({ host = "", pid }: ErrorFacts["lock_lost"]): string | undefined =>
  pid === null ? undefined : `${host}:${pid}`;

type JournalNext = Readonly<
  Record<"file_replaced" | "journal_copied" | "journal_newer" | "journal_outdated" | "diskFull", string>
>;

interface JournalWords {
  running: (facts: RunningFacts) => string;
  detail: (detail: Detail) => string;
  /** A file by its name, or what it is called where it has none. */
  file: (name: string) => string;
  database: (problem: DatabaseProblem) => { next: string };
  next: JournalNext;
}

/** What to do about a journal, where that depends on why it cannot be used. */
function readNext(detail: Detail, { database, next }: JournalWords): string | undefined {
  if (typeof detail === "string") return undefined;
  if (detail.kind === "database") return database(detail.problem).next;
  return (next as Readonly<Record<string, string | undefined>>)[detail.kind];
}

const maxNamed = 5;

/** What is known of the reasons that are about the journal and its locks. */
export const knownOfJournal = (words: JournalWords) => ({
  journal_unreadable: ({ file, detail }: ErrorFacts["journal_unreadable"]) => ({
    file: words.file(file),
    detail: words.detail(detail),
    remedy: readNext(detail, words),
  }),
  journal_damaged: ({ file }: ErrorFacts["journal_damaged"]) => ({ aside: `${file}.damaged` }),
  journal_older: ({ sends }: ErrorFacts["journal_older"]) => ({
    refs: sends.slice(0, maxNamed).map(({ ref }) => ref),
    more: sends.length > maxNamed ? sends.length - maxNamed : undefined,
  }),
  locked: ({ work, wanted, pid, host }: ErrorFacts["locked"]) => ({
    held: wanted ?? work,
    running: words.running(host === undefined ? { pid } : { pid, host }),
  }),
  lock_lost: (facts: ErrorFacts["lock_lost"]) => ({
    holder: holder(facts),
    putBack: words.next.file_replaced,
  }),
  journal_write_failed: ({ detail, ref, lockLost }: ErrorFacts["journal_write_failed"]) => ({
    detail: words.detail(detail),
    remedy: readNext(detail, words) ?? words.next.diskFull,
    holder: lockLost && holder(lockLost),
    isLockLost: lockLost !== undefined,
    resume: resumed(ref),
  }),
});
