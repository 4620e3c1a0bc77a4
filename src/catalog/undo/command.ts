import { argument, type FlagsOf, flag, fromJournal, onFailureFlag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { catalogFlags, sendingFlags } from "../flags.ts";

export function declareUndo(catalog: AnyCommand, { texts }: Runtime) {
  const words = texts.help.catalog.undo;
  const { groups } = texts.helpPage;
  const command = verb(catalog, "undo", words, {
    exits: exits.send,
    sends: true,
    variables: variables.orders,
  })
    .addArgument(argument("[push]", words.push, fromJournal("push")))
    .optionsGroup(groups.sent)
    .addOption(flag("--dry-run", words.dryRun))
    .addOption(flag("-y, --yes", words.yes))
    .addOption(catalogFlags(texts).maxDeactivate)
    .optionsGroup(groups.output)
    .addOption(onFailureFlag(texts));
  return sendingFlags(command, texts);
}

export type UndoFlags = FlagsOf<typeof declareUndo>;
