import { checkKey } from "../../api/client.ts";
import { type Branch, openBranches, wantedMock } from "../../cli/branches.ts";
import type { GlobalFlags } from "../../cli/command-line.ts";
import { maskKey } from "../../cli/format.ts";
import { keyFromCommand } from "../../cli/profiles.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Check } from "../../errors/doctor-check.ts";
import { BposError, isReason } from "../../errors.ts";
import { type InspectedProfiles, inspectProfiles } from "../../settings/profile-file.ts";
import { type Settings, type Sources, traceSettings } from "../../settings/settings.ts";
import { failedBy, passed, unchecked, warned } from "./rows.ts";

/** A key, masked too, or the row that says why there is none. */
export type KeyReading = { key: string; shown: string; row: Check } | { key: undefined; row: Check };

/** The settings as far as they can be known, whatever part of them is broken. */
export interface DoctorSettings {
  settings: Settings;
  sources: Sources;
  config: Check;
  profile: Check;
  /** The row because of which nobody knows what a profile gives. */
  lost: "config" | "profile" | undefined;
  /** Why the file of `--api-key-file` gives no key. */
  keyError: BposError | undefined;
  /** The branch of the mock in a rehearsal. */
  mock: Branch | undefined;
  /** Why there is no mock although one is asked for. */
  mockError: BposError | undefined;
  close: () => Promise<void>;
}

interface Traced {
  settings: Settings;
  sources: Sources;
  /** The flags without those that cannot be followed. */
  flags: GlobalFlags;
  profileError: BposError | undefined;
  keyError: BposError | undefined;
}

/** Resolves the settings, doing without what cannot be resolved. */
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
  const { settings, sources, keyError } = found;
  const isNamed = given.profile !== undefined || Boolean(system.env["BPOS_PROFILE"]);
  const config = configRow(look, system.platform);
  // As for every other command, what is in the file is of no account to a rehearsal that names no profile.
  const isNeeded = !isRehearsal || given.profile !== undefined;
  const rows = {
    config: isNeeded || config.status !== "fail" ? config : warned("config", config.finding),
    profile: isNeeded ? profileRow(found, look, isNamed) : passed("profile", { kind: "profile_unneeded" }),
  };
  const lost =
    look.content === undefined ? "config" : found.profileError === undefined ? undefined : "profile";
  const still = {
    settings,
    sources,
    ...rows,
    lost,
    keyError,
    mock: undefined,
    mockError: undefined,
  } as const;
  if (!isRehearsal) return { ...still, close: () => Promise.resolve() };
  // With a broken file the profile's name leads nowhere, and standard input has been read.
  const flags = look.error === undefined ? found.flags : { ...found.flags, profile: undefined };
  try {
    const { branches, close } = await openBranches(
      runtime,
      { ...flags, ...(flags.apiKeyFile === "-" && { apiKeyFile: undefined }) },
      { all: false },
    );
    const [mock] = branches;
    return { ...still, mock, settings: mock?.settings ?? settings, close };
  } catch (error) {
    if (!(error instanceof BposError)) throw error;
    return { ...still, mockError: error, close: () => Promise.resolve() };
  }
}

const noKey = (row: Check): KeyReading => ({ key: undefined, row });

/** A key as rows may show it; one that no header can carry is none. */
function reading(key: string, row: (shown: string) => Check, source: string): KeyReading {
  try {
    checkKey(key);
  } catch (error) {
    if (!isReason(error, "key_unreadable")) throw error;
    return noKey(failedBy("key", new BposError("key_unreadable", { ...error.facts, source })));
  }
  const shown = maskKey(key);
  return { key, shown, row: row(shown) };
}

/** Finds the key, running the profile's `key_command` where it comes from there. Throws `interrupted`. */
export async function findKey(
  runtime: Runtime,
  { settings, sources, lost, keyError, mock, mockError }: DoctorSettings,
  timeoutMs: number,
): Promise<KeyReading> {
  const { apiKey, keyCommand, openKeyFile, profile: name } = settings;
  if (mockError !== undefined) return noKey(unchecked("key", "base_url"));
  if (mock !== undefined)
    return reading(
      apiKey ?? "",
      (shown) => passed("key", { kind: "key_of_mock", shown, branch: mock.name }),
      "mock",
    );
  if (keyError !== undefined) return noKey(failedBy("key", keyError));
  if (keyCommand !== undefined) {
    const of = { profile: name ?? "", command: keyCommand, timeoutMs };
    try {
      const key = await keyFromCommand(runtime, of);
      return reading(
        key,
        (shown) => passed("key", { kind: "key_printed", shown, profile: of.profile }),
        "key_command",
      );
    } catch (error) {
      if (!isReason(error, "key_command_failed")) throw error;
      return noKey(failedBy("key", error));
    }
  }
  if (apiKey === undefined || apiKey === "") {
    const missing = new BposError("key_missing", name === undefined ? {} : { profile: name });
    return noKey(lost === undefined ? failedBy("key", missing) : unchecked("key", lost));
  }
  const source = sources.api_key ?? { kind: "default", name: "" };
  return reading(
    apiKey,
    (shown) =>
      openKeyFile === undefined
        ? passed("key", { kind: "key_found", shown, source })
        : warned("key", { kind: "key_file_open", shown, file: openKeyFile }),
    source.name,
  );
}
