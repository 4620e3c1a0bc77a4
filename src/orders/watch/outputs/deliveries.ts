import { parseJson } from "../../../api/json.ts";
import { madeAt } from "../../../api/pages.ts";
import { isoWithOffset } from "../../../contract/limits.ts";
import type { Order } from "../../../contract/order.ts";
import type { JournalOutage } from "../../../delivery/outage.ts";
import { Deliveries } from "../../../delivery/queue.ts";
import { type BposError, isReason } from "../../../errors.ts";
import { isJournalAway } from "../../../journal/engine/engine.ts";
import type { Journal, Transaction } from "../../../journal/journal.ts";
import type { WatchProgress } from "../../../journal/records/orders.ts";
import { gather, type StationRouter, stationOutput } from "../../../printing/printing.ts";
import type { OrderChanged, OrderNew, WatchNotice } from "../events.ts";
import { type OrderDelivery, type OrderOutput, readId } from "./order-output.ts";

/** The parts of a watch that the deliveries of one branch need. */
export interface DeliveryContext {
  clock: { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };
  /** By the service's clock if known, else by this machine's; epoch milliseconds. */
  serviceNow: () => number;
  /** When an order is delivered: by a mock's clock, else by this machine's; epoch milliseconds. */
  worldNow: () => number;
  journal: Journal;
  outage: JournalOutage;
  outputs: readonly OrderOutput[];
  /** Routes the lines of an order to the stations that print them, if any. */
  stations?: StationRouter | undefined;
  tell: (notice: WatchNotice) => Promise<void>;
  branch: string;
  /** Returns the identity under which the state of the branch is kept, by the latest answer of the service. */
  branchId: () => string;
  /** Varied by 10 %. */
  intervalMs: number;
  once: boolean;
  signal: AbortSignal;
}

export type OrderDeliveries = Deliveries<OrderDelivery, BposError, OrderOutput>;

const dayMs = 24 * 60 * 60_000;

/** An order without a creation time counts as a day old. */
const wasThere = (order: Order, at: number | null, serviceNow: number): boolean =>
  at !== null && (madeAt(order) ?? serviceNow - dayMs) <= at;

/**
 * Records the intent of a delivery, with the lines that each station prints; also detects a restored journal. Returns the delivery;
 * undefined if there is nothing to deliver.
 */
async function beginDelivery(watchId: number, n: number, output: string, context: DeliveryContext) {
  const { journal, branch, serviceNow, worldNow, tell, stations } = context;
  const found = { isOlder: false };
  const older = async (tx: Transaction): Promise<void> => {
    found.isOlder = true;
    await tx.orders.setOlder(watchId, serviceNow());
  };
  const begin = async (tx: Transaction) => {
    const begun = await tx.orders.begin(n, output);
    if (begun === undefined) return undefined;
    if (stations?.outputs.includes(output) !== true) return { ...begun, parts: undefined };
    const parts = await stations.parts(tx, n, { ...begun, output });
    if (parts.some(({ station }) => stationOutput(station) === output)) return { ...begun, parts };
    await tx.orderParts.leave(n, output);
    return undefined;
  };
  const begun = await journal.step(begin, { older });
  if (found.isOlder) await tell({ event: "journal.older" });
  if (begun === undefined) return undefined;

  const { orderKey, body, from, edited, wasBegun, olderAt, parts } = begun;
  const order = parseJson(body) as Order;
  const at = isoWithOffset(worldNow());
  const repeated = wasBegun || wasThere(order, olderAt, serviceNow());
  const event: OrderNew | OrderChanged =
    from === null
      ? { event: "order.new", at, branch, order, repeated }
      : {
          event: "order.changed",
          at,
          branch,
          order_id: order.order_id,
          from,
          to: order.status,
          ...(edited.length > 0 && { changes: edited, order }),
        };
  return { item: { event, order, orderKey, repeated, ...(parts && { parts }) }, wasBegun };
}

/** Marks a change as delivered for an output that takes no changes. */
function skipUnwanted(output: OrderOutput): OrderOutput {
  return {
    ...output,
    deliver: async (item, stop) =>
      item.event.event === "order.new" || output.changes !== "none" ? output.deliver(item, stop) : undefined,
  };
}

interface Failed {
  item: OrderDelivery;
  output: OrderOutput;
  failure: BposError;
  againMs: number;
  isDown: boolean;
}

async function tellFailed(
  { item: { order }, output, failure: error, againMs, isDown }: Failed,
  { tell }: DeliveryContext,
): Promise<"hung" | undefined> {
  if (output.failureEnds === true) throw error;
  if (isDown && isReason(error, "printer_failed")) {
    const maxPauseMs = output.retry?.backoff(error).maxMs ?? againMs;
    await tell({ event: "printer.failed", output: output.name, error, againMs, maxPauseMs });
    return undefined;
  }
  await tell({ event: "output.failed", output: output.name, orderId: readId(order), againMs, error });
  return isReason(error, "exec_failed") && error.facts.timedOutMs !== null ? "hung" : undefined;
}

async function tellDelivered(
  { name: output }: OrderOutput,
  { event, order }: OrderDelivery,
  { tell, serviceNow }: DeliveryContext,
): Promise<void> {
  if (event.event === "order.changed") return tell({ event: "change.delivered", output });
  const createdAt = madeAt(order);
  const afterMs = createdAt === undefined ? undefined : serviceNow() - createdAt;
  return tell({ event: "order.delivered", output, afterMs });
}

/** Whether the last run had the same outputs. */
function isKnown({ outputs: before }: WatchProgress, outputs: readonly OrderOutput[]): boolean {
  const changes = new Map(before.map((each) => [each.name, each.changes]));
  return before.length === outputs.length && outputs.every((each) => changes.get(each.name) === each.changes);
}

/**
 * Opens the deliveries of a branch to its outputs. A failed delivery is retried at the next poll, then with backoff
 * (`docs/explanation/guarantees.md`, Orders, 5).
 */
export async function openDeliveries(
  progress: WatchProgress,
  context: DeliveryContext,
): Promise<OrderDeliveries> {
  const { watchId } = progress;
  const { outputs, stations, clock, tell, journal, outage, intervalMs, once, signal } = context;
  const { orders } = journal;
  // Deliveries after the service turned out to be another one belong to the first one.
  const branchId = context.branchId();
  const isSame = stations === undefined && !progress.hasEvents && isKnown(progress, outputs);
  const isSingle = !isSame && outputs.some(({ name }) => name === "printer");
  const adopted = isSingle ? await gather(journal, watchId) : await stations?.adopt(journal, watchId);
  if (!isSame) await orders.join(watchId, outputs);
  if (stations !== undefined) await journal.orderParts.complete(watchId, stations.outputs);
  for (const [output, deliveries] of adopted ?? [])
    await tell({ event: "stations.adopted", output, deliveries });

  const deliveries: OrderDeliveries = new Deliveries<OrderDelivery, BposError, OrderOutput>({
    outputs: outputs.map(skipUnwanted),
    isIdle: !progress.hasEvents,
    outbox: {
      next: (output, after) => orders.next(watchId, output, after),
      async begin(output, n) {
        const begun = await beginDelivery(watchId, n, output, context);
        return begun && { ...begun, item: { ...begun.item, branchId } };
      },
      delivered: (output, event) => orders.delivered(event, output),
      notDelivered: (output, event) => orders.notDelivered(event, output),
    },
    onDelivered: (item, output) => tellDelivered(output, item, context),
    onFailed: (failed) => tellFailed(failed, context),
    onRecovered: ({ name: output }) => tell({ event: "output.works", output }),
    async onUnfinished({ event, order }, { name: output }) {
      if (event.event === "order.new")
        await tell({ event: "order.unfinished", output, orderId: readId(order) });
    },
    async onError(error) {
      if (once || !isJournalAway(error)) throw error;
      // The process that has locked the journal will release it, and the next poll retries.
      if (error.trouble === "busy") return;
      await outage.wait(error, journal.check, deliveries.ended);
      deliveries.wake();
    },
    now: () => clock.now(),
    firstBackoffMs: intervalMs,
    // Polls may come a little sooner than the interval says.
    toleranceMs: intervalMs * 0.15,
    signal,
  });
  return deliveries;
}
