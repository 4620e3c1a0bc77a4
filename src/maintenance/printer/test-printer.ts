import { openOutput } from "../../cli/display/output.ts";
import { paragraph } from "../../cli/display/text.ts";
import { neededPrinter } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { PrinterAddress } from "../../contract/addresses.ts";
import { type BposError, isReason } from "../../errors.ts";
import { lineLength, printTestReceipt, toStations } from "../../printing/printing.ts";
import { traceSettings } from "../../settings/settings.ts";
import type { T } from "../../texts/texts.ts";
import type { TestFlags } from "./command.ts";

/** Prints a test at the address, else at each station of the profile, else at its printer. */
export async function testPrinter(
  runtime: Runtime,
  url: PrinterAddress | undefined,
  flags: TestFlags,
): Promise<void> {
  const { system, signal, outTexts } = runtime;
  const output = openOutput(runtime, ["table", "json", "ndjson"]);
  const { settings } = await traceSettings(system, runtime.flags, { journal: false });
  const stations = url === undefined ? toStations(settings.stations, settings.profile) : [];
  const printer = url ?? stations[0]?.printer;
  const { address, ...paper } = neededPrinter({ ...flags, printer }, settings, system.platform);
  const { language } = paper;
  const tried = { ...paper, drawer: paper.drawer !== false };
  const tested: { name?: string; printer: string; bytes: number }[] = [];
  const failures: BposError[] = [];
  for (const station of stations.length > 0 ? stations : [{ printer: address }]) {
    const named = "name" in station ? { name: station.name } : {};
    const words = { t: outTexts.t, station: named.name };
    try {
      const bytes = await printTestReceipt({ address: station.printer, system, signal }, tried, words);
      tested.push({ ...named, printer: station.printer.url, bytes });
    } catch (error) {
      if (!isReason(error, "printer_failed")) throw error;
      failures.push(error);
    }
  }

  const { language: printer_language, ...rest } = paper;
  const [failure] = failures;
  if (failure !== undefined && tested.length === 0) throw failure;
  if (output.format !== "table") {
    const where = stations.length > 0 ? { stations: tested } : tested[0];
    await output.document({ ...rest, printer_language, ...where });
  } else if (!output.quiet) {
    const { t } = outTexts;
    const said = tested.flatMap(({ name, printer }) => {
      const url = name === undefined ? printer : `${name} (${printer})`;
      return paragraph(t("The test receipt was sent to {url}.", { url }), output.ui);
    });
    const hint = whatToSee(lineLength(paper.paper), language === "star" ? "escpos" : "star", t);
    await output.data(`${[...said.map(output.ui.theme.good), ...paragraph(hint, output.ui)].join("\n")}\n`);
  }
  if (failure !== undefined) throw failure;
}

/** Says how the paper should look, and what to change otherwise. */
const whatToSee = (columns: number, otherLanguage: string, t: T): string =>
  [
    t("The paper should show one full row of {columns} digits, accented letters, and a cut at the end.", {
      columns,
    }),
    ...(columns > 32 ? [t("Broken rows: try --paper 58.")] : []),
    t("Wrong letters or signs: try --printer-language {otherLanguage}.", { otherLanguage }),
  ].join(" ");
