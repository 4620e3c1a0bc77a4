import { openOutput } from "../../cli/display/output.ts";
import { paragraph } from "../../cli/display/text.ts";
import { neededPrinter } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { PrinterAddress } from "../../contract/addresses.ts";
import { printNow } from "../../delivery/printer.ts";
import { columnsByPaper } from "../../delivery/receipt.ts";
import { testReceipt } from "../../delivery/test-receipt.ts";
import { traceSettings } from "../../settings/settings.ts";
import type { TestFlags } from "./command.ts";

export async function testPrinter(
  runtime: Runtime,
  url: PrinterAddress | undefined,
  flags: TestFlags,
): Promise<void> {
  const { system, signal, outTexts: texts } = runtime;
  const output = openOutput(runtime, ["table", "json", "ndjson"]);
  const { settings } = await traceSettings(system, runtime.flags, { journal: false });
  const { address, ...paper } = neededPrinter({ ...flags, printer: url }, settings);
  const bytes = testReceipt({ ...paper, drawer: paper.drawer !== false }, texts.receipt);
  await printNow({ address, language: paper.language, system }, bytes, signal);

  if (output.format !== "table") {
    const { language: printer_language, ...rest } = paper;
    await output.document({ printer: address.url, ...rest, printer_language, bytes: bytes.length });
  } else if (!output.quiet) {
    const words = texts.printer;
    const said = paragraph(words.tested(address.url), output.ui).map(output.ui.theme.good);
    const hint = words.testedHint(columnsByPaper[paper.paper], paper.language === "star" ? "escpos" : "star");
    await output.data(`${[...said, ...paragraph(hint, output.ui)].join("\n")}\n`);
  }
}
