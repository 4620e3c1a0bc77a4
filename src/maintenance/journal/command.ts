import { durationFrom, type FlagsOf, flag, nonEmpty } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

/** What `--fields` can name. */
export const subjectNames = ["subject", "entries", "pending", "oldest"] as const;

const variables = ["BPOS_JOURNAL", "BPOS_PROFILE", "BPOS_HOME", "BPOS_MOCK"];

export function declareJournalStatus(journal: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.journal.status;
  return verb(journal, "status", words, { exits: exits.file, variables, fields: subjectNames });
}

export function declareJournalCopy(journal: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.journal.copy;
  return verb(journal, "copy", words, {
    exits: exits.file,
    variables: ["BPOS_JOURNAL", "BPOS_HOME"],
  }).addOption(flag("--to <url>", words.to, nonEmpty));
}

export function declareJournalPrune(journal: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.journal.prune;
  // Nobody may count as messaged long ago to whom the 24-hour guard applies yet.
  return verb(journal, "prune", words, { exits: exits.file, variables })
    .addOption(flag("--older-than <duration>", words.olderThan, durationFrom("2d")))
    .addOption(flag("--dry-run", words.dryRun))
    .addOption(flag("-y, --yes", words.yes));
}

export function declareJournalAccept(journal: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.journal.accept;
  return verb(journal, "accept-restore", words, { exits: exits.file, variables }).addOption(
    flag("-y, --yes", words.yes),
  );
}

export type PruneFlags = FlagsOf<typeof declareJournalPrune>;
