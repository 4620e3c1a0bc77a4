import { chosenObjects } from "../../cli/fields.ts";
import { badgeOf, mayAsk, type Output, openOutput } from "../../cli/output.ts";
import { checkKnown, checkName, editKnown, refused, stoppedSetup } from "../../cli/profiles.ts";
import { askedMock, type Runtime } from "../../cli/runtime.ts";
import { BposError } from "../../errors.ts";
import { configFile } from "../../settings/folders.ts";
import { readProfiles } from "../../settings/profile-file.ts";
import { traceSettings } from "../../settings/settings.ts";
import { refuseRehearsal } from "./add.ts";

function openChange(runtime: Runtime): Output {
  refuseRehearsal(runtime.flags);
  return openOutput(runtime, ["table", "json", "ndjson"]);
}

/** Says what became of the file: a sentence for a person, a document for a script. */
async function tell(output: Output, sentence: string, document: object): Promise<void> {
  const { paragraph } = await import("../../cli/text.ts");
  if (output.format !== "table") await output.document(document);
  else if (!output.quiet) await output.data(`${paragraph(sentence, output.ui).join("\n")}\n`);
}

/** Runs `bpos profile list`. */
export async function list(runtime: Runtime): Promise<void> {
  const { flags } = runtime;
  refuseRehearsal(flags);
  const output = openOutput(runtime, ["table", "json", "ndjson", "csv"]);
  const { profileFields, profileRows, profilesCsv, profilesTable } = await import("./view.ts");
  const rows = profileRows(readProfiles(runtime.system));
  const { format } = output;
  const { fields } = flags;
  const objects = await chosenObjects(profileFields, rows, { fields, format });
  if (format === "table") await output.data(profilesTable(rows, output.ui, fields));
  else if (format === "csv") await output.data(profilesCsv(rows, output.ui, fields));
  else if (format === "ndjson") for (const each of objects) await output.document(each);
  else await output.document({ profiles: objects, default: rows.find((row) => row.default)?.name ?? null });
}

/** Runs `bpos profile show [NAME]`. */
export async function show(runtime: Runtime, name: string | undefined): Promise<void> {
  const { flags } = runtime;
  refuseRehearsal(flags);
  const output = openOutput(runtime, ["table", "json", "ndjson", "csv"]);
  const { system, texts } = runtime;
  const traced = await traceSettings(system, { ...flags, profile: name ?? flags.profile });
  const { settingRows, settingsCsv, settingsTable } = await import("./view.ts");
  const rows = settingRows(traced);
  const { settings } = traced;
  const files = { config_file: configFile(system), journal_file: settings.journalFile };
  const badge = badgeOf({ isMock: false, sandbox: settings.sandbox });
  const about = { profile: settings.profile, file: files.config_file };
  if (output.format === "table") await output.data(settingsTable(rows, about, { ...output.ui, badge }));
  else if (output.format === "csv") await output.data(settingsCsv(rows, output.ui));
  else if (output.format === "ndjson") for (const row of rows) await output.document(row);
  else await output.document({ profile: settings.profile ?? null, ...files, settings: rows });
  if (settings.openKeyFile !== undefined)
    await output.warning(texts.profile.keyFileOpen(settings.openKeyFile));
  for (const { key, similar } of settings.unknownKeys)
    await output.warning(texts.profile.keyUnread(settings.profile ?? "", key, similar));
  if (askedMock(system.env) !== undefined) await output.warning(texts.profile.mockSet);
}

/** Runs `bpos profile use NAME`. */
export async function use(runtime: Runtime, name: string): Promise<void> {
  const output = openChange(runtime);
  const { system, texts } = runtime;
  await editKnown(system, name, (content) => {
    content.default = name;
  });
  await tell(output, texts.profile.used(name), { default: name });
  if (system.env["BPOS_PROFILE"]) await output.warning(texts.profile.overridden(["BPOS_PROFILE"]));
}

/** Runs `bpos profile remove NAME`. */
export async function remove(runtime: Runtime, name: string, yes: boolean): Promise<void> {
  const output = openChange(runtime);
  const { system, signal, texts } = runtime;
  const words = texts.profile;
  checkKnown(system, readProfiles(system).profiles, name);
  if (!yes) {
    if (!mayAsk(runtime)) throw new BposError("not_a_terminal", { flag: "--yes" });
    const asked = system.prompts.confirm(words.ask.remove(name), signal, texts.questions);
    if (!(await asked.catch(stoppedSetup))) throw new BposError("declined", { of: "profile" });
  }
  const { wasDefault, rest } = await editKnown(system, name, (content) => {
    const before = content.default;
    content.profiles = Object.fromEntries(Object.entries(content.profiles).filter(([each]) => each !== name));
    const names = Object.keys(content.profiles);
    if (before === name) {
      // Of two only one is left to be meant.
      if (names.length === 1 && names[0] !== undefined) content.default = names[0];
      else delete content.default;
    }
    return { wasDefault: before === name, rest: { default: content.default ?? null, names } };
  });
  const sentence = words.removed(name, { wasDefault, ...rest });
  await tell(output, sentence, { removed: name, default: rest.default });
}

/** Runs `bpos profile rename OLD NEW`. */
export async function rename(runtime: Runtime, from: string, to: string): Promise<void> {
  const output = openChange(runtime);
  const { system, texts } = runtime;
  checkName(to);
  const isDefault = await editKnown(system, from, (content) => {
    if (Object.hasOwn(content.profiles, to)) throw refused({ kind: "name_taken", name: to });
    content.profiles = Object.fromEntries(
      Object.entries(content.profiles).map(([name, profile]) => [name === from ? to : name, profile]),
    );
    if (content.default === from) content.default = to;
    return content.default === to;
  });
  await tell(output, texts.profile.renamed(from, to), { renamed: from, profile: to, default: isDefault });
}
