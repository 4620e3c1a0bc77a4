import type { Subject } from "../../journal/upkeep.ts";
import { type Count, plural, sizeText } from "../phrases.ts";

type Removal = Record<"sends" | "calls" | "recipients" | "replies", Count>;
const removal = ({ sends, recipients, replies }: Removal): string =>
  `${plural(sends, "send", "sends")} (${plural(recipients, "recipient", "recipients")}) and ${plural(replies, "reply", "replies")}`;

const subjects: Record<Subject["subject"], string> = {
  orders: "orders",
  pushes: "catalog pushes",
  products: "products",
  sends: "sends",
  calls: "calls of sends",
  recipients: "recipients",
  replies: "replies",
};

/** What `bpos journal …` says. */
export const journal = {
  title: "Journal",
  size: (bytes: number) => sizeText(bytes, "."),
  none: (place: string) => `There is no journal yet: ${place} is created when it is needed.`,
  subjects,
  columns: { subject: "Subject", entries: "Kept", pending: "Pending", oldest: "Oldest" },
  locksTitle: "Locks",
  locks: {
    work: "Command",
    branch: "Branch",
    consumer: "Consumer",
    process: "Process",
    since: "Since",
    expires: "Expires in",
  },
  allBranches: "all",
  noLocks: "No process holds a lock.",
  prune: {
    ask: (found: Removal, before: string) =>
      `Remove the personal data of ${removal(found)}, finished before ${before}? This cannot be undone.`,
    would: (found: Removal, before: string) =>
      `Would remove the personal data of ${removal(found)}, finished before ${before}.`,
    done: (found: Removal, before: string) =>
      `Removed the personal data of ${removal(found)}, finished before ${before}.`,
    nothing: (before: string) => `Nothing to remove: no send or reply finished before ${before} holds any.`,
    kept: "Counts, keys and pseudonyms of recipients stay, so that nobody is messaged twice.",
    working: "Removing",
    shrunk: (bytes: string) => `The journal takes ${bytes} now.`,
    inUse: "The file keeps its size: another bpos works with it. It shrinks with a prune when none does.",
    notShrunk: (detail: string) => `The file keeps its size (${detail}). The data is removed.`,
    autovacuum: "PostgreSQL reuses the space after its next autovacuum.",
  },
};

/** The help of `bpos journal …`. */
export const journalHelp = {
  description: "Look after the journal: what it holds, move it to PostgreSQL, remove personal data",
  examples: { "bpos journal status": "engine, size, contents and who holds a lock" },
  status: {
    description: "Show where the journal is, what it holds and which processes hold locks",
    examples: {
      "bpos journal status": "of the file, or of the database of BPOS_JOURNAL",
      "bpos journal status --jq '.locks[].pid'": "the processes that are at work",
    },
  },
  copy: {
    description: "Copy the SQLite journal of this machine to a PostgreSQL database",
    to: "address of an empty database: postgres://USER@HOST/DATABASE (default: BPOS_JOURNAL)",
    examples: {
      "bpos journal copy --to postgres://bpos@db.example.com/bpos":
        "stop cron jobs and watches first; killed, it continues where it was",
    },
  },
  prune: {
    description: "Remove the personal data of sends and replies that were finished long ago",
    olderThan: "finished so long ago, 2d or more (default 90d)",
    dryRun: "say what would be removed, and change nothing",
    yes: "do not ask",
    examples: {
      "bpos journal prune --older-than 90d": "asks first; nobody is messaged twice afterwards",
      "bpos journal prune --older-than 365d --dry-run": "only counts",
      "bpos journal prune --yes --quiet": "from cron",
    },
  },
};
