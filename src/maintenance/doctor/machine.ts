import { constants } from "node:fs";
import { access, mkdtemp, rmdir, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { tooFarAheadMs, worthSayingMs } from "../../api/ask.ts";
import { checkKey } from "../../api/client.ts";
import { maskKey } from "../../cli/display/format.ts";
import { neededPrinter } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { keyFromCommand } from "../../cli/session/access.ts";
import { openBranches, readWantedMock } from "../../cli/session/branches.ts";
import type { Check, CheckName, Finding } from "../../errors/findings.ts";
import { BposError, type ExitName, exitNames, type Failure, isReason } from "../../errors.ts";
import { installedForm } from "../../own-files.ts";
import { reachPrinter, type Station } from "../../printing/printing.ts";
import { type InspectedProfiles, inspectProfiles } from "../../settings/profile-file.ts";
import { type TracedSettings, traceSettings } from "../../settings/settings.ts";
import { version } from "../../version.ts";

export const pass = (name: CheckName, finding: Finding): Check => ({ name, status: "pass", finding });
export const warn = (name: CheckName, finding: Finding): Check => ({ name, status: "warn", finding });
export const fail = (name: CheckName, finding: Finding, exit: ExitName): Check => ({
  name,
  status: "fail",
  finding,
  exit,
});
export const failBy = (name: CheckName, error: BposError): Check =>
  fail(name, { kind: "failure", failure: error as Failure }, exitNames[error.reason]);
export const unchecked = (name: CheckName, because: CheckName): Check =>
  warn(name, { kind: "unchecked", because });

/** As in package.json, which a test compares. */
const oldestNode = "20.19.0";

export function checkNode(node: string): Check {
  const isGood = node.localeCompare(oldestNode, "en", { numeric: true }) >= 0;
  const form = installedForm();
  const finding: Finding = { kind: "node", version: node, bpos: version, form, oldest: oldestNode };
  return isGood ? pass("node", finding) : fail("node", finding, "config");
}

/** mockTime: what the clock of a mock says, null of any other service. */
export function judgeClock(aheadMs: number | undefined, mockTime: string | null): Check {
  const finding: Finding = { kind: "clock", aheadMs, mockTime };
  // A rehearsal sets it as it likes, and a push to a mock is stamped by it.
  if (mockTime !== null) return pass("clock", finding);
  // A push refuses only a clock that is ahead: `docs/guarantees.md`, Catalog, 5.
  if (aheadMs !== undefined && aheadMs >= tooFarAheadMs) return fail("clock", finding, "config");
  return Math.abs(aheadMs ?? 0) >= worthSayingMs ? warn("clock", finding) : pass("clock", finding);
}

/** That of the profile, or of a station. None for a file or a queue of lp: they would keep or print whatever a try sends. */
export async function checkPrinter(
  { system, signal }: Runtime,
  settings: TracedSettings["settings"],
  { station, limitMs }: { station: Station | undefined; limitMs: number },
): Promise<Check[]> {
  if (station === undefined && settings.printer.url === undefined) return [];

  try {
    const { address, language } = neededPrinter({ printer: station?.printer }, settings, system.platform);
    if (address.kind !== "tcp") return [];

    await reachPrinter({ address, system, signal }, { language, limitMs });
    return [pass("printer", { kind: "printer", url: address.url, station: station?.name ?? null })];
  } catch (error) {
    if (!(error instanceof BposError) || error.reason === "interrupted") throw error;
    return [failBy("printer", error)];
  }
}

/** With less free space than this, in bytes, a large push or a busy watch may stop in the middle. */
const littleSpace = 100 * 1024 * 1024;

async function findNearest(folder: string): Promise<string> {
  const above = dirname(folder);
  const found = await stat(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  });
  return found !== undefined || above === folder ? folder : findNearest(above);
}

export async function checkDisk(folder: string): Promise<Check> {
  try {
    const there = await findNearest(folder);
    const exists = there === folder;
    const { bavail, bsize, blocks } = await statfs(there);
    const free = blocks === 0 ? null : bavail * bsize;
    const finding: Finding = { kind: "disk", folder, free, exists };
    if (free === 0) return fail("disk", finding, "config");

    // Above a folder that does not exist yet this writes nothing to find out.
    if (exists) await rmdir(await mkdtemp(join(there, "doctor-")));
    else await access(there, constants.W_OK);

    return free !== null && free < littleSpace ? warn("disk", finding) : pass("disk", finding);
  } catch (error) {
    return fail("disk", { kind: "disk_unwritable", folder, said: (error as Error).message }, "config");
  }
}

type Traced = TracedSettings & Partial<Record<"profileError" | "keyError" | "journalError", BposError>>;

export type DoctorSettings = Awaited<ReturnType<typeof findSettings>>;

interface Wanted {
  content: InspectedProfiles["content"];
  journal: boolean;
}

/** The settings without what cannot be used: a profile that is not there, a key file that cannot be read, no address of a journal. */
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
    // With a broken file the profile's name leads nowhere, and standard input has been read.
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

/** Starts the mock in a rehearsal. */
export async function findSettings(runtime: Runtime) {
  const { system, flags } = runtime;
  const look = inspectProfiles(system);
  const { content } = look;
  const rehearsal = readWantedMock(runtime);
  const isRehearsal = rehearsal !== undefined;
  const found = await traceUsable(system, flags, { content, journal: rehearsal !== "embedded" });

  // As for every other command, a rehearsal that names no profile ignores what is in the file.
  const isNeeded = !isRehearsal || flags.profile !== undefined;
  const isLost = content === undefined;
  const config = checkConfig(look);

  const { opened, mockError } = isRehearsal ? await openMock(runtime, found, look.error) : {};
  const mock = opened?.branches[0];
  return {
    ...found,
    settings: mock?.settings ?? found.settings,
    config: isNeeded || config.status !== "fail" ? config : warn("config", config.finding),
    profile: isNeeded ? checkProfile(found, isLost) : pass("profile", { kind: "no_profile" }),
    /** The row because of which nobody knows what a profile gives. */
    lost: isLost ? ("config" as const) : found.profileError && ("profile" as const),
    mock,
    mockError,
    close: async () => opened?.close(),
  };
}

/** Runs the profile's `key_command` where the key comes from there. Throws `interrupted`. */
export async function findKey(
  runtime: Runtime,
  { settings, traced, config, lost, keyError, mock, mockError }: DoctorSettings,
  timeoutMs: number,
): Promise<{ key?: string; row: Check }> {
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
    checkKey(key, command === undefined ? (source?.name ?? "mock") : "key_command");
    const finding: Finding = { kind: "key", shown: maskKey(key), source, file };
    return { key, row: file === undefined ? pass("key", finding) : warn("key", finding) };
  } catch (error) {
    if (!(error instanceof BposError) || error.reason === "interrupted") throw error;
    return { row: failBy("key", error) };
  }
}
