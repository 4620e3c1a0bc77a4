import { type FlagsOf, file, flag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import { printerFlags } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declarePreview(printer: AnyCommand, runtime: Runtime) {
  const { t } = runtime.texts;
  const { paper, language, layout } = printerFlags(runtime);
  const words = {
    description: t("Preview a receipt as the printer prints it"),
    examples: {
      "bpos printer preview --layout layout.json": t("a sample receipt, without printing it"),
      "bpos printer preview 1042 --paper 58 --png receipt.png": t("an order, saved as an image"),
    },
  };

  return verb(printer, "preview", words, { exits: exits.ask, variables: variables.orders, isPaged: true })
    .argument("[id]", t("order number (default: a sample order)"))
    .addOption(layout)
    .addOption(paper)
    .addOption(language)
    .addOption(flag("--png <file>", t("also save it as a PNG image, one pixel per printer dot"), file));
}

export type PreviewFlags = FlagsOf<typeof declarePreview>;
