import { argument, fromJournal } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareCancel(catalog: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.catalog.cancel;
  return verb(catalog, "cancel", words, { exits: exits.recall, variables: variables.orders }).addArgument(
    argument("<push>", words.push, fromJournal("scheduled")),
  );
}
