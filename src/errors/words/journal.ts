import type { ErrorFacts } from "../../errors.ts";
import { type Advice, sayKind, type Words } from "../../texts/kinds.ts";
import { fileName, quoted, quotedAll, resumed, shellWord } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import type { CopyProblem, Detail } from "../problems.ts";
import { databaseWords } from "./database.ts";
import { detailWords } from "./details.ts";
import type { Reasons } from "./reason.ts";

const putBack = (t: T): string =>
  t(
    "If the journal was removed, put it back or restore a backup. Do not remove or replace files in its folder while bpos is running.",
  );

/** Says what to do about a journal that cannot be used, by the cause. */
function remedyFor(detail: Detail, t: T): string | undefined {
  if (typeof detail === "string") return undefined;
  switch (detail.kind) {
    case "database":
      return databaseWords(detail.problem, t).next;
    case "file_replaced":
      return putBack(t);
    case "journal_copied":
      return t("Set BPOS_JOURNAL to the address of that database.");
    case "journal_newer":
      return t("Update bpos on this machine, or name another journal with BPOS_HOME or BPOS_JOURNAL.");
    case "journal_outdated":
      return t(
        "Finish its pending work with that bpos. Then move it away, or use another journal with BPOS_HOME or BPOS_JOURNAL. An empty journal does not know who was messaged.",
      );
    default:
      return undefined;
  }
}

const maxNamed = 5;

function whyOlder({ sends }: ErrorFacts["journal_older"], t: T): string {
  const refs = quotedAll(sends.slice(0, maxNamed).map(({ ref }) => ref));
  const more = sends.length - maxNamed;

  if (sends.length === 0)
    return t(
      "It was restored from a backup, or its server failed over to a lagging replica. It has every send from this machine in the last 24 hours, but other records are missing.",
    );
  return more > 0
    ? t(
        "It was restored from a backup, or its server failed over to a lagging replica. It lacks part of {refs} and {more} more, sent from this machine.",
        { refs, more },
      )
    : t(
        "It was restored from a backup, or its server failed over to a lagging replica. It lacks part of {refs}, sent from this machine.",
        { refs },
      );
}

type Locked = ErrorFacts["locked"];

const isWatch = ({ wanted, work }: Locked): boolean => wanted === "forget" || work === "watch";

function whoHolds(facts: Locked, t: T): string {
  const { work, consumer } = facts;
  if (isWatch(facts))
    return consumer === undefined
      ? t("Another bpos watches this branch.")
      : t("Another bpos watches this branch for the consumer {consumer}.", { consumer: quoted(consumer) });
  if (work === "listen") return t("Another bpos listens for replies.");
  return work === "push"
    ? t("Another bpos pushes to this branch's catalog.")
    : t("Another bpos sends a campaign for this branch.");
}

/** Says that the process which holds a lock is still running. */
function runningWords({ pid, host }: Locked, t: T): string {
  if (pid === null) return t("It is still running.");
  return host === undefined
    ? t("Process {pid} is still running.", { pid })
    : t("Process {pid} on {host} is still running.", { pid, host });
}

function whyLocked(facts: Locked, t: T): string {
  const running = runningWords(facts, t);

  if (facts.wanted === "forget")
    return t(
      "{running} It would deliver the orders that this command discards. bpos does not wait for a watch, which can run forever.",
      { running },
    );
  if (facts.work === "watch")
    return t("{running} With the same consumer, neither would get every order.", { running });
  if (facts.work === "listen")
    return t("{running} With the same journal, neither would deliver every reply.", { running });
  return running;
}

function afterLocked({ wanted, work }: Locked, t: T): string {
  if (wanted === "forget") return t("Stop it, run this command, then start it again.");
  switch (work) {
    case "watch":
      return t("Stop it, or name another consumer with --consumer NAME: each consumer gets every order.");
    case "listen":
      return t("Stop it, or use it for all replies: it accepts any path and the campaigns of any branch.");
    case "push":
      return t("Run the command again when it ends, or wait longer with --lock-wait 5m.");
    case "send":
      return t(
        "Run the command again when it ends, or wait longer with --lock-wait 5m. Nobody is messaged twice.",
      );
  }
}

type LockLost = ErrorFacts["lock_lost"];

const holderOf = ({ host = "", pid }: LockLost): string | undefined =>
  pid === null ? undefined : `${host}:${pid}`;

function lockLostWords(facts: LockLost, t: T): Record<"what" | "why" | "next", string> {
  const { file } = facts;
  if (file !== undefined)
    return {
      what: t("{file} was removed or replaced while bpos was using it.", { file }),
      why: t(
        "Without that file another bpos could do the same work at the same time, so this one stopped delivering and sending.",
      ),
      next: t("{putBack} Then run this command again.", { putBack: putBack(t) }),
    };
  const holder = holderOf(facts);

  return {
    what:
      holder === undefined
        ? t("Another bpos took over.")
        : t("Another bpos took over ({holder}).", { holder }),
    why: t(
      "This one did not renew its lock for 4 seconds: it was stopped, or could not reach the journal. Nothing was delivered or sent after that.",
    ),
    next: t(
      "Let the other one work, or stop it and run this command again. To run a watch as a standby, pass --standby.",
    ),
  };
}

type WriteFailed = ErrorFacts["journal_write_failed"];

function lostWhileSending(
  { work, ref }: WriteFailed,
  lockLost: LockLost,
  t: T,
): Record<"what" | "why" | "next", string> {
  const holder = holderOf(lockLost);

  return {
    what:
      holder === undefined
        ? t("Another bpos took over. This one stopped sending.")
        : t("Another bpos took over ({holder}). This one stopped sending.", { holder }),
    why: t(
      "This one did not renew its lock for 4 seconds. The report shows what it sent; the journal might have less.",
    ),
    next:
      work === "push"
        ? t(
            "Wait until the other one ends: `bpos catalog history` shows what each one pushed. Then push the newest list: the last push wins.",
          )
        : t("Wait until the other one ends, then run {resume}: nobody is messaged twice.", {
            resume: resumed(ref),
          }),
  };
}

function writeFailedWords(facts: WriteFailed, t: T): Advice & { why?: string } {
  const { work, detail, ref, lockLost } = facts;
  if (lockLost !== undefined) return lostWhileSending(facts, lockLost, t);
  const remedy = remedyFor(detail, t) ?? t("Free disk space.");

  return {
    what: t(
      "Sending stopped because the journal could not be written: {detail}. The report shows what was sent; the journal might have less.",
      { detail: detailWords(detail, t) },
    ),
    next:
      work === "push"
        ? t(
            "{remedy} Then run the same command again with the same file or codes: it continues, and nothing is applied twice.",
            { remedy },
          )
        : t("{remedy} Then run {resume}: nobody is messaged twice.", { remedy, resume: resumed(ref) }),
  };
}

/** The reasons that are about the journal and its locks. */
export const journalReasons = {
  journal_unreadable: (t) => ({
    why: t("Without the journal bpos cannot promise that nothing is sent twice."),
    more: t(
      "The journal (its file or folder, or the database in BPOS_JOURNAL) cannot be opened. The message says why, and `bpos doctor` checks each step.",
    ),
    say: ({ file, detail }) => ({
      what: t("Journal {file}: {detail}.", { file: fileName(file, t), detail: detailWords(detail, t) }),
      next:
        remedyFor(detail, t) ??
        t(
          "Check that you can read and write the file and that the disk has room, or name another folder with BPOS_HOME.",
        ),
    }),
  }),

  journal_damaged: (t) => ({
    why: t("Without the journal bpos cannot promise that nothing is sent twice."),
    more: t(
      "The file is damaged (power cut, failing disk, copy made while bpos ran) or is not a journal. Stop every bpos and restore a backup. Without a backup, move the file and its `-wal` and `-shm` files away. An empty journal does not know which orders were delivered or who was messaged.",
    ),
    say: ({ file, detail }) => ({
      what: t("Journal {file}: damaged, or not a journal of bpos ({detail}).", { file, detail }),
      next: t(
        "Stop every bpos and restore a backup. Without a backup, move it and its `-wal` and `-shm` files away: `mv {file} {aside}`. An empty journal does not know which orders were delivered or who was messaged: check before you send.",
        { file: shellWord(file), aside: shellWord(`${file}.damaged`) },
      ),
    }),
  }),

  journal_older: (t) => ({
    next: t(
      "Use the newer journal if it still exists. Otherwise run `bpos journal accept-restore`: it explains what it means to continue with this one, and asks.",
    ),
    more: t(
      "The journal counts sends, pushes and deliveries, and each machine remembers the highest counts. This journal has lower counts: it was restored from a backup, or its server failed over to a lagging replica. It does not know who was messaged since.",
    ),
    say: (facts) => ({
      what: t("Journal {file}: older than its last use from this machine.", { file: facts.file }),
      why: whyOlder(facts, t),
    }),
  }),

  locked: (t) => ({
    more: t(
      "Another bpos is doing the same work for this branch. Two of them could deliver orders twice or mix two price lists. Wait until it ends, or stop it: the message names its process. A push or a send waits up to 60 s (--lock-wait), but never for a watch. A second watch needs its own --consumer.",
    ),
    say: (facts) => ({ what: whoHolds(facts, t), why: whyLocked(facts, t), next: afterLocked(facts, t) }),
  }),

  lock_lost: (t) => ({
    more: t(
      "A journal in PostgreSQL: a process that is paused or cut off from the database does not renew its lock, and another process takes it. A journal in a file: the lock is lost when that file, or a file in `locks/`, is removed or replaced. The process stops, so no order is delivered twice and nobody is messaged twice. Let the other one work, or put the journal back and run the command again. To run a watch as a standby, pass --standby.",
    ),
    say: (facts) => lockLostWords(facts, t),
  }),

  journal_write_failed: (t) => ({
    more: t(
      "The journal could not be written after part of a push or a send was sent, usually because the disk is full or the database is unreachable. Fix that, then push the same file again or run `bpos campaign resume`: nothing is sent or applied twice. If another bpos took over, the message names it: wait until it ends, then push the newest file.",
    ),
    say: (facts) => writeFailedWords(facts, t),
  }),
} satisfies Partial<Reasons>;

const copies: Words<CopyProblem, Advice> = {
  source_missing: (_, t) => ({
    what: t("there is no such journal"),
    next: t(
      "Run the command on the machine that has the journal, as the user who owns it. BPOS_HOME sets its folder.",
    ),
  }),
  not_empty: (_, t) => ({
    what: t("it already holds a journal"),
    next: t(
      "Name an empty database. If this one is the copy, set BPOS_JOURNAL to it: there is nothing left to copy.",
    ),
  }),
  copied_before: (_, t) => ({
    what: t("the journal of this machine was copied to another database"),
    next: t("Set BPOS_JOURNAL to that database: `bpos journal status` without BPOS_JOURNAL names it."),
  }),
  in_use: ({ pid, host }, t) => ({
    what: t("process {pid} on {host} is using it", { pid, host }),
    next: t("Stop it and all bpos cron jobs, then run the command again."),
  }),
  other_copy: ({ from }, t) => ({
    what: t("it holds an unfinished copy of {from}", { from }),
    next: t("Name an empty database, or finish that copy first."),
  }),
  differs: ({ table, found, rows }, t) => ({
    what: t("its table {table} has {found} rows, the journal {rows}", { table, found, rows }),
    next: t(
      "Something else wrote to the database. Run `DROP SCHEMA bpos CASCADE;` there, then the command again.",
    ),
  }),
};

/** Says why a journal is not copied, as part of a sentence, and what to do next. */
export const copyWords = (problem: CopyProblem, t: T): Advice => sayKind(copies, problem, t);
