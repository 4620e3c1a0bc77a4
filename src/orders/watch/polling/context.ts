import type { Client } from "../../../api/client.ts";
import type { Order } from "../../../contract/order.ts";
import type { WatchProgress } from "../../../journal/records/orders.ts";
import type { WatchNotice } from "../events.ts";
import type { DeliveryContext } from "../outputs/deliveries.ts";
import type { Throttle } from "../throttle/throttle.ts";

/** The result of one poll. */
export type Polled = Omit<Extract<WatchNotice, { event: "polled" }>, "event" | "nextPollAt">;

/** How a watch begins when this process gets the lock of the branch. */
export interface Start {
  /** @param polledAt time of the branch's last poll in the journal; epoch milliseconds. */
  firstPauseMs?: (polledAt: number | null) => number;
  /** The progress of the consumer, if it was read with the lock. */
  progress?: { branch: string; known: WatchProgress } | undefined;
  /** Whether another process polled the branch until now. */
  isTakenOver?: boolean;
  /** Ends the watch once nothing of the branch is under way, so that another process can take it. */
  leaving?: AbortSignal | undefined;
}

/** The parts that a watch of one branch needs. */
export interface WatchContext extends DeliveryContext, Start {
  client: Client;
  random: () => number;
  /** Gets each order that is read, at every poll, under its key in the journal. */
  seen?: ((key: string, order: Order) => void) | undefined;
  /** Keeps an order that cannot be delivered; returns its file, or undefined if the folder is full. */
  quarantine: (identity: string, body: string) => string | undefined;
  consumer: string;
  /** After an outage of the journal, all branches are polled again within this time. */
  spreadMs: number;
  /** Gives the branch its turns, among the others of its service. */
  throttle: Pick<Throttle, "turn" | "join" | "request">;
  skipExisting: boolean;
}
