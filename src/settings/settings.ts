import { join } from "node:path";
import { looksLikeKey, maskedKey } from "../errors/mask-key.ts";
import { similarTo } from "../errors/similar.ts";
import { BposError } from "../errors.ts";
import { configFile, folders, type Machine } from "./folders.ts";
import { type FileKey, type KeyReader, keyFromFile } from "./key-file.ts";
import {
  type Profile,
  type ProfileFile,
  profileOf,
  readProfiles,
  type UnknownKey,
  unknownKeys,
} from "./profile-file.ts";

/** The flags that have a say in the settings. */
export interface SettingFlags {
  profile?: string | undefined;
  baseUrl?: string | undefined;
  campaignsUrl?: string | undefined;
  apiKeyFile?: string | undefined;
}

/** What a command needs to know of the branch that it works for; what nobody set is undefined. */
export interface Settings {
  /** The profile's name, or undefined when the settings come without one. */
  profile: string | undefined;
  baseUrl: string | undefined;
  campaignsBaseUrl: string | undefined;
  apiKey: string | undefined;
  /** The shell line that prints the key, where that is where the key comes from; `apiKey` is undefined then. */
  keyCommand: string | undefined;
  /** Where the key comes from, as a person would look for it; a file by its name. */
  keySource: string | undefined;
  /** The file that the key was read from, where others may read it too. */
  openKeyFile: string | undefined;
  storeId: string | number | undefined;
  country: string | undefined;
  currency: string;
  locale: string;
  headerField: string | undefined;
  sandbox: boolean;
  journalFile: string;
  /** How the columns of catalog files are called: field to header. */
  map: Readonly<Record<string, string>> | undefined;
  /** What stands in the profile and is not read. */
  unknownKeys: readonly UnknownKey[];
}

/** Who set something: a flag or a variable by its name, a profile, the profile file as a whole, or bpos itself. */
export interface Source {
  kind: "flag" | "environment" | "profile" | "config" | "default";
  name: string;
}

const ownFields = ["store_id", "country", "currency", "locale", "header_field", "sandbox"] as const;
/** What is as it is although nobody set it. */
const byDefault: ReadonlySet<string> = new Set(["currency", "locale", "sandbox"]);

/** The settings that have a source, under their names in a profile. */
export type SettingName =
  | ("profile" | "base_url" | "campaigns_base_url" | "api_key" | "key_command")
  | (typeof ownFields)[number];

/** Where the settings came from; what nobody set is undefined. */
export type Sources = Partial<Record<SettingName, Source | undefined>>;

/** The narrow part of the System that settings are resolved in. */
export type SettingsMachine = Machine & KeyReader;

/** Settings, and where each of them came from. */
export interface TracedSettings {
  settings: Settings;
  sources: Sources;
}

type Found<T> = { value: T; source: Source } | undefined;

interface Chosen {
  name: string | undefined;
  source: Source | undefined;
  profile: Profile | undefined;
}

const found = <T>(value: T | undefined, kind: Source["kind"], name: string): Found<T> =>
  value === undefined ? undefined : { value, source: { kind, name } };

function chosenProfile(machine: Machine, flags: SettingFlags, profiles: boolean | ProfileFile): Chosen {
  const none: Chosen = { name: undefined, source: undefined, profile: undefined };
  if (profiles === false) return none;
  const content = profiles === true ? readProfiles(machine) : profiles;
  const chosen =
    found(flags.profile, "flag", "-p") ??
    found(machine.env["BPOS_PROFILE"] || undefined, "environment", "BPOS_PROFILE") ??
    found(content.default, "config", "default");
  if (chosen === undefined) return none;
  const { value: name, source } = chosen;
  const profile = profileOf(content.profiles, name);
  if (profile !== undefined) return { name, source, profile };
  const known = Object.keys(content.profiles);
  throw new BposError("profile_missing", {
    name: looksLikeKey(name) ? maskedKey(name) : name,
    similar: similarTo(name, known),
    known,
    file: configFile(machine),
  });
}

/** A key, or the shell line that prints it. */
interface KeyOrigin {
  key?: string | undefined;
  command?: string | undefined;
}

// A key from an .env file of another system may carry its line break along.
const asKey = (value: string | undefined): KeyOrigin | undefined =>
  value === undefined ? undefined : { key: value.trim() };

interface Picked {
  baseUrl: Found<string>;
  campaignsBaseUrl: Found<string>;
  key: Found<KeyOrigin>;
  keyFile: FileKey | undefined;
}

async function picked(machine: SettingsMachine, flags: SettingFlags, chosen: Chosen): Promise<Picked> {
  const { profile, name = "" } = chosen;
  const own = <T>(value: T | undefined): Found<T> => found(value, "profile", name);
  const variable = (of: string): string | undefined => machine.env[of] || undefined;
  const pick = <T>(flag: Found<T>, env: Found<T>, ofProfile: Found<T>): Found<T> =>
    flag ?? (flags.profile !== undefined ? (ofProfile ?? env) : (env ?? ofProfile));
  const address = (flag: Found<string>, of: string, value: string | undefined): Found<string> =>
    pick(flag, found(variable(of), "environment", of), own(value));
  const keyFile = flags.apiKeyFile === undefined ? undefined : await keyFromFile(machine, flags.apiKeyFile);
  const command = profile?.key_command?.trim() || undefined;
  return {
    baseUrl: address(found(flags.baseUrl, "flag", "--base-url"), "BPOS_BASE_URL", profile?.base_url),
    campaignsBaseUrl: address(
      found(flags.campaignsUrl, "flag", "--campaigns-url"),
      "BPOS_CAMPAIGNS_URL",
      profile?.campaigns_base_url,
    ),
    key: pick(
      found(asKey(keyFile?.key), "flag", "--api-key-file"),
      found(asKey(variable("BPOS_API_KEY")), "environment", "BPOS_API_KEY"),
      own(command === undefined ? asKey(profile?.api_key) : { command }),
    ),
    keyFile,
  };
}

function keySourceOf({ key }: Picked, flags: SettingFlags): string | undefined {
  if (key?.source.kind === "flag") return flags.apiKeyFile;
  return key?.source.kind === "profile" ? `profiles.${key.source.name}.api_key` : key?.source.name;
}

function sourcesOf(
  { name = "", source, profile }: Chosen,
  { baseUrl, campaignsBaseUrl, key }: Picked,
): Sources {
  const sources: Sources = {
    profile: source,
    base_url: baseUrl?.source,
    campaigns_base_url: campaignsBaseUrl?.source,
    [key?.value.command === undefined ? "api_key" : "key_command"]: key?.source,
  };
  for (const field of ownFields) {
    if (profile?.[field] !== undefined) sources[field] = { kind: "profile", name };
    else if (byDefault.has(field)) sources[field] = { kind: "default", name: "" };
  }
  return sources;
}

/** As `resolveSettings`, with where each setting came from. */
export async function traceSettings(
  machine: SettingsMachine,
  flags: SettingFlags,
  { profiles = true }: { profiles?: boolean | ProfileFile } = {},
): Promise<TracedSettings> {
  const chosen = chosenProfile(machine, flags, profiles);
  const pick = await picked(machine, flags, chosen);
  const { profile, name } = chosen;
  machine.hide(pick.key?.value.key ?? "");
  const settings: Settings = {
    profile: name,
    baseUrl: pick.baseUrl?.value,
    campaignsBaseUrl: pick.campaignsBaseUrl?.value,
    apiKey: pick.key?.value.key,
    keyCommand: pick.key?.value.command,
    keySource: keySourceOf(pick, flags),
    openKeyFile: pick.keyFile?.isOpen === true ? flags.apiKeyFile : undefined,
    storeId: profile?.store_id,
    country: profile?.country,
    currency: profile?.currency ?? "ARS",
    locale: profile?.locale ?? "es-AR",
    headerField: profile?.header_field,
    sandbox: profile?.sandbox ?? false,
    journalFile: join(folders(machine).state, "journal.db"),
    map: profile?.map,
    unknownKeys: profile === undefined ? [] : unknownKeys(profile),
  };
  return { settings, sources: sourcesOf(chosen, pick) };
}

/**
 * Resolves flag, then environment, then profile; a profile named by flag comes before the environment. In a profile a
 * `key_command` comes before an `api_key`; it is not run here. Throws `profile_missing`, `config_unreadable`, `config_open`
 * and `key_unreadable`.
 *
 * @param options.profiles what the profile file holds, where it was read already; false does without it: a rehearsal
 * needs no set-up.
 *
 * @example
 * const settings = await resolveSettings(system, { profile: "centro" });
 */
export async function resolveSettings(
  machine: SettingsMachine,
  flags: SettingFlags,
  options: { profiles?: boolean | ProfileFile } = {},
): Promise<Settings> {
  return (await traceSettings(machine, flags, options)).settings;
}
