import { type FlagsOf, flag, whole } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { PastDocument } from "./schema.ts";

/** The names that `--fields` knows. */
export const pushNames = [
  "push_id",
  "at",
  "action",
  "file",
  "read",
  "sent",
  "batches",
  "accepted",
  "skipped_stale",
  "duplicate_batches",
  "unchanged",
  "rejected",
  "rejected_file",
  "outcome",
  "occurred_at",
  "dry_run",
] as const satisfies readonly (keyof PastDocument)[];

export function declareHistory(catalog: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("List pushes in the journal, newest first"),
    examples: { "bpos catalog history": t("each push and its outcome") },
  };

  return verb(catalog, "history", words, {
    exits: exits.recall,
    variables: variables.orders,
    fields: pushNames,
    isPaged: true,
  })
    .optionsGroup(t("Selection:"))
    .addOption(flag("--limit <n>", t("maximum number of pushes (default 20)"), whole(1)));
}

export type HistoryFlags = FlagsOf<typeof declareHistory>;
