import { type FlagsOf, fieldMap, file, flag, lockWaitFlag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { catalogFlags, openingFlags } from "../flags.ts";

export type DeleteFlags = FlagsOf<typeof declareDelete>;

export function declareDelete(catalog: AnyCommand, { texts }: Runtime) {
  const words = texts.help.catalog.delete;
  const { groups } = texts.helpPage;
  const shared = catalogFlags(texts);
  const command = verb(catalog, "delete", words, {
    exits: exits.unguarded,
    sends: true,
    variables: variables.orders,
  })
    .argument("[codes...]", words.codes)
    .optionsGroup(groups.sent)
    .addOption(shared.dryRun)
    .addOption(flag("--file <file>", words.file, file))
    .optionsGroup(groups.output)
    .addOption(flag("--rejected <file>", words.rejected, file))
    .optionsGroup(groups.reading)
    .addOption(flag("--map <pairs>", words.map, fieldMap));
  return openingFlags(command, texts)
    .optionsGroup(groups.sending)
    .addOption(shared.batchSize)
    .optionsGroup(groups.safety)
    .addOption(shared.storeId)
    .addOption(lockWaitFlag(texts))
    .addOption(flag("--force", words.force));
}
