import { type FlagsOf, flag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import { printerFlags } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareShow(orders: AnyCommand, runtime: Runtime) {
  const { t } = runtime.texts;
  const { printer, paper, language, drawer, beep, layout, stationMap } = printerFlags(runtime);
  const words = {
    description: t("Show one order as a kitchen ticket"),
    examples: {
      "bpos orders show 1042": t("in any state"),
      "bpos orders show 1042 --print": t("on the profile's printer"),
    },
  };

  return verb(orders, "show", words, { exits: exits.ask, variables: variables.orders, isPaged: true })
    .argument("[id]", t("order number"))
    .optionsGroup(t("Outputs:"))
    .addOption(flag("--print", t("also print it as a receipt")))
    .optionsGroup(t("Printer:"))
    .addOption(printer)
    .addOption(paper)
    .addOption(language)
    .addOption(drawer)
    .addOption(beep)
    .addOption(layout)
    .addOption(stationMap);
}

export type ShowFlags = FlagsOf<typeof declareShow>;
