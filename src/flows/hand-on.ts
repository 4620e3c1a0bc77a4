import { parseJson } from "../api/json.ts";
import type { Order } from "../contract/order.ts";
import { BposError, isReason } from "../errors.ts";
import type { Journal } from "../journal/open.ts";
import { nthOf } from "../journal/order-key.ts";
import {
  openOrder,
  openOrderIds,
  recordDelivery,
  recordHandedOn,
  recordNotTaken,
  recordStatus,
} from "../journal/watches.ts";
import { isoWithOffset } from "./instants.ts";
import type { OrderChanged, OrderOutput, WatchNotice } from "./watch-events.ts";

/** What handing on needs to know. */
export interface HandOnOptions {
  journal: Journal;
  watchId: number;
  /** The branch as people name it. */
  branch: string;
  /** In the order in which they get each order. */
  outputs: readonly OrderOutput[];
  now: () => number;
  intervalMs: number;
  signal: AbortSignal;
}

const longestRetryMs = 15 * 60_000;

/** Hands orders on to the outputs: intent before, done after, each in the journal (`flows.md`, "orders watch", 5). */
export class HandOn {
  readonly #options: HandOnOptions;
  /** Failures by output and order, and when the next try is due. */
  readonly #failed = new Map<string, { failures: number; at: number; pauseMs: number }>();
  /** Outputs that used up their time in this poll: they get nothing more in it, or every order would wait as long. */
  readonly #hung = new Set<OrderOutput>();

  constructor(options: HandOnOptions) {
    this.#options = options;
  }

  /** Gives an output that hung another try. */
  beginPoll(): void {
    this.#hung.clear();
  }

  /** Hands on what an earlier poll, or a watch that was killed, left open, until it is time for the next poll. */
  async *leftOver(until: number): AsyncGenerator<WatchNotice> {
    const { journal, watchId, signal, now } = this.#options;
    for (const orderId of openOrderIds(journal, watchId)) {
      if (signal.aborted || now() >= until) return;
      yield* this.give(orderId);
    }
  }

  /** Hands one order on that the journal holds as open, to each output that has not got it and is not pausing. */
  async *give(orderId: string): AsyncGenerator<WatchNotice> {
    const { journal, watchId, outputs, signal } = this.#options;
    const due = outputs.filter((output) => this.#isDue(output, orderId));
    if (due.length === 0) return;
    const open = openOrder(journal, watchId, orderId);
    if (open === undefined) return;
    const order = parseJson(open.body) as Order;
    const done = new Set(outputs.filter(({ name }) => open.deliveries.get(name) === "done"));
    for (const output of due) {
      if (done.has(output)) continue;
      if (signal.aborted) return;
      const repeated = open.deliveries.get(output.name) === "begun";
      const { notice, taken } = await this.#giveTo(output, { order, orderId, repeated });
      if (notice !== undefined) yield notice;
      if (!taken) continue;
      done.add(output);
      if (done.size < outputs.length)
        recordDelivery(journal, watchId, { orderId, output: output.name, state: "done" });
    }
    if (done.size === outputs.length) recordHandedOn(journal, watchId, orderId);
  }

  async #giveTo(
    output: OrderOutput,
    { order, orderId, repeated }: { order: Order; orderId: string; repeated: boolean },
  ): Promise<{ notice?: WatchNotice; taken: boolean }> {
    const { journal, watchId, branch, now, signal } = this.#options;
    recordDelivery(journal, watchId, { orderId, output: output.name, state: "begun" });
    try {
      const event = { event: "order.new", at: isoWithOffset(now()), branch, order, repeated } as const;
      await output.give(event, signal, nthOf(orderId));
      this.#failed.delete(`${output.name} ${orderId}`);
      return { taken: true };
    } catch (error) {
      if (isReason(error, "interrupted"))
        return { taken: false, notice: { event: "order.unfinished", output: output.name, orderId } };
      if (!(error instanceof BposError)) throw error;
      // An output that failed is known not to have it, unless a crash before this try left that open.
      if (!repeated) recordNotTaken(journal, watchId, orderId, output.name);
      const againMs = this.#failure(output, orderId, error as BposError);
      const failed = { output: output.name, orderId, againMs, error: error as BposError };
      return { taken: false, notice: { event: "output.failed", ...failed } };
    }
  }

  #isDue(output: OrderOutput, what: string): boolean {
    if (this.#hung.has(output)) return false;
    const failed = this.#failed.get(`${output.name} ${what}`);
    if (failed === undefined) return true;
    const waitedMs = this.#options.now() - failed.at;
    // A clock that was set back says nothing about how long ago it was.
    return waitedMs < 0 || waitedMs >= failed.pauseMs;
  }

  /** Notes a failure; milliseconds until the next try. */
  #failure(output: OrderOutput, what: string, error: BposError): number {
    const { now, intervalMs } = this.#options;
    const key = `${output.name} ${what}`;
    const failures = (this.#failed.get(key)?.failures ?? 0) + 1;
    const againMs = Math.min(longestRetryMs, intervalMs * 2 ** (failures - 1));
    // Polls may come a little sooner than the interval says.
    this.#failed.set(key, { failures, at: now(), pauseMs: againMs - intervalMs * 0.15 });
    if (isReason(error, "exec_failed") && error.facts.timedOutMs !== null) this.#hung.add(output);
    return againMs;
  }

  /** Tells the outputs that an order which they have is in another state now. */
  async *giveChange(
    order: Order,
    { orderId, from, to }: { orderId: string; from: string; to: string },
  ): AsyncGenerator<WatchNotice> {
    const { journal, watchId, branch, outputs, now, signal } = this.#options;
    const change: OrderChanged = {
      event: "order.changed",
      at: isoWithOffset(now()),
      branch,
      order_id: order.order_id,
      from,
      to: order.status,
    };
    for (const output of outputs) {
      if (output.giveChange === undefined) continue;
      if (signal.aborted || !this.#isDue(output, `${orderId} ${to}`)) return;
      try {
        await output.giveChange(change, order, signal);
        this.#failed.delete(`${output.name} ${orderId} ${to}`);
      } catch (error) {
        if (isReason(error, "interrupted")) return;
        if (!(error instanceof BposError)) throw error;
        // The outputs behind it get the change together with this one, when it is seen again.
        this.#failure(output, `${orderId} ${to}`, error as BposError);
        yield { event: "change.failed", output: output.name, orderId, error: error as BposError };
        return;
      }
    }
    recordStatus(journal, watchId, orderId, to);
  }
}
