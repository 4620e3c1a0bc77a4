import type { CopyProblem } from "../../errors/problems.ts";
import * as words from "../../errors/words/journal.ts";
import { textsIn } from "../../texts/texts.ts";
import { defineReasons, type JournalReason } from "../shared/errors.ts";
import { knownOfJournal, runningWords } from "../shared/journal.ts";
import { detailWords } from "./call-errors.ts";
import { databaseWords } from "./database.ts";

const known = knownOfJournal({
  detail: detailWords,
  database: databaseWords,
  file: (name) => name,
  running: runningWords({
    pid: "Process {pid}[ on {host}] is still running.",
    else: "It is still running.",
  }),
  next: {
    file_replaced:
      "If the journal itself was removed, put it back or restore a backup; while bpos runs, nothing may remove or replace files in its folder.",
    journal_copied: "Set BPOS_JOURNAL to the address of that database.",
    journal_newer: "Update bpos on this machine, or name another journal with BPOS_HOME or BPOS_JOURNAL.",
    journal_outdated:
      "Finish what is pending in it with that bpos. Then move it away, or name another journal with BPOS_HOME or BPOS_JOURNAL: an empty one knows nobody who was messaged.",
    diskFull: "Free disk space.",
  },
});

/** The reasons that are about the journal and its locks. */
export const journalErrors = defineReasons<JournalReason>()(known)({
  journal_unreadable: {
    what: "Journal {file}: {detail}.",
    why: "Without the journal bpos cannot promise that nothing is sent twice.",
    next: {
      remedy: "{remedy}",
      else: "Check that you can read and write the file and that the disk has room, or name another folder with BPOS_HOME.",
    },
    more: "The journal cannot be opened: the file or its folder, or the database of BPOS_JOURNAL. The message says why; `bpos doctor` checks it step by step.",
  },
  journal_damaged: {
    what: "Journal {file}: damaged, or not a journal of bpos ({detail}).",
    why: "Without the journal bpos cannot promise that nothing is sent twice.",
    next: "Stop every bpos and restore a backup. Without one, move the file and those beside it away: `mv {file:shell} {aside:shell}`. An empty journal does not know which orders were delivered and who was messaged: check that before you send.",
    more: "The journal is damaged or another file: a power cut, a copy made while bpos ran, a failing disk. Stop every bpos and restore a backup. Without one, move the file and those beside it (`-wal`, `-shm`) away; an empty journal does not know which orders were delivered and who was messaged.",
  },
  journal_older: {
    what: "Journal {file}: older than what this machine did with it.",
    why: {
      refs: 'It was restored from a backup, or its server failed over to a replica that lagged. It does not know all of "{refs}"[, {more} more], sent from here.',
      else: "It was restored from a backup, or its server failed over to a replica that lagged. It knows every send from here in the last 24 hours, but not everything else.",
    },
    next: "Use the newer journal if it still exists. Otherwise `bpos journal accept-restore` explains what continuing with this one means, and asks.",
    more: "Each journal counts what is sent, pushed and delivered, and each machine remembers the highest counts outside it. A journal that was restored from a backup, or whose server failed over to a replica that lagged, has lower ones: it does not know whom it messaged since. Use the newer journal if it still exists; otherwise `bpos journal accept-restore` accepts this one.",
  },
  locked: {
    what: {
      held: {
        forget: 'Another bpos watches this branch[ for the consumer "{consumer}"].',
        watch: 'Another bpos watches this branch[ for the consumer "{consumer}"].',
        listen: "Another bpos listens for replies.",
        push: "Another bpos pushes to this branch's catalog.",
        send: "Another bpos sends a campaign for this branch.",
      },
    },
    why: {
      held: {
        forget:
          "{running} It would deliver what this command gives up. bpos does not wait for it: a watch may run forever.",
        watch: "{running} With one consumer, neither would get every order.",
        listen: "{running} With one journal, neither would deliver every reply.",
        else: "{running}",
      },
    },
    next: {
      held: {
        forget: "Stop it, run this command again, then start it again.",
        watch: "Stop it, or name another consumer with --consumer NAME: each consumer gets every order.",
        listen:
          "Stop it, or let it receive all replies: it accepts any path and the campaigns of any branch.",
        push: "Run the command again when it has ended, or with a longer wait: --lock-wait 5m.",
        send: "Run the command again when it has ended, or with a longer wait: --lock-wait 5m. Nobody is messaged twice.",
      },
    },
    more: "Another bpos does the same work for this branch. Two would deliver orders twice or mix two price lists. Wait until it ends, or stop it: the message names its process. A push or a send waits up to 60 s for the other (--lock-wait); bpos never waits for a watch, and a second watch needs its own --consumer.",
  },
  lock_lost: {
    what: {
      file: "{file} was removed or replaced while bpos was using it.",
      else: "Another bpos took over[ ({holder})].",
    },
    why: {
      file: "Without that file another bpos could do the same work at the same time, so this one stopped. It delivers and sends nothing more.",
      else: "This one did not renew its lock for 4 seconds: it was stopped, or could not reach the journal. Nothing was delivered or sent after that.",
    },
    next: {
      file: "{putBack} Then run this command again.",
      else: "Let the other one work, or stop it and run this command again. To let a watch stand by, pass --standby.",
    },
    more: "With a journal in PostgreSQL a process holds its lock as long as it renews it. One that is stopped, or cut off from the database, loses it to the next that asks. With a journal in a file a process loses its lock when the file, or a file in `locks/`, is removed or replaced. It does nothing more, so that no order is delivered twice and nobody is messaged twice. Let the other one work, or put the journal back, and run the command again. To let a watch stand by, pass --standby.",
  },
  journal_write_failed: {
    what: {
      isLockLost: "Another bpos took over[ ({holder})]. This one stopped sending.",
      else: "The journal could not be written, so sending stopped: {detail}. The report says what was sent until then; the journal may hold less.",
    },
    why: {
      isLockLost:
        "This one did not renew its lock for 4 seconds. The report says what it sent until then; the journal may hold less.",
    },
    next: {
      isLockLost: {
        work: {
          push: "Wait until the other one ends; `bpos catalog history` shows what each pushed. Then push the newest list: the last command counts.",
          send: "Wait until the other one ends, then run {resume}: nobody is messaged twice.",
        },
      },
      else: {
        work: {
          push: "{remedy} Then run the same command again with the same file or codes: it continues, and nothing is applied twice.",
          send: "{remedy} Then run {resume}: nobody is messaged twice.",
        },
      },
    },
    more: "The journal could not be written after part of a push or a send was sent, usually because the disk is full or the database cannot be reached. Correct that, then push the same file again or run `bpos campaign resume`: nothing is sent or applied twice. If another bpos took over, the message names it: wait until it ends, then push the newest file.",
  },
});

export const copyWords = (problem: CopyProblem) => words.copyWords(problem, textsIn("en"));
