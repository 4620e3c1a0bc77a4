import { toCsv } from "../../cli/csv.ts";
import { type FieldsOf, fieldColumns, fieldsCsv } from "../../cli/fields.ts";
import { ABSENT, maskKey, shown } from "../../cli/format.ts";
import type { Ui } from "../../cli/output.ts";
import { type Column, table } from "../../cli/table.ts";
import { note, paragraph, title } from "../../cli/text.ts";
import type { ProfileFile } from "../../settings/profile-file.ts";
import type { SettingName, Source, TracedSettings } from "../../settings/settings.ts";

/** A profile as it may be shown: the key masked, and nothing of what bpos does not know of. */
export interface ProfileRow {
  name: string;
  default: boolean;
  base_url: string | null;
  campaigns_base_url: string | null;
  /** Masked; null where there is none, or a command prints it. */
  api_key: string | null;
  key_command: boolean;
  store_id: string | number | null;
  country: string | null;
  currency: string | null;
  header_field: string | null;
  sandbox: boolean;
}

export function profileRows({ default: usual, profiles }: ProfileFile): ProfileRow[] {
  return Object.entries(profiles).map(([name, profile]) => {
    const hasCommand = (profile.key_command?.trim() ?? "") !== "";
    const key = profile.api_key?.trim() ?? "";
    return {
      name,
      default: name === usual,
      base_url: profile.base_url ?? null,
      campaigns_base_url: profile.campaigns_base_url ?? null,
      api_key: hasCommand || key === "" ? null : maskKey(key),
      key_command: hasCommand,
      store_id: profile.store_id ?? null,
      country: profile.country ?? null,
      currency: profile.currency ?? null,
      header_field: profile.header_field ?? null,
      sandbox: profile.sandbox ?? false,
    };
  });
}

const names = [
  ...["name", "default", "base_url", "campaigns_base_url", "api_key", "key_command"],
  ...["store_id", "country", "currency", "header_field", "sandbox"],
] as const satisfies readonly (keyof ProfileRow)[];

export const profileFields: FieldsOf<ProfileRow> = {
  object: (row) => ({ ...row }),
  example: Object.fromEntries(names.map((name) => [name, null])),
  columns: names.map((name) => [name, (row) => row[name]]),
};

function usualColumns({ texts, theme }: Ui): Column<ProfileRow>[] {
  const words = texts.profile;
  const { columns } = words;
  return [
    {
      title: columns.profile,
      cell: (row) => `${row.default ? "*" : " "} ${shown(row.name)}`,
      priority: 1,
      shrinkTo: 12,
      style: (cell, row) => (row.default ? theme.accent(cell) : cell),
    },
    { title: columns.baseUrl, cell: (row) => shown(row.base_url), priority: 2, shrinkTo: 20 },
    { title: columns.campaignsUrl, cell: (row) => shown(row.campaigns_base_url), priority: 4, shrinkTo: 20 },
    {
      title: columns.key,
      cell: (row) => (row.key_command ? words.byCommand : shown(row.api_key)),
      priority: 2,
    },
    { title: columns.country, cell: (row) => shown(row.country), priority: 5 },
    {
      title: columns.kind,
      cell: (row) => (row.sandbox ? "SANDBOX" : words.live),
      priority: 3,
      style: (cell, row) => (row.sandbox ? theme.warn(cell) : cell),
    },
  ];
}

/** The profiles as a table, the default one marked; `chosen` are the fields that are shown instead of the usual columns. */
export function profilesTable(rows: readonly ProfileRow[], ui: Ui, chosen?: readonly string[]): string {
  const words = ui.texts.profile;
  if (rows.length === 0) return `${[...title(words.title, ui), ...note(words.none, ui)].join("\n")}\n`;
  const text = table(chosen ? fieldColumns(profileFields, chosen, rows) : usualColumns(ui), rows, ui);
  const usual = rows.find((row) => row.default);
  const mark = usual === undefined ? words.noDefault : words.marked;
  return `${[...title(words.title, ui), text.trimEnd(), "", ...note(mark, ui)].join("\n")}\n`;
}

export function profilesCsv(rows: readonly ProfileRow[], ui: Ui, chosen?: readonly string[]): string {
  return fieldsCsv(profileFields, chosen, rows, ui);
}

/** A setting in force and who set it. */
export interface SettingRow {
  setting: SettingName;
  value: string | number | boolean | null;
  /** Null where nobody set it. */
  source: Source["kind"] | null;
  /** The flag, the variable or the profile. */
  from: string | null;
}

export function settingRows({ settings, sources }: TracedSettings): SettingRow[] {
  const values: [SettingName, SettingRow["value"] | undefined][] = [
    ["profile", settings.profile],
    ["base_url", settings.baseUrl],
    ["campaigns_base_url", settings.campaignsBaseUrl],
    // What the command prints is unknown until the key is needed, and the command itself may hold a secret.
    settings.keyCommand === undefined
      ? ["api_key", settings.apiKey ? maskKey(settings.apiKey) : undefined]
      : ["key_command", undefined],
    ["store_id", settings.storeId],
    ["country", settings.country],
    ["currency", settings.currency],
    ["locale", settings.locale],
    ["header_field", settings.headerField],
    ["sandbox", settings.sandbox],
  ];
  return values.map(([setting, value]) => {
    const source = sources[setting];
    return { setting, value: value ?? null, source: source?.kind ?? null, from: source?.name || null };
  });
}

/** The settings in force as a table, each with who set it. */
export function settingsTable(
  rows: readonly SettingRow[],
  { profile, file }: { profile: string | undefined; file: string },
  ui: Ui,
): string {
  const words = ui.texts.profile;
  const { columns } = words;
  const cellOf = ({ setting, value }: SettingRow): string => {
    if (setting === "key_command") return words.byCommand;
    if (setting === "sandbox") return value === true ? words.yes : words.no;
    return shown(value);
  };
  const text = table<SettingRow>(
    [
      { title: columns.setting, cell: ({ setting }) => words.settings[setting], priority: 1 },
      { title: columns.value, cell: cellOf, priority: 1, shrinkTo: 16 },
      {
        title: columns.from,
        cell: ({ source, from }) => (source === null ? ABSENT : words.sources[source](from ?? "")),
        priority: 2,
        shrinkTo: 12,
        style: (cell, { source }) => (source === null || source === "default" ? ui.theme.dim(cell) : cell),
      },
    ],
    rows,
    ui,
  );
  const head = title(profile === undefined ? words.showNone : words.show(profile), ui);
  return `${[...head, text.trimEnd(), "", ...note(words.file(file), ui)].join("\n")}\n`;
}

export function settingsCsv(rows: readonly SettingRow[], ui: Ui): string {
  const cells = rows.map(({ setting, value, source, from }) => [setting, value, source, from]);
  return toCsv(["setting", "value", "source", "from"], cells, { terminal: ui.width !== undefined });
}

/** What became of a new profile, and the first command to try. */
export function profileKept(
  kept: { profile: string; default: string | null; config_file: string },
  { first, isPlain, sandbox }: { first: string; isPlain: boolean; sandbox: boolean },
  ui: Ui,
): string {
  const words = ui.texts.profile;
  const isDefault = kept.default === kept.profile;
  const command = words.firstCommand(isPlain ? null : kept.profile, first);
  const lines = [
    ...paragraph(words.kept(kept.profile, kept.config_file), ui).map(ui.theme.good),
    ...paragraph(isDefault ? words.isDefault : words.notDefault(kept.default, kept.profile), ui),
    ...(sandbox ? paragraph(words.isSandbox, ui) : []),
    ...paragraph(words.first, ui),
    `  ${ui.theme.accent(command)}`,
  ];
  return `${lines.join("\n")}\n`;
}
