import type { Client } from "../../api/client.ts";

import { isReason } from "../../errors.ts";
import { isJournalBusy } from "../../journal/journal-failure.ts";
import { BranchWatch, OtherService, type WatchOptions, type WatchWorld } from "./branch-watch.ts";
import type { WatchNotice } from "./notices.ts";
import { isPassing, Outage } from "./outage.ts";

/**
 * Watches the orders of one branch (`flows.md`, "orders watch"): delivers each new one to the outputs, and yields how the
 * polls fare. Ends when `signal` aborts, or after one poll. Throws `access_denied` when the first poll is refused, or five in a
 * row; with `once` whatever made the poll fail; and what ended an output.
 *
 * @example
 * for await (const notice of watchOrders(client, world, options)) show(notice);
 */
export async function* watchOrders(
  client: Client,
  world: WatchWorld,
  options: WatchOptions,
): AsyncGenerator<WatchNotice> {
  for (let how = options; ; how = { ...options, firstPauseMs: 0 }) {
    const watch = new BranchWatch(client, world, how);
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
