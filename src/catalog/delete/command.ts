import { type FlagsOf, fieldMap, file, flag, lockWaitFlag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { catalogFlags, openingFlags } from "../flags.ts";

export type DeleteFlags = FlagsOf<typeof declareDelete>;

export function declareDelete(catalog: AnyCommand, { texts: { t } }: Runtime) {
  const shared = catalogFlags(t);
  const words = {
    description: t("Deactivate products"),
    examples: {
      "bpos catalog delete PIZ-001 PIZ-002": t("deactivate two products"),
      "bpos catalog delete --file gone.csv --dry-run": t("preview the products in a file"),
    },
  };

  const command = verb(catalog, "delete", words, {
    exits: exits.unguarded,
    sends: true,
    variables: variables.orders,
    common: ["--dry-run", "--file", "--rejected", "--sheet", "--encoding", "--store-id"],
  })
    .argument("[codes...]", t("product codes"))
    .optionsGroup(t("Content:"))
    .addOption(shared.dryRun)
    .addOption(
      flag(
        "--file <file>",
        t(
          "deactivate the codes in this file: CSV, Excel (.xlsx), JSON or NDJSON, with a column of codes; - is standard input",
        ),
        file,
      ),
    )
    .optionsGroup(t("Output:"))
    .addOption(
      flag(
        "--rejected <file>",
        t(
          "write rejected codes to this file (a workbook if it ends in .xlsx), to correct and pass with --file",
        ),
        file,
      ),
    )
    .optionsGroup(t("File format:"))
    .addOption(flag("--map <pairs>", t("column with the codes, for example codigo=SKU"), fieldMap));
  return openingFlags(command, t)
    .optionsGroup(t("Requests:"))
    .addOption(shared.batchSize)
    .optionsGroup(t("Checks and confirmation:"))
    .addOption(shared.storeId)
    .addOption(lockWaitFlag(t))
    .addOption(
      flag("--force", t("deactivate even if this machine's clock is an hour ahead of the service's")),
    );
}
