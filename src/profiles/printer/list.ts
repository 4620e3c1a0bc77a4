import { type FieldsOf, fieldColumns, writeList } from "../../cli/display/fields.ts";
import { ABSENT, shown } from "../../cli/display/format.ts";
import { openOutput } from "../../cli/display/output.ts";
import { type Column, column, type Listing, listing } from "../../cli/display/table.ts";
import { note, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { readProfiles } from "../../settings/profile-file.ts";
import { type FoundPrinter, findPrinters } from "./find.ts";

const example: FoundPrinter = {
  printer: "",
  port: null,
  driver: null,
  state: null,
  default: false,
  profiles: [],
};
const printerFields: FieldsOf<FoundPrinter> = {
  object: (row) => ({ ...row }),
  example: { ...example },
  columns: (Object.keys(example) as (keyof FoundPrinter)[]).map((name) => [
    name,
    (row) => (name === "profiles" ? row.profiles.join(" ") : row[name]),
  ]),
};

export function printersTable(rows: readonly FoundPrinter[], ui: Ui, chosen?: readonly string[]): Listing {
  const { list } = ui.texts.printer;
  const { columns } = list;
  const isWell = ({ state }: FoundPrinter): boolean => state === null || state === "ready";
  const own: Column<FoundPrinter>[] = [
    column(columns.printer, 1, (row) => row.printer, { shrinkTo: 20 }),
    column(columns.state, 2, ({ state }) => (state === null ? ABSENT : list.states[state]), {
      style: (cell, row) => (isWell(row) ? cell : ui.theme.warn(cell)),
    }),
    column(columns.profiles, 3, ({ profiles }) => profiles.join(", ") || ABSENT, { shrinkTo: 12 }),
    column(columns.port, 4, (row) => shown(row.port), { shrinkTo: 12 }),
  ];
  const foot = note(rows.length === 0 ? list.none : list.hint, ui);
  const all = chosen ? fieldColumns(printerFields, chosen, rows) : own;
  return listing(all, rows, { head: title(list.title, ui), foot }, ui);
}

export async function listPrinters(runtime: Runtime): Promise<void> {
  const output = openOutput(runtime, ["table", "json", "ndjson", "csv"]);
  const { flags } = runtime;
  const { printers, words } = await findPrinters(runtime, readProfiles(runtime.system));
  await writeList(output, printerFields, printers, {
    fields: flags.fields,
    document: (objects) => ({ printers: objects }),
    view: (ui) => printersTable(printers, ui, flags.fields),
  });
  if (words !== undefined) await output.warning(words);
}
