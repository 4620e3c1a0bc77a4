import type { Answer } from "../../../api/client.ts";
import { answerText } from "../../../api/json.ts";
import type { OrderState } from "../../../contract/limits.ts";
import type { Order, OrdersResponse } from "../../../contract/order.ts";
import {
  type FoundOrder,
  notYetKnown,
  type OrderChange,
  type RememberedOrder,
  type WatchProgress,
} from "../../../journal/records/orders.ts";
import type { OrderDeliveries } from "../outputs/deliveries.ts";
import { compareContent, toContent } from "./content.ts";
import type { WatchContext } from "./context.ts";
import type { FirstRun } from "./first-run.ts";
import type { PendingOrders } from "./pending.ts";
import { Quarantine } from "./quarantine.ts";
import { type Recognised, recogniseOrders } from "./recognise.ts";
import type { ServiceTimes } from "./service-times.ts";

/** The result of one poll so far. */
export interface PollResult {
  found: number;
  changed: number;
  /** The keys of the orders listed in pendiente. */
  readonly listed: Set<string>;
  /** Kinds of mismatch that no earlier poll had. */
  readonly mismatches: string[];
}

/** The reading of one state in one poll. */
export interface Reading {
  state: OrderState;
  result: PollResult;
}

/** The other parts of the watch of a branch. */
interface PageParts {
  branchId: string;
  progress: WatchProgress;
  deliveries: OrderDeliveries;
  firstRun: FirstRun;
  pending: PendingOrders;
  times: ServiceTimes;
}

/** The service turned out to be another one, such as a restarted mock, with its own orders. */
export class OtherService extends Error {}

/**
 * Returns the changes of known orders: of their state, and until they are accepted of their content. `unedited` is content to be kept
 * without a change.
 */
function findChanges(recognised: readonly Recognised[], at: number) {
  const changes: OrderChange[] = [];
  const unedited: { orderKey: string; content: string }[] = [];
  // If a page lists an order twice, the last one counts, at every poll.
  const last = new Map(recognised.map((each) => [each.orderKey, each]));

  for (const { orderKey, order, status, known } of last.values()) {
    if (known?.state !== "found") continue;
    const from = known.status;
    const to = status || from;
    // An accepted order changes as it is prepared and paid.
    const isCompared = [from, to].includes("pendiente");
    const content = isCompared ? toContent(order) : known.content;
    const edited = compareContent(known.content, content);

    if (from !== to || edited.length > 0)
      changes.push({ orderKey, from, to, at, edited, content, body: answerText(order) });
    // Found by a version that compared other fields.
    else if (content !== null && content !== known.content) unedited.push({ orderKey, content });
  }
  return { changes, unedited };
}

/** Records the new, changed and unusable orders of a page, and wakes their deliveries. */
export class PageProcessor {
  readonly #context: WatchContext;
  readonly #parts: PageParts;
  readonly #quarantine: Quarantine;
  readonly #toldMismatches = new Set<string>();
  #isOlderDated: boolean;
  hasAnswered = false;

  constructor(context: WatchContext, parts: PageParts) {
    this.#context = context;
    this.#parts = parts;
    this.#quarantine = new Quarantine(context);
    this.#isOlderDated = parts.progress.olderAt !== notYetKnown;
  }

  /** How many orders are in quarantine. */
  get quarantined(): number {
    return this.#quarantine.size;
  }

  async process({ date, mismatches, body }: Answer<OrdersResponse>, reading: Reading): Promise<void> {
    const { branchId, firstRun, times } = this.#parts;
    this.hasAnswered = true;
    if (this.#context.branchId() !== branchId) throw new OtherService();
    times.setNow(date ?? this.#context.clock.now());
    await this.#dateOlder();
    reading.result.mismatches.push(...this.#selectUntold(mismatches));
    firstRun.begin(times.now, body);
    await this.#processOrders(body.orders, reading);
  }

  /** Notes that orders created from now on cannot have been delivered before the journal was restored. */
  async #dateOlder(): Promise<void> {
    if (this.#isOlderDated) return;
    const { progress, times } = this.#parts;
    // `Date` has whole seconds.
    await this.#context.journal.orders.setOlder(progress.watchId, times.now + 999);
    this.#isOlderDated = true;
  }

  #selectUntold(mismatches: readonly string[]): string[] {
    const untold: string[] = [];
    for (const mismatch of mismatches) {
      // A waiting order is read at every poll, each time at another position in its page.
      const kind = mismatch.replaceAll(/\.\d+(?=[.:])/g, "");
      if (!this.#toldMismatches.has(kind)) untold.push(mismatch);
      this.#toldMismatches.add(kind);
    }
    return untold;
  }

  async #processOrders(orders: readonly Order[], reading: Reading): Promise<void> {
    const { firstRun, progress, pending } = this.#parts;
    const { watchId } = progress;
    const { leftOut } = firstRun;
    const journal = this.#context.journal.orders;
    const { recognised, odd } = await recogniseOrders(orders, { journal, watchId, leftOut });
    this.#noteSeen(recognised, reading);

    const found = this.#selectNew(recognised, reading.state);
    await this.#tellReused(found);
    await this.#writeCreatedAt(recognised);
    const at = this.#context.clock.now();
    const delivered = found.map((each) => toFound(each, at));
    await this.deliver(delivered, reading.result);
    await pending.note(delivered, true);

    await this.#writeChanges(recognised, reading.result);
    await pending.note(selectDelivered(recognised), false);

    await this.#quarantine.keep(odd);
  }

  #noteSeen(recognised: readonly Recognised[], { state, result }: Reading): void {
    for (const { orderKey, order } of recognised) {
      this.#parts.times.noteOrder(order);
      if (state === "pendiente") result.listed.add(orderKey);
      this.#context.seen?.(orderKey, order);
    }
  }

  /** Returns the unknown orders that are to be delivered; the first run leaves out those that were there before it. */
  #selectNew(recognised: readonly Recognised[], state: OrderState): Recognised[] {
    const { firstRun, times } = this.#parts;
    const at = this.#context.clock.now();
    const found: Recognised[] = [];
    for (const each of recognised) {
      if (each.known !== undefined) continue;
      if (firstRun.leavesOut(each.order, state, times))
        firstRun.leaveOut(toRemembered(each, at), each.order, state);
      else found.push(each);
    }
    return found;
  }

  async #tellReused(found: readonly Recognised[]): Promise<void> {
    for (const { number, createdAt, other } of found) {
      if (other === undefined) continue;
      const reused = { orderId: number, createdAt: createdAt ?? "", before: other };
      await this.#context.tell({ event: "number.reused", ...reused });
    }
  }

  /** Records the created_at of orders that had none when they were found. */
  async #writeCreatedAt(recognised: readonly Recognised[]): Promise<void> {
    const filled = recognised.flatMap(({ orderKey, createdAt, known }) =>
      known?.createdAt === null && createdAt !== null ? { orderKey, createdAt } : [],
    );
    const { watchId } = this.#parts.progress;
    if (filled.length > 0) await this.#context.journal.orders.setCreatedAt(watchId, filled);
  }

  /** Records new orders, and with the first of them that the first run has begun; then wakes their deliveries. */
  async deliver(found: readonly FoundOrder[], result: PollResult): Promise<void> {
    const { deliveries, firstRun, progress } = this.#parts;
    result.found += found.length;
    const began = firstRun.unwritten;
    if (found.length === 0 && began === undefined) return;

    await this.#context.journal.orders.found(progress.watchId, found, began);
    firstRun.unwritten = undefined;
    deliveries.wake();
    await this.#context.tell({ event: "orders.found", orders: found.length });
  }

  async #writeChanges(recognised: readonly Recognised[], result: PollResult): Promise<void> {
    const { deliveries, progress } = this.#parts;
    const { orders } = this.#context.journal;
    const { changes, unedited } = findChanges(recognised, this.#context.clock.now());
    if (unedited.length > 0) await orders.setContent(progress.watchId, unedited);
    if (changes.length === 0) return;

    await orders.changed(progress.watchId, changes);
    result.changed += changes.length;
    deliveries.wake();
  }
}

function toRemembered(
  { orderKey, order, createdAt, status }: Recognised,
  at: number,
): Omit<FoundOrder, "body"> {
  return { orderKey, createdAt, status, at, content: toContent(order) };
}

function toFound(each: Recognised, at: number): FoundOrder {
  return { ...toRemembered(each, at), body: answerText(each.order) };
}

/** Returns the orders of the page that were found before. */
function selectDelivered(recognised: readonly Recognised[]): RememberedOrder[] {
  return recognised.flatMap(({ orderKey, createdAt, status, known }) =>
    known?.state === "found" ? { orderKey, createdAt: known.createdAt ?? createdAt, status } : [],
  );
}
