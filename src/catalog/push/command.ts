import {
  argument,
  type FlagsOf,
  fieldMap,
  file,
  fileFormats,
  flag,
  lockWaitFlag,
  nonEmpty,
  oneOf,
  onFailureFlag,
  percentage,
  shareOrCount,
  suggest,
  whole,
} from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Texts } from "../../i18n/en.ts";

export function catalogFlags({ help }: Texts) {
  const words = help.catalog.push;
  return {
    map: flag("--map <pairs>", words.map, fieldMap),
    saveMap: flag("--save-map", words.saveMap),
    decimal: flag("--decimal <sign>", words.decimal, oneOf(",", ".")),
    onDuplicate: flag("--on-duplicate <which>", words.onDuplicate, oneOf("first", "last")),
    format: flag("--format <format>", words.format, oneOf(...fileFormats)),
    delimiter: flag("--delimiter <character>", words.delimiter),
    sheet: flag("--sheet <name>", words.sheet, nonEmpty),
    headerRow: flag("--header-row <n>", words.headerRow, whole(1)),
    encoding: flag("--encoding <name>", words.encoding, suggest("utf-8", "utf-16le", "windows-1252")),
    dryRun: flag("--dry-run", words.dryRun),
    batchSize: flag("--batch-size <n>", words.batchSize, whole(1, 5000)),
    storeId: flag("--store-id <id>", words.storeId),
  };
}

export type PushFlags = FlagsOf<typeof declarePush>;

export function declarePush(catalog: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.catalog.push;
  const { groups } = runtime.texts.helpPage;
  const shared = catalogFlags(runtime.texts);
  return verb(catalog, "push", words, { exits: exits.send, variables: variables.orders })
    .addArgument(argument("<file>", words.file, file))
    .optionsGroup(groups.sent)
    .addOption(shared.dryRun)
    .addOption(flag("--confirm", words.confirm))
    .addOption(flag("--strict", words.strict))
    .addOption(flag("--changed-only", words.changedOnly))
    .addOption(flag("--deactivate-missing", words.deactivateMissing))
    .addOption(flag("--max-deactivate <limit>", words.maxDeactivate, shareOrCount))
    .optionsGroup(groups.output)
    .addOption(flag("--rejected <file>", words.rejected, file))
    .addOption(onFailureFlag(runtime.texts))
    .optionsGroup(groups.reading)
    .addOption(shared.map)
    .addOption(shared.saveMap)
    .addOption(shared.decimal)
    .addOption(shared.onDuplicate)
    .addOption(shared.sheet)
    .addOption(shared.headerRow)
    .addOption(shared.format)
    .addOption(shared.delimiter)
    .addOption(shared.encoding)
    .optionsGroup(groups.sending)
    .addOption(shared.batchSize)
    .addOption(flag("--in-flight <n>", words.inFlight, whole(1, 8)))
    .optionsGroup(groups.safety)
    .addOption(flag("--max-price-change <limit>", words.maxPriceChange, percentage))
    .addOption(shared.storeId)
    .addOption(lockWaitFlag(runtime.texts))
    .addOption(flag("--force", words.force));
}
