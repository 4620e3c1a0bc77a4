import type { BposError } from "../../errors.ts";
import type { OrderOutput } from "./outputs.ts";

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
