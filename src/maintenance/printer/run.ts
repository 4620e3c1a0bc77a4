import { openOutput } from "../../cli/output.ts";
import { type DrawerWhen, neededPrinter } from "../../cli/printer.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { paragraph } from "../../cli/text.ts";
import type { PrinterAddress } from "../../contract/addresses.ts";
import { printNow } from "../../delivery/printer.ts";
import { columnsOf, type Paper, Receipt } from "../../delivery/receipt.ts";
import type { Texts } from "../../i18n/en.ts";
import { traceSettings } from "../../settings/settings.ts";
import type { TestFlags } from "./command.ts";

/** What shows at a glance whether width, letters, sizes and cut are right. */
function testReceipt(
  paper: Omit<Paper, "drawer"> & { drawer: DrawerWhen },
  { receipt: words }: Texts,
): Uint8Array {
  const columns = columnsOf[paper.paper];
  return new Receipt({ ...paper, drawer: paper.drawer !== false })
    .title(words.test)
    .line("1234567890".repeat(5).slice(0, columns))
    .line(words.testWidth(String(paper.paper), String(columns)))
    .rule()
    .line("áéíóúüñ ÁÉÍÓÚÜÑ ¿? ¡! $ € °")
    .strong(words.testBold)
    .large("2 × ", words.testLarge, "$ 1.234,50")
    .banner(words.reprint)
    .box(words.testEnd)
    .bytes();
}

export async function testPrinter(
  runtime: Runtime,
  url: PrinterAddress | undefined,
  flags: TestFlags,
): Promise<void> {
  const { system, signal, texts } = runtime;
  const output = openOutput(runtime, ["table", "json", "ndjson"]);
  const { settings } = await traceSettings(system, runtime.flags, { journal: false });
  const { address, ...paper } = neededPrinter({ ...flags, printer: url }, settings);
  const bytes = testReceipt(paper, texts);
  await printNow({ address, language: paper.language, system }, bytes, signal);
  if (output.format !== "table") {
    const { language: printer_language, ...rest } = paper;
    await output.document({ printer: address.url, ...rest, printer_language, bytes: bytes.length });
  } else if (!output.quiet) {
    const words = texts.printer;
    const said = paragraph(words.tested(address.url), output.ui).map(output.ui.theme.good);
    const hint = words.testedHint(columnsOf[paper.paper], paper.language === "star" ? "escpos" : "star");
    await output.data(`${[...said, ...paragraph(hint, output.ui)].join("\n")}\n`);
  }
}
