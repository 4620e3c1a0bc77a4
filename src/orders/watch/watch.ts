import type { Client } from "../../api/client.ts";
import { backoffMs } from "../../contract/time.ts";
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

async function* pollUntilStopped(
  watch: BranchWatch,
  { clock, random }: WatchWorld,
  { intervalMs, firstPauseMs = 0, once }: WatchOptions,
): AsyncGenerator<WatchNotice> {
  const { signal } = watch;
  const outage = new Outage();
  if (firstPauseMs > 0) await clock.sleep(firstPauseMs, signal);
  while (!signal.aborted) {
    let pauseMs = intervalMs * (0.9 + 0.2 * random());
    try {
      const polled = yield* watch.poll();
      const lastedMs = outage.answered(clock.now());
      if (lastedMs !== undefined) yield { event: "outage.ended", lastedMs };
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
      const { began, hopeless } = outage.failed(error, clock.now());
      // A key or an address that never worked is wrong; one that did may work again.
      if (hopeless || (!watch.answered && ["access_denied", "input_refused"].includes(error.reason)))
        throw error;
      pauseMs = outage.pauseMs(error, { intervalMs, random: random() });
      const event = began ? "outage.began" : "outage.lasts";
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

class Outage {
  #beganAt: number | undefined;
  #failures = 0;
  #refusals = 0;

  failed(error: BposError, now: number): { began: boolean; hopeless: boolean } {
    const began = this.#beganAt === undefined;
    this.#beganAt ??= now;
    this.#failures += 1;
    this.#refusals = error.reason === "access_denied" ? this.#refusals + 1 : 0;
    return { began, hopeless: this.#refusals >= maxRefusals };
  }

  /** Ends the outage; how long it lasted in milliseconds, or undefined when there was none. */
  answered(now: number): number | undefined {
    const lasted = this.#beganAt === undefined ? undefined : now - this.#beganAt;
    this.#beganAt = undefined;
    this.#failures = 0;
    this.#refusals = 0;
    return lasted;
  }

  /** Milliseconds until the next try: full jitter up to the interval, never sooner than the service asked. */
  pauseMs(error: BposError, { intervalMs, random }: { intervalMs: number; random: number }): number {
    // A gateway that refuses for a while must not use up all tries within seconds.
    if (error.reason === "access_denied") return intervalMs * (0.9 + 0.2 * random);
    const asked = "retryAfterMs" in error.facts ? (error.facts.retryAfterMs ?? 0) : 0;
    // Full jitter; the first pause is twice the shortest.
    const backoff = backoffMs(this.#failures + 1, { firstMs: firstBackoffMs, maxMs: intervalMs }) * random;
    return Math.max(minBackoffMs, backoff, Math.min(asked, maxRetryAfterMs));
  }
}
