import { type FlagsOf, file, flag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import { printerFlags } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declarePreview(printer: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.printer.preview;
  const { paper, language, layout } = printerFlags(runtime);
  return verb(printer, "preview", words, { exits: exits.ask, variables: variables.orders, isPaged: true })
    .argument("[id]", words.id)
    .addOption(layout)
    .addOption(paper)
    .addOption(language)
    .addOption(flag("--png <file>", words.png, file));
}

export type PreviewFlags = FlagsOf<typeof declarePreview>;
