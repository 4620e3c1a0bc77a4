import type { Client } from "../api/client.ts";
import type { Order } from "../contract/order.ts";
import { type BposError, isReason } from "../errors.ts";
import { isoWithOffset } from "./instants.ts";
import { orderIdentity } from "./order-identity.ts";

/** The narrow part of the System that a watch asks for. */
export interface WatchClock {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** What a watch hands on; one line of `-o ndjson`. */
export interface OrderNew {
  event: "order.new";
  /** ISO 8601 with offset. */
  at: string;
  branch: string;
  order: Order;
  /** True when a crash makes it possible that this order was handed on already. */
  repeated: boolean;
}

/** How the watch itself fares; for people, never on standard output. */
export type WatchNotice =
  | { event: "polled"; waiting: number; mismatches: readonly string[] }
  | { event: "outage.began"; error: BposError }
  | { event: "outage.ended"; lastedMs: number };

/** How to watch. */
export interface WatchOptions {
  branch: string;
  /** Time between two polls, in milliseconds; varied by 10 %. */
  intervalMs: number;
  /** Poll once and end; a poll that fails is thrown. */
  once: boolean;
  signal: AbortSignal;
}

/** A branch whose key was refused five times in a row is not going to come back by itself. */
const refusalsInARow = 5;
const firstPauseMs = 1_000;

/** Whether a poll that failed is worth another: the network comes back, a defect or a bad flag does not. */
function passing(error: unknown): error is BposError {
  return (
    // A gateway that is being set up again answers 404 for a while.
    isReason(error, "input_refused") ||
    isReason(error, "unavailable") ||
    isReason(error, "unreadable_answer") ||
    isReason(error, "access_denied")
  );
}

/** Counts what failed in a row, and how long to wait until the next try. */
class Outage {
  private beganAt: number | undefined;
  private failures = 0;
  private refusals = 0;

  failed(error: BposError, now: number): { began: boolean; hopeless: boolean } {
    const began = this.beganAt === undefined;
    this.beganAt ??= now;
    this.failures += 1;
    this.refusals = error.reason === "access_denied" ? this.refusals + 1 : 0;
    return { began, hopeless: this.refusals >= refusalsInARow };
  }

  /** Ends the outage; how long it lasted in milliseconds, or undefined when there was none. */
  answered(now: number): number | undefined {
    const lasted = this.beganAt === undefined ? undefined : now - this.beganAt;
    this.beganAt = undefined;
    this.failures = 0;
    this.refusals = 0;
    return lasted;
  }

  pauseMs(intervalMs: number, random: number): number {
    if (this.failures === 0) return intervalMs * (0.9 + 0.2 * random);
    return Math.min(intervalMs, firstPauseMs * 2 ** Math.min(this.failures, 20)) * (0.5 + 0.5 * random);
  }
}

/**
 * Polls the orders that are pendiente and yields each new one once in this process, and how the polling fares.
 * Ends when `signal` aborts. Throws `access_denied` when the first poll is refused, or five in a row.
 */
export async function* watchOrders(
  client: Client,
  world: { clock: WatchClock; random: () => number },
  options: WatchOptions,
): AsyncGenerator<OrderNew | WatchNotice> {
  const { clock, random } = world;
  const { signal } = options;
  const seen = new Set<string>();
  const isNew = (order: Order): boolean => {
    const id = orderIdentity(order);
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  };
  const { branch } = options;
  const handedOn = (order: Order): OrderNew => ({
    event: "order.new",
    at: isoWithOffset(clock.now()),
    branch,
    order,
    repeated: false,
  });
  const outage = new Outage();
  let answeredOnce = false;
  while (!signal.aborted) {
    try {
      let waiting = 0;
      const mismatches: string[] = [];
      // Each page is handed on as it comes: a later page that fails must not hold up the orders of this one.
      for await (const page of client.orderPages({ status: "pendiente" }, { signal })) {
        answeredOnce = true;
        waiting += page.body.orders.length;
        mismatches.push(...page.mismatches);
        for (const order of page.body.orders.filter(isNew)) yield handedOn(order);
      }
      const lastedMs = outage.answered(clock.now());
      if (lastedMs !== undefined) yield { event: "outage.ended", lastedMs };
      yield { event: "polled", waiting, mismatches };
    } catch (error) {
      if (isReason(error, "interrupted")) return;
      if (options.once || !passing(error)) throw error;
      const { began, hopeless } = outage.failed(error, clock.now());
      if (hopeless || (!answeredOnce && ["access_denied", "input_refused"].includes(error.reason)))
        throw error;
      if (began) yield { event: "outage.began", error };
    }
    if (options.once) return;
    await clock.sleep(outage.pauseMs(options.intervalMs, random()), signal);
  }
}
