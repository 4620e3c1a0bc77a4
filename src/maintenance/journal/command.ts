import { durationFrom, type FlagsOf, flag, nonEmpty } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

/** The names for `--fields`. */
export const subjectNames = ["subject", "entries", "pending", "oldest"] as const;

const variables = ["BPOS_JOURNAL", "BPOS_PROFILE", "BPOS_HOME", "BPOS_MOCK"];

export function declareJournalStatus(journal: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Show the journal's location, contents and locks"),
    examples: {
      "bpos journal status": t("the file on this machine, or the database of BPOS_JOURNAL"),
      "bpos journal status --jq '.locks[].pid'": t("running processes"),
    },
  };

  return verb(journal, "status", words, { exits: exits.file, variables, fields: subjectNames });
}

export function declareJournalCopy(journal: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Copy the SQLite journal of this machine to a PostgreSQL database"),
    examples: {
      "bpos journal copy --to postgres://bpos@db.example.com/bpos": t(
        "stop cron jobs and watches first; an interrupted copy continues where it stopped",
      ),
    },
  };

  return verb(journal, "copy", words, {
    exits: exits.file,
    variables: ["BPOS_JOURNAL", "BPOS_HOME"],
  }).addOption(
    flag(
      "--to <url>",
      t("address of an empty database: postgres://USER@HOST/DATABASE (default: BPOS_JOURNAL)"),
      nonEmpty,
    ),
  );
}

export function declareJournalPrune(journal: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Remove the personal data of old sends and replies"),
    examples: {
      "bpos journal prune --older-than 90d": t("asks first; nobody is messaged twice, even afterwards"),
      "bpos journal prune --older-than 365d --dry-run": t("show only the counts"),
      "bpos journal prune --yes --quiet": t("from cron"),
    },
  };
  // Recipients within the 24-hour guard must not count as messaged long ago.
  return verb(journal, "prune", words, { exits: exits.file, variables })
    .addOption(
      flag(
        "--older-than <duration>",
        t("only what finished at least this long ago, 2d or more (default 90d)"),
        durationFrom("2d"),
      ),
    )
    .addOption(flag("--dry-run", t("show what would be removed, remove nothing")))
    .addOption(flag("-y, --yes", t("do not ask")));
}

export function declareJournalAccept(journal: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Accept a journal that was restored or whose server failed over"),
    examples: { "bpos journal accept-restore": t("shows what is missing, then asks") },
  };

  return verb(journal, "accept-restore", words, { exits: exits.file, variables }).addOption(
    flag("-y, --yes", t("do not ask")),
  );
}

export type PruneFlags = FlagsOf<typeof declareJournalPrune>;
