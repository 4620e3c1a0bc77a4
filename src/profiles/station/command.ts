import { argument, type FlagsOf, flag, nonEmpty, several, suggest, whole } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, verb } from "../../cli/line/help.ts";
import { printerFlags } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";

export const stationNames = ["name", "printer", "categories", "everything", "copies"] as const;
const facts = { exits: exits.file, variables: ["BPOS_PROFILE", "BPOS_HOME"] };
const name = suggest();

export const declareStations = (profile: AnyCommand, { texts: { t } }: Runtime) =>
  verb(profile, "station", {
    description: t("Manage kitchen stations: printers and the categories that each one prints"),
    examples: {
      "bpos profile station add cocina --printer tcp://192.168.1.50 --category Pizzas": t(
        "then bpos orders watch --printer prints pizzas there",
      ),
    },
  });

export function declareStationAdd(station: AnyCommand, runtime: Runtime) {
  const { t } = runtime.texts;
  const { url } = printerFlags(runtime);
  const words = {
    description: t("Add a station to the profile"),
    examples: {
      "bpos profile station add cocina --printer tcp://192.168.1.50 --category Pizzas --category Empanadas":
        t("two categories"),
      "bpos profile station add caja --printer lp:caja --everything --copies 2": t("whole orders, twice"),
    },
  };

  return verb(station, "add", words, { ...facts, needs: "--printer <url>" })
    .addArgument(argument("<name>", t("name of the station"), name))
    .addOption(
      flag("--printer <url>", t("printer of the station: tcp://HOST[:PORT], file:DEVICE or lp:QUEUE"), url),
    )
    .addOption(flag("--category <name>", t("catalog category to print; can be repeated"), several(nonEmpty)))
    .addOption(flag("--everything", t("print every item of every order, and the amount to collect")))
    .addOption(flag("--copies <n>", t("copies of each receipt, 1 to 9 (default 1)"), whole(1, 9)));
}

export type StationFlags = FlagsOf<typeof declareStationAdd>;

export const declareStationList = (station: AnyCommand, { texts: { t } }: Runtime) =>
  verb(
    station,
    "list",
    {
      description: t("List the stations of the profile"),
      examples: { "bpos profile station list": t("with the categories of each") },
    },
    { ...facts, fields: stationNames },
  ).alias("ls");

export function declareStationRemove(station: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Remove a station; its pending receipts print at the others"),
    examples: { "bpos profile station remove barra": t("after the watch restarts") },
  };

  return verb(station, "remove", words, facts).addArgument(
    argument("<name>", t("name of the station"), name),
  );
}
