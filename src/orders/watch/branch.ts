import type { Answer, Client } from "../../api/client.ts";
import { answerText, isTooDeep, numberOf } from "../../api/json.ts";
import { lastingIdentity, madeAt, usableOrderId } from "../../api/pages.ts";
import { isoWithOffset, type OrderState, orderStates } from "../../contract/limits.ts";
import type { Order, OrdersResponse } from "../../contract/order.ts";
import { BposError, isReason } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import {
  createdAtText,
  type FirstPage,
  type FoundOrder,
  type KnownOrder,
  orderKey,
  type WatchMemory,
} from "../../journal/orders.ts";
import { type DeliveryNotice, type OrderDeliveries, type OrderOutput, orderDeliveries } from "./outputs.ts";
import { FirstRun, firstPageOf, PollPlan, type Scan, scanOrders } from "./scan.ts";
import type { WatchNotice } from "./watch.ts";

export interface WatchWorld {
  clock: { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };
  /** A number in [0, 1). */
  random: () => number;
  journal: Journal;
  outputs: readonly OrderOutput[];
  tell: (notice: DeliveryNotice) => Promise<void>;
  quarantine: (identity: string, body: string) => string | undefined;
}

export interface WatchOptions {
  branch: string;
  /** The identity under which its state is kept, by the latest answer of the service. */
  branchId: () => string;
  consumer: string;
  /** Time between two polls, in milliseconds; varied by 10 %. */
  intervalMs: number;
  firstPauseMs?: number;
  once: boolean;
  /** Deliver nothing that was there before the first run of this consumer. */
  skipExisting: boolean;
  signal: AbortSignal;
}

type Polled = Pick<Extract<WatchNotice, { event: "polled" }>, "waiting" | "found" | "mismatches">;

const dayMs = 24 * 60 * 60_000;

/** An order's state as the journal can hold it: its database knows no NUL, and no half of a character. */
const statusOf = ({ status }: Order): string =>
  typeof status === "string" ? status.replace(/\0|\p{Surrogate}/gu, "\ufffd") : "";

/** The service turned out to be another one, as a mock that was restarted: its orders are of another memory. */
export class OtherService extends Error {}

export class BranchWatch {
  readonly #client: Client;
  readonly #world: WatchWorld;
  readonly #options: WatchOptions;
  readonly #deliveries: OrderDeliveries;
  readonly #plan: PollPlan;
  readonly #branchId: string;
  #memory: WatchMemory;
  #newest: number | null = null;
  /** The service's clock at its latest answer, epoch milliseconds; this machine's when it says none. */
  #serviceNow = 0;
  #mismatches: string[] = [];
  readonly #firstRun: FirstRun;
  /** Written down together with the orders of the first page. */
  #began: { beganAt: number; firstPage: FirstPage | null } | undefined;
  readonly #refusedStates = new Set<string>();
  readonly #toldMismatches = new Set<string>();
  readonly #quarantined = new Set<string>();
  #isQuarantineFull = false;
  #waiting = 0;
  #found = 0;
  answered = false;
  readonly signal: AbortSignal;

  private constructor(
    client: Client,
    world: WatchWorld,
    options: WatchOptions,
    { branchId, memory, deliveries }: { branchId: string; memory: WatchMemory; deliveries: OrderDeliveries },
  ) {
    this.#client = client;
    this.#world = world;
    this.#options = options;
    this.#plan = new PollPlan(options.intervalMs);
    this.#branchId = branchId;
    this.#memory = memory;
    this.#deliveries = deliveries;
    const { beganAt, firstRun, firstPage } = memory;
    this.#firstRun = new FirstRun({ firstPage, broke: firstRun === 1 && beganAt !== null });
    this.signal = AbortSignal.any([options.signal, deliveries.ended]);
  }

  static async open(client: Client, world: WatchWorld, options: WatchOptions): Promise<BranchWatch> {
    const branchId = options.branchId();
    const memory = await world.journal.orders.open(branchId, options.consumer);
    const deliveries = await orderDeliveries(memory.watchId, world, options);
    return new BranchWatch(client, world, options, { branchId, memory, deliveries });
  }

  close(): Promise<void> {
    return this.#deliveries.close();
  }

  async *poll(): AsyncGenerator<WatchNotice, Polled> {
    const { clock } = this.#world;
    this.#mismatches = [];
    this.#found = 0;
    const startedAt = clock.now();
    const poll = this.#plan.next(startedAt);
    this.#deliveries.retryHung();
    let pages = 0;
    const recent = poll.full || this.#newest === null ? undefined : isoWithOffset(this.#newest - dayMs);
    try {
      const scan = yield* this.#scan({ status: "pendiente", ...(recent !== undefined && { since: recent }) });
      pages = scan.pages;
      if (recent === undefined) this.#waiting = scan.orders;
      if (this.#memory.firstRun === 1) this.#firstRun.scanned(scan, await this.#seen());
    } catch (error) {
      if (!(error instanceof BposError)) throw error;
      this.#firstRun.failed();
      this.#deliveries.wake();
      throw error;
    }
    // What failed before is due again, whether this poll failed or not.
    this.#deliveries.wake();
    if (poll.everyState) yield* this.#readEveryState();
    this.#plan.done({ ...poll, full: recent === undefined }, { at: startedAt, pages });
    return { waiting: this.#waiting, found: this.#found, mismatches: this.#mismatches };
  }

  async #seen(): Promise<{ all: number; early: number }> {
    const { watchId, beganAt } = this.#memory;
    const { size } = this.#quarantined;
    const { all, early } = await this.#world.journal.orders.count(watchId, beganAt ?? 0);
    return { all: all + size, early: early + size };
  }

  async *#scan(query: { status: OrderState; since?: string }): AsyncGenerator<WatchNotice, Scan> {
    const scan = scanOrders(this.#client, query, this.signal);
    for (;;) {
      const { done, value } = await scan.next();
      if (done === true) return value;
      this.#hear(value);
      // Each page is delivered as it comes: a later page that fails must not hold up the orders of this one.
      yield* this.#take(value.body.orders, query.status);
    }
  }

  #hear({ date, mismatches, body }: Answer<OrdersResponse>): void {
    this.answered = true;
    if (this.#options.branchId() !== this.#branchId) throw new OtherService();
    this.#serviceNow = date ?? this.#world.clock.now();
    for (const mismatch of mismatches) {
      // An order that waits is read again at every poll, and each time at another place of its page.
      const kind = mismatch.replaceAll(/\.\d+(?=[.:])/g, "");
      if (!this.#toldMismatches.has(kind)) this.#mismatches.push(mismatch);
      this.#toldMismatches.add(kind);
    }
    if (this.#memory.beganAt !== null) return;
    const beganAt = this.#serviceNow;
    const firstPage = firstPageOf(body);
    this.#began = { beganAt, firstPage };
    this.#memory = { ...this.#memory, beganAt };
    this.#firstRun.firstPage = firstPage;
  }

  /** The scan begins a day before the newest order that was known when the last whole one began: one that fails moves nothing on. */
  async *#readEveryState(): AsyncGenerator<WatchNotice> {
    const { watchId, beganAt, sinceFloor } = this.#memory;
    const noTimeKnown = sinceFloor === null && this.#newest === null;
    const ends = noTimeKnown ? yield* this.#eachState((status) => this.#readEnds(status)) : [false];
    const newest = this.#newest;
    const began = beganAt ?? this.#serviceNow;
    const since = sinceFloor ?? Math.min(began, newest ?? began) - dayMs;
    // One page a state holds all that there is; else what lies between the ends is missing.
    if (ends.includes(false))
      yield* this.#eachState((status) => this.#scan({ status, since: isoWithOffset(since) }));
    const next = newest === null ? sinceFloor : Math.max(since, newest - dayMs);
    if (this.#memory.firstRun === 1) yield* this.#finishFirstRun(since);
    const { leftOut } = this.#firstRun;
    const scanned = { sinceFloor: next, skipped: [...leftOut.values()] };
    await this.#world.journal.orders.scanned(watchId, scanned);
    this.#memory = { ...this.#memory, firstRun: 0, sinceFloor: next };
    leftOut.clear();
  }

  /** Delivers what left pendiente before the first run had read all of it, and says what may have. */
  async *#finishFirstRun(since: number): AsyncGenerator<WatchNotice> {
    if (this.#options.skipExisting) return;
    const { firstPage } = this.#firstRun;
    const { waited, isIncomplete } = this.#firstRun.finish();
    await this.#deliver(waited);
    if (isIncomplete) yield { event: "first_run.incomplete", since: firstPage?.end ?? since };
  }

  /** While no order has told what time `created_at` goes by: the Date header may be of another clock. True when that was all. */
  async *#readEnds(status: OrderState): AsyncGenerator<WatchNotice, boolean> {
    const { has_more: more, total, orders } = yield* this.#readPage(status, 1);
    const pages = orders.length === 0 ? 1 : Math.ceil((numberOf(total) ?? 0) / orders.length);
    if (pages > 1) yield* this.#readPage(status, pages);
    return !more && pages <= 1;
  }

  async *#readPage(status: OrderState, page: number): AsyncGenerator<WatchNotice, OrdersResponse> {
    const answer = await this.#client.listOrders({ status, page }, { signal: this.signal });
    this.#hear(answer);
    yield* this.#take(answer.body.orders, status);
    return answer.body;
  }

  async *#eachState<T>(
    read: (status: OrderState) => AsyncGenerator<WatchNotice, T>,
  ): AsyncGenerator<WatchNotice, T[]> {
    const results: T[] = [];
    for (const status of orderStates.slice(1)) {
      if (this.#refusedStates.has(status)) continue;
      try {
        results.push(yield* read(status));
      } catch (error) {
        // The specification lists these states; a service that refuses one must not stop the watch. Any other refusal
        // is an outage: a gateway that is being set up again answers 404 for a while.
        if (!isReason(error, "input_refused") || ![400, 422].includes(error.facts.status ?? 0)) throw error;
        this.#refusedStates.add(status);
        yield { event: "state.refused", state: status, error };
      }
    }
    return results;
  }

  async *#take(orders: readonly Order[], state: OrderState): AsyncGenerator<WatchNotice> {
    const { journal, outputs } = this.#world;
    const { watchId } = this.#memory;
    const found = new Map<string, FoundOrder>();
    const filled: { orderId: string; createdAt: string }[] = [];
    const seen: { orderId: string; order: Order; before: KnownOrder | undefined }[] = [];
    const odd: Order[] = [];
    const remembered = await journal.orders.known(
      watchId,
      orders.flatMap((order) => usableOrderId(order) ?? []),
    );
    for (const order of orders) {
      const number = usableOrderId(order);
      if (number === undefined || isTooDeep(order)) {
        odd.push(order);
        continue;
      }
      this.#noteNewest(order);
      const { orderId, createdAt, known, other } = await this.#recall(number, order, remembered, found);
      seen.push({ orderId, order, before: known });
      if (known?.createdAt === null && createdAt !== null) filled.push({ orderId, createdAt });
      if (known !== undefined) continue;
      const one = { orderId, createdAt, status: statusOf(order) };
      if (this.#isLeftOut(order, state)) {
        const mayHaveWaited = state !== "pendiente" && this.#firstRun.mayHaveWaited(madeAt(order));
        this.#firstRun.leftOut.set(orderId, { ...one, body: mayHaveWaited ? answerText(order) : null });
      } else found.set(orderId, { ...one, body: answerText(order) });
      if (found.has(orderId) && other !== undefined)
        yield { event: "number.reused", orderId: number, createdAt: createdAt ?? "", before: other };
    }
    if (filled.length > 0) await journal.orders.setCreatedAt(watchId, filled);
    await this.#deliver([...found.values()]);
    const wanted = outputs.some((output) => output.changes);
    const changes = seen.flatMap(({ orderId, order, before }) =>
      before?.state === "found" && !["", before.status].includes(statusOf(order))
        ? [{ orderId, from: before.status, to: statusOf(order), body: wanted ? answerText(order) : null }]
        : [],
    );
    if (changes.length > 0) {
      await journal.orders.changed(watchId, changes);
      this.#deliveries.wake();
    }
    yield* this.#quarantine(odd);
  }

  async #deliver(found: readonly FoundOrder[]): Promise<void> {
    this.#found += found.length;
    if (found.length === 0 && this.#began === undefined) return;
    await this.#world.journal.orders.found(this.#memory.watchId, found, this.#began);
    this.#began = undefined;
    this.#deliveries.wake();
  }

  /** The same number with another created_at is another order, `other` when the one before was created; where either has none, the same. */
  async #recall(
    number: string,
    order: Order,
    remembered: ReadonlyMap<string, KnownOrder>,
    found: ReadonlyMap<string, FoundOrder>,
  ): Promise<{ orderId: string; createdAt: string | null; known?: KnownOrder; other?: string }> {
    const { orders } = this.#world.journal;
    const createdAt = createdAtText(order);
    let same: { orderId: string; known: KnownOrder } | undefined;
    let other: string | undefined;
    for (let nth = 1; ; nth++) {
      const orderId = orderKey(number, nth);
      // What is not written down yet no output knows in another state.
      const unwritten = found.get(orderId) ?? this.#firstRun.leftOut.get(orderId);
      const written = nth === 1 ? remembered : await orders.known(this.#memory.watchId, [orderId]);
      const known: KnownOrder | undefined =
        written.get(orderId) ?? (unwritten === undefined ? undefined : { ...unwritten, state: "skipped" });
      if (known === undefined)
        return { createdAt, ...(same ?? { orderId, ...(other !== undefined && { other }) }) };
      if (known.createdAt === createdAt) return { createdAt, orderId, known };
      if (known.createdAt === null || createdAt === null) same = { orderId, known };
      else other = known.createdAt;
    }
  }

  /** Whether an order was there before the first run: of those only what is pendiente is delivered, if anything. */
  #isLeftOut(order: Order, state: OrderState): boolean {
    const { firstRun, beganAt } = this.#memory;
    if (firstRun === 0) return false;
    const made = madeAt(order);
    const cameLater = made !== undefined && made > (beganAt ?? 0) && !this.#isFromTheFuture(made);
    return !cameLater && (state !== "pendiente" || this.#options.skipExisting);
  }

  #noteNewest(order: Order): void {
    const made = madeAt(order);
    if (made === undefined || this.#isFromTheFuture(made)) return;
    // A store whose clock is ahead must not take from the day that is read again.
    const sure = Math.min(made, this.#serviceNow);
    this.#newest = Math.max(this.#newest ?? sure, sure);
  }

  /** Such a time says nothing: it is wrong, or the Date header is. */
  #isFromTheFuture(made: number): boolean {
    return made > this.#serviceNow + dayMs;
  }

  *#quarantine(orders: readonly Order[]): Generator<WatchNotice> {
    const before = new Map<string, number>();
    for (const order of orders) {
      const identity = lastingIdentity(order);
      const nth = (before.get(identity) ?? 0) + 1;
      before.set(identity, nth);
      // Two that are alike on one page are two orders.
      yield* this.#keep(order, nth === 1 ? identity : `${identity} ${nth}`);
    }
  }

  *#keep(order: Order, identity: string): Generator<WatchNotice> {
    try {
      const file = this.#world.quarantine(identity, answerText(order));
      if (file === undefined) {
        if (!this.#isQuarantineFull) yield { event: "quarantine.full" };
        this.#isQuarantineFull = true;
        return;
      }
      if (this.#quarantined.has(identity)) return;
      this.#quarantined.add(identity);
      yield { event: "order.quarantined", file, orderId: usableOrderId(order) };
    } catch (error) {
      if (!(error instanceof BposError)) throw error;
      yield { event: "quarantine.failed", error: error as BposError };
    }
  }
}
