import { argument, type FlagsOf, file, flag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareExport(catalog: AnyCommand, runtime: Runtime) {
  const { export: words, check } = runtime.texts.help.catalog;
  return verb(catalog, "export", words, { exits: exits.compare, variables: variables.orders })
    .addArgument(argument("<file>", words.file, file))
    .addOption(flag("--force", check.force));
}

export type ExportFlags = FlagsOf<typeof declareExport>;
