import type { Answer } from "../../../api/client.ts";
import { madeAt, usableOrderId } from "../../../api/pages.ts";
import { isoWithOffset, type OrderState } from "../../../contract/limits.ts";
import type { Order, OrdersResponse } from "../../../contract/order.ts";
import type { WatchProgress } from "../../../journal/records/orders.ts";
import type { OrderDeliveries } from "../outputs/deliveries.ts";
import type { Polled, WatchContext } from "./context.ts";
import { FirstRun } from "./first-run.ts";
import { type LookUpPage, PendingOrders } from "./pending.ts";
import { everyStatePolls, PollPlan } from "./plan.ts";
import { PageProcessor, type PollResult } from "./process-page.ts";
import { type Scan, StateReader } from "./scan.ts";
import { dayMs, ServiceTimes } from "./service-times.ts";

/**
 * The process that polled the branch until now read every state in one of its last ten polls. The first poll here does not:
 * thousands of branches may wait for it.
 */
function continued({ isTakenOver, random }: WatchContext, { firstRun, polledAt }: WatchProgress) {
  if (isTakenOver !== true || firstRun === 1 || polledAt === null) return undefined;
  return { polledAt, polls: Math.floor(random() * (everyStatePolls - 1)) };
}

/** Polls one branch: decides which states to read, since when, and which orders to look up. */
export class BranchPoller {
  readonly #context: WatchContext;
  readonly #watchId: number;
  readonly #deliveries: OrderDeliveries;
  readonly #plan: PollPlan;
  readonly #states: StateReader;
  readonly #pages: PageProcessor;
  readonly #pending: PendingOrders;
  readonly #firstRun: FirstRun;
  readonly #times = new ServiceTimes();
  /** The time from which every state is scanned, from the journal. */
  #sinceFloor: number | null;
  /** How many orders are pendiente, by the latest scan of all of them. */
  #waiting = 0;
  /** Whether the journal has been reachable since the last poll, so it holds no delivery unknown here. */
  #isSure = false;

  constructor(context: WatchContext, branchId: string, progress: WatchProgress, deliveries: OrderDeliveries) {
    this.#context = context;
    this.#watchId = progress.watchId;
    this.#sinceFloor = progress.sinceFloor;
    this.#deliveries = deliveries;
    const ahead = context.spreadMs > 0 ? Math.floor(context.random() * everyStatePolls) : 0;
    this.#plan = new PollPlan(context.intervalMs, ahead, continued(context, progress));
    this.#states = new StateReader(context);
    this.#firstRun = new FirstRun(progress, context.skipExisting);
    this.#pending = new PendingOrders(context.journal.orders, progress);
    this.#pages = new PageProcessor(context, {
      branchId,
      progress,
      deliveries,
      firstRun: this.#firstRun,
      pending: this.#pending,
      times: this.#times,
    });
  }

  /** Whether the service has answered at all. */
  get hasAnswered(): boolean {
    return this.#pages.hasAnswered;
  }

  /** Notes that a poll failed for any reason: it may have recorded more than is known here. */
  noteFailure(): void {
    this.#isSure = false;
    this.#deliveries.wake();
  }

  /** Makes failed deliveries due again. */
  retryDeliveries(): void {
    this.#deliveries.retryHung();
    if (this.#isSure) this.#deliveries.retry();
    else this.#deliveries.wake();
    this.#isSure = true;
  }

  /** @param lagMs how long it waited for its turn. */
  async poll(lagMs = 0): Promise<Polled> {
    const result: PollResult = { found: 0, changed: 0, listed: new Set(), mismatches: [] };
    const startedAt = this.#context.clock.now();
    const scope = this.#plan.next(startedAt, lagMs);

    const { newest } = this.#times;
    const since = scope.full || newest === null ? undefined : newest - dayMs;
    const { pages } = await this.#readPending(since, result);
    if (scope.everyState) await this.#readEveryState(result);
    const endedAt = this.#context.clock.now();
    this.#plan.done({ ...scope, full: since === undefined }, { at: startedAt, endedAt, pages });
    await this.#pending.lookUp((page, isWanted) => this.#lookUp(page, isWanted, result));

    return {
      waiting: this.#waiting,
      found: result.found,
      changed: result.changed,
      pending: since === undefined ? result.listed : undefined,
      mismatches: result.mismatches,
    };
  }

  #toProcess(state: OrderState, result: PollResult) {
    return (page: Answer<OrdersResponse>): Promise<void> => this.#pages.process(page, { state, result });
  }

  #scan(state: OrderState, since: number | undefined, result: PollResult): Promise<Scan> {
    return this.#states.scan(state, since, this.#toProcess(state, result));
  }

  async #readPending(since: number | undefined, result: PollResult): Promise<Scan> {
    try {
      const scan = await this.#scan("pendiente", since, result);
      if (since === undefined) this.#waiting = scan.orders;
      this.#pending.noteScan(result.listed, since);
      if (!this.#firstRun.isOver) await this.#noteFirstScan(scan);
      return scan;
    } catch (error) {
      this.#firstRun.noteFailure();
      throw error;
    } finally {
      // After a failed poll too.
      this.retryDeliveries();
    }
  }

  async #noteFirstScan(scan: Scan): Promise<void> {
    const { orders } = this.#context.journal;
    const beganAt = this.#firstRun.beganAt ?? 0;
    const { all, early } = await orders.count(this.#watchId, beganAt);
    const { quarantined } = this.#pages;
    const seen = { all: all + quarantined, early: early + quarantined };
    if (!this.#firstRun.noteScan(scan, seen)) return;

    // A watch that is killed before it has read the other states knows that it missed nothing.
    await orders.found(this.#watchId, [], { beganAt, firstPage: this.#firstRun.firstPage });
  }

  /**
   * Scans all other states from a day before the newest order known when the last complete scan began; a failed scan
   * does not move this time.
   */
  async #readEveryState(result: PollResult): Promise<void> {
    const sinceFloor = await this.#readSinceFloor();
    const isWhole = sinceFloor === null && this.#times.newest === null && (await this.#readEnds(result));
    const { newest, now } = this.#times;
    const began = this.#firstRun.beganAt ?? now;
    const since = sinceFloor ?? Math.min(began, newest ?? began) - dayMs;
    if (!isWhole) await this.#states.readLater((state) => this.#scan(state, since, result));

    const next = newest === null ? sinceFloor : Math.max(since, newest - dayMs);
    if (!this.#firstRun.isOver) await this.#deliverWaited(since, result);
    const leftOut = [...this.#firstRun.leftOut.values()];
    if (!this.#firstRun.isOver || next !== this.#sinceFloor)
      await this.#context.journal.orders.scanned(this.#watchId, next, leftOut);
    this.#sinceFloor = next;
    this.#firstRun.end();
  }

  /**
   * Reads both ends of each state while no order has shown which clock `created_at` follows: the Date header may follow another. Returns
   * true if each state has one page; else what lies between the ends is missing.
   */
  async #readEnds(result: PollResult): Promise<boolean> {
    const ends = await this.#states.readLater((state) =>
      this.#states.readEnds(state, this.#toProcess(state, result)),
    );
    return !ends.includes(false);
  }

  /**
   * Returns where the scan begins. If that lies in the future, because the service's clock was ahead for a while, every order until then would be
   * left out: the scan begins a day before the newest order up to now, and orders from before the first run stay out.
   */
  async #readSinceFloor(): Promise<number | null> {
    const sinceFloor = this.#sinceFloor;
    const { now } = this.#times;
    if (sinceFloor === null || sinceFloor <= now) return sinceFloor;

    const began = this.#firstRun.beganAt ?? now;
    if (began <= now) {
      const newest = await this.#context.journal.orders.newest(this.#watchId, now);
      return Math.max(began, newest ?? began) - dayMs;
    }
    // If only one answer has an earlier time, that answer is wrong.
    return sinceFloor <= this.#context.clock.now() ? sinceFloor : now - dayMs;
  }

  /** Delivers the orders that left pendiente before the first run had read all of it, and reports if others may have. */
  async #deliverWaited(since: number, result: PollResult): Promise<void> {
    if (this.#context.skipExisting) return;
    const { firstPage } = this.#firstRun;
    const { waited, isIncomplete } = this.#firstRun.takeWaited();
    await this.#pages.deliver(waited, result);
    if (isIncomplete)
      await this.#context.tell({ event: "first_run.incomplete", since: firstPage?.end ?? since });
  }

  /**
   * Reads a page to look up orders that left pendiente. It takes other orders only if a scan of every state would: older ones
   * never belonged to this watch.
   */
  #lookUp({ status, since, page }: LookUpPage, isWanted: (order: Order) => boolean, result: PollResult) {
    const { client, signal, throttle } = this.#context;
    const process = this.#toProcess(status, result);
    const floor = this.#sinceFloor ?? Number.POSITIVE_INFINITY;
    const isTaken = (order: Order): boolean =>
      usableOrderId(order) !== undefined && (isWanted(order) || (madeAt(order) ?? 0) > floor);

    return this.#states.unlessRefused(status, async () => {
      const query = { status, since: isoWithOffset(since), page };
      const answer = await client.listOrders(query, { signal, check: throttle.request });
      const orders = answer.body.orders.filter(isTaken);
      await process({ ...answer, body: { ...answer.body, orders } });
      return answer.body;
    });
  }
}
