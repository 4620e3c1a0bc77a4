import { duration, fieldMap, fileFormats, flag, oftenOneOf, oneOf, whole } from "../cli/flags.ts";
import type { Texts } from "../i18n/en.ts";

/** The flags that several commands take for a catalog: how its file is read, and how it is sent. */
export function catalogFlags({ help }: Texts) {
  const words = help.catalog.push;
  return {
    map: flag("--map <pairs>", words.map, fieldMap),
    saveMap: flag("--save-map", words.saveMap),
    decimal: flag("--decimal <sign>", words.decimal, oneOf(",", ".")),
    onDuplicate: flag("--on-duplicate <which>", words.onDuplicate, oneOf("first", "last")),
    format: flag("--format <format>", words.format, oneOf(...fileFormats)),
    delimiter: flag("--delimiter <character>", words.delimiter),
    encoding: flag("--encoding <name>", words.encoding, oftenOneOf("utf-8", "utf-16le", "windows-1252")),
    dryRun: flag("--dry-run", words.dryRun),
    batchSize: flag("--batch-size <n>", words.batchSize, whole(1, 5000)),
    storeId: flag("--store-id <id>", words.storeId),
    lockWait: flag("--lock-wait <duration>", words.lockWait, duration),
  };
}
