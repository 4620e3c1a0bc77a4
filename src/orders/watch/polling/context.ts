import type { Client } from "../../../api/client.ts";
import type { orderOutputs } from "../../../cli/line/flags.ts";
import type { Order } from "../../../contract/order.ts";
import type { JournalOutage } from "../../../delivery/outage.ts";
import type { Output } from "../../../delivery/queue.ts";
import type { BposError } from "../../../errors.ts";
import type { Journal } from "../../../journal/journal.ts";
import type { Owed, WatchMemory, WatchOutput } from "../../../journal/records/orders.ts";
import type { Part, PrinterFailure, StationRouter, stationOutput } from "../../../printing/printing.ts";
import type { Pace } from "../throttle.ts";

// What the files of `orders watch` share.

/** A new order as it is delivered; one line of `orders watch -o ndjson`. */
export interface OrderNew {
  event: "order.new";
  at: string;
  branch: string;
  order: Order;
  /** True only when a crash makes it possible that this output has the order already. */
  repeated: boolean;
}

export interface OrderChanged extends Pick<OrderNew, "at" | "branch"> {
  event: "order.changed";
  order_id: Order["order_id"];
  from: string;
  to: string;
  /** The fields that were edited while it was pendiente, and the order with them; absent if only its state changed. */
  changes?: string[];
  order?: Order;
}

/** `orderKey` and `branchId` as the journal has them. */
export interface OrderDelivery {
  event: OrderNew | OrderChanged;
  order: Order;
  orderKey: string;
  branchId: string;
  /** This output may have it already. */
  repeated?: boolean;
  /** Which station prints what of it; only for the output of one. */
  parts?: readonly Part[];
}

export interface OrderOutput extends Output<OrderDelivery, BposError>, Pick<WatchOutput, "changes"> {
  /** Its flag, under which the journal keeps its pending orders: another command or printer with the same flag takes them over. */
  name: (typeof orderOutputs)[number] | ReturnType<typeof stationOutput>;
  /** Its name, where it is the printer of a station. */
  station?: string;
  /** A failure ends the watch, once the other outputs have received their pending orders: a retry would not help. */
  failureEnds?: boolean;
}

/** What one poll read. */
export interface Polled {
  /** How many orders are pendiente. */
  waiting: number;
  found: number;
  changed: number;
  /** The keys of all in pendiente, where it read all. */
  pending: ReadonlySet<string> | undefined;
  mismatches: readonly string[];
}

/** Events of a watch, for people, never on standard output. Instants are epoch milliseconds. */
export type WatchNotice =
  /** Its row of the journal. */
  | { event: "opened"; watchId: number }
  | ({ event: "polled"; nextPollAt: number } & Polled)
  /** `since`: when the poll began that failed; `stopsAfterMs` with the first refusal: for so long bpos tries again. */
  | { event: "outage"; error: BposError; since: number; nextPollAt: number; stopsAfterMs?: number }
  | { event: "journal.busy"; nextPollAt: number }
  | { event: "journal.down" }
  /** It knows less than this machine: it was restored, or its server failed over. */
  | { event: "journal.older" }
  /** New ones, that are now in the journal. */
  | { event: "orders.found"; orders: number }
  /** `afterMs` since a new order was made; undefined where it does not say when. */
  | { event: "output.delivered"; output: OrderOutput["name"]; isNew: boolean; afterMs: number | undefined }
  /** Nothing that failed is left. */
  | { event: "output.works"; output: OrderOutput["name"] }
  | {
      event: "output.failed";
      output: OrderOutput["name"];
      orderId: string;
      error: BposError;
      againMs: number;
    }
  /** The printer does not print at the moment; the orders wait for it. */
  | {
      event: "printer.failed";
      output: OrderOutput["name"];
      error: PrinterFailure;
      againMs: number;
      maxPauseMs: number;
    }
  /** What waited for a printer that is no station any more, and that the stations print now. */
  | { event: "stations.adopted"; output: string; deliveries: number }
  /** An output that this run leaves out has pending orders. */
  | ({ event: "output.owed" } & Owed)
  /** Stopped during a delivery: the output may have the order, and gets it again, marked as repeated. */
  | { event: "order.unfinished"; output: OrderOutput["name"]; orderId: string }
  /** Not delivered: it is nested too deep, or has no usable order_id. */
  | { event: "order.quarantined"; file: string; orderId: string | undefined }
  | { event: "quarantine.full" }
  | { event: "quarantine.failed"; error: BposError }
  /** A new order has the number of a known one that was created at another time; both times as from `createdAtText`. */
  | { event: "number.reused"; orderId: string; createdAt: string; before: string }
  /** Orders created since then that left pendiente before the first run had read all of it may be missing. */
  | { event: "first_run.incomplete"; since: number }
  /** The service counts more orders than its pages hold. */
  | { event: "orders.unread"; state: string; read: number; total: number }
  | { event: "state.refused"; state: string; error: BposError };

/** What a watch of one branch needs. */
export interface WatchContext {
  client: Client;
  clock: { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };
  random: () => number;
  /** By the service's clock if known, else by this machine's; epoch milliseconds. */
  serviceNow: () => number;
  /** When an order is delivered: by a mock's clock, else by this machine's; epoch milliseconds. */
  worldNow: () => number;
  journal: Journal;
  outage: JournalOutage;
  outputs: readonly OrderOutput[];
  /** Where the orders are printed at stations. */
  stations?: StationRouter | undefined;
  tell: (notice: WatchNotice) => Promise<void>;
  /** Gets each order that is read, at every poll, under its key in the journal. */
  seen?: ((key: string, order: Order) => void) | undefined;
  quarantine: (identity: string, body: string) => string | undefined;
  branch: string;
  /** The identity under which its state is kept, by the latest answer of the service. */
  branchId: () => string;
  consumer: string;
  /** Varied by 10 %. */
  intervalMs: number;
  /** @param polledAt when it was polled last, as the journal has it; epoch milliseconds. */
  firstPauseMs?: (polledAt: number | null) => number;
  /** What is known of it, where that was read when it was taken. */
  memory?: { branch: string; known: WatchMemory } | undefined;
  /** Whether another process polled it until now. */
  isTakenOver?: boolean;
  /** Ends the watch once nothing of the branch is under way: another process is to have it. */
  leaving?: AbortSignal | undefined;
  /** After an outage of the journal, all branches are polled again within this time. */
  spreadMs: number;
  /** Its turns, among the other branches of its service. */
  pace: Pick<Pace, "turn" | "join" | "request">;
  once: boolean;
  skipExisting: boolean;
  signal: AbortSignal;
}
