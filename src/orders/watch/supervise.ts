import pMap from "p-map";
import { keepInQuarantine } from "../../delivery/outputs.ts";
import { BposError, isReason } from "../../errors.ts";
import { isJournalAway, journalFailure, LockLost } from "../../journal/engine/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import { StationRouter } from "../../printing/printing.ts";
import { giveUp, tell, tellStopped } from "./notices/notices.ts";
import { openOutputs } from "./outputs/outputs.ts";
import type { Start, WatchContext } from "./polling/context.ts";
import { watchBranch } from "./polling/watch-branch.ts";
import type { WatchedBranch, Watching } from "./watching.ts";

const onceConcurrency = 8;
/** The time for each branch when many polls are due at once, which spreads them. */
const spreadOfOneMs = 1;
/** The branches of a dead process are polled again within ten seconds: its locks take five to expire. */
const urgentMs = 1_000;

/** When the polls of a branch begin among those of all branches. */
interface Schedule {
  firstPauseMs: number;
  /** Polls that are due at the same time begin within this time. */
  spreadMs: number;
  signal: AbortSignal;
}

/** Who has a branch. */
type Tenure =
  | { state: "ours"; journal: Journal; start: Start }
  /** Another process, with --standby. */
  | { state: "elsewhere" }
  | { state: "ended" };

/** Watches each branch until all have ended. An error ends only its branch; with several, throws the first error once none is left to watch. */
export async function superviseBranches(
  watching: Watching,
  branches: readonly WatchedBranch[],
): Promise<void> {
  const { flags, intervalMs, ending } = watching;
  const failures: BposError[] = [];
  const pauseMs = flags.once === true ? 0 : intervalMs / branches.length;
  const spreadMs = Math.min(intervalMs, (branches.length - 1) * spreadOfOneMs);
  const supervise = async (branch: WatchedBranch, index: number): Promise<void> => {
    // A separate signal: Node reports hundreds of listeners on one as a leak.
    const signal = AbortSignal.any([ending.signal]);
    try {
      await superviseBranch(watching, branch, { firstPauseMs: index * pauseMs, spreadMs, signal });
    } catch (error) {
      const { branchName } = branch.session;
      if (isOfBranch(error) && watching.many) {
        failures.push(error);
        return stopBranch(watching, branchName, error);
      }
      if (isOfBranch(error)) tellStopped(watching, branchName, error);
      ending.fail(error);
    }
  };

  // Watches that never end each need a slot; those that poll once take turns.
  if (flags.once === true) await pMap(branches, supervise, { concurrency: onceConcurrency });
  else await Promise.all(branches.map(supervise));
  if (ending.failures.length > 0) throw ending.failures[0];
  const [failure] = failures;
  if (failure !== undefined && (flags.once === true || failures.length === branches.length)) throw failure;
}

/** Whether an error ends one branch, and the others can go on. */
function isOfBranch(error: unknown): error is BposError {
  // All branches share standard output.
  const isShared = isReason(error, "output_unwritable") && error.facts.file === "standard output";
  return error instanceof BposError && !isShared;
}

/** Reports a branch of many that this run stops watching. */
async function stopBranch(watching: Watching, branchName: string, error: BposError): Promise<void> {
  const state = isReason(error, "access_denied") ? "refused" : "silent";
  watching.screen.update(branchName, { state, nextPollAt: undefined });
  await giveUp(watching, branchName, error);
}

/** Watches a branch while this process holds it; with --standby, each time it does. Throws `lock_lost` too. */
async function superviseBranch(watching: Watching, branch: WatchedBranch, schedule: Schedule): Promise<void> {
  const pauses = openPauses(watching, schedule);
  const first: Start = { firstPauseMs: () => schedule.firstPauseMs };
  let tenure: Tenure =
    branch.journal === undefined
      ? { state: "elsewhere" }
      : { state: "ours", journal: branch.journal, start: first };

  while (tenure.state !== "ended") {
    if (tenure.state === "elsewhere") tenure = await takeOver(watching, branch, pauses);
    // A delivery that was under way when the watch stops may fail because the journal cannot be reached.
    else if (schedule.signal.aborted) return;
    else tenure = await watchWhileOurs(watching, branch, { ...tenure, schedule, pauses });
  }
}

type Pauses = ReturnType<typeof openPauses>;

/** The milliseconds until the first poll of a branch, by whom this process took it from. */
function openPauses({ runtime, intervalMs }: Watching, { firstPauseMs, spreadMs }: Schedule) {
  const { clock, random } = runtime.system;
  const dueAt = clock.now() + firstPauseMs;
  const soon = (): number => spreadMs * random();
  return {
    /** This process kept it during an outage of the journal. */
    soon,
    nobody: (): number => Math.max(soon(), Math.min(intervalMs, dueAt - clock.now())),
    gone: (): number => Math.min(spreadMs, urgentMs) * random(),
    /** The interval goes on from the last poll of the other process. */
    other: (polledAt: number | null): number =>
      Math.min(intervalMs, Math.max(soon(), (polledAt ?? 0) + intervalMs - clock.now())),
  };
}

/** Waits until no other process has the branch, or the watch ends. */
async function takeOver(
  { standby }: Watching,
  { session, shared, lock }: WatchedBranch,
  pauses: Pauses,
): Promise<Tenure> {
  const { branchName } = session;
  const taken = await standby?.wait(branchName, shared, lock);
  if (taken === undefined) return { state: "ended" };

  const { journal, from, progress } = taken;
  const start = {
    firstPauseMs: pauses[from],
    isTakenOver: from !== "nobody",
    progress: progress && { branch: lock.branch, known: progress },
    leaving: standby?.leaving(branchName),
  };
  return { state: "ours", journal, start };
}

interface Ours {
  journal: Journal;
  start: Start;
  schedule: Schedule;
  pauses: Pauses;
}

/**
 * Watches a branch until the watch ends, the branch should go to another process, or the journal or the lock is lost. Returns who has
 * it then.
 */
async function watchWhileOurs(watching: Watching, { session }: WatchedBranch, ours: Ours): Promise<Tenure> {
  const { journal, start, schedule } = ours;
  const { branchName } = session;
  try {
    const context = await openContext(watching, session, journal);
    const { spreadMs, signal } = schedule;
    await watchBranch({ ...context, ...start, spreadMs, signal });
    if (start.leaving?.aborted !== true) return { state: "ended" };

    await releaseLock(watching, journal, signal);
    watching.health.enter(branchName, "standby", false);
    watching.standby?.release(branchName);
    return { state: "elsewhere" };
  } catch (error) {
    return goOnAfter(watching, branchName, error, ours);
  }
}

/** Returns who has a branch after an error. Throws it where the watch of the branch ends. */
async function goOnAfter(
  { flags, outage, standby, health }: Watching,
  branchName: string,
  error: unknown,
  { journal, start, schedule, pauses }: Ours,
): Promise<Tenure> {
  const { signal } = schedule;
  if (flags.once !== true && isJournalAway(error)) {
    await outage.wait(error, journal.check, signal);
    return { state: "ours", journal, start: { leaving: start.leaving, firstPauseMs: pauses.soon } };
  }

  const isTaken = error instanceof LockLost && error.facts.file === undefined;
  if (isTaken && standby !== undefined) {
    health.enter(branchName, "standby", false);
    standby.standBy(branchName, error.facts);
    return { state: "elsewhere" };
  }
  if (!isTaken) {
    await releaseLock({ flags, outage }, journal, signal);
    standby?.leave(branchName);
  }
  throw error instanceof LockLost ? journalFailure(error) : error;
}

/** Releases a branch that this process stopped watching, so that a standby process can take it. */
async function releaseLock(
  { flags, outage }: Pick<Watching, "flags" | "outage">,
  { release, check }: Journal,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await release();
      return;
    } catch (error) {
      // If the journal cannot be reached, the lock expires only when this process ends.
      if (flags.once === true || !isJournalAway(error)) return;
      await outage.wait(error, check, signal);
    }
  }
}

/** Opens the outputs and the board of a branch; returns what its watch needs. */
async function openContext(
  watching: Watching,
  session: WatchedBranch["session"],
  journal: Journal,
): Promise<Omit<WatchContext, "spreadMs" | "signal" | keyof Start>> {
  const { runtime, flags, screen, printers, stationMap: map } = watching;
  const { clock, random } = runtime.system;
  const { client, branchName, output, clockAheadMs } = session;
  const board = screen.open(branchName, output.ui);
  const { branchNow, journal: shared } = await session.openJournal();
  const outputs = openOutputs(runtime, flags, session, { screen, printers, journal });
  watching.health.open(branchName, { journal: shared, outputs: outputs.map(({ name }) => name) });
  const stations = printers?.get(session)?.stations ?? [];
  return {
    client,
    clock,
    random,
    serviceNow: () => clock.now() - (clockAheadMs() ?? 0),
    worldNow: session.now,
    journal,
    outage: watching.outage,
    outputs,
    stations: stations.length === 0 ? undefined : new StationRouter(stations, { map, branchId: branchNow }),
    tell(notice) {
      if (notice.event === "polled") board?.polled(notice.pending, clockAheadMs() ?? 0);
      return tell(watching, branchName, notice);
    },
    seen: board && ((key, order) => board.seen(key, order)),
    quarantine: (identity, body) => keepInQuarantine(watching.quarantineFolder, identity, body),
    branch: branchName,
    branchId: branchNow,
    consumer: watching.consumer,
    intervalMs: watching.intervalMs,
    throttle: watching.throttles.of(branchName, session.settings.baseUrl),
    once: flags.once === true,
    skipExisting: flags.skipExisting === true,
  };
}
