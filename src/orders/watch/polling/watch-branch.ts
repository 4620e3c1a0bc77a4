import { isReason } from "../../../errors.ts";
import { isJournalAway, type JournalError } from "../../../journal/engine/engine.ts";
import type { Transaction } from "../../../journal/journal.ts";
import { notYetKnown, type WatchProgress } from "../../../journal/records/orders.ts";
import { type OrderDeliveries, openDeliveries } from "../outputs/deliveries.ts";
import type { Polled, WatchContext } from "./context.ts";
import { type FailedPolls, noFailures, retryFailed } from "./failures.ts";
import { BranchPoller } from "./poll.ts";
import { OtherService } from "./process-page.ts";

/** How the polls of a service begin. */
interface Beginning {
  /** The progress of the consumer; undefined if it is still to be read. */
  known: WatchProgress | undefined;
  /** Undefined if it depends on the progress. */
  firstPauseMs: number | undefined;
}

/** A branch of one service: the progress of the consumer, and the deliveries of its orders. */
interface Opened {
  branchId: string;
  progress: WatchProgress;
  deliveries: OrderDeliveries;
}

/**
 * Polls a branch and delivers its orders until `signal` or `leaving` aborts, or once. Throws what ended an output; where the service refuses a key
 * that never worked, or one that did for five minutes, that refusal.
 */
export async function watchBranch(context: WatchContext): Promise<void> {
  const { signal, leaving, throttle } = context;
  let beginning = await rest(context);
  const leave = throttle.join();
  try {
    while (!signal.aborted && leaving?.aborted !== true) {
      const opened = await open(context, beginning);
      if (opened === undefined) return;
      try {
        await pollUntilStopped(context, opened, beginning);
        return;
      } catch (error) {
        if (!(error instanceof OtherService)) throw error;
        // The other service is watched from the start.
        beginning = { known: undefined, firstPauseMs: 0 };
      } finally {
        await opened.deliveries.close();
      }
    }
  } finally {
    leave();
  }
}

/** Waits until the first poll is due, unless deliveries are pending. */
async function rest(context: WatchContext): Promise<Beginning> {
  const { progress, firstPauseMs = () => 0, clock, signal, leaving } = context;
  const isSame = (): boolean => progress?.branch === context.branchId();
  if (progress === undefined || !isSame()) return { known: undefined, firstPauseMs: undefined };

  const { known } = progress;
  const pauseMs = firstPauseMs(known.polledAt);
  if (known.hasEvents) return { known, firstPauseMs: pauseMs };

  await clock.sleep(pauseMs, eitherOf(signal, leaving));
  // The service may have turned out to be another one meanwhile.
  return { known: isSame() ? known : undefined, firstPauseMs: 0 };
}

const eitherOf = (signal: AbortSignal, leaving: AbortSignal | undefined): AbortSignal =>
  leaving === undefined ? signal : AbortSignal.any([signal, leaving]);

/**
 * Opens progress and deliveries when it is the branch's turn; without a turn if the progress is known. Returns undefined if the watch
 * ends before.
 */
async function open(context: WatchContext, { known }: Beginning): Promise<Opened | undefined> {
  const { branch, throttle, signal, tell } = context;
  const branchId = context.branchId();
  const openAll = async (): Promise<Opened> => {
    const progress = await openProgress(context, branchId, known);
    await tell({ event: "opened", watchId: progress.watchId });
    return { branchId, progress, deliveries: await openDeliveries(progress, context) };
  };
  return known === undefined ? throttle.turn(branch, openAll, signal) : openAll();
}

/** Returns the progress of the consumer. If the journal is older than what this machine remembers, deliveries may be missing from it. */
async function openProgress(
  { journal, consumer, tell }: WatchContext,
  branchId: string,
  known?: WatchProgress,
): Promise<WatchProgress> {
  const progress = known ?? (await journal.orders.open(branchId, consumer));
  if (!journal.isOlder) return progress;

  const older = (tx: Transaction): Promise<void> => tx.orders.setOlder(progress.watchId, notYetKnown);
  await journal.step(older, { older });
  await tell({ event: "journal.older" });
  return { ...progress, olderAt: notYetKnown };
}

/** Reports once each output with pending orders that this run leaves out. */
function openOwedTeller(watchId: number, { journal, outputs, tell }: WatchContext): () => Promise<void> {
  const told = new Set<string>(outputs.map(({ name }) => name));
  return async () => {
    for (const owed of await journal.orders.owed(watchId)) {
      if (told.has(owed.output)) continue;
      told.add(owed.output);
      await tell({ event: "output.owed", ...owed });
    }
  };
}

/** How long the branch rests after a poll, in milliseconds: branches that were taken over together drift apart after their first poll. */
const toPause = (intervalMs: number, isFirstOfTakenOver: boolean, random: number): number =>
  isFirstOfTakenOver ? intervalMs * (0.5 + 0.5 * random) : intervalMs * (0.9 + 0.2 * random);

async function pollUntilStopped(
  given: WatchContext,
  { branchId, progress, deliveries }: Opened,
  beginning: Beginning,
): Promise<void> {
  // The end of an output ends the watch.
  const context = { ...given, signal: deliveries.ended };
  const { clock, random, intervalMs, once, signal, leaving } = context;
  const tellOwed = openOwedTeller(progress.watchId, context);
  // With --once, the poll may add to it.
  if (!once && progress.hasEvents) await tellOwed();

  const firstPauseMs = beginning.firstPauseMs ?? context.firstPauseMs?.(progress.polledAt) ?? 0;
  const poller = new BranchPoller(context, branchId, progress, deliveries);
  const isToLeave = (): boolean => leaving?.aborted === true && deliveries.isResting;
  // Made once: Node 20 keeps an entry for each combined signal until the process ends.
  const ended = eitherOf(signal, leaving);
  // A branch that should go to another process but still delivers something is not polled more often.
  const untilEnd = (): AbortSignal => (leaving?.aborted === true ? signal : ended);
  if (firstPauseMs > 0) await clock.sleep(firstPauseMs, untilEnd());

  let failed = noFailures;
  let isFirst = true;
  while (!signal.aborted && !isToLeave()) {
    let pauseMs = toPause(intervalMs, isFirst && context.isTakenOver === true, random());
    isFirst = false;
    // While the journal cannot be reached, nothing that is read could be kept.
    await context.outage.over(signal);
    const end = await pollInTurn(context, poller, { pauseMs, tellOwed, until: untilEnd() });
    // It was asked to end or to leave before its turn came.
    if (end.state === "skipped") continue;

    if (end.hasRead) failed = noFailures;
    if (end.state === "failed") {
      if (isReason(end.error, "interrupted")) return;
      if (once) throw end.error;
      poller.noteFailure();
      ({ failed, pauseMs } = await goOnAfter(context, poller, { ...end, branchId, failed, pauseMs }));
    }
    if (once || isToLeave()) return;
    await clock.sleep(pauseMs, untilEnd());
  }
}

/** How a turn ended: without a poll, with a complete one, or with an error; then `hasRead` tells whether the poll itself was complete. */
type TurnEnd =
  | { state: "skipped" }
  | { state: "complete"; hasRead: true }
  | { state: "failed"; hasRead: boolean; error: unknown; beganAt: number };

interface Turn {
  /** The pause until the next poll, in milliseconds. */
  pauseMs: number;
  tellOwed: () => Promise<void>;
  /** Once it aborts, the turn is not waited for. */
  until: AbortSignal;
}

/** Polls when it is the branch's turn, and reports what the poll read. */
async function pollInTurn(
  { branch, clock, journal, throttle, tell, once }: WatchContext,
  poller: BranchPoller,
  { pauseMs, tellOwed, until }: Turn,
): Promise<TurnEnd> {
  let beganAt = clock.now();
  let hasRead = false;
  const poll = async (lagMs: number): Promise<Polled> => {
    beganAt = clock.now();
    // A poll that finds nothing new writes nothing, and would not notice that another process watches.
    await journal.check();
    return poller.poll(lagMs);
  };
  try {
    // Failed deliveries do not wait for the service.
    poller.retryDeliveries();
    const polled = await throttle.turn(branch, poll, until);
    if (polled === undefined) return { state: "skipped" };

    hasRead = true;
    await tell({ event: "polled", ...polled, nextPollAt: clock.now() + pauseMs });
    if (once || polled.found + polled.changed > 0) await tellOwed();
    return { state: "complete", hasRead };
  } catch (error) {
    return { state: "failed", hasRead, error, beganAt };
  }
}

interface Failure {
  error: unknown;
  /** When the poll began, epoch milliseconds. */
  beganAt: number;
  branchId: string;
  failed: FailedPolls;
  pauseMs: number;
}

/**
 * Reports a failed poll, and waits for the journal if that is unavailable. Returns how to continue. Throws the error if a retry
 * would not help.
 */
async function goOnAfter(
  context: WatchContext,
  poller: BranchPoller,
  { error, beganAt, branchId, failed, pauseMs }: Failure,
): Promise<{ failed: FailedPolls; pauseMs: number }> {
  if (isJournalAway(error)) return { failed, pauseMs: await waitForJournal(error, context, pauseMs) };

  const { clock, journal, tell } = context;
  const { hasAnswered } = poller;
  const hasWorked = async () => poller.hasAnswered || (await journal.watches.hasWorked(branchId));
  const retried = await retryFailed(error, failed, { ...context, pauseMs, hasAnswered, hasWorked });
  const { stopsAfterMs } = retried;
  await tell({
    event: "watch.outage",
    error: retried.error,
    since: beganAt,
    nextPollAt: clock.now() + retried.pauseMs,
    ...(stopsAfterMs !== undefined && { stopsAfterMs }),
  });
  return retried;
}

/** Returns the milliseconds until the next poll. */
async function waitForJournal(
  error: JournalError,
  { tell, clock, outage, journal, signal, random, spreadMs }: WatchContext,
  pauseMs: number,
): Promise<number> {
  if (error.trouble !== "down") {
    // The process that has locked the journal will release it.
    await tell({ event: "journal.busy", nextPollAt: clock.now() + pauseMs });
    return pauseMs;
  }

  await tell({ event: "journal.down" });
  await outage.wait(error, journal.check, signal);
  return spreadMs * random();
}
