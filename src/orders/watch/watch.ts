import type { Client } from "../../api/client.ts";
import { backoffMs } from "../../contract/limits.ts";
import { type BposError, isReason } from "../../errors.ts";
import { isJournalBusy } from "../../journal/engine.ts";
import { BranchWatch, OtherService, type WatchOptions, type WatchWorld } from "./branch.ts";

/** How the polls of a watch fare; for people, never on standard output. */
export type WatchNotice =
  /** A poll came to its end; `nextPollAt` is epoch milliseconds, `waiting` the orders that are pendiente, `found` the new ones. */
  | { event: "polled"; waiting: number; found: number; mismatches: readonly string[]; nextPollAt: number }
  | { event: "outage.began"; error: BposError; nextPollAt: number }
  | { event: "outage.lasts"; error: BposError; nextPollAt: number }
  | { event: "outage.ended"; lastedMs: number }
  /** An order was put into `file` and is not delivered: it is nested too deep, or has no usable order_id. */
  | { event: "order.quarantined"; file: string; orderId: string | undefined }
  /** Another order cannot be kept so: the folder holds as many as it may. Said once. */
  | { event: "quarantine.full" }
  /** The number of a new order is known from another, which was created at another time; both as `createdAtText` has them. */
  | { event: "number.reused"; orderId: string; createdAt: string; before: string }
  /** What left pendiente before the first run had read all of it may be missing: orders created since then, epoch milliseconds. */
  | { event: "first_run.incomplete"; since: number }
  | { event: "quarantine.failed"; error: BposError }
  | { event: "journal.busy"; nextPollAt: number }
  | { event: "state.refused"; state: string; error: BposError };

/** Ends when `signal` aborts, or after one poll. Throws `access_denied` when the first poll is refused, or five in a row; what ended an output. */
export async function* watchOrders(
  client: Client,
  world: WatchWorld,
  options: WatchOptions,
): AsyncGenerator<WatchNotice> {
  for (let how = options; ; how = { ...options, firstPauseMs: 0 }) {
    const watch = await BranchWatch.open(client, world, how);
    try {
      yield* pollUntilStopped(watch, world, how);
      return;
    } catch (error) {
      if (!(error instanceof OtherService)) throw error;
    } finally {
      await watch.close();
    }
  }
}

/** Polls that failed in a row, and refusals among them; `beganAt` in epoch milliseconds. */
interface Outage {
  beganAt: number | undefined;
  failures: number;
  refusals: number;
}

async function* pollUntilStopped(
  watch: BranchWatch,
  { clock, random }: WatchWorld,
  { intervalMs, firstPauseMs = 0, once }: WatchOptions,
): AsyncGenerator<WatchNotice> {
  const { signal } = watch;
  let outage: Outage = { beganAt: undefined, failures: 0, refusals: 0 };
  if (firstPauseMs > 0) await clock.sleep(firstPauseMs, signal);
  while (!signal.aborted) {
    let pauseMs = intervalMs * (0.9 + 0.2 * random());
    try {
      const polled = yield* watch.poll();
      const { beganAt } = outage;
      outage = { beganAt: undefined, failures: 0, refusals: 0 };
      if (beganAt !== undefined) yield { event: "outage.ended", lastedMs: clock.now() - beganAt };
      yield { event: "polled", ...polled, nextPollAt: clock.now() + pauseMs };
    } catch (error) {
      if (isReason(error, "interrupted")) return;
      if (!once && isJournalBusy(error)) {
        // Every step can be taken again, and whatever holds the journal lets it go.
        yield { event: "journal.busy", nextPollAt: clock.now() + pauseMs };
        await clock.sleep(pauseMs, signal);
        continue;
      }
      if (once || !isPassing(error)) throw error;
      const event = outage.beganAt === undefined ? "outage.began" : "outage.lasts";
      const { beganAt = clock.now(), failures, refusals } = outage;
      const isRefused = error.reason === "access_denied";
      outage = { beganAt, failures: failures + 1, refusals: isRefused ? refusals + 1 : 0 };
      // A key or an address that never worked is wrong; one that did may work again.
      const neverWorked = !watch.answered && (isRefused || error.reason === "input_refused");
      if (outage.refusals >= maxRefusals || neverWorked) throw error;
      // A gateway that refuses for a while must not use up all tries within seconds.
      if (!isRefused) pauseMs = backoffPause(error, outage.failures, intervalMs, random());
      yield { event, error, nextPollAt: clock.now() + pauseMs };
    }
    if (once) return;
    await clock.sleep(pauseMs, signal);
  }
}

/** A branch whose key was refused five times in a row is not going to come back by itself. */
const maxRefusals = 5;
const firstBackoffMs = 1_000;
const minBackoffMs = 100;
/** A service that asks for more is asked again all the same: an order must not wait for a wrong header. */
const maxRetryAfterMs = 60 * 60_000;

// The network comes back; a gateway that is being set up again answers 404 for a while.
const passing = ["input_refused", "unavailable", "unreadable_answer", "access_denied"] as const;
const isPassing = (error: unknown): error is BposError => passing.some((reason) => isReason(error, reason));

/** Milliseconds until the next try: full jitter up to the interval, never sooner than the service asked. */
function backoffPause(error: BposError, failures: number, intervalMs: number, random: number): number {
  const asked = "retryAfterMs" in error.facts ? (error.facts.retryAfterMs ?? 0) : 0;
  // The first pause is twice the shortest.
  const backoff = backoffMs(failures + 1, { firstMs: firstBackoffMs, maxMs: intervalMs }) * random;
  return Math.max(minBackoffMs, backoff, Math.min(asked, maxRetryAfterMs));
}
