import { argument, type FlagsOf, file, flag, onFailureFlag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { catalogFlags, readingFlags, sendingFlags } from "../flags.ts";

export type PushFlags = FlagsOf<typeof declarePush>;

export function declarePush(catalog: AnyCommand, { texts: { t } }: Runtime) {
  const shared = catalogFlags(t);
  const words = {
    description: t("Push a catalog file in batches and report rejected rows"),
    examples: {
      "bpos catalog push prices.csv --dry-run": t("see what would be sent and what is wrong"),
      "bpos catalog push prices.csv --rejected rejected.csv": t(
        "write rejected rows to a file, to correct and push",
      ),
      "export-prices | bpos catalog push - --format ndjson -q": t(
        "push from another program, with no output if all goes well",
      ),
    },
  };

  const command = verb(catalog, "push", words, {
    exits: exits.send,
    sends: true,
    variables: variables.orders,
    common: [
      ...["--dry-run", "--confirm", "--rejected", "--changed-only", "--deactivate-missing"],
      ...["--max-price-change", "--decimal", "--map", "--sheet", "--on-failure"],
    ],
  })
    .addArgument(argument("<file>", t("CSV, Excel (.xlsx), JSON or NDJSON file; - is standard input"), file))
    .optionsGroup(t("Content:"))
    .addOption(shared.dryRun)
    .addOption(flag("--confirm", t("show what changes and ask before sending")))
    .addOption(
      flag("--strict", t("send nothing if any row is rejected; exit with 3 if a product has no price")),
    )
    .addOption(flag("--changed-only", t("skip rows that the service has already confirmed")))
    .addOption(flag("--deactivate-missing", t("deactivate confirmed products that are not in the file")))
    .addOption(shared.maxDeactivate)
    .optionsGroup(t("Output:"))
    .addOption(
      flag(
        "--rejected <file>",
        t("write rejected rows to this file (a workbook if it ends in .xlsx), to correct and push"),
        file,
      ),
    )
    .addOption(onFailureFlag(t));
  return sendingFlags(readingFlags(command, t), t);
}
