import { toCell, toCsv } from "../../cli/display/csv.ts";
import { type FieldsOf, fieldColumns, writeList } from "../../cli/display/fields.ts";
import { ABSENT, maskKey, shown } from "../../cli/display/format.ts";
import { originWords } from "../../cli/display/origin.ts";
import { mayAsk } from "../../cli/display/output.ts";
import { type Column, column, type Listing, listing, table } from "../../cli/display/table.ts";
import { note, title } from "../../cli/display/text.ts";
import { chooseBadge, type Ui } from "../../cli/display/ui.ts";
import { questionWords } from "../../cli/line/questions.ts";
import { type Runtime, readMockWish } from "../../cli/runtime.ts";
import { openKeyWords, unknownKeyWords } from "../../cli/session/access.ts";
import { checkKnown, editKnown } from "../../cli/session/profiles.ts";
import { isDatabase, shownDatabase } from "../../contract/addresses.ts";
import { BposError } from "../../errors.ts";
import { configFile } from "../../settings/folders.ts";
import { type Profile, type ProfileFile, readProfiles } from "../../settings/profile-file.ts";
import { type TracedSettings, traceSettings } from "../../settings/settings.ts";
import { quoted } from "../../texts/phrases.ts";
import { checkName, refuse, stoppedSetup } from "../profile-draft.ts";
import { openProfileOutput, tell } from "../profile-output.ts";
import { mockSetWords, overriddenWords } from "../save-profile.ts";
import type {
  ProfileReport,
  RemoveReport,
  RenameReport,
  SettingReport,
  ShowReport,
  UseReport,
} from "./report.ts";

/** A profile of the list; a `store_id` that is a number in the file is printed as one. */
type ProfileRow = Omit<ProfileReport, "store_id"> & { store_id: string | number | null };

/** Returns a profile with its key masked, and without keys that bpos does not know. */
function toProfileRow(name: string, profile: Profile, usual: string | undefined): ProfileRow {
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

export const profileRows = ({ default: usual, profiles }: ProfileFile): ProfileRow[] =>
  Object.entries(profiles).map(([name, profile]) => toProfileRow(name, profile, usual));

const example = toProfileRow("", {}, undefined);
const profileFields: FieldsOf<ProfileRow> = {
  object: (row) => row,
  example,
  columns: (Object.keys(example) as (keyof ProfileRow)[]).map((name) => [name, (row) => row[name]]),
};

function defaultColumns({ texts: { t }, theme }: Ui): Column<ProfileRow>[] {
  const formatName = (row: ProfileRow): string => `${row.default ? "*" : " "} ${shown(row.name)}`;
  const describeKey = (row: ProfileRow): string => (row.key_command ? "key_command" : shown(row.api_key));
  return [
    column(`  ${t("Profile")}`, 1, formatName, {
      shrinkTo: 12,
      style: (cell, row) => (row.default ? theme.accent(cell) : cell),
    }),
    column(t("Orders and catalog"), 2, (row) => shown(row.base_url), { shrinkTo: 20 }),
    column(t("Campaigns"), 4, (row) => shown(row.campaigns_base_url), { shrinkTo: 20 }),
    column(t("Key"), 2, describeKey),
    column(t("Country"), 5, (row) => shown(row.country)),
    column(t("Kind"), 3, (row) => (row.sandbox ? "SANDBOX" : t("live")), {
      style: (cell, row) => (row.sandbox ? theme.warn(cell) : cell),
    }),
  ];
}

export function profilesTable(rows: readonly ProfileRow[], ui: Ui, chosen?: readonly string[]): Listing {
  const { t } = ui.texts;
  const usual = rows.find((row) => row.default);
  const mark = t(
    usual === undefined
      ? "No profile is the default: choose one with -p, or set it with `bpos profile use NAME`."
      : "* marks the default. `bpos profile show NAME` shows one profile.",
  );
  const none = t("No profiles yet: `bpos init` sets up the first one.");
  const foot = note(rows.length === 0 ? none : mark, ui);
  const columns = chosen ? fieldColumns(profileFields, chosen, rows) : defaultColumns(ui);
  return listing(columns, rows, { head: title(t("Profiles"), ui), foot }, ui);
}

function settingRows({ settings, traced }: TracedSettings): SettingReport[] {
  const { apiKey = "", keyCommand } = settings;
  const unused = keyCommand === undefined ? "key_command" : "api_key";
  const used = Object.entries(traced).filter(([setting]) => setting !== unused);
  return used.map(([setting, found]) => {
    // The output of the command is unknown until the key is needed, and the command itself may hold a secret.
    const keyShown = setting === "api_key" && apiKey !== "" ? maskKey(apiKey) : null;
    const isKey = setting === "api_key" || setting === "key_command";
    const { kind: source = null, name = "" } = found?.source ?? {};
    return { setting, value: isKey ? keyShown : (found?.value ?? null), source, from: name || null };
  });
}

export function settingsTable(
  rows: readonly SettingReport[],
  { profile, file }: { profile: string | undefined; file: string },
  ui: Ui,
): string {
  const { t } = ui.texts;
  const describeSource = ({ source, from }: SettingReport): string =>
    source === null ? ABSENT : originWords({ kind: source, name: from ?? "" }, t);
  const all: Column<SettingReport>[] = [
    column(t("Setting"), 1, ({ setting }) => setting),
    column(t("Value"), 1, ({ value }) => shown(value), { shrinkTo: 16 }),
    column(t("From"), 2, describeSource, {
      shrinkTo: 12,
      style: (cell, { source }) => (source === null || source === "default" ? ui.theme.dim(cell) : cell),
    }),
  ];
  const text = table(all, rows, ui).trimEnd();
  const head =
    profile === undefined
      ? t("Settings without a profile")
      : t("Settings with the profile {name}", { name: profile });
  const foot = note(t("Profiles are stored in {file}.", { file }), ui);
  const lines = [...title(head, ui), text, "", ...foot];
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
  const { t } = texts;
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
    // Not in one key: a path is used for a backup, an address for psql.
    const shown = isDatabase(journal) ? shownDatabase(journal) : null;
    const files = { config_file: file, journal_file: shown === null ? journal : null, journal: shown };
    const report: ShowReport = { profile: profile ?? null, ...files, settings: rows };
    await output.document(report);
  }

  for (const open of [openKeyFile, openClientKey])
    if (open !== undefined) await output.warning(openKeyWords(open, t));
  for (const { key, similar } of unknownKeys)
    await output.warning(unknownKeyWords(profile ?? "", key, similar, t));
  if (readMockWish(system.env) !== undefined) await output.warning(mockSetWords(t));
}

export async function use(runtime: Runtime, name: string): Promise<void> {
  const output = openProfileOutput(runtime);
  const { system, texts } = runtime;
  await editKnown(system, name, (content) => {
    content.default = name;
  });
  const used = output.ui.texts.t("Profile {name} is now the default.", { name: quoted(name) });
  const report: UseReport = { default: name };
  await tell(output, used, report);
  if (system.env["BPOS_PROFILE"]) await output.warning(overriddenWords(["BPOS_PROFILE"], texts.t));
}

export async function remove(
  runtime: Runtime,
  name: string,
  { yes = false }: { yes?: boolean | undefined },
): Promise<void> {
  const output = openProfileOutput(runtime);
  const { system, signal, texts } = runtime;
  checkKnown(system, readProfiles(system).profiles, name);
  if (!yes) {
    if (!mayAsk(runtime)) throw new BposError("not_a_terminal", { flag: "--yes" });
    const question = texts.t("Remove profile {name} and its key?", { name: quoted(name) });
    const agrees = await system.prompts.confirm(question, signal, questionWords(texts.t)).catch(stoppedSetup);
    if (!agrees) throw new BposError("declined", { of: "profile" });
  }

  const { wasDefault, usual } = await editKnown(system, name, (content) => {
    const wasDefault = content.default === name;
    const kept = Object.entries(content.profiles).filter(([each]) => each !== name);
    content.profiles = Object.fromEntries(kept);
    const [only, ...others] = Object.keys(content.profiles);
    if (wasDefault) delete content.default;
    // If one of two is removed, the other becomes the default.
    if (wasDefault && only !== undefined && others.length === 0) content.default = only;
    return { wasDefault, usual: content.default ?? null };
  });
  const { t } = output.ui.texts;
  const gone = t("Profile {name} was removed.", { name: quoted(name) });
  const next =
    usual === null
      ? t("It was the default. No profile is the default now: set one with `bpos profile use NAME`.")
      : t("It was the default. Now {usual} is.", { usual: quoted(usual) });
  const report: RemoveReport = { removed: name, default: usual };
  await tell(output, wasDefault ? `${gone} ${next}` : gone, report);
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
  const renamed = output.ui.texts.t(
    "Profile {from} is now {to}. Its record of deliveries and sends was kept.",
    { from: quoted(from), to: quoted(to) },
  );
  const report: RenameReport = { renamed: from, profile: to, default: isDefault };
  await tell(output, renamed, report);
}
