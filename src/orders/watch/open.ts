import { join } from "node:path";
import type { AttemptRecord } from "../../api/client.ts";
import { toJson } from "../../cli/display/json.ts";
import type { Output } from "../../cli/display/output.ts";
import { needsFlag } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session/session.ts";
import { isTraced } from "../../cli/session/trace.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { JournalOutage } from "../../delivery/outage.ts";
import { openPrinters, type Printers, readStationMap, type StationMap } from "../../printing/printing.ts";
import { folders } from "../../settings/folders.ts";
import { defaultConsumer } from "../consumer.ts";
import type { WatchFlags } from "./command.ts";
import type { Emit } from "./events.ts";
import { Health } from "./health/health.ts";
import type { Metrics } from "./health/metrics.ts";
import { tellShares } from "./notices/begin.ts";
import { journalOutageReports } from "./notices/journal-outage.ts";
import { tellThrottled } from "./notices/throttle-notices.ts";
import { checkFolders, showsOrders } from "./outputs/outputs.ts";
import { openWatchScreen, type WatchScreen } from "./screen/screen.ts";
import { Standby } from "./standby/standby.ts";
import { Throttles } from "./throttle/throttle.ts";
import type { Ending, Watching } from "./watching.ts";

/** From this number of branches on, memory matters more than speed. */
const littleMemoryFrom = 20;

/** The parts that hear of each request, and so exist before the sessions that make them. */
interface Traffic {
  ending: Ending;
  metrics: Metrics | undefined;
  throttles: Throttles;
  hear: (record: AttemptRecord, branch: string) => void;
}

export async function openTraffic(runtime: Runtime, flags: WatchFlags, intervalMs: number): Promise<Traffic> {
  const ending = openEnding(runtime);
  const metrics =
    flags.health === undefined ? undefined : new (await import("./health/metrics.ts")).Metrics();
  const throttles = new Throttles({
    clock: runtime.system.clock,
    intervalMs,
    signal: ending.signal,
    lagged: (lagMs) => metrics?.lagged(lagMs),
  });
  return {
    ending,
    metrics,
    throttles,
    hear(record, branch) {
      metrics?.requested(record);
      throttles.hear(branch, record);
    },
  };
}

function openEnding({ signal }: Runtime): Ending {
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

interface Given {
  runtime: Runtime;
  flags: WatchFlags;
  intervalMs: number;
  traffic: Traffic;
  sessions: readonly [Session, ...Session[]];
}

/**
 * Opens what the branches share, each part after those that it needs; `screen.close` and `ending.stop` must be called, or the process does not
 * end. Throws `usage_flag` for flags that do not fit the branches, and what printers and the station map throw.
 */
export async function openWatching(given: Given): Promise<Watching> {
  const { runtime, flags, intervalMs, traffic, sessions } = given;
  const { ending, metrics, throttles } = traffic;
  const { clock } = runtime.system;
  const [{ output, branchName }] = sessions;
  const many = flags.allProfiles === true;
  if (many && flags.outDir !== undefined) checkFolders(sessions.map((session) => session.branchName));
  if (sessions.length > littleMemoryFrom) runtime.system.preferLittleMemory("waiting");

  const printers =
    flags.printer === undefined ? undefined : await openPrinters(runtime.system, flags, sessions);
  const stationMap = await openStationMap(runtime, flags, { output, printers, sessions });
  const live = flags.once !== true && !isTraced(runtime.flags);
  const screen = openWatchScreen(runtime, output, { ...flags, live });
  const emit = openEmitter(given, screen);
  const outage = new JournalOutage({ clock, maxMs: intervalMs, signal: ending.signal });
  const health = new Health({
    clock,
    metrics,
    isJournalAway: () => outage.error !== undefined,
    slowed: (branch) => throttles.slowed(branch),
  });
  const shared = {
    runtime,
    flags,
    intervalMs,
    consumer: flags.consumer ?? defaultConsumer,
    screen,
    ui: output.ui,
    many,
    quarantineFolder: join(folders(runtime.system).state, "quarantine"),
    printers,
    stationMap,
    printerSaid: new Map<string, never>(),
    emit,
    health,
    outage,
    throttles,
    ending,
  };
  const standby = flags.standby === true ? openStandby(shared, { branchName, output }) : undefined;
  const watching: Watching = { ...shared, standby };
  outage.listen(journalOutageReports(watching));
  throttles.listen((behind) => void tellThrottled(watching, behind));
  return watching;
}

/** Lines of `-o ndjson` beside the orders: a stalled reader must not hold up the other outputs. */
function openEmitter({ runtime, flags, traffic, sessions }: Given, screen: WatchScreen): Emit {
  const [{ output }] = sessions;
  const writes = output.format === "ndjson" && showsOrders(flags, output.quiet);
  const { clock } = runtime.system;
  return (event, facts) => {
    if (!writes) return;
    const line = { event, at: isoWithOffset(clock.now()), ...facts };
    void screen.print(`${toJson(line)}\n`).catch(traffic.ending.fail);
  };
}

function openStandby(
  shared: Omit<Watching, "standby">,
  { branchName, output }: Pick<Session, "branchName" | "output">,
): Standby {
  const { runtime, flags, outage, ending, screen, health, emit } = shared;
  // A standby process delivers nothing, so it would not notice by itself.
  if (output.format === "ndjson" && showsOrders(flags, output.quiet)) void screen.gone().then(ending.fail);
  return new Standby({
    system: runtime.system,
    outage,
    signal: ending.signal,
    changed(event, facts) {
      const none = { waiting: 0, lastAnswerAt: undefined, nextPollAt: undefined, board: undefined };
      const state = event === "watch.active" ? "awaited" : "standby";
      screen.update(facts.branch, { ...none, state });
      if (event === "watch.standby") health.enter(facts.branch, "standby", false);
      emit(event, facts);
    },
    tell: (shares) => tellShares(shared, branchName, shares),
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
