import { argument, type FlagsOf, file, flag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { catalogFlags } from "../push/command.ts";

export function declareDiff(catalog: AnyCommand, runtime: Runtime) {
  const { diff: words, push, check } = runtime.texts.help.catalog;
  const { groups } = runtime.texts.helpPage;
  const shared = catalogFlags(runtime.texts);
  return verb(catalog, "diff", words, { exits: exits.compare, variables: variables.orders })
    .addArgument(argument("<file>", push.file, file))
    .optionsGroup(groups.output)
    .addOption(flag("--exit-code", words.exitCode))
    .addOption(flag("--report <file>", words.report, file))
    .addOption(flag("--force", check.force))
    .optionsGroup(groups.reading)
    .addOption(shared.map)
    .addOption(shared.saveMap)
    .addOption(shared.decimal)
    .addOption(shared.onDuplicate)
    .addOption(shared.sheet)
    .addOption(shared.headerRow)
    .addOption(shared.format)
    .addOption(shared.delimiter)
    .addOption(shared.encoding);
}

export type DiffFlags = FlagsOf<typeof declareDiff>;
