import { type FlagsOf, file, flag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import { printerFlags } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declarePreview(printer: AnyCommand, runtime: Runtime) {
  const { t } = runtime.texts;
  const { paper, language, layout } = printerFlags(runtime);
  const words = {
    description: t("Draw a receipt as the printer prints it"),
    examples: {
      "bpos printer preview --layout layout.json": t("a sample, without printing"),
      "bpos printer preview 1042 --paper 58 --png receipt.png": t("an order, as a picture"),
    },
  };

  return verb(printer, "preview", words, { exits: exits.ask, variables: variables.orders, isPaged: true })
    .argument("[id]", t("number of an order (default: a sample)"))
    .addOption(layout)
    .addOption(paper)
    .addOption(language)
    .addOption(flag("--png <file>", t("also write it as a picture, dot by dot"), file));
}

export type PreviewFlags = FlagsOf<typeof declarePreview>;
