import type { Order } from "../contract/order.ts";
import type { BposError } from "../errors.ts";

/** A new order as it is delivered; one line of `orders watch -o ndjson`. */
export interface OrderNew {
  event: "order.new";
  /** When it is delivered, ISO 8601 with offset. */
  at: string;
  /** The branch as people name it. */
  branch: string;
  order: Order;
  /** True only when a crash makes it possible that this output has the order already. */
  repeated: boolean;
}

/** An order that was delivered earlier and has another state now; one line of `orders watch -o ndjson`. */
export interface OrderChanged {
  event: "order.changed";
  at: string;
  branch: string;
  /** As the service wrote it. */
  order_id: Order["order_id"];
  from: string;
  to: string;
}

/**
 * Where orders go. An output that cannot take an order throws a BposError, and is given it again later; any other error
 * ends the watch, as a closed pipe does. No output waits for another.
 */
export interface OrderOutput {
  /** Stable: the journal remembers by it what was done. */
  name: "out-dir" | "exec" | "stdout";
  /** A failure ends the watch, once the other outputs have got what is pending: nothing would be gained by trying again. */
  failureEnds?: boolean;
  /** Resolves, with what ends the watch, as soon as it is known that it takes nothing any more. */
  gone?: Promise<Error>;
  /**
   * Takes a new order; it is taken for good when the promise resolves. When `signal` aborts it finishes or throws
   * within a second. `nth`, 1 when absent, is more for another order under a number that is known.
   */
  give(event: OrderNew, signal: AbortSignal, nth?: number): Promise<void>;
  /** Takes a change; absent where changes are not wanted. `order` is the order as it is now. */
  giveChange?(event: OrderChanged, order: Order, signal: AbortSignal): Promise<void>;
}

/** How the deliveries of a watch fare; for people, never on standard output. */
export type DeliveryNotice =
  /** An output did not take an order, or a change of it; it gets it again in `againMs`. */
  | {
      event: "output.failed" | "change.failed";
      output: OrderOutput["name"];
      orderId: string;
      error: BposError;
      againMs: number;
    }
  /** The wish to stop came while an output was getting this order: it may have it, and gets it again, repeated. */
  | { event: "order.unfinished"; output: OrderOutput["name"]; orderId: string };

/** How the polls of a watch fare; for people, never on standard output. */
export type WatchNotice =
  /** A poll came to its end; `nextPollAt` is epoch milliseconds, `waiting` the orders that are pendiente, `found` the new ones. */
  | { event: "polled"; waiting: number; found: number; mismatches: readonly string[]; nextPollAt: number }
  | { event: "outage.began"; error: BposError; nextPollAt: number }
  /** Another poll failed. */
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
  /** Another process held the journal for longer than one waits for it. */
  | { event: "journal.busy"; nextPollAt: number }
  /** The service refuses to list this state; the watch goes on without it. */
  | { event: "state.refused"; state: string; error: BposError };
