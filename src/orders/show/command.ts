import { type FlagsOf, flag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import { printerFlags } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareShow(orders: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.orders.show;
  const { groups } = runtime.texts.helpPage;
  const { printer, paper, language, drawer, beep, layout, stationMap } = printerFlags(runtime);
  return verb(orders, "show", words, { exits: exits.ask, variables: variables.orders, isPaged: true })
    .argument("[id]", words.id)
    .optionsGroup(groups.where)
    .addOption(flag("--print", words.print))
    .optionsGroup(groups.printer)
    .addOption(printer)
    .addOption(paper)
    .addOption(language)
    .addOption(drawer)
    .addOption(beep)
    .addOption(layout)
    .addOption(stationMap);
}

export type ShowFlags = FlagsOf<typeof declareShow>;
