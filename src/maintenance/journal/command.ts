import { durationFrom, type FlagsOf, flag, nonEmpty } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

/** The names for `--fields`. */
export const subjectNames = ["subject", "entries", "pending", "oldest"] as const;

const variables = ["BPOS_JOURNAL", "BPOS_PROFILE", "BPOS_HOME", "BPOS_MOCK"];

export function declareJournalStatus(journal: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Show where the journal is, what it holds and which processes hold locks"),
    examples: {
      "bpos journal status": t("of the file, or of the database of BPOS_JOURNAL"),
      "bpos journal status --jq '.locks[].pid'": t("the processes that are at work"),
    },
  };

  return verb(journal, "status", words, { exits: exits.file, variables, fields: subjectNames });
}

export function declareJournalCopy(journal: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Copy the SQLite journal of this machine to a PostgreSQL database"),
    examples: {
      "bpos journal copy --to postgres://bpos@db.example.com/bpos": t(
        "stop cron jobs and watches first; if it is killed, it continues where it was",
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
    description: t("Remove the personal data of sends and replies that were finished long ago"),
    examples: {
      "bpos journal prune --older-than 90d": t("asks first; nobody is messaged twice afterwards"),
      "bpos journal prune --older-than 365d --dry-run": t("only counts"),
      "bpos journal prune --yes --quiet": t("from cron"),
    },
  };
  // Nobody may count as messaged long ago to whom the 24-hour guard applies yet.
  return verb(journal, "prune", words, { exits: exits.file, variables })
    .addOption(
      flag(
        "--older-than <duration>",
        t("finished at least this long ago, 2d or more (default 90d)"),
        durationFrom("2d"),
      ),
    )
    .addOption(flag("--dry-run", t("show what would be removed, change nothing")))
    .addOption(flag("-y, --yes", t("do not ask")));
}

export function declareJournalAccept(journal: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Continue with a journal that was restored, or whose server failed over"),
    examples: { "bpos journal accept-restore": t("says what the journal does not know, and asks") },
  };

  return verb(journal, "accept-restore", words, { exits: exits.file, variables }).addOption(
    flag("-y, --yes", t("do not ask")),
  );
}

export type PruneFlags = FlagsOf<typeof declareJournalPrune>;
