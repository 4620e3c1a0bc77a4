import { argument, type FlagsOf, file, flag, shareOrCount, whole } from "../../cli/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { catalogFlags } from "../flags.ts";

/** Declares `bpos catalog push`. */
export function declarePush(catalog: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.catalog.push;
  const { groups } = runtime.texts.helpPage;
  const shared = catalogFlags(runtime.texts);
  return verb(catalog, "push", words, { exits: exits.send, variables: variables.orders })
    .addArgument(argument("<file>", words.file, file))
    .optionsGroup(groups.sent)
    .addOption(shared.dryRun)
    .addOption(flag("--strict", words.strict))
    .addOption(flag("--changed-only", words.changedOnly))
    .addOption(flag("--deactivate-missing", words.deactivateMissing))
    .addOption(flag("--max-deactivate <limit>", words.maxDeactivate, shareOrCount))
    .optionsGroup(groups.output)
    .addOption(flag("--rejected <file>", words.rejected, file))
    .optionsGroup(groups.reading)
    .addOption(shared.map)
    .addOption(shared.saveMap)
    .addOption(shared.decimal)
    .addOption(shared.onDuplicate)
    .addOption(shared.format)
    .addOption(shared.delimiter)
    .addOption(shared.encoding)
    .optionsGroup(groups.sending)
    .addOption(shared.batchSize)
    .addOption(flag("--in-flight <n>", words.inFlight, whole(1, 8)))
    .optionsGroup(groups.safety)
    .addOption(shared.storeId)
    .addOption(shared.lockWait)
    .addOption(flag("--force", words.force))
    .action(async (path, flags) => {
      const { push } = await import("./run.ts");
      await push(runtime, path, flags);
    });
}

/** The flags of `bpos catalog push`. */
export type PushFlags = FlagsOf<typeof declarePush>;
