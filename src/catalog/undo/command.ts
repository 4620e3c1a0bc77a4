import {
  argument,
  type FlagsOf,
  flag,
  fromJournal,
  lockWaitFlag,
  onFailureFlag,
  percentage,
  shareOrCount,
  whole,
} from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { catalogFlags } from "../push/command.ts";

export function declareUndo(catalog: AnyCommand, runtime: Runtime) {
  const { undo: words, push } = runtime.texts.help.catalog;
  const { groups } = runtime.texts.helpPage;
  const shared = catalogFlags(runtime.texts);
  return verb(catalog, "undo", words, { exits: exits.send, variables: variables.orders })
    .addArgument(argument("[push]", words.push, fromJournal("push")))
    .optionsGroup(groups.sent)
    .addOption(flag("--dry-run", words.dryRun))
    .addOption(flag("-y, --yes", words.yes))
    .addOption(flag("--max-deactivate <limit>", push.maxDeactivate, shareOrCount))
    .optionsGroup(groups.output)
    .addOption(onFailureFlag(runtime.texts))
    .optionsGroup(groups.sending)
    .addOption(shared.batchSize)
    .addOption(flag("--in-flight <n>", push.inFlight, whole(1, 8)))
    .optionsGroup(groups.safety)
    .addOption(flag("--max-price-change <limit>", push.maxPriceChange, percentage))
    .addOption(shared.storeId)
    .addOption(lockWaitFlag(runtime.texts))
    .addOption(flag("--force", push.force));
}

export type UndoFlags = FlagsOf<typeof declareUndo>;
