import type { Session } from "../../cli/session/session.ts";
import { keepInQuarantine } from "../../delivery/outputs.ts";
import { isJournalAway, journalFailure, LockLost } from "../../journal/engine/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import { StationRouter } from "../../printing/printing.ts";
import { releaseLock, type WatchedBranch } from "./lock-branches.ts";
import { tell, type Watching } from "./notices/notices.ts";
import { openOutputs } from "./outputs/outputs.ts";
import type { WatchContext } from "./polling/context.ts";
import { watchOrders } from "./polling/watch-branch.ts";

/** All that was a dead process's is polled again within ten seconds, of which its locks take five to lapse. */
const urgentMs = 1_000;

/** When a branch is polled first, and until when. */
export type Pace = Pick<WatchContext, "spreadMs" | "signal" | "leaving" | "isTakenOver" | "memory"> &
  Required<Pick<WatchContext, "firstPauseMs">>;

function openRouter({ printers, stationMap: map }: Watching, session: Session, branchId: () => string) {
  const stations = printers?.get(session)?.stations ?? [];
  return stations.length === 0 ? undefined : new StationRouter(stations, { map, branchId });
}

async function watchBranch(
  watching: Watching,
  session: Session,
  journal: Journal,
  pace: Pace,
): Promise<void> {
  const { runtime, flags, screen, printers } = watching;
  const { clock, random } = runtime.system;
  const { client, branchName, output, clockAheadMs } = session;
  const board = screen.open(branchName, output.ui);
  const { branchNow, journal: shared } = await session.openJournal();
  const outputs = openOutputs(runtime, flags, session, { screen, printers, journal });
  watching.health.open(branchName, { journal: shared, outputs: outputs.map(({ name }) => name) });
  await watchOrders({
    client,
    clock,
    random,
    serviceNow: () => clock.now() - (clockAheadMs() ?? 0),
    worldNow: session.now,
    journal,
    outage: watching.outage,
    outputs,
    stations: openRouter(watching, session, branchNow),
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
    pace: watching.paces.of(branchName, session.settings.baseUrl),
    once: flags.once === true,
    skipExisting: flags.skipExisting === true,
    ...pace,
  });
}

/** Watches a branch for as long as it is this process's, with --standby whenever it is. Throws `lock_lost` too. */
export async function keepWatching(
  watching: Watching,
  { session, shared, lock, ...branch }: WatchedBranch,
  pace: Pace,
): Promise<void> {
  const { runtime, flags, standby, outage, intervalMs } = watching;
  const { branchName } = session;
  const { clock, random } = runtime.system;
  const soonMs = (): number => pace.spreadMs * random();
  const dueAt = clock.now() + pace.firstPauseMs(null);
  const startMs = (): number => Math.max(soonMs(), Math.min(intervalMs, dueAt - clock.now()));
  /** After what the process read that handed it on. */
  const nextMs = (polledAt: number | null): number =>
    Math.min(intervalMs, Math.max(soonMs(), (polledAt ?? 0) + intervalMs - clock.now()));

  for (
    let { journal } = branch, how = pace;
    ;
    how = { ...how, memory: undefined, isTakenOver: false, firstPauseMs: soonMs }
  ) {
    if (journal === undefined) {
      const taken = await standby?.wait(branchName, shared, lock);
      journal = taken?.journal;
      const goneMs = (): number => Math.min(pace.spreadMs, urgentMs) * random();
      const firstPauseMs = { nobody: startMs, gone: goneMs, other: nextMs }[taken?.from ?? "nobody"];
      const isTakenOver = taken?.from !== "nobody";
      const memory = taken?.memory && { branch: lock.branch, known: taken.memory };
      how = { ...pace, firstPauseMs, isTakenOver, memory, leaving: standby?.leaving(branchName) };
    }
    // A delivery that was under way when the watch stops may fail because the journal cannot be reached.
    if (journal === undefined || pace.signal.aborted) return;

    const held = journal;
    try {
      await watchBranch(watching, session, held, how);
      if (how.leaving?.aborted !== true) return;

      await releaseLock(watching, held, pace.signal);
      journal = undefined;
      watching.health.enter(branchName, "standby", false);
      standby?.release(branchName);
    } catch (error) {
      if (flags.once !== true && isJournalAway(error)) {
        await outage.wait(error, held.check, pace.signal);
        continue;
      }
      if (!(error instanceof LockLost) || error.facts.file !== undefined) {
        await releaseLock(watching, held, pace.signal);
        standby?.leave(branchName);
        throw error instanceof LockLost ? journalFailure(error) : error;
      }
      if (standby === undefined) throw journalFailure(error);

      // Another process has it now.
      journal = undefined;
      watching.health.enter(branchName, "standby", false);
      standby.standBy(branchName, error.facts);
    }
  }
}
