import { type FlagsOf, flag, whole } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

/** What `--fields` can name. */
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

export function declareList(campaign: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.campaign.list;
  const facts = { exits: exits.recall, variables: variables.campaigns, fields: sendNames, isPaged: true };
  return verb(campaign, "list", words, facts)
    .alias("ls")
    .optionsGroup(runtime.texts.helpPage.groups.which)
    .addOption(flag("--limit <n>", words.limit, whole(1)));
}

export type ListFlags = FlagsOf<typeof declareList>;
