import { argument, type FlagsOf, file, flag, fromJournal } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareReport(campaign: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.campaign.report;
  const { groups } = runtime.texts.helpPage;
  return verb(campaign, "report", words, { exits: exits.ask, variables: variables.campaigns })
    .addArgument(argument("<send>", words.send, fromJournal("ref")))
    .optionsGroup(groups.output)
    .addOption(flag("--html <file>", words.html, file))
    .addOption(flag("--csv <file>", words.csv, file))
    .addOption(flag("--xlsx <file>", words.xlsx, file))
    .addOption(flag("--phones", words.phones))
    .addOption(flag("--force", words.force));
}

export type ReportFlags = FlagsOf<typeof declareReport>;
