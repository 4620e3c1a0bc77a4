import { argument, type FlagsOf, file, flag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { catalogFlags } from "../push/command.ts";

export type CheckFlags = FlagsOf<typeof declareCheck>;

export function declareCheck(catalog: AnyCommand, runtime: Runtime) {
  const { check: words, push } = runtime.texts.help.catalog;
  const { groups } = runtime.texts.helpPage;
  const shared = catalogFlags(runtime.texts);
  return verb(catalog, "check", words, { exits: exits.read, variables: [] })
    .addArgument(argument("<file>", push.file, file))
    .optionsGroup(groups.output)
    .addOption(flag("--fixed <file>", words.fixed, file))
    .addOption(flag("--force", words.force))
    .addOption(flag("--strict", words.strict))
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
