import { toCell, toCsv } from "../../cli/display/csv.ts";
import { type FieldsOf, fieldColumns, writeList } from "../../cli/display/fields.ts";
import { ABSENT, maskKey, shown } from "../../cli/display/format.ts";
import { mayAsk, type Output } from "../../cli/display/output.ts";
import { type Column, column, type Listing, listing, table } from "../../cli/display/table.ts";
import { note, paragraph, title } from "../../cli/display/text.ts";
import { chooseBadge, type Ui } from "../../cli/display/ui.ts";
import { type Runtime, readMockWish } from "../../cli/runtime.ts";
import { checkKnown, editKnown } from "../../cli/session/profiles.ts";
import { isDatabase, shownDatabase } from "../../contract/addresses.ts";
import { BposError } from "../../errors.ts";
import { configFile } from "../../settings/folders.ts";
import { type Profile, type ProfileFile, readProfiles } from "../../settings/profile-file.ts";
import { type TracedSettings, traceSettings } from "../../settings/settings.ts";
import { checkName, openProfileOutput, refuse, stoppedSetup } from "./add.ts";

/** A profile as it may be shown: the key masked, and nothing of what bpos does not know of. */
function toProfileRow(name: string, profile: Profile, usual: string | undefined) {
  const hasCommand = (profile.key_command?.trim() ?? "") !== "";
  const key = profile.api_key?.trim() ?? "";
  const { base_url = null, campaigns_base_url = null, store_id = null } = profile;
  const { country = null, currency = null, header_field = null, sandbox = false } = profile;
  return {
    name,
    default: name === usual,
    base_url,
    campaigns_base_url,
    api_key: hasCommand || key === "" ? null : maskKey(key),
    key_command: hasCommand,
    store_id,
    country,
    currency,
    header_field,
    sandbox,
  };
}

type ProfileRow = ReturnType<typeof toProfileRow>;

export const profileRows = ({ default: usual, profiles }: ProfileFile): ProfileRow[] =>
  Object.entries(profiles).map(([name, profile]) => toProfileRow(name, profile, usual));

const example = toProfileRow("", {}, undefined);
const profileFields: FieldsOf<ProfileRow> = {
  object: (row) => row,
  example,
  columns: (Object.keys(example) as (keyof ProfileRow)[]).map((name) => [name, (row) => row[name]]),
};

function defaultColumns({ texts, theme }: Ui): Column<ProfileRow>[] {
  const words = texts.profile;
  const { columns } = words;
  const formatName = (row: ProfileRow): string => `${row.default ? "*" : " "} ${shown(row.name)}`;
  const describeKey = (row: ProfileRow): string => (row.key_command ? words.byCommand : shown(row.api_key));
  return [
    column(columns.profile, 1, formatName, {
      shrinkTo: 12,
      style: (cell, row) => (row.default ? theme.accent(cell) : cell),
    }),
    column(columns.baseUrl, 2, (row) => shown(row.base_url), { shrinkTo: 20 }),
    column(columns.campaignsUrl, 4, (row) => shown(row.campaigns_base_url), { shrinkTo: 20 }),
    column(columns.key, 2, describeKey),
    column(columns.country, 5, (row) => shown(row.country)),
    column(columns.kind, 3, (row) => (row.sandbox ? "SANDBOX" : words.live), {
      style: (cell, row) => (row.sandbox ? theme.warn(cell) : cell),
    }),
  ];
}

export function profilesTable(rows: readonly ProfileRow[], ui: Ui, chosen?: readonly string[]): Listing {
  const words = ui.texts.profile;
  const usual = rows.find((row) => row.default);
  const mark = usual === undefined ? words.noDefault : words.marked;
  const foot = note(rows.length === 0 ? words.none : mark, ui);
  const columns = chosen ? fieldColumns(profileFields, chosen, rows) : defaultColumns(ui);
  return listing(columns, rows, { head: title(words.title, ui), foot }, ui);
}

function settingRows({ settings, traced }: TracedSettings) {
  const { apiKey = "", keyCommand } = settings;
  const unused = keyCommand === undefined ? "key_command" : "api_key";
  const used = Object.entries(traced).filter(([setting]) => setting !== unused);
  return used.map(([setting, found]) => {
    // What the command prints is unknown until the key is needed, and the command itself may hold a secret.
    const keyShown = setting === "api_key" && apiKey !== "" ? maskKey(apiKey) : null;
    const isKey = setting === "api_key" || setting === "key_command";
    const { kind: source = null, name = "" } = found?.source ?? {};
    return { setting, value: isKey ? keyShown : (found?.value ?? null), source, from: name || null };
  });
}

type SettingRow = ReturnType<typeof settingRows>[number];

export function settingsTable(
  rows: readonly SettingRow[],
  { profile, file }: { profile: string | undefined; file: string },
  ui: Ui,
): string {
  const words = ui.texts.profile;
  const { columns } = words;
  const describeSource = ({ source, from }: SettingRow): string =>
    source === null ? ABSENT : words.sources[source](from ?? "");
  const all: Column<SettingRow>[] = [
    column(columns.setting, 1, ({ setting }) => setting),
    column(columns.value, 1, ({ value }) => shown(value), { shrinkTo: 16 }),
    column(columns.from, 2, describeSource, {
      shrinkTo: 12,
      style: (cell, { source }) => (source === null || source === "default" ? ui.theme.dim(cell) : cell),
    }),
  ];
  const text = table(all, rows, ui).trimEnd();
  const lines = [...title(words.show(profile), ui), text, "", ...note(words.file(file), ui)];
  return `${lines.join("\n")}\n`;
}

export async function list(runtime: Runtime): Promise<void> {
  const output = openProfileOutput(runtime, "csv");
  const rows = profileRows(readProfiles(runtime.system));
  const { fields } = runtime.flags;
  await writeList(output, profileFields, rows, {
    fields,
    document: (profiles) => ({ profiles, default: rows.find((row) => row.default)?.name ?? null }),
    view: (ui) => profilesTable(rows, ui, fields),
  });
}

export async function show(runtime: Runtime, name: string | undefined): Promise<void> {
  const output = openProfileOutput(runtime, "csv");
  const { system, texts, flags } = runtime;
  const traced = await traceSettings(system, { ...flags, profile: name ?? flags.profile });
  const rows = settingRows(traced);
  const { profile, sandbox, journal, openKeyFile, openClientKey, unknownKeys } = traced.settings;
  const file = configFile(system);
  const { format, ui } = output;
  if (format === "table") {
    const badge = chooseBadge({ isMock: false, sandbox });
    await output.data(settingsTable(rows, { profile, file }, { ...ui, badge }));
  } else if (format === "csv") {
    const cells = rows.map(({ setting, value, source, from }) => [setting, toCell(value), source, from]);
    const terminal = ui.width !== undefined;
    await output.data(toCsv(["setting", "value", "source", "from"], cells, terminal));
  } else if (format === "ndjson") for (const row of rows) await output.document(row);
  else {
    // Not in one key: a path is for a backup, an address for psql.
    const shown = isDatabase(journal) ? shownDatabase(journal) : null;
    const files = { config_file: file, journal_file: shown === null ? journal : null, journal: shown };
    await output.document({ profile: profile ?? null, ...files, settings: rows });
  }

  for (const open of [openKeyFile, openClientKey])
    if (open !== undefined) await output.warning(texts.profile.keyFileOpen(open));
  for (const { key, similar } of unknownKeys)
    await output.warning(texts.profile.keyUnread(profile ?? "", key, similar));
  if (readMockWish(system.env) !== undefined) await output.warning(texts.profile.mockSet);
}

export async function tell(output: Output, sentence: string, document: object): Promise<void> {
  if (output.format !== "table") await output.document(document);
  else if (!output.quiet) await output.data(`${paragraph(sentence, output.ui).join("\n")}\n`);
}

export async function use(runtime: Runtime, name: string): Promise<void> {
  const output = openProfileOutput(runtime);
  const { system, texts } = runtime;
  await editKnown(system, name, (content) => {
    content.default = name;
  });
  await tell(output, output.ui.texts.profile.used(name), { default: name });
  if (system.env["BPOS_PROFILE"]) await output.warning(texts.profile.overridden(["BPOS_PROFILE"]));
}

export async function remove(
  runtime: Runtime,
  name: string,
  { yes = false }: { yes?: boolean | undefined },
): Promise<void> {
  const output = openProfileOutput(runtime);
  const { system, signal, texts } = runtime;
  const words = texts.profile;
  checkKnown(system, readProfiles(system).profiles, name);
  if (!yes) {
    if (!mayAsk(runtime)) throw new BposError("not_a_terminal", { flag: "--yes" });
    const question = words.ask.remove(name);
    const agrees = await system.prompts.confirm(question, signal, texts.questions).catch(stoppedSetup);
    if (!agrees) throw new BposError("declined", { of: "profile" });
  }

  const { wasDefault, usual } = await editKnown(system, name, (content) => {
    const wasDefault = content.default === name;
    const kept = Object.entries(content.profiles).filter(([each]) => each !== name);
    content.profiles = Object.fromEntries(kept);
    const [only, ...others] = Object.keys(content.profiles);
    if (wasDefault) delete content.default;
    // Of two only one is left to be meant.
    if (wasDefault && only !== undefined && others.length === 0) content.default = only;
    return { wasDefault, usual: content.default ?? null };
  });
  await tell(output, output.ui.texts.profile.removed(name, wasDefault, usual), {
    removed: name,
    default: usual,
  });
}

export async function rename(runtime: Runtime, from: string, to: string): Promise<void> {
  const output = openProfileOutput(runtime);
  const { system } = runtime;
  checkName(to);
  const isDefault = await editKnown(system, from, (content) => {
    if (Object.hasOwn(content.profiles, to)) throw refuse({ kind: "name_taken", name: to });
    const renamed = Object.entries(content.profiles).map(
      ([name, profile]) => [name === from ? to : name, profile] as const,
    );
    content.profiles = Object.fromEntries(renamed);
    if (content.default === from) content.default = to;
    return content.default === to;
  });
  await tell(output, output.ui.texts.profile.renamed(from, to), {
    renamed: from,
    profile: to,
    default: isDefault,
  });
}
