import type { CopyProblem, Detail } from "../../errors/problems.ts";
import type { ErrorFacts } from "../../errors.ts";
import { type Count, ended, plural, resumed, shellWord, sizeText } from "../phrases.ts";
import { advice, type ErrorWords } from "../shapes.ts";
import { detailWords } from "./call-errors.ts";
import { databaseWords } from "./database.ts";

const nothingSent = "Nothing was sent.";

export function lockedWords({ pid, host, work, consumer, wanted }: ErrorFacts["locked"]): ErrorWords {
  const process = `Process ${pid ?? ""}${host === undefined ? "" : ` on ${host}`}`;
  const running = pid === null ? "It is still running." : `${process} is still running.`;
  const waits = { why: `${running} ${nothingSent}` };
  const watches = `Another bpos watches this branch${consumer === undefined ? "" : ` for the consumer "${consumer}"`}.`;
  if (wanted === "forget")
    return {
      what: watches,
      why: `${running} It would deliver what this command gives up. bpos does not wait for it: a watch may run forever.`,
      next: "Stop it, run this command again, then start it again.",
    };
  return {
    watch: {
      what: watches,
      why: `${running} With one consumer, neither would get every order.`,
      next: "Stop it, or name another consumer with --consumer NAME: each consumer gets every order.",
    },
    listen: {
      what: "Another bpos listens for replies.",
      why: `${running} With one journal, neither would deliver every reply.`,
      next: "Stop it, or let it receive all replies: it accepts any path and the campaigns of any branch.",
    },
    push: {
      ...waits,
      what: "Another bpos pushes to this branch's catalog.",
      next: "Run the command again when it has ended, or with a longer wait: --lock-wait 5m.",
    },
    send: {
      ...waits,
      what: "Another bpos sends a campaign for this branch.",
      next: "Run the command again when it has ended, or with a longer wait: --lock-wait 5m. Nobody is messaged twice.",
    },
  }[work];
}

const takenOverBy = ({ host = "", pid }: ErrorFacts["lock_lost"]): string =>
  `Another bpos took over${pid === null ? "" : ` (${host}:${pid})`}.`;

/** After the journal, or a file beside it, was removed or replaced. */
const putBack =
  "If the journal itself was removed, put it back or restore a backup; while bpos runs, nothing may remove or replace files in its folder.";

export function lockLostWords(facts: ErrorFacts["lock_lost"]): ErrorWords {
  const { file } = facts;
  if (file !== undefined)
    return {
      what: `${file} was removed or replaced while bpos was using it.`,
      why: "Without that file another bpos could do the same work at the same time, so this one stopped. It delivers and sends nothing more.",
      next: `${putBack} Then run this command again.`,
    };
  return {
    what: takenOverBy(facts),
    why: "This one did not renew its lock for 4 seconds: it was stopped, or could not reach the journal. Nothing was delivered or sent after that.",
    next: "Let the other one work, or stop it and run this command again. A watch that is to stand by needs --standby.",
  };
}

/** Of what stopped after something was sent. */
export function writeFailedWords(facts: ErrorFacts["journal_write_failed"]): ErrorWords {
  const { work, detail, ref, lockLost } = facts;
  if (lockLost === undefined)
    return {
      what: `The journal could not be written, so sending stopped: ${ended(detailWords(detail))}`,
      why: "The report says what was sent until then; the journal may hold less.",
      next: `${journalNext(detail) ?? "Free disk space."} Then ${
        work === "push"
          ? "run the same command again with the same file or codes: it continues, and nothing is applied twice."
          : `run ${resumed(ref)}: nobody is messaged twice.`
      }`,
    };
  return {
    what: `${takenOverBy(lockLost)} This one stopped sending.`,
    why: "This one did not renew its lock for 4 seconds. The report says what it sent until then; the journal may hold less.",
    next:
      work === "push"
        ? "Let the other one end; `bpos catalog history` shows what each pushed. Then push the newest list: the last command counts."
        : `Let the other one end, then run ${resumed(ref)}: nobody is messaged twice.`,
  };
}

/** What to do about a journal, where that depends on why it cannot be used. */
export function journalNext(detail: Detail): string | undefined {
  if (typeof detail === "string") return undefined;
  if (detail.kind === "database") return databaseWords(detail.problem).next;
  if (detail.kind === "file_replaced") return putBack;
  if (detail.kind === "journal_copied") return "Set BPOS_JOURNAL to the address of that database.";
  if (detail.kind === "journal_newer")
    return "Update bpos on this machine, or name another journal with BPOS_HOME or BPOS_JOURNAL.";
  return detail.kind === "journal_outdated"
    ? "Finish what is pending in it with that bpos. Then move it away, or name another journal with BPOS_HOME or BPOS_JOURNAL: an empty one knows nobody who was messaged."
    : undefined;
}

const maxNamed = 5;

/** What a journal does not know of what this machine sent. */
export function lostWords(sends: ErrorFacts["journal_older"]["sends"]): string {
  const refs = sends.slice(0, maxNamed).map(({ ref }) => `"${ref}"`);
  const more = sends.length - refs.length;
  if (more > 0) refs.push(`${more} more`);
  return refs.length === 0
    ? "It knows every send from here in the last 24 hours, but not everything else."
    : `It does not know all of ${refs.join(", ")}, sent from here.`;
}

type Removal = Record<"sends" | "calls" | "recipients" | "replies", Count>;
const removal = ({ sends, recipients, replies }: Removal): string =>
  `${plural(sends, "send", "sends")} (${plural(recipients, "recipient", "recipients")}) and ${plural(replies, "reply", "replies")}`;

const subjects = {
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
  owed: {
    title: "Orders that wait for an output",
    output: "Output",
    orders: "Orders",
    changes: "Changes",
    next: "The next `bpos orders watch` with that output delivers what waits for it; `bpos orders forget` gives it up.",
  },
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
  copy: {
    working: "Copying",
    done: (rows: Count, from: string, to: string) =>
      `Copied ${plural(rows, "row", "rows")} from ${from} to ${to}.`,
    resumed: (rows: Count) =>
      `${plural(rows, "row was", "rows were")} there already, from a copy that was interrupted.`,
    next: (address: string) =>
      `Set BPOS_JOURNAL=${shellWord(address)} wherever bpos runs on this machine, then start watches and cron jobs again.`,
    old: (file: string) =>
      `bpos no longer uses ${file}: without BPOS_JOURNAL a command exits with 9. Keep the file as a backup until you trust the new journal, then delete it.`,
  },
  accept: {
    older: (place: string) =>
      `Journal ${place} is older than what this machine did with it: it was restored, or its server failed over to a replica that lagged.`,
    send: (ref: string, template: string, at: string) =>
      `It does not know all of the send "${ref}" (template ${template}, ${at}).`,
    means:
      "Once you accept it, bpos cannot know who got those messages: recipients may be messaged again, unless you leave those files alone or exclude them with --exclude. Orders made until now come marked as repeated where it does not know them. The next push with --changed-only sends every row. Other machines that worked with it each need this command, too.",
    ask: "Continue with this journal?",
    done: "Accepted: campaign send, campaign resume and catalog push work with this journal again.",
    nothing: (place: string) =>
      `Nothing to accept: journal ${place} knows all that this machine did with it.`,
  },
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
    inUse:
      "The file keeps its size: another bpos works with it. It shrinks when you prune while no other bpos works with it.",
    notShrunk: (detail: string) => `The file keeps its size (${detail}). The data is removed.`,
    autovacuum: "PostgreSQL reuses the space after its next autovacuum.",
  },
};

/** Why a journal is not copied, as part of a sentence, and what to do next. */
export const copyWords = advice<CopyProblem>()({
  source_missing: {
    what: "there is no such journal",
    next: "Run the command on the machine, and as the user, whose journal is to be copied; BPOS_HOME names its folder.",
  },
  not_empty: {
    what: "it holds a journal already",
    next: "Name an empty database. If this one is the copy, set BPOS_JOURNAL to it: there is nothing left to copy.",
  },
  copied_before: {
    what: "the journal of this machine was copied to another database",
    next: "Set BPOS_JOURNAL to that database: `bpos journal status` without BPOS_JOURNAL names it.",
  },
  in_use: {
    what: "process {pid} on {host} works with it",
    next: "Stop it, and cron jobs of bpos; then run the command again.",
  },
  other_copy: {
    what: "it holds an unfinished copy of {from}",
    next: "Name an empty database, or finish that copy first.",
  },
  differs: {
    what: "its table {table} has {found} rows, the journal {rows}",
    next: "Something else wrote to the database. Run `DROP SCHEMA bpos CASCADE;` there, then the command again.",
  },
});
