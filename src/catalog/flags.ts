import type { Command, OptionValues } from "@commander-js/extra-typings";
import {
  type FlagsOf,
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
import type { T } from "../texts/texts.ts";

/** Flags that several verbs declare, each in its own group. */
export function catalogFlags(t: T) {
  return {
    dryRun: flag("--dry-run", t("read and check, without sending anything")),
    maxDeactivate: flag(
      "--max-deactivate <limit>",
      t("maximum share or number of products to deactivate (default 20%)"),
      shareOrCount,
    ),
    batchSize: flag("--batch-size <n>", t("products per request (default 500)"), whole(1, 5000)),
    storeId: flag("--store-id <id>", t("check that the key belongs to this branch")),
  };
}

/** Adds the flags that say how a file of products, or only of codes, is opened. */
export function openingFlags<Args extends unknown[], Flags extends OptionValues>(
  command: Command<Args, Flags>,
  t: T,
) {
  return command
    .addOption(flag("--sheet <name>", t("sheet to read, in an .xlsx workbook with several"), nonEmpty))
    .addOption(flag("--header-row <n>", t("line number of the header, if bpos does not find it"), whole(1)))
    .addOption(
      flag(
        "--format <format>",
        t("csv, json or ndjson, if the file name has no known extension"),
        oneOf(...fileFormats),
      ),
    )
    .addOption(flag("--delimiter <character>", t("character between cells")))
    .addOption(
      flag(
        "--encoding <name>",
        t("text encoding, for example windows-1252"),
        suggest("utf-8", "utf-16le", "windows-1252"),
      ),
    );
}

/** Adds the flags that say how a price list is read. */
export function readingFlags<Args extends unknown[], Flags extends OptionValues>(
  command: Command<Args, Flags>,
  t: T,
) {
  const mapped = command
    .optionsGroup(t("File format:"))
    .addOption(
      flag(
        "--map <pairs>",
        t("field=column pairs, for example codigo=SKU,precio=Importe; the profile's mapping fills the rest"),
        fieldMap,
      ),
    )
    .addOption(flag("--save-map", t("save the mapping in the profile for later files")))
    .addOption(flag("--decimal <sign>", t("decimal sign in prices: , or ."), oneOf(",", ".")))
    .addOption(
      flag(
        "--on-duplicate <which>",
        t("which row to use when rows with the same codigo differ: first or last"),
        oneOf("first", "last"),
      ),
    );
  return openingFlags(mapped, t);
}

/** Adds the flags that say how prices are sent, and those that keep wrong ones from being sent. */
export function sendingFlags<Args extends unknown[], Flags extends OptionValues>(
  command: Command<Args, Flags>,
  t: T,
) {
  const { batchSize, storeId } = catalogFlags(t);
  return command
    .optionsGroup(t("Requests:"))
    .addOption(batchSize)
    .addOption(
      flag(
        "--in-flight <n>",
        t("batches in flight, 1 to 8 (default 1); with more than one, all batches share a timestamp"),
        whole(1, 8),
      ),
    )
    .optionsGroup(t("Checks and confirmation:"))
    .addOption(
      flag(
        "--max-price-change <limit>",
        t("send nothing if a known price would rise or fall by more than this, for example 50%"),
        percentage,
      ),
    )
    .addOption(storeId)
    .addOption(lockWaitFlag(t))
    .addOption(flag("--force", t("push even if this machine's clock is an hour ahead of the service's")));
}

/** The flags that say how a file is read; few verbs have all of them. */
export type ReadingFlags = FlagsOf<typeof readingFlags<[], { deactivateMissing?: true }>>;

/** The flags that say how requests are sent; few verbs have all of them. */
export type SendingFlags = FlagsOf<typeof sendingFlags<[], { dryRun?: true; rejected?: string }>>;
