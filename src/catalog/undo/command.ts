import { argument, type FlagsOf, flag, fromJournal, onFailureFlag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { catalogFlags, sendingFlags } from "../flags.ts";

export function declareUndo(catalog: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Push the products of an earlier push as they were before it; asks first"),
    examples: {
      "bpos catalog undo --dry-run": t("what the inverse of the last push would send"),
      "bpos catalog undo 4c1f02ae": t("of the push whose id begins so"),
    },
  };

  const command = verb(catalog, "undo", words, {
    exits: exits.send,
    sends: true,
    variables: variables.orders,
  })
    .addArgument(
      argument("[push]", t("id of a push, or how it begins (default: the last one)"), fromJournal("push")),
    )
    .optionsGroup(t("Content:"))
    .addOption(flag("--dry-run", t("show what would be sent, send nothing")))
    .addOption(flag("-y, --yes", t("do not ask")))
    .addOption(catalogFlags(t).maxDeactivate)
    .optionsGroup(t("Output:"))
    .addOption(onFailureFlag(t));
  return sendingFlags(command, t);
}

export type UndoFlags = FlagsOf<typeof declareUndo>;
