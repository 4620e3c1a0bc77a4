import { argument, type FlagsOf, flag, nonEmpty, several, suggest, whole } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, verb } from "../../cli/line/help.ts";
import { printerFlags } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";

export const stationNames = ["name", "printer", "categories", "everything", "copies"] as const;
const facts = { exits: exits.file, variables: ["BPOS_PROFILE", "BPOS_HOME"] };
const name = suggest();

export function declareStationAdd(station: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.profile.station;
  const { url } = printerFlags(runtime);
  return verb(station, "add", words.add, { ...facts, needs: "--printer <url>" })
    .addArgument(argument("<name>", words.name, name))
    .addOption(flag("--printer <url>", words.printer, url))
    .addOption(flag("--category <name>", words.category, several(nonEmpty)))
    .addOption(flag("--everything", words.everything))
    .addOption(flag("--copies <n>", words.copies, whole(1, 9)));
}

export type StationFlags = FlagsOf<typeof declareStationAdd>;

export const declareStationList = (station: AnyCommand, { texts }: Runtime) =>
  verb(station, "list", texts.help.profile.station.list, { ...facts, fields: stationNames }).alias("ls");

export function declareStationRemove(station: AnyCommand, { texts }: Runtime) {
  const words = texts.help.profile.station;
  return verb(station, "remove", words.remove, facts).addArgument(argument("<name>", words.name, name));
}
