import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { BposError } from "../errors.ts";
import { folders, type Machine } from "./folders.ts";
import { type Profile, type ProfileFile, readProfiles } from "./profile-file.ts";

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
  storeId: string | number | undefined;
  country: string | undefined;
  currency: string;
  locale: string;
  headerField: string | undefined;
  sandbox: boolean;
  journalFile: string;
  /** How the columns of catalog files are called: field to header. */
  map: Readonly<Record<string, string>> | undefined;
}

function chosenProfile(file: string, content: ProfileFile, name: string | undefined): Profile | undefined {
  if (name === undefined) return undefined;
  const profile = Object.hasOwn(content.profiles, name) ? content.profiles[name] : undefined;
  if (!profile) throw new BposError("profile_missing", { name, known: Object.keys(content.profiles), file });
  return profile;
}

async function keyFromFile(source: string, stdin: AsyncIterable<Uint8Array>, cwd: string): Promise<string> {
  try {
    const chunks: Uint8Array[] = [];
    if (source === "-") for await (const chunk of stdin) chunks.push(chunk);
    else chunks.push(readFileSync(resolve(cwd, source)));
    const key = Buffer.concat(chunks).toString("utf8").trim();
    if (key === "") throw new Error("it is empty");
    return key;
  } catch (error) {
    throw new BposError("key_unreadable", { source, detail: (error as Error).message }, { cause: error });
  }
}

/**
 * Resolves flag, then environment, then profile; a profile named by flag comes before the environment.
 * Throws `profile_missing`, `config_unreadable` and `key_unreadable`.
 *
 * @param options.profiles what the profile file holds, where it was read already; false does without it: a rehearsal
 * needs no set-up.
 *
 * @example
 * const settings = await resolveSettings(system, { profile: "centro" });
 */
export async function resolveSettings(
  machine: Machine & { stdin: AsyncIterable<Uint8Array>; cwd: string },
  flags: SettingFlags,
  { profiles = true }: { profiles?: boolean | ProfileFile } = {},
): Promise<Settings> {
  const { env } = machine;
  const { config, state } = folders(machine);
  const file = join(config, "config.json");
  const content = profiles === true ? readProfiles(file) : profiles || { profiles: {} };
  const name =
    profiles === false ? undefined : (flags.profile ?? (env["BPOS_PROFILE"] || undefined) ?? content.default);
  const profile = chosenProfile(file, content, name);
  const pick = (flag: string | undefined, variable: string, own: string | undefined): string | undefined => {
    const fromEnv = env[variable] || undefined;
    return flag ?? (flags.profile !== undefined ? (own ?? fromEnv) : (fromEnv ?? own));
  };
  const keyFlag =
    flags.apiKeyFile === undefined
      ? undefined
      : await keyFromFile(flags.apiKeyFile, machine.stdin, machine.cwd);
  return {
    profile: name,
    baseUrl: pick(flags.baseUrl, "BPOS_BASE_URL", profile?.base_url),
    campaignsBaseUrl: pick(flags.campaignsUrl, "BPOS_CAMPAIGNS_URL", profile?.campaigns_base_url),
    // A key from an .env file of another system may carry its line break along.
    apiKey: pick(keyFlag, "BPOS_API_KEY", profile?.api_key)?.trim(),
    storeId: profile?.store_id,
    country: profile?.country,
    currency: profile?.currency ?? "ARS",
    locale: profile?.locale ?? "es-AR",
    headerField: profile?.header_field,
    sandbox: profile?.sandbox ?? false,
    journalFile: join(state, "journal.db"),
    map: profile?.map,
  };
}
