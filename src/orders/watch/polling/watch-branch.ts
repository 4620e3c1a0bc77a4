import { backoffMs } from "../../../contract/limits.ts";
import { type BposError, isReason } from "../../../errors.ts";
import { isJournalAway, type JournalError } from "../../../journal/engine/engine.ts";
import type { Transaction } from "../../../journal/journal.ts";
import { notYetKnown, type WatchMemory } from "../../../journal/records/orders.ts";
import { openDeliveries } from "../outputs/outputs.ts";
import type { WatchContext } from "./context.ts";
import { BranchWatch } from "./poll.ts";
import { OtherService } from "./process-page.ts";

/** A service that is started anew may refuse a key for minutes; a computer that slept through them has asked only once. */
const maxRefusedMs = 5 * 60_000;
const minRefusals = 5;
const maxRefusalPauseMs = 60_000;
const firstBackoffMs = 1_000;
const minBackoffMs = 100;
/** A service that asks for more is asked again all the same: an order must not wait for a wrong header. */
const maxRetryAfterMs = 60 * 60_000;

// The network comes back; a gateway that is being set up again answers 404 for a while.
const passing = ["input_refused", "unavailable", "unreadable_answer", "access_denied"] as const;
const isPassing = (error: unknown): error is BposError => passing.some((reason) => isReason(error, reason));

/** Polls that failed in a row, and refusals at their end. */
interface FailedPolls {
  failures: number;
  refusals: number;
  /** When the first of these refusals came, epoch milliseconds. */
  refusedAt: number;
  /** Whether this outage has been reported as one that ends the watch. */
  isRefusalTold: boolean;
}

const noFailures: FailedPolls = { failures: 0, refusals: 0, refusedAt: 0, isRefusalTold: false };

/** Ends when `signal` or `leaving` aborts, or after one poll. Throws what refuses a key that never worked, or one that did for five minutes; what ended an output. */
export async function watchOrders(context: WatchContext): Promise<void> {
  const { firstPauseMs = () => 0, memory, signal, leaving, clock, pace } = context;
  let known = memory?.branch === context.branchId() ? memory.known : undefined;
  let pauseMs = known === undefined ? undefined : firstPauseMs(known.polledAt);
  // Where nothing waits to be delivered, nothing is to be done before its first poll.
  const isQuiet = known?.hasEvents === false && pauseMs !== undefined;
  if (isQuiet) await clock.sleep(pauseMs ?? 0, eitherOf(signal, leaving));
  if (isQuiet) pauseMs = 0;
  // The service may have turned out to be another one meanwhile.
  if (memory?.branch !== context.branchId()) known = undefined;
  const leave = pace.join();
  try {
    for (; !signal.aborted && leaving?.aborted !== true; pauseMs = 0, known = undefined)
      if (await watchService(context, { known, pauseMs })) return;
  } finally {
    leave();
  }
}

const eitherOf = (signal: AbortSignal, leaving: AbortSignal | undefined): AbortSignal =>
  leaving === undefined ? signal : AbortSignal.any([signal, leaving]);

interface Opening {
  known: WatchMemory | undefined;
  pauseMs: number | undefined;
}

/** Returns false where the service turned out to be another one. */
async function watchService(context: WatchContext, { known, pauseMs }: Opening): Promise<boolean> {
  const branchId = context.branchId();
  const open = async () => {
    const opened = await openMemory(context, branchId, known);
    await context.tell({ event: "opened", watchId: opened.watchId });
    return { memory: opened, deliveries: await openDeliveries(opened, context) };
  };
  // Of what is known already nothing is read.
  const begun = known ? await open() : await context.pace.turn(context.branch, open, context.signal);
  if (begun === undefined) return true;
  const { memory, deliveries } = begun;
  const tellOwed = openOwedTeller(memory.watchId, context);
  // What ends an output ends the watch.
  const how = { ...context, signal: deliveries.ended };
  try {
    // A single poll may add to it.
    if (!context.once && memory.hasEvents) await tellOwed();
    const firstPauseMs = pauseMs ?? context.firstPauseMs?.(memory.polledAt) ?? 0;
    const watch = new BranchWatch(how, branchId, memory, deliveries);
    const isResting = (): boolean => deliveries.isResting;
    const hasWorked = async () => watch.hasAnswered || (await context.journal.watches.hasWorked(branchId));
    await pollUntilStopped(watch, how, { firstPauseMs, isResting, hasWorked, tellOwed });
    return true;
  } catch (error) {
    if (error instanceof OtherService) return false;
    throw error;
  } finally {
    await deliveries.close();
  }
}

/** What is known of the branch; in a journal that is older than what this machine remembers, deliveries may be missing from it. */
async function openMemory(
  { journal, consumer, tell }: WatchContext,
  branchId: string,
  known?: WatchMemory,
): Promise<WatchMemory> {
  const memory = known ?? (await journal.orders.open(branchId, consumer));
  if (!journal.isOlder) return memory;

  const older = (tx: Transaction): Promise<void> => tx.orders.setOlder(memory.watchId, notYetKnown);
  await journal.step(older, { older });
  await tell({ event: "journal.older" });
  return { ...memory, olderAt: notYetKnown };
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

interface Polling {
  firstPauseMs: number;
  /** Whether nothing is being delivered. */
  isResting: () => boolean;
  /** Whether the service has accepted the key, in this run or an earlier one. */
  hasWorked: () => Promise<boolean>;
  tellOwed: () => Promise<void>;
}

async function pollUntilStopped(
  watch: BranchWatch,
  context: WatchContext,
  { firstPauseMs, isResting, hasWorked, tellOwed }: Polling,
): Promise<void> {
  const { clock, random, tell, intervalMs, once, signal, leaving, pace, branch } = context;
  let failed = noFailures;
  const ended = eitherOf(signal, leaving);
  const isToLeave = (): boolean => leaving?.aborted === true && isResting();
  // What is to leave, and cannot yet, does not poll all the time.
  const rest = (ms: number): Promise<void> => clock.sleep(ms, leaving?.aborted === true ? signal : ended);
  if (firstPauseMs > 0) await rest(firstPauseMs);

  // Those that were taken over together are not polled together from then on.
  for (let spread = context.isTakenOver === true ? 0.5 : 0.9; !signal.aborted && !isToLeave(); spread = 0.9) {
    let pauseMs = intervalMs * (spread + (spread === 0.5 ? 0.5 : 0.2) * random());
    // What is read now could not be kept.
    await context.outage.over(signal);
    let beganAt = clock.now();
    try {
      // What has failed does not wait for the service.
      watch.retryDeliveries();
      const poll = async (lagMs: number) => {
        beganAt = clock.now();
        // A poll that finds nothing new writes nothing, and would not notice that another process watches.
        await context.journal.check();
        return watch.poll(lagMs);
      };
      const polled = await pace.turn(branch, poll, leaving?.aborted === true ? signal : ended);
      // It was asked to end or to leave before its turn came.
      if (polled === undefined) continue;
      failed = noFailures;
      await tell({ event: "polled", ...polled, nextPollAt: clock.now() + pauseMs });
      if (once || polled.found + polled.changed > 0) await tellOwed();
    } catch (error) {
      if (isReason(error, "interrupted")) return;
      if (once) throw error;
      watch.noteFailure();
      // Every step can be taken again.
      if (isJournalAway(error)) pauseMs = await waitForJournal(error, context, pauseMs);
      else {
        if (!isPassing(error)) throw error;
        const isRefusal = isRefused(error, watch.hasAnswered);
        // A key or an address that never worked is wrong; one that did may work again.
        if (isRefusal && !(await hasWorked())) throw error;
        const { isRefusalTold } = failed;
        failed = countFailure(failed, isRefusal, clock.now());
        if (isRefusedForLong(failed, clock.now())) throw error;
        pauseMs = isRefusal
          ? toRefusalPause(error, pauseMs)
          : toPause(error, failed.failures, intervalMs, random());
        const ends = isRefusal && !isRefusalTold ? { stopsAfterMs: maxRefusedMs } : {};
        await tell({ event: "outage", error, since: beganAt, nextPollAt: clock.now() + pauseMs, ...ends });
      }
    }

    if (once || isToLeave()) return;
    await rest(pauseMs);
  }
}

/** Returns the milliseconds until the next poll. */
async function waitForJournal(
  error: JournalError,
  { tell, clock, outage, journal, signal, random, spreadMs }: WatchContext,
  pauseMs: number,
): Promise<number> {
  if (error.trouble !== "down") {
    // Whoever holds the journal releases it.
    await tell({ event: "journal.busy", nextPollAt: clock.now() + pauseMs });
    return pauseMs;
  }

  await tell({ event: "journal.down" });
  await outage.wait(error, journal.check, signal);
  return spreadMs * random();
}

/** Whether the service refuses the key, or the address before it has answered there at all. */
const isRefused = ({ reason }: BposError, hasAnswered: boolean): boolean =>
  reason === "access_denied" || (reason === "input_refused" && !hasAnswered);

function countFailure(failed: FailedPolls, isRefusal: boolean, now: number): FailedPolls {
  const failures = failed.failures + 1;
  if (!isRefusal) return { ...failed, failures, refusals: 0 };
  const refusedAt = failed.refusals === 0 ? now : failed.refusedAt;
  return { failures, refusals: failed.refusals + 1, refusedAt, isRefusalTold: true };
}

const isRefusedForLong = ({ refusals, refusedAt }: FailedPolls, now: number): boolean =>
  refusals >= minRefusals && Math.abs(now - refusedAt) >= maxRefusedMs;

const readRetryAfter = ({ facts }: BposError): number =>
  Math.min("retryAfterMs" in facts ? (facts.retryAfterMs ?? 0) : 0, maxRetryAfterMs);

/** Milliseconds until the next try: full jitter up to the interval, never sooner than the service asked. */
function toPause(error: BposError, failures: number, intervalMs: number, random: number): number {
  const backoff = backoffMs(failures + 1, { firstMs: firstBackoffMs, maxMs: intervalMs }) * random;
  return Math.max(minBackoffMs, backoff, readRetryAfter(error));
}

/** A gateway that refuses for a while is not asked more often than one that answers, and often enough to tell within five minutes. */
const toRefusalPause = (error: BposError, pauseMs: number): number =>
  Math.max(Math.min(pauseMs, maxRefusalPauseMs), readRetryAfter(error));
