import { type Advice, sayKind, type Words } from "../../texts/kinds.ts";
import type { T } from "../../texts/texts.ts";
import type { CopyProblem } from "../problems.ts";

const words: Words<CopyProblem, Advice> = {
  source_missing: (_, t) => ({
    what: t("there is no such journal"),
    next: t(
      "Run the command on the machine, and as the user, whose journal is to be copied; BPOS_HOME names its folder.",
    ),
  }),
  not_empty: (_, t) => ({
    what: t("it holds a journal already"),
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
    next: t("Stop it, and cron jobs of bpos; then run the command again."),
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
export const copyWords = (problem: CopyProblem, t: T): Advice => sayKind(words, problem, t);
