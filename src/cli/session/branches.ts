import { dirname, join } from "node:path";
import { activeKeys } from "../../contract/limits.ts";
import { BposError } from "../../errors.ts";
import { configFile } from "../../settings/folders.ts";
import { journalPlace } from "../../settings/journal-place.ts";
import { readProfiles } from "../../settings/profile-file.ts";
import { type Settings, traceSettings } from "../../settings/settings.ts";
import { openNotices } from "../display/output.ts";
import { exclusive, notAddress } from "../line/flags.ts";
import type { GlobalFlags } from "../line/global-flags.ts";
import { type EmbeddedMock, type Runtime, readMockWish } from "../runtime.ts";
import { isUnwritable, worldFailure, worldFile } from "./mocks.ts";

export interface Branch {
  name: string;
  settings: Settings;
  isMock: boolean;
  /** The world of the embedded mock, if it outlives the command. */
  world: string | undefined;
}

type Branches = { branches: readonly Branch[]; close: () => Promise<void> };

/** Every key of the mock begins like this; a real key must not reach it. */
const mockKeyPrefix = "bpk_demo_";

/** Returns the mock that flags and environment ask for: `embedded`, the address of a running one, or neither. */
export function readWantedMock({ system, flags }: Runtime): "embedded" | URL | undefined {
  const ownAddress = flags.baseUrl !== undefined || flags.campaignsUrl !== undefined;
  if (flags.mock === true && ownAddress)
    throw exclusive("--mock", flags.baseUrl === undefined ? "--campaigns-url" : "--base-url");
  const asked = ownAddress ? undefined : readMockWish(system.env, flags.mock);
  if (typeof asked !== "object") return asked;
  if (!URL.canParse(asked.address)) throw notAddress("BPOS_MOCK", asked.address);
  return new URL(asked.address);
}

/** The embedded mock. Its world is in the state folder; if that is not writable, the world ends with the command. */
async function startEmbedded(runtime: Runtime): Promise<EmbeddedMock> {
  const { system, flags, texts } = runtime;
  const now = (): number => system.clock.now();
  const data = worldFile(system);
  try {
    return await runtime.startMock({ data, now });
  } catch (error) {
    if (!isUnwritable(error)) throw worldFailure(error);
    const { notice } = openNotices(runtime, flags.quiet === true);
    const notKept = texts.t("Note: cannot write {file}, so the mock's world ends with this command.", {
      file: data,
    });
    await notice(notKept, { event: "world.not_kept" });
    return runtime.startMock({ now });
  }
}

type MockKey = Record<"branch" | "key", string>;

function mockKey({ apiKey }: Settings, keys: readonly MockKey[]): MockKey[] {
  const known = keys.find(({ key }) => key === apiKey);
  if (known === undefined && apiKey?.startsWith(mockKeyPrefix)) return [{ branch: "mock", key: apiKey }];
  return known ? [known] : keys.slice(0, 1);
}

async function openRehearsal(
  runtime: Runtime,
  wanted: "embedded" | URL,
  settings: Settings,
  all: boolean,
): Promise<Branches> {
  const pickKeys = (keys: readonly MockKey[]): readonly MockKey[] => (all ? keys : mockKey(settings, keys));
  if (wanted !== "embedded") {
    const addresses = { baseUrl: wanted.origin, campaignsBaseUrl: `${wanted.origin}/messaging` };
    const branches = pickKeys(activeKeys).map(({ branch, key }) => ({
      name: branch,
      isMock: true,
      world: undefined,
      settings: { ...settings, ...addresses, apiKey: key },
    }));
    return { branches, close: () => Promise.resolve() };
  }
  const mock = await startEmbedded(runtime);
  const { baseUrl, campaignsBaseUrl, worldId } = mock;
  // A world that ends with this command takes its journal along.
  const journal = worldId === null ? ":memory:" : join(dirname(worldFile(runtime.system)), "mock-journal.db");
  const branches = pickKeys(mock.keys).map(({ branch, key }) => ({
    name: branch,
    isMock: true,
    world: worldId ?? undefined,
    settings: { ...settings, baseUrl, campaignsBaseUrl, journal, apiKey: key },
  }));
  return { branches, close: () => mock.close() };
}

async function readEveryProfile({ system }: Runtime, flags: GlobalFlags): Promise<Branch[]> {
  const profiles = readProfiles(system);
  const names = Object.keys(profiles.profiles);
  if (names.length === 0) throw new BposError("profiles_none", { file: configFile(system) });
  const branches: Branch[] = [];
  // Hides its password.
  const journal = journalPlace(system, profiles);
  // Each client masks its own key, because looking for hundreds of keys in every line takes too long.
  const machine = { ...system, hide: () => undefined };
  for (const name of names) {
    const { settings } = await traceSettings(machine, { ...flags, profile: name }, { profiles, journal });
    branches.push({ name, settings, isMock: false, world: undefined });
  }
  return branches;
}

/** The branch that flags, environment and profile name, or with `all` every profile's (in a rehearsal every branch of the mock). */
export async function openBranches(
  runtime: Runtime,
  flags: GlobalFlags,
  { all }: { all: boolean },
): Promise<Branches> {
  const close = (): Promise<void> => Promise.resolve();
  const wanted = readWantedMock(runtime);
  if (all && flags.profile !== undefined) throw exclusive("--all-profiles", "-p");
  if (all && wanted === undefined) return { branches: await readEveryProfile(runtime, flags), close };
  // A rehearsal works with any profile file, unless a profile is named for it.
  const profiles = wanted === undefined || flags.profile !== undefined;
  const journal = wanted !== "embedded";
  const { settings } = await traceSettings(runtime.system, flags, { profiles, journal });
  if (wanted !== undefined) return openRehearsal(runtime, wanted, settings, all);
  const address = settings.baseUrl ?? settings.campaignsBaseUrl ?? "";
  const name = settings.profile ?? (URL.canParse(address) ? new URL(address).host : address);
  return { branches: [{ name, settings, isMock: false, world: undefined }], close };
}
