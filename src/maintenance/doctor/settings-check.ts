import { checkKey } from "../../api/client.ts";
import { type Branch, openBranches, wantedMock } from "../../cli/branches.ts";
import type { GlobalFlags } from "../../cli/command-line.ts";
import { maskKey } from "../../cli/format.ts";
import { keyFromCommand } from "../../cli/profiles.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Check } from "../../errors.ts";
import { BposError, isReason } from "../../errors.ts";
import { type InspectedProfiles, inspectProfiles } from "../../settings/profile-file.ts";
import { type Settings, type Sources, traceSettings } from "../../settings/settings.ts";
import { failedBy, passed, unchecked, warned } from "./rows.ts";

export type KeyReading = { key: string; shown: string; row: Check } | { key: undefined; row: Check };

interface Traced {
  settings: Settings;
  sources: Sources;
  flags: GlobalFlags;
  profileError: BposError | undefined;
  keyError: BposError | undefined;
}

export interface DoctorSettings extends Traced {
  config: Check;
  profile: Check;
  /** The row because of which nobody knows what a profile gives. */
  lost: "config" | "profile" | undefined;
  mock?: Branch | undefined;
  mockError?: BposError;
  close: () => Promise<void>;
}

async function traced(runtime: Runtime, given: GlobalFlags, look: InspectedProfiles): Promise<Traced> {
  let flags = given;
  let content = look.content;
  const errors: Pick<Traced, "profileError" | "keyError"> = { profileError: undefined, keyError: undefined };
  for (;;) {
    try {
      const found = await traceSettings(runtime.system, flags, { profiles: content ?? false });
      return { ...found, flags, ...errors };
    } catch (error) {
      if (isReason(error, "profile_missing")) {
        errors.profileError = error;
        content = undefined;
        flags = { ...flags, profile: undefined };
      } else if (isReason(error, "key_unreadable")) {
        errors.keyError = error;
        flags = { ...flags, apiKeyFile: undefined };
      } else throw error;
    }
  }
}

function configRow({ file, exists, content, error }: InspectedProfiles, platform: NodeJS.Platform): Check {
  if (error !== undefined) return failedBy("config", error);
  if (!exists) return passed("config", { kind: "config_none", file });
  const profiles = Object.keys(content?.profiles ?? {}).length;
  return passed("config", { kind: "config_good", file, profiles, isPrivate: platform !== "win32" });
}

function profileRow(
  { settings, sources, profileError }: Traced,
  look: InspectedProfiles,
  isNamed: boolean,
): Check {
  if (profileError !== undefined) return failedBy("profile", profileError);
  if (look.content === undefined && (isNamed || look.error !== undefined))
    return unchecked("profile", "config");
  const { profile: name, sandbox: isSandbox } = settings;
  const { profile: source } = sources;
  if (name === undefined || source === undefined) return passed("profile", { kind: "profile_none" });
  if (settings.unknownKeys.length > 0)
    return warned("profile", { kind: "profile_unread", name, keys: settings.unknownKeys });
  return passed("profile", { kind: "profile_used", name, source, isSandbox });
}

/** Finds out where the settings are and where they come from; starts the mock in a rehearsal. */
export async function findSettings(runtime: Runtime): Promise<DoctorSettings> {
  const { system, flags: given } = runtime;
  const isRehearsal = wantedMock(runtime) !== undefined;
  const look = inspectProfiles(system);
  const found = await traced(runtime, given, look);
  const isNamed = given.profile !== undefined || Boolean(system.env["BPOS_PROFILE"]);
  const config = configRow(look, system.platform);
  // As for every other command, what is in the file is of no account to a rehearsal that names no profile.
  const isNeeded = !isRehearsal || given.profile !== undefined;
  const still: DoctorSettings = {
    ...found,
    config: isNeeded || config.status !== "fail" ? config : warned("config", config.finding),
    profile: isNeeded ? profileRow(found, look, isNamed) : passed("profile", { kind: "profile_unneeded" }),
    lost: look.content === undefined ? "config" : found.profileError && "profile",
    close: () => Promise.resolve(),
  };
  if (!isRehearsal) return still;
  const flags = {
    ...found.flags,
    // With a broken file the profile's name leads nowhere, and standard input has been read.
    ...(look.error !== undefined && { profile: undefined }),
    ...(found.flags.apiKeyFile === "-" && { apiKeyFile: undefined }),
  };
  try {
    const { branches, close } = await openBranches(runtime, flags, { all: false });
    const [mock] = branches;
    return { ...still, mock, settings: mock?.settings ?? found.settings, close };
  } catch (error) {
    if (!(error instanceof BposError)) throw error;
    return { ...still, mockError: error as BposError };
  }
}

/** Finds the key, running the profile's `key_command` where it comes from there. Throws `interrupted`. */
export async function findKey(
  runtime: Runtime,
  found: DoctorSettings,
  timeoutMs: number,
): Promise<KeyReading> {
  const { settings, sources, lost, keyError, mock, mockError } = found;
  const { apiKey = "", keyCommand: command, openKeyFile: file, profile } = settings;
  if (mockError !== undefined) return { key: undefined, row: unchecked("key", "base_url") };
  if (mock === undefined && keyError !== undefined) return { key: undefined, row: failedBy("key", keyError) };
  const isCommand = mock === undefined && command !== undefined;
  if (mock === undefined && !isCommand && apiKey === "") {
    const missing = new BposError("key_missing", profile === undefined ? {} : { profile });
    return { key: undefined, row: lost === undefined ? failedBy("key", missing) : unchecked("key", lost) };
  }
  const name = profile ?? "";
  const source = sources.api_key ?? { kind: "default", name: "" };
  try {
    const key = isCommand ? await keyFromCommand(runtime, { profile: name, command, timeoutMs }) : apiKey;
    checkKey(key, isCommand ? "key_command" : mock === undefined ? source.name : "mock");
    const shown = maskKey(key);
    const row = (): Check => {
      if (mock !== undefined) return passed("key", { kind: "key_of_mock", shown, branch: mock.name });
      if (isCommand) return passed("key", { kind: "key_printed", shown, profile: name });
      if (file !== undefined) return warned("key", { kind: "key_file_open", shown, file });
      return passed("key", { kind: "key_found", shown, source });
    };
    return { key, shown, row: row() };
  } catch (error) {
    if (isReason(error, "key_command_failed") || isReason(error, "key_unreadable"))
      return { key: undefined, row: failedBy("key", error) };
    throw error;
  }
}
