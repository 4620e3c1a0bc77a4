import { argument, type FlagsOf } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import { printerFlags } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declarePrinterTest(printer: AnyCommand, runtime: Runtime) {
  const { t } = runtime.texts;
  const { url, paper, language, drawer, beep } = printerFlags(runtime);
  const words = {
    description: t("Print a test receipt with paper width, letters, sizes and cut"),
    examples: {
      "bpos printer test tcp://192.168.1.50": t("over the network, port 9100"),
      "bpos printer test file:/dev/usb/lp0 --paper 58": t("over USB, narrow paper"),
      "bpos printer test lp:kitchen --drawer --beep": t("a CUPS queue, with drawer and buzzer"),
      "bpos printer test 'file:\\\\localhost\\EPSON'": t("a shared Windows printer"),
    },
  };

  return verb(printer, "test", words, {
    exits: exits.check,
    variables: ["BPOS_PROFILE", "BPOS_HOME"],
  })
    .addArgument(
      argument(
        "[url]",
        t("tcp://HOST[:PORT], file:DEVICE or lp:QUEUE (default: the profile's stations or printer)"),
        url,
        "bpos printer test",
      ),
    )
    .addOption(paper)
    .addOption(language)
    .addOption(drawer)
    .addOption(beep);
}

export type TestFlags = FlagsOf<typeof declarePrinterTest>;

export function declarePrinterStations(printer: AnyCommand, runtime: Runtime) {
  const { t } = runtime.texts;
  const facts = { exits: exits.compare, variables: variables.orders, isPaged: true };
  const words = {
    description: t(
      "Show which station prints each product; exits with 3 if a product prints at every station",
    ),
    examples: {
      "bpos printer stations": t("the products in the journal"),
      "bpos printer stations --jq '.everywhere[]'": t("products that belong to no station"),
    },
  };

  return verb(printer, "stations", words, facts).addOption(printerFlags(runtime).stationMap);
}

export type StationsFlags = FlagsOf<typeof declarePrinterStations>;
