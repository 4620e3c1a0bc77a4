import { type FlagsOf, flag, whole } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

/** The names that `--fields` takes. */
export const sendNames = [
  "send_id",
  "at",
  "template",
  "external_ref",
  "recipients",
  "campaigns",
  "invalid",
  "duplicate_rows",
  "excluded_rows",
  "outcome",
  "dry_run",
  "waiting",
  "test",
  "errors_file",
  "only_failed_of",
] as const;

export function declareList(campaign: AnyCommand, { texts: { t } }: Runtime) {
  const facts = { exits: exits.recall, variables: variables.campaigns, fields: sendNames, isPaged: true };
  const words = {
    description: t("List sends in the journal, newest first, without contacting the service"),
    examples: {
      "bpos campaign list": t("each send, its size and whether it finished"),
      "bpos campaign list -o csv": t("a line per send with its counts, for a spreadsheet"),
    },
  };

  return verb(campaign, "list", words, facts)
    .alias("ls")
    .optionsGroup(t("Selection:"))
    .addOption(flag("--limit <n>", t("maximum number of sends (default 20)"), whole(1)));
}

export type ListFlags = FlagsOf<typeof declareList>;
