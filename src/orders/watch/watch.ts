import { join } from "node:path";
import pMap from "p-map";
import type { AttemptRecord } from "../../api/client.ts";
import { toJson } from "../../cli/display/json.ts";
import type { Output } from "../../cli/display/output.ts";
import { exclusive, needsFlag, onlyGiven } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { readWantedMock } from "../../cli/session/branches.ts";
import { type Session, withSessions } from "../../cli/session/session.ts";
import { isTraced } from "../../cli/session/trace.ts";
import { isLoopback } from "../../contract/addresses.ts";
import { BposError, isReason } from "../../errors.ts";
import { openPrinters, type Printers, readStationMap, type StationMap } from "../../printing/printing.ts";
import { folders } from "../../settings/folders.ts";
import { defaultConsumer } from "../consumer.ts";
import type { WatchFlags } from "./command.ts";
import { Health } from "./health/health.ts";
import { openListeners } from "./health/listeners.ts";
import { lockBranches, type WatchedBranch } from "./lock-branches.ts";
import { tellBegin, tellShares } from "./notices/begin.ts";
import { giveUp, openJournalOutage, tellStopped, type Watching } from "./notices/notices.ts";
import { tellPace } from "./notices/throttle-notices.ts";
import { checkFolders, printsOrders } from "./outputs/outputs.ts";
import { openWatchScreen, type WatchScreen } from "./screen/screen.ts";
import { Standby } from "./standby/standby.ts";
import { keepWatching } from "./supervise.ts";
import { Paces } from "./throttle.ts";

const defaultIntervalMs = 60_000;
const rehearsalIntervalMs = 3_000;
const politeIntervalMs = 10_000;
const onceConcurrency = 8;
/** From this number of branches on, memory matters more than speed. */
const littleMemoryFrom = 20;
/** The time for each branch when many polls are due at once, which spreads them. */
const spreadOfOneMs = 1;

function readInterval(runtime: Runtime, flags: WatchFlags): number {
  const mock = readWantedMock(runtime);
  const isRehearsal = mock === "embedded" || (mock !== undefined && isLoopback(mock.hostname));
  const intervalMs = flags.interval ?? (isRehearsal ? rehearsalIntervalMs : defaultIntervalMs);
  if (intervalMs < politeIntervalMs && mock === undefined && flags.force !== true && flags.once !== true)
    throw new BposError("usage_flag", { problem: { kind: "interval_impolite" } });
  return intervalMs;
}

function checkFlags(runtime: Runtime, flags: WatchFlags): void {
  if (flags.allProfiles === true && runtime.flags.apiKeyFile !== undefined)
    throw exclusive("--all-profiles", "--api-key-file");
  if (flags.standby === true && flags.once === true) throw exclusive("--standby", "--once");
  if (flags.health !== undefined && flags.once === true) throw exclusive("--health", "--once");
  if (flags.maxAge !== undefined && flags.health === undefined && flags.ping === undefined)
    throw needsFlag("--max-age", "--health");
  if (flags.outageAfter !== undefined && flags.onFailure === undefined)
    throw needsFlag("--outage-after", "--on-failure");
  if (flags.exec === undefined && flags.execTimeout !== undefined)
    throw needsFlag("--exec-timeout", "--exec");

  const { paper, printerLanguage, drawer, beep } = flags;
  const ofPrinter = { paper, "printer-language": printerLanguage, drawer, beep };
  const [lost] = Object.keys(onlyGiven(ofPrinter));
  if (flags.printer === undefined && lost !== undefined) throw needsFlag(`--${lost}`, "--printer");
  if (flags.exec === undefined && flags.execChanges === true) throw needsFlag("--exec-changes", "--exec");
}

/** Watches each branch until all have ended. What ends one leaves the others alone. */
async function watchAll(watching: Watching, branches: readonly WatchedBranch[]): Promise<void> {
  const { flags, intervalMs, screen, many, ending } = watching;
  const failures: BposError[] = [];
  const note = async (branchName: string, error: unknown): Promise<void> => {
    // All branches share standard output.
    const isShared = isReason(error, "output_unwritable") && error.facts.file === "standard output";
    const isOfBranch = error instanceof BposError && !isShared;
    if (isOfBranch && many) {
      failures.push(error);
      const state = isReason(error, "access_denied") ? "refused" : "silent";
      screen.update(branchName, { state, nextPollAt: undefined });
      return giveUp(watching, branchName, error);
    }
    if (isOfBranch) tellStopped(watching, branchName, error);
    ending.fail(error);
  };

  const pauseMs = flags.once === true ? 0 : intervalMs / branches.length;
  const spreadMs = Math.min(intervalMs, (branches.length - 1) * spreadOfOneMs);
  const watchOne = async (branch: WatchedBranch, index: number): Promise<void> => {
    // Its own signal: Node reports hundreds of listeners on one as a leak.
    const signal = AbortSignal.any([ending.signal]);
    const pace = { firstPauseMs: () => index * pauseMs, spreadMs, signal };
    try {
      await keepWatching(watching, branch, pace);
    } catch (error) {
      await note(branch.session.branchName, error);
    }
  };

  // Watches that never end each need a slot; those that poll once take turns.
  if (flags.once === true) await pMap(branches, watchOne, { concurrency: onceConcurrency });
  else await Promise.all(branches.map(watchOne));
  if (ending.failures.length > 0) throw ending.failures[0];
  const [failure] = failures;
  if (failure !== undefined && (flags.once === true || failures.length === branches.length)) throw failure;
}

function openEnding({ signal }: Runtime): Watching["ending"] {
  const over = new AbortController();
  const failures: unknown[] = [];
  return {
    signal: AbortSignal.any([signal, over.signal]),
    failures,
    fail(error) {
      failures.push(error);
      over.abort();
    },
    stop: () => over.abort(),
  };
}

/** Lines of `-o ndjson` beside the orders: a stalled reader must not hold up the other outputs. */
function openEmitter(flags: WatchFlags, output: Output, screen: WatchScreen, { fail }: Watching["ending"]) {
  const writes = output.format === "ndjson" && printsOrders(flags, output.quiet);
  return (event: object): void => {
    if (writes) void screen.print(`${toJson(event)}\n`).catch(fail);
  };
}

function openStandby(watching: Watching, { branchName, output }: Session): Standby {
  const { runtime, flags, outage, ending, screen } = watching;
  // A standby process delivers nothing, so it would not notice by itself.
  if (output.format === "ndjson" && printsOrders(flags, output.quiet)) void screen.gone().then(ending.fail);
  return new Standby({
    system: runtime.system,
    outage,
    signal: ending.signal,
    emit(event) {
      const none = { waiting: 0, lastAnswerAt: undefined, nextPollAt: undefined, board: undefined };
      const state = event.event === "watch.active" ? "awaited" : "standby";
      screen.update(event.branch, { ...none, state });
      if (event.event === "watch.standby") watching.health.enter(event.branch, "standby", false);
      watching.emit(event);
    },
    tell: (shares) => tellShares(watching, branchName, shares),
  });
}

/** Throws `usage_flag` where there are no stations, or the file names one that a branch has not. */
async function openStationMap(
  { system }: Runtime,
  { stationMap }: WatchFlags,
  {
    output,
    printers,
    sessions,
  }: { output: Output; printers: Printers | undefined; sessions: readonly Session[] },
): Promise<StationMap | undefined> {
  if (stationMap === undefined) return undefined;
  const stations = sessions.map((session) => printers?.get(session)?.stations ?? []);
  if (stations.every((each) => each.length === 0)) throw needsFlag("--station-map", "--printer");
  return readStationMap(system, stationMap, output, stations);
}

/** What the branches share; `screen.close` and `ending.stop` must be called, or the process does not end. */
async function openWatching(
  runtime: Runtime,
  flags: WatchFlags,
  intervalMs: number,
  sessions: readonly [Session, ...Session[]],
): Promise<Watching> {
  const { output } = sessions[0];
  const ending = openEnding(runtime);
  const printers =
    flags.printer === undefined ? undefined : await openPrinters(runtime.system, flags, sessions);
  const stationMap = await openStationMap(runtime, flags, { output, printers, sessions });
  const live = flags.once !== true && !isTraced(runtime.flags);
  const screen = openWatchScreen(runtime, output, { ...flags, live });
  const emit = openEmitter(flags, output, screen, ending);
  const health: Health = new Health({
    clock: runtime.system.clock,
    isJournalAway: () => outage.error !== undefined,
    slowed: (branch) => watching.paces.slowed(branch),
  });
  const outage = openJournalOutage({ runtime, intervalMs, screen, ending, emit, health });
  const watching: Watching = {
    runtime,
    flags,
    intervalMs,
    consumer: flags.consumer ?? defaultConsumer,
    screen,
    ui: output.ui,
    many: flags.allProfiles === true,
    quarantineFolder: join(folders(runtime.system).state, "quarantine"),
    printers,
    stationMap,
    printerSaid: new Map(),
    emit,
    health,
    outage,
    ending,
    paces: new Paces({
      clock: runtime.system.clock,
      intervalMs,
      signal: ending.signal,
      lagged: (lagMs) => health.listeners.metrics?.lagged(lagMs),
      tell: (behind) => void tellPace(watching, behind),
    }),
  };
  if (flags.standby === true) watching.standby = openStandby(watching, sessions[0]);
  return watching;
}

export async function watch(runtime: Runtime, flags: WatchFlags): Promise<void> {
  const intervalMs = readInterval(runtime, flags);
  checkFlags(runtime, flags);
  const many = flags.allProfiles === true;
  const heard: { watching?: Watching } = {};
  const needs = {
    address: "base_url",
    formats: ["table", "ndjson"],
    quietRetries: true,
    endsSoon: true,
    all: many,
    onAttempt(record: AttemptRecord, branch: string) {
      heard.watching?.health.listeners.metrics?.requested(record);
      heard.watching?.paces.hear(branch, record);
    },
  } as const;

  await withSessions(runtime, needs, async ([first, ...others], unusable) => {
    if (first === undefined) return;
    const sessions = [first, ...others] as const;
    if (many && flags.outDir !== undefined) checkFolders(sessions.map(({ branchName }) => branchName));
    if (sessions.length > littleMemoryFrom) runtime.system.preferLittleMemory("waiting");

    const watching = await openWatching(runtime, flags, intervalMs, sessions);
    let unlisten = (): Promise<void> => Promise.resolve();
    try {
      unlisten = await openListeners(watching);
      heard.watching = watching;
      for (const { name, error } of unusable) await giveUp(watching, name, error);
      const branches = await lockBranches(watching, sessions);
      // Of hundreds of branches the first reading takes twice as long as the next.
      await watching.health.listeners.metrics?.text({ branches: watching.health.branches, owed: [] });
      await tellBegin(watching, many ? branches.length : first.branchName);
      await watchAll(watching, branches);
    } finally {
      watching.ending.stop();
      await unlisten();
      await watching.health.close();
      await watching.screen.close();
    }
    if (runtime.signal.aborted) throw new BposError("interrupted", { during: "watch" });
  });
}
