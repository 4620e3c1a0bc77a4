import { argument, type FlagsOf, flag, fromJournal, onFailureFlag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { catalogFlags, sendingFlags } from "../flags.ts";

export function declareUndo(catalog: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Undo a push: send its products again with their earlier values; asks first"),
    examples: {
      "bpos catalog undo --dry-run": t("preview what undoing the last push would send"),
      "bpos catalog undo 4c1f02ae": t("undo the push whose id starts with 4c1f02ae"),
    },
  };

  const command = verb(catalog, "undo", words, {
    exits: exits.send,
    sends: true,
    variables: variables.orders,
  })
    .addArgument(
      argument("[push]", t("push id, or the start of one (default: the last push)"), fromJournal("push")),
    )
    .optionsGroup(t("Content:"))
    .addOption(flag("--dry-run", t("show what would be sent, without sending anything")))
    .addOption(flag("-y, --yes", t("do not ask")))
    .addOption(catalogFlags(t).maxDeactivate)
    .optionsGroup(t("Output:"))
    .addOption(onFailureFlag(t));
  return sendingFlags(command, t);
}

export type UndoFlags = FlagsOf<typeof declareUndo>;
