import { answerText } from "../../api/answer-text.ts";
import { parseJson } from "../../api/json.ts";
import { isoWithOffset } from "../../contract/instants.ts";
import type { Order } from "../../contract/order.ts";
import { Bell, type Outcome, OutputWorker } from "../../delivery/deliver.ts";
import type { DeliveryNotice, OrderOutput } from "../../delivery/order-events.ts";
import { BposError, isReason } from "../../errors.ts";
import { isSqliteError } from "../../journal/lock-file.ts";
import type { Journal } from "../../journal/open.ts";
import { nthOf } from "../../journal/order-key.ts";
import {
  beginDelivery,
  dropDelivered,
  nextPending,
  recordChange,
  recordDelivered,
  recordNotDelivered,
} from "../../journal/watches.ts";

/** What delivering needs to know. */
export interface DeliveryOptions {
  journal: Journal;
  watchId: number;
  /** The branch as people name it. */
  branch: string;
  outputs: readonly OrderOutput[];
  now: () => number;
  intervalMs: number;
  /** Tries nothing again. */
  once: boolean;
  tell: (notice: DeliveryNotice) => Promise<void>;
  signal: AbortSignal;
}

/**
 * Delivers orders and their changes from the journal, to each output by a worker of its own (`flows.md`, "orders watch", 5).
 * What fails is tried again at the next poll, then after growing pauses.
 */
export class OrderDeliveries {
  readonly #options: DeliveryOptions;
  readonly #bell = new Bell();
  readonly #workers: readonly OutputWorker[];
  readonly #runs: readonly Promise<void>[];
  readonly #failures: unknown[] = [];
  readonly #failed = new AbortController();

  constructor(options: DeliveryOptions) {
    const { journal, watchId, outputs, signal, intervalMs, now, once } = options;
    this.#options = options;
    dropDelivered(journal, watchId, this.#names());
    this.#workers = outputs.map(
      (output) =>
        new OutputWorker({
          next: (after) => nextPending(journal, { watchId, output: output.name, after }),
          deliver: (event, againMs) => this.#deliver(output, event, againMs),
          recover(error) {
            // Whatever holds the journal lets it go, and the next poll comes.
            if (once || !isSqliteError(error, "SQLITE_BUSY")) throw error;
          },
          // Polls may come a little sooner than the interval says.
          ...{ now, firstPauseMs: intervalMs, toleranceMs: intervalMs * 0.15, signal },
        }),
    );
    const fail = (error: unknown): void => {
      this.#failures.push(error);
      this.#failed.abort();
    };
    for (const { gone } of outputs) void gone?.then(fail);
    this.#runs = this.#workers.map((worker) => worker.run(this.#bell).catch(fail));
  }

  /** Aborts when an output has come to an end, and the watch with it. */
  get ended(): AbortSignal {
    return this.#failed.signal;
  }

  /** Gives outputs that hung another try. */
  beginPoll(): void {
    for (const worker of this.#workers) worker.retry();
  }

  /** Tells the outputs that there is something in the journal, or that it is time to try again. */
  wake(): void {
    this.#bell.ring();
  }

  /** Queues that an order which was found earlier is in another state now. */
  change(order: Order, how: { orderId: string; from: string; to: string }): void {
    const { journal, watchId, outputs } = this.#options;
    const isWanted = outputs.some((output) => output.giveChange !== undefined);
    recordChange(journal, watchId, { ...how, body: isWanted ? answerText(order) : null });
    this.wake();
  }

  /** Resolves when every output has been offered what is pending, or the signal has aborted; rejects with what ended one. */
  async close(): Promise<void> {
    for (const worker of this.#workers) worker.close();
    this.wake();
    await Promise.all(this.#runs);
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  #names(): string[] {
    return this.#options.outputs.map(({ name }) => name);
  }

  async #deliver(output: OrderOutput, event: number, againMs: number): Promise<Outcome> {
    const { journal, branch, now, signal, tell } = this.#options;
    const { orderId, body, from, wasBegun } = beginDelivery(journal, event, output.name);
    const order = parseJson(body) as Order;
    const common = { at: isoWithOffset(now()), branch };
    try {
      if (from === null)
        await output.give(
          { event: "order.new", ...common, order, repeated: wasBegun },
          signal,
          nthOf(orderId),
        );
      else
        await output.giveChange?.(
          { event: "order.changed", ...common, order_id: order.order_id, from, to: order.status },
          order,
          signal,
        );
    } catch (error) {
      if (isReason(error, "interrupted")) {
        if (from === null) await tell({ event: "order.unfinished", output: output.name, orderId });
        return "stopped";
      }
      if (!(error instanceof BposError)) throw error;
      // An output that failed is known not to have it, unless a crash before this try left that open.
      if (!wasBegun) recordNotDelivered(journal, event, output.name);
      if (output.failureEnds === true) throw error;
      const failed = { output: output.name, orderId, againMs, error: error as BposError };
      await tell({ event: from === null ? "output.failed" : "change.failed", ...failed });
      return isReason(error, "exec_failed") && error.facts.timedOutMs !== null ? "hung" : "failed";
    }
    recordDelivered(journal, { event, output: output.name, outputs: this.#names() });
    return "delivered";
  }
}
