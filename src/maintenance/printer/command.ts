import { argument, type FlagsOf } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import { printerFlags } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declarePrinterTest(printer: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.printer.test;
  const { url, paper, language, drawer, beep } = printerFlags(runtime);
  return verb(printer, "test", words, {
    exits: exits.check,
    variables: ["BPOS_PROFILE", "BPOS_HOME"],
  })
    .addArgument(argument("[url]", words.url, url, "bpos printer test"))
    .addOption(paper)
    .addOption(language)
    .addOption(drawer)
    .addOption(beep);
}

export type TestFlags = FlagsOf<typeof declarePrinterTest>;

export function declarePrinterStations(printer: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.printer.stations;
  const facts = { exits: exits.compare, variables: variables.orders, isPaged: true };
  return verb(printer, "stations", words, facts).addOption(printerFlags(runtime).stationMap);
}

export type StationsFlags = FlagsOf<typeof declarePrinterStations>;
