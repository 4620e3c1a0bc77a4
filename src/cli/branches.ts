import { dirname, join } from "node:path";
import { BposError } from "../errors.ts";
import type { RunningMock } from "../mock/index.ts";
import { configFile } from "../settings/folders.ts";
import { readProfiles } from "../settings/profile-file.ts";
import { resolveSettings, type Settings } from "../settings/settings.ts";
import { notAddress } from "./flags.ts";
import { visible } from "./format.ts";
import type { GlobalFlags } from "./global-flags.ts";
import { askedMock } from "./mock-variable.ts";
import type { Runtime } from "./runtime.ts";
import { isUnwritable, worldFailure, worldFile } from "./world-file.ts";

/** A branch that a command works for. */
export interface Branch {
  /** As people name it. */
  name: string;
  settings: Settings;
  isMock: boolean;
  /** The world of the embedded mock; of any other service its answers tell. */
  world: string | undefined;
}

/** Every key of the mock begins like this; a real key must not reach it. */
const mockKeyPrefix = "bpk_demo_";

/** The branches of a run, and what ends with it. */
export interface Branches {
  branches: readonly Branch[];
  close: () => Promise<void>;
}

const nothingToClose = (): Promise<void> => Promise.resolve();

/** What of the flags and the environment asks for the mock: `embedded`, the address of a running one, or neither. */
export function wantedMock({ system, flags }: Runtime): "embedded" | URL | undefined {
  const ownAddress = flags.baseUrl !== undefined || flags.campaignsUrl !== undefined;
  if (flags.mock === true && ownAddress) {
    throw new BposError("usage_flag", { problem: { kind: "mock_and_address" } });
  }
  const asked = ownAddress ? undefined : askedMock(system.env, flags.mock);
  if (typeof asked !== "object") return asked;
  if (!URL.canParse(asked.address)) throw notAddress("BPOS_MOCK", asked.address);
  return new URL(asked.address);
}

/** The embedded mock. Its world is in the state folder; where that cannot be written, it ends with the command. */
async function startEmbedded(runtime: Runtime): Promise<RunningMock> {
  const { system } = runtime;
  const { startMock } = await import("../mock/index.ts");
  const now = (): number => system.clock.now();
  const data = worldFile(system);
  try {
    return await startMock({ data, now });
  } catch (error) {
    if (!isUnwritable(error)) throw worldFailure(error);
    if (runtime.flags.quiet !== true)
      await system.stderr.write(`${visible(runtime.texts.notices.worldNotKept(data))}\n`);
    return startMock({ now });
  }
}

/** The embedded mock as one branch, or as all that it has. */
async function embedded(runtime: Runtime, own: { settings: Settings; all: boolean }): Promise<Branches> {
  const { settings, all } = own;
  const mock = await startEmbedded(runtime);
  const { baseUrl, campaignsBaseUrl, keys, worldId } = mock;
  // A world that ends with this command takes along what is remembered of it.
  const journalFile =
    worldId === null ? ":memory:" : join(dirname(worldFile(runtime.system)), "mock-journal.db");
  const branches = mockKeys(settings, { keys, all }).map(({ branch, key }) => ({
    name: branch,
    settings: { ...settings, baseUrl, campaignsBaseUrl, apiKey: key, journalFile },
    isMock: true,
    world: worldId ?? undefined,
  }));
  return { branches, close: () => mock.close() };
}

/** Which of the mock's keys are meant: every one, the one that is set, or the first; a wrong one of the mock's stays wrong. */
function mockKeys(
  { apiKey }: Settings,
  { keys, all }: { keys: readonly { branch: string; key: string }[]; all: boolean },
): readonly { branch: string; key: string }[] {
  if (all) return keys;
  const known = keys.find(({ key }) => key === apiKey);
  if (known) return [known];
  if (apiKey?.startsWith(mockKeyPrefix)) return [{ branch: "mock", key: apiKey }];
  return keys.slice(0, 1);
}

async function running(own: { settings: Settings; all: boolean }, { origin }: URL): Promise<Branches> {
  const { activeKeys } = await import("../mock/scenarios.ts");
  const { settings, all } = own;
  const branches = mockKeys(settings, { keys: activeKeys, all }).map(({ branch, key }) => ({
    name: branch,
    settings: { ...settings, baseUrl: origin, campaignsBaseUrl: `${origin}/messaging`, apiKey: key },
    isMock: true,
    world: undefined,
  }));
  return { branches, close: nothingToClose };
}

function addressHost({ baseUrl, campaignsBaseUrl }: Settings): string {
  const address = baseUrl ?? campaignsBaseUrl ?? "";
  return URL.canParse(address) ? new URL(address).host : address;
}

async function everyProfile({ system }: Runtime, flags: GlobalFlags): Promise<Branch[]> {
  const profiles = readProfiles(system);
  const names = Object.keys(profiles.profiles);
  if (names.length === 0)
    throw new BposError("usage_flag", { problem: { kind: "all_profiles_none", file: configFile(system) } });
  const branches: Branch[] = [];
  // Each client masks its own key; to look for hundreds of them in every line takes too long.
  const machine = { ...system, hide: () => undefined };
  for (const name of names) {
    const settings = await resolveSettings(machine, { ...flags, profile: name }, { profiles });
    branches.push({ name, settings, isMock: false, world: undefined });
  }
  return branches;
}

/**
 * The branch that flags, environment and profile name, or with `all` every profile's (every branch of the mock in a
 * rehearsal). Starts the embedded mock where that is asked for. Throws what resolving the settings throws.
 */
export async function openBranches(
  runtime: Runtime,
  flags: GlobalFlags,
  { all }: { all: boolean },
): Promise<Branches> {
  const { system } = runtime;
  const wanted = wantedMock(runtime);
  if (all && flags.profile !== undefined)
    throw new BposError("usage_flag", { problem: { kind: "exclusive", flags: ["--all-profiles", "-p"] } });
  if (all && wanted === undefined)
    return { branches: await everyProfile(runtime, flags), close: nothingToClose };
  // A rehearsal works whatever the profile file looks like, unless a profile is named for it.
  const profiles = wanted === undefined || flags.profile !== undefined;
  const settings = await resolveSettings(system, flags, { profiles });
  if (wanted === "embedded") return embedded(runtime, { settings, all });
  if (wanted !== undefined) return running({ settings, all }, wanted);
  const name = settings.profile ?? addressHost(settings);
  return { branches: [{ name, settings, isMock: false, world: undefined }], close: nothingToClose };
}
