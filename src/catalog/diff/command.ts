import { argument, type FlagsOf, file, flag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { readingFlags } from "../flags.ts";

export function declareDiff(catalog: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Show what pushing a file would change, compared with the journal; sends nothing"),
    examples: {
      "bpos catalog diff prices.csv": t("changes by category, the largest price changes first"),
      "bpos catalog diff prices.csv --exit-code -q": t(
        "for a script: exits with 0 if nothing changes, 3 if something does",
      ),
    },
  };

  const command = verb(catalog, "diff", words, {
    exits: exits.compare,
    variables: variables.orders,
    common: ["--exit-code", "--report", "--map", "--decimal", "--on-duplicate", "--sheet", "--encoding"],
  })
    .addArgument(argument("<file>", t("CSV, Excel (.xlsx), JSON or NDJSON file; - is standard input"), file))
    .optionsGroup(t("Output:"))
    .addOption(flag("--exit-code", t("exit with 3 if anything differs, and with 0 if nothing does")))
    .addOption(flag("--report <file>", t("also write all changes to this workbook (.xlsx)"), file))
    .addOption(flag("--force", t("overwrite the file")));
  return readingFlags(command, t);
}

export type DiffFlags = FlagsOf<typeof declareDiff>;
