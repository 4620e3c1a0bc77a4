import type { Command, OptionValues } from "@commander-js/extra-typings";
import {
  fieldMap,
  fileFormats,
  flag,
  lockWaitFlag,
  nonEmpty,
  oneOf,
  percentage,
  shareOrCount,
  suggest,
  whole,
} from "../cli/line/flags.ts";
import type { Texts } from "../i18n/en.ts";

/** Flags that several verbs declare, each in its own group. */
export function catalogFlags({ help }: Texts) {
  const words = help.catalog.push;
  return {
    dryRun: flag("--dry-run", words.dryRun),
    maxDeactivate: flag("--max-deactivate <limit>", words.maxDeactivate, shareOrCount),
    batchSize: flag("--batch-size <n>", words.batchSize, whole(1, 5000)),
    storeId: flag("--store-id <id>", words.storeId),
  };
}

/** Adds the flags that say how a file of products, or only of codes, is opened. */
export function openingFlags<Args extends unknown[], Flags extends OptionValues>(
  command: Command<Args, Flags>,
  { help }: Texts,
) {
  const words = help.catalog.push;
  return command
    .addOption(flag("--sheet <name>", words.sheet, nonEmpty))
    .addOption(flag("--header-row <n>", words.headerRow, whole(1)))
    .addOption(flag("--format <format>", words.format, oneOf(...fileFormats)))
    .addOption(flag("--delimiter <character>", words.delimiter))
    .addOption(flag("--encoding <name>", words.encoding, suggest("utf-8", "utf-16le", "windows-1252")));
}

/** Adds the flags that say how a price list is read. */
export function readingFlags<Args extends unknown[], Flags extends OptionValues>(
  command: Command<Args, Flags>,
  texts: Texts,
) {
  const words = texts.help.catalog.push;
  const mapped = command
    .optionsGroup(texts.helpPage.groups.reading)
    .addOption(flag("--map <pairs>", words.map, fieldMap))
    .addOption(flag("--save-map", words.saveMap))
    .addOption(flag("--decimal <sign>", words.decimal, oneOf(",", ".")))
    .addOption(flag("--on-duplicate <which>", words.onDuplicate, oneOf("first", "last")));
  return openingFlags(mapped, texts);
}

/** Adds the flags of what sends prices, and those that keep it from wrong ones. */
export function sendingFlags<Args extends unknown[], Flags extends OptionValues>(
  command: Command<Args, Flags>,
  texts: Texts,
) {
  const words = texts.help.catalog.push;
  const { groups } = texts.helpPage;
  const { batchSize, storeId } = catalogFlags(texts);
  return command
    .optionsGroup(groups.sending)
    .addOption(batchSize)
    .addOption(flag("--in-flight <n>", words.inFlight, whole(1, 8)))
    .optionsGroup(groups.safety)
    .addOption(flag("--max-price-change <limit>", words.maxPriceChange, percentage))
    .addOption(storeId)
    .addOption(lockWaitFlag(texts))
    .addOption(flag("--force", words.force));
}
