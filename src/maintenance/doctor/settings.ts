import { checkKey as checkKeyForm } from "../../api/client.ts";
import { maskKey } from "../../cli/display/format.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { keyFromCommand } from "../../cli/session/access.ts";
import { openBranches, readWantedMock } from "../../cli/session/branches.ts";
import type { Check, Finding } from "../../errors/findings.ts";
import { BposError, isReason } from "../../errors.ts";
import { type InspectedProfiles, inspectProfiles } from "../../settings/profile-file.ts";
import { type TracedSettings, traceSettings } from "../../settings/settings.ts";
import { failBy, pass, unchecked, warn } from "./row.ts";

type Traced = TracedSettings & Partial<Record<"profileError" | "keyError" | "journalError", BposError>>;

export type FoundSettings = Awaited<ReturnType<typeof findSettings>>;

interface Wanted {
  content: InspectedProfiles["content"];
  journal: boolean;
}

/** Traces the settings, and leaves out those that cannot be used: a missing profile, an unreadable key file, a journal without an address. */
async function traceUsable(
  system: Runtime["system"],
  flags: Runtime["flags"],
  wanted: Wanted,
): Promise<Traced> {
  const { content, journal } = wanted;
  try {
    return await traceSettings(system, flags, { profiles: content ?? false, journal });
  } catch (error) {
    if (isReason(error, "profile_missing")) {
      const withoutProfile = { ...flags, profile: undefined };
      const rest = await traceUsable(system, withoutProfile, { ...wanted, content: undefined });
      return { ...rest, profileError: error };
    }
    if (isReason(error, "journal_unreadable")) {
      const rest = await traceUsable(system, flags, { ...wanted, journal: false });
      return { ...rest, journalError: error };
    }
    if (isReason(error, "key_unreadable")) {
      const rest = await traceUsable(system, { ...flags, apiKeyFile: undefined }, wanted);
      return { ...rest, keyError: error };
    }
    throw error;
  }
}

function checkConfig({ file, exists, content, error }: InspectedProfiles): Check {
  if (error !== undefined) return failBy("config", error);
  const profiles = exists ? Object.keys(content.profiles).length : null;
  return pass("config", { kind: "config", file, profiles });
}

function checkProfile({ settings, traced, profileError }: Traced, isConfigLost: boolean): Check {
  if (profileError !== undefined) return failBy("profile", profileError);
  if (isConfigLost) return unchecked("profile", "config");

  const { sandbox: isSandbox, unknownKeys: unknown } = settings;
  if (traced.profile === undefined) return pass("profile", { kind: "no_profile" });

  const { value: name, source } = traced.profile;
  const finding: Finding = { kind: "profile", name, source, isSandbox, unknown };
  return unknown.length > 0 ? warn("profile", finding) : pass("profile", finding);
}

type Opened = Awaited<ReturnType<typeof openBranches>>;

/** Starts the mock of a rehearsal, or says why it cannot start. */
async function openMock(
  runtime: Runtime,
  { profileError, keyError }: Traced,
  configError: BposError | undefined,
): Promise<{ opened?: Opened; mockError?: BposError }> {
  const { flags } = runtime;
  const reachable = {
    ...flags,
    // With a broken file the profile's name cannot be resolved, and standard input has been read.
    ...((configError ?? profileError) !== undefined && { profile: undefined }),
    ...((keyError !== undefined || flags.apiKeyFile === "-") && { apiKeyFile: undefined }),
  };
  try {
    return { opened: await openBranches(runtime, reachable, { all: false }) };
  } catch (error) {
    if (!(error instanceof BposError)) throw error;
    return { mockError: error };
  }
}

/** Finds the settings, with their rows; in a rehearsal it starts the mock, until `close` is called. */
export async function findSettings(runtime: Runtime) {
  const { system, flags } = runtime;
  const inspected = inspectProfiles(system);
  const { content } = inspected;
  const rehearsal = readWantedMock(runtime);
  const isRehearsal = rehearsal !== undefined;
  const found = await traceUsable(system, flags, { content, journal: rehearsal !== "embedded" });

  // As for every other command, a rehearsal that names no profile ignores what is in the file.
  const isNeeded = !isRehearsal || flags.profile !== undefined;
  const isLost = content === undefined;
  const config = checkConfig(inspected);

  const { opened, mockError } = isRehearsal ? await openMock(runtime, found, inspected.error) : {};
  const mock = opened?.branches[0];
  return {
    ...found,
    settings: mock?.settings ?? found.settings,
    config: isNeeded || config.status !== "fail" ? config : warn("config", config.finding),
    profile: isNeeded ? checkProfile(found, isLost) : pass("profile", { kind: "no_profile" }),
    /** The row that keeps bpos from reading the profile. */
    lost: isLost ? ("config" as const) : found.profileError && ("profile" as const),
    mock,
    mockError,
    close: async () => opened?.close(),
  };
}

/** Returns the key with its row; runs the profile's `key_command` where there is one. Throws `interrupted`. */
export async function checkKey({
  runtime,
  found,
  limitMs: timeoutMs,
}: {
  runtime: Runtime;
  found: FoundSettings;
  limitMs: number;
}): Promise<{ key?: string; row: Check }> {
  const { settings, traced, config, lost, keyError, mock, mockError } = found;
  const { apiKey = "", profile = "", openKeyFile: file } = settings;
  if (mockError !== undefined) return { row: unchecked("key", "base_url") };
  if (mock === undefined && keyError !== undefined) return { row: failBy("key", keyError) };

  const command = mock === undefined ? settings.keyCommand : undefined;
  // Another user may have written it.
  if (command !== undefined && config.status === "fail") return { row: unchecked("key", "config") };
  const source = (mock === undefined && (traced.key_command ?? traced.api_key)?.source) || null;

  try {
    if (mock === undefined && command === undefined && apiKey === "") {
      if (lost !== undefined) return { row: unchecked("key", lost) };
      throw new BposError("key_missing", profile === "" ? {} : { profile });
    }

    const key =
      command === undefined ? apiKey : await keyFromCommand(runtime, { profile, command, timeoutMs });
    checkKeyForm(key, command === undefined ? (source?.name ?? "mock") : "key_command");
    const finding: Finding = { kind: "key", shown: maskKey(key), source, file };
    return { key, row: file === undefined ? pass("key", finding) : warn("key", finding) };
  } catch (error) {
    if (!(error instanceof BposError) || error.reason === "interrupted") throw error;
    return { row: failBy("key", error) };
  }
}
