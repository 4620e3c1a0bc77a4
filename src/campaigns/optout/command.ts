import { argument, type FlagsOf, file, flag, nonEmpty, several } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

/** What `--fields` can name. */
export const optOutNames = ["phone", "at", "source", "text"] as const;

const fileExits = ["ok", "usage", "partial", "config", "not_found", "interrupted"] as const;
const variables = ["BPOS_PROFILE", "BPOS_JOURNAL", "BPOS_HOME", "BPOS_MOCK"];

const wordsOf = (runtime: Runtime) => runtime.texts.help.campaign.optout;

export function declareAdd(optout: AnyCommand, runtime: Runtime) {
  const { add: words, country } = wordsOf(runtime);
  return verb(optout, "add", words, { exits: exits.file, variables })
    .addArgument(argument("<phone...>", words.phone, several(nonEmpty)))
    .addOption(flag("--country <code>", country));
}

export function declareRemove(optout: AnyCommand, runtime: Runtime) {
  const { remove: words, country } = wordsOf(runtime);
  return verb(optout, "remove", words, { exits: exits.file, variables })
    .addArgument(argument("<phone>", words.phone, nonEmpty))
    .addOption(flag("--reason <text>", words.reason, nonEmpty))
    .addOption(flag("--country <code>", country));
}

export function declareList(optout: AnyCommand, runtime: Runtime) {
  const facts = { exits: exits.file, variables, fields: optOutNames, isPaged: true };
  return verb(optout, "list", wordsOf(runtime).list, facts).alias("ls");
}

export function declareImport(optout: AnyCommand, runtime: Runtime) {
  const { import: words, country } = wordsOf(runtime);
  const { sheet, phoneColumn } = runtime.texts.help.campaign.send;
  return verb(optout, "import", words, { exits: fileExits, variables })
    .addArgument(argument("<file>", words.file, file))
    .addOption(flag("--country <code>", country))
    .addOption(flag("--phone-column <column>", phoneColumn))
    .addOption(flag("--sheet <name>", sheet, nonEmpty));
}

export function declareExport(optout: AnyCommand, runtime: Runtime) {
  const words = wordsOf(runtime).export;
  return verb(optout, "export", words, { exits: fileExits, variables })
    .addArgument(argument("<file>", words.file, file))
    .addOption(flag("--force", runtime.texts.help.catalog.check.force));
}

export function declareReview(optout: AnyCommand, runtime: Runtime) {
  return verb(optout, "review", wordsOf(runtime).review, { exits: exits.file, variables });
}

export type AddFlags = FlagsOf<typeof declareAdd>;
export type RemoveFlags = FlagsOf<typeof declareRemove>;
export type ImportFlags = FlagsOf<typeof declareImport>;
export type ExportFlags = FlagsOf<typeof declareExport>;
