import { argument, type FlagsOf, file, flag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { readingFlags } from "../flags.ts";

export type CheckFlags = FlagsOf<typeof declareCheck>;

export function declareCheck(catalog: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Check a catalog file offline: what it would send and what is wrong with it"),
    examples: {
      "bpos catalog check prices.csv": t(
        "show how bpos reads it, the first products, and each problem with its line",
      ),
      "bpos catalog check prices.csv --fixed clean.csv": t("also write a clean copy"),
    },
  };

  const command = verb(catalog, "check", words, {
    exits: exits.read,
    variables: [],
    common: [
      "--fixed",
      "--strict",
      "--map",
      "--save-map",
      "--decimal",
      "--on-duplicate",
      "--sheet",
      "--encoding",
    ],
  })
    .addArgument(argument("<file>", t("CSV, Excel (.xlsx), JSON or NDJSON file; - is standard input"), file))
    .optionsGroup(t("Output:"))
    .addOption(flag("--fixed <file>", t("write the valid rows to this file, ready to push"), file))
    .addOption(flag("--force", t("overwrite the file")))
    .addOption(flag("--strict", t("also exit with 3 if a product has no price")));
  return readingFlags(command, t);
}
