import { type FlagsOf, flag, whole } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareHistory(catalog: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.catalog.history;
  return verb(catalog, "history", words, {
    exits: exits.recall,
    variables: variables.orders,
    takesFields: true,
    isPaged: true,
  })
    .optionsGroup(runtime.texts.helpPage.groups.which)
    .addOption(flag("--limit <n>", words.limit, whole(1)));
}

export type HistoryFlags = FlagsOf<typeof declareHistory>;
