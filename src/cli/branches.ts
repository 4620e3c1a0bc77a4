import { dirname, join } from "node:path";
import { askService, askWorld } from "../api/ask.ts";
import type { Client, Heard } from "../api/client.ts";
import type { Dispatcher } from "../api/transport.ts";
import type { Endpoint } from "../contract/endpoints.ts";
import { isLoopback } from "../contract/public-host.ts";
import { BposError } from "../errors.ts";
import type { Journal } from "../journal/journal.ts";
import type { RunningMock } from "../mock/index.ts";
import { configFile } from "../settings/folders.ts";
import { readProfiles } from "../settings/profile-file.ts";
import { resolveSettings, type Settings } from "../settings/settings.ts";
import type { GlobalFlags } from "./command-line.ts";
import { exclusive, notAddress } from "./flags.ts";
import { visible } from "./format.ts";
import { isUnwritable, worldFailure, worldFile } from "./mocks.ts";
import { askedMock, type Runtime } from "./runtime.ts";

export interface Branch {
  name: string;
  settings: Settings;
  isMock: boolean;
  world: string | undefined;
}

/** Every key of the mock begins like this; a real key must not reach it. */
const mockKeyPrefix = "bpk_demo_";

interface Branches {
  branches: readonly Branch[];
  close: () => Promise<void>;
}

const nothingToClose = (): Promise<void> => Promise.resolve();

/** What of the flags and the environment asks for the mock: `embedded`, the address of a running one, or neither. */
export function wantedMock({ system, flags }: Runtime): "embedded" | URL | undefined {
  const ownAddress = flags.baseUrl !== undefined || flags.campaignsUrl !== undefined;
  if (flags.mock === true && ownAddress)
    throw exclusive("--mock", flags.baseUrl === undefined ? "--campaigns-url" : "--base-url");
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

/** Which of the mock's keys are meant: the one that is set, or the first; a wrong one of the mock's stays wrong. */
function mockKeys(
  { apiKey }: Settings,
  keys: readonly { branch: string; key: string }[],
): readonly { branch: string; key: string }[] {
  const known = keys.find(({ key }) => key === apiKey);
  if (known) return [known];
  if (apiKey?.startsWith(mockKeyPrefix)) return [{ branch: "mock", key: apiKey }];
  return keys.slice(0, 1);
}

async function rehearsal(
  runtime: Runtime,
  wanted: "embedded" | URL,
  { settings, all }: { settings: Settings; all: boolean },
): Promise<Branches> {
  const mock = wanted === "embedded" ? await startEmbedded(runtime) : undefined;
  const keys = mock?.keys ?? (await import("../mock/scenarios.ts")).activeKeys;
  const origin = mock?.baseUrl ?? (wanted as URL).origin;
  const campaignsBaseUrl = mock?.campaignsBaseUrl ?? `${origin}/messaging`;
  const ownJournal = join(dirname(worldFile(runtime.system)), "mock-journal.db");
  // A world that ends with this command takes along what is remembered of it.
  const journalFile =
    mock === undefined ? settings.journalFile : mock.worldId === null ? ":memory:" : ownJournal;
  const branches = (all ? keys : mockKeys(settings, keys)).map(({ branch, key }) => ({
    name: branch,
    settings: { ...settings, baseUrl: origin, campaignsBaseUrl, apiKey: key, journalFile },
    isMock: true,
    world: mock?.worldId ?? undefined,
  }));
  return { branches, close: () => mock?.close() ?? nothingToClose() };
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

/** The branch that flags, environment and profile name, or with `all` every profile's (in a rehearsal every branch of the mock). */
export async function openBranches(
  runtime: Runtime,
  flags: GlobalFlags,
  { all }: { all: boolean },
): Promise<Branches> {
  const { system } = runtime;
  const wanted = wantedMock(runtime);
  if (all && flags.profile !== undefined) throw exclusive("--all-profiles", "-p");
  if (all && wanted === undefined)
    return { branches: await everyProfile(runtime, flags), close: nothingToClose };
  // A rehearsal works whatever the profile file looks like, unless a profile is named for it.
  const profiles = wanted === undefined || flags.profile !== undefined;
  const settings = await resolveSettings(system, flags, { profiles });
  if (wanted !== undefined) return rehearsal(runtime, wanted, { settings, all });
  const name = settings.profile ?? addressHost(settings);
  return { branches: [{ name, settings, isMock: false, world: undefined }], close: nothingToClose };
}

export class ServiceSigns {
  /** The world of a mock; undefined for a real service. */
  world: string | undefined;
  /** By how much this machine's clock is ahead, in milliseconds. */
  aheadMs: number | undefined;
  hasHeard: boolean;

  constructor(world: string | undefined) {
    this.world = world;
    this.hasHeard = world !== undefined;
  }

  hear({ status, world, aheadMs }: Heard): void {
    this.hasHeard = true;
    this.aheadMs = aheadMs ?? this.aheadMs;
    // Of a refusal without a name a proxy may be the author.
    if (world !== undefined || status < 300) this.world = world;
  }
}

interface Identified {
  signs: ServiceSigns;
  which: Endpoint["base"];
  address: string;
  /** All that is known; 0.1 kept state by them. */
  addresses: readonly string[];
  apiKey: string;
  isMock: boolean;
  /** It tries once, and its answers are heard by `signs`. */
  client: Client;
  dispatcher: Dispatcher;
  signal: AbortSignal;
  clock: { now(): number };
}

/**
 * Finds out under which identity a branch's state is kept, and gives it what 0.1 kept under others. A real service is asked nothing for
 * it, unless `asks` or where 0.1 kept anything: nobody knows whether that was of a mock. A mock off loopback takes nothing over from 0.1:
 * it may stand where the real service was, which must still know whom it messaged. Returns the identity by the latest answer.
 */
export async function settleIdentity(
  journal: Journal,
  { signs, which, address, addresses, apiKey, isMock, client, dispatcher, ...how }: Identified,
  asks: boolean,
): Promise<() => string> {
  const { branchId, earlierBranchIds } = await import("../journal/branches.ts");
  const { origin, hostname } = new URL(address);
  const earlier = earlierBranchIds(addresses, apiKey);
  const branchNow = (): string => branchId({ address, world: signs.world, apiKey });
  const isLocal = isMock || isLoopback(hostname);
  if (!signs.hasHeard && (isLocal || asks || (await journal.holdsState(earlier)))) {
    // Whatever it answers is heard.
    if (!isLocal) await askService(client, which, how.signal);
    const heard = isLocal ? await askWorld(origin, dispatcher, how) : undefined;
    if (heard !== undefined) signs.hear(heard);
  }
  if (isLocal || signs.world === undefined) await journal.renameBranches(branchNow(), earlier);
  return branchNow;
}
