import { parseJson } from "../../api/json.ts";
import { isoWithOffset } from "../../contract/instants.ts";
import type { Order } from "../../contract/order.ts";
import { Deliveries } from "../../delivery/deliver.ts";
import { type BposError, isReason } from "../../errors.ts";
import { isJournalBusy } from "../../journal/journal-failure.ts";
import type { Journal } from "../../journal/open.ts";
import {
  beginDelivery,
  dropDelivered,
  nextPending,
  recordDelivered,
  recordNotDelivered,
} from "../../journal/watches.ts";
import type { DeliveryNotice } from "./notices.ts";
import type { OrderDelivery, OrderOutput } from "./outputs.ts";

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
 * Delivers orders and their changes from the journal (`flows.md`, "orders watch", 5). What fails is tried again at the next poll, then
 * with backoff.
 */
export function orderDeliveries(options: DeliveryOptions): Deliveries<OrderDelivery, BposError, OrderOutput> {
  const { journal, watchId, branch, outputs, now, intervalMs, once, tell, signal } = options;
  const names = outputs.map(({ name }) => name);
  dropDelivered(journal, watchId, names);
  return new Deliveries<OrderDelivery, BposError, OrderOutput>({
    outputs,
    outbox: {
      next: (output, after) => nextPending(journal, { watchId, output, after }),
      begin(output, n) {
        const { orderId: orderKey, body, from, wasBegun } = beginDelivery(journal, n, output);
        const order = parseJson(body) as Order;
        const common = { at: isoWithOffset(now()), branch };
        const event =
          from === null
            ? ({ event: "order.new", ...common, order, repeated: wasBegun } as const)
            : ({
                event: "order.changed",
                ...common,
                order_id: order.order_id,
                from,
                to: order.status,
              } as const);
        return { item: { event, order, orderKey }, wasBegun };
      },
      delivered: (output, event) => recordDelivered(journal, { event, output, outputs: names }),
      notDelivered: (output, event) => recordNotDelivered(journal, event, output),
    },
    async onFailed({ item, output, failure: error, againMs }) {
      if (output.failureEnds === true) throw error;
      const event = item.event.event === "order.new" ? "output.failed" : "change.failed";
      await tell({ event, output: output.name, orderId: item.orderKey, againMs, error });
      return isReason(error, "exec_failed") && error.facts.timedOutMs !== null ? "hung" : undefined;
    },
    async onUnfinished({ event, orderKey: orderId }, { name: output }) {
      if (event.event === "order.new") await tell({ event: "order.unfinished", output, orderId });
    },
    onError(error) {
      // Whatever holds the journal lets it go, and the next poll comes.
      if (once || !isJournalBusy(error)) throw error;
    },
    // Polls may come a little sooner than the interval says.
    ...{ now, firstBackoffMs: intervalMs, toleranceMs: intervalMs * 0.15, signal },
  });
}
