import { argument, type FlagsOf, file, flag } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import { printerFlags } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declarePrinterTest(printer: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.printer.test;
  const { url, paper, language, drawer, beep } = printerFlags(runtime);
  return verb(printer, "test", words, {
    exits: ["ok", "usage", "unavailable", "config", "interrupted"],
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
  return verb(printer, "stations", words, {
    exits: exits.compare,
    variables: variables.orders,
    isPaged: true,
  }).addOption(flag("--station-map <file>", runtime.texts.help.orders.watch.stationMap, file));
}

export type StationsFlags = FlagsOf<typeof declarePrinterStations>;
