import { stringify } from "lossless-json";
import { type FieldsOf, fieldColumns, nothingOf, writeList } from "../../cli/display/fields.ts";
import { type Column, column, type Listing, listing } from "../../cli/display/table.ts";
import { note, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { needsFlag } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { editKnown } from "../../cli/session/profiles.ts";
import { checkStation, type Station, toStations } from "../../printing/printing.ts";
import { traceSettings } from "../../settings/settings.ts";
import { quoted } from "../../texts/phrases.ts";
import { openProfileOutput, tell } from "../profile-output.ts";
import { type StationFlags, stationNames } from "./command.ts";
import type { AddReport, RemoveReport, StationReport } from "./report.ts";

/** The profile that is used, by its name. */
async function readProfile({ system, flags }: Runtime, command: string) {
  const { profile: name, stations } = (await traceSettings(system, flags)).settings;
  if (name === undefined) throw needsFlag(`bpos profile station ${command}`, "-p");
  return { name, stations };
}

/** Numbers of the profile file come as they were written. */
const asPlain = (kept: unknown): unknown => JSON.parse(stringify(kept) ?? "[]") as unknown;

const isNamed = (kept: unknown): kept is { name: string } =>
  typeof (kept as { name?: unknown } | null)?.name === "string";

const toRow = ({ printer, categories, ...station }: Station): StationReport => ({
  ...station,
  categories: [...categories],
  printer: printer.url,
});

const stationFields: FieldsOf<StationReport> = {
  object: ({ name, printer, categories, everything, copies }) => ({
    name,
    printer,
    categories,
    everything,
    copies,
  }),
  example: nothingOf(stationNames),
  columns: stationNames.map((field) => [field, (row: StationReport) => String(row[field])] as const),
};

function stationsTable(rows: readonly StationReport[], ui: Ui, chosen?: readonly string[]): Listing {
  const { t } = ui.texts;
  const prints = ({ categories, everything }: StationReport): string =>
    [...(everything ? [t("everything")] : []), ...categories].join(", ");
  const own: Column<StationReport>[] = [
    column(t("Station"), 1, ({ name }) => name),
    column(t("Printer"), 2, ({ printer }) => printer, { shrinkTo: 12 }),
    column(t("Prints"), 1, prints, { shrinkTo: 12 }),
    column(t("Copies"), 3, ({ copies }) => String(copies), { align: "right" }),
  ];
  const foot = note(
    t(
      rows.length === 0
        ? "No stations yet: `bpos profile station add NAME --printer URL --category CATEGORY` adds one."
        : "`bpos printer stations` shows which station prints each product.",
    ),
    ui,
  );
  const used = chosen ? fieldColumns(stationFields, chosen, rows) : own;
  return listing(used, rows, { head: title(t("Stations"), ui), foot }, ui);
}

export async function add(runtime: Runtime, station: string, flags: StationFlags): Promise<void> {
  const output = openProfileOutput(runtime);
  const { printer, category: categories, everything, copies } = flags;
  if (printer === undefined) throw needsFlag("bpos profile station add", "--printer");
  const { name } = await readProfile(runtime, "add");
  const kept: AddReport["station"] = {
    name: station,
    printer: printer.url,
    ...(categories !== undefined && { categories }),
    ...(everything === true && { everything }),
    ...(copies !== undefined && { copies }),
  };
  await editKnown(runtime.system, name, ({ profiles }) => {
    const before = asPlain(profiles[name]?.["stations"] ?? []);
    const all = Array.isArray(before) ? [...(before as unknown[]), kept] : before;
    toStations(all, name);
    profiles[name] = { ...profiles[name], stations: all };
  });
  const added = output.ui.texts.t(
    "Station {station} was added to profile {profile}. A running watch uses it after a restart.",
    { station, profile: quoted(name) },
  );
  const report: AddReport = { profile: name, station: kept };
  await tell(output, added, report);
}

export async function list(runtime: Runtime): Promise<void> {
  const output = openProfileOutput(runtime, "csv");
  const { name, stations } = await readProfile(runtime, "list");
  const { fields } = runtime.flags;
  await writeList(output, stationFields, toStations(stations, name).map(toRow), {
    fields,
    document: (objects) => ({ profile: name, stations: objects }),
    view: (ui) => stationsTable(toStations(stations, name).map(toRow), ui, fields),
  });
}

export async function remove(runtime: Runtime, station: string): Promise<void> {
  const output = openProfileOutput(runtime);
  const { name } = await readProfile(runtime, "remove");
  const left = { any: true };
  await editKnown(runtime.system, name, ({ profiles }) => {
    const before = asPlain(profiles[name]?.["stations"]);
    // An unusable station can be removed too.
    const all: unknown[] = Array.isArray(before) ? before : [];
    checkStation(all.filter(isNamed), station, { profile: name });
    const rest = all.filter((each) => !isNamed(each) || each.name !== station);
    left.any = rest.length > 0;
    profiles[name] = { ...profiles[name], stations: rest };
    if (!left.any) delete profiles[name]["stations"];
  });
  const text = output.ui.texts.t(
    left.any
      ? "Station {station} was removed from profile {profile}. After a restart, a watch prints its pending receipts at the other stations."
      : "Station {station} was removed from profile {profile}, which has no other station. After a restart, a watch prints whole orders, including the pending ones, at the printer of the profile or of `--printer`.",
    { station, profile: quoted(name) },
  );
  const report: RemoveReport = { profile: name, removed: station };
  await tell(output, text, report);
}
