import type { Answer } from "../../api/client.ts";
import { answerText, isTooDeep, toNumber } from "../../api/json.ts";
import { madeAt, usableOrderId } from "../../api/pages.ts";
import { isoWithOffset, laterStates, type OrderState } from "../../contract/limits.ts";
import type { Order, OrdersResponse } from "../../contract/order.ts";
import { isReason } from "../../errors.ts";
import { plainText } from "../../journal/engine.ts";
import {
  createdAtText,
  type FirstPage,
  type FoundOrder,
  type KnownOrder,
  notYetKnown,
  type OrderChange,
  orderKey,
  type WatchMemory,
} from "../../journal/orders.ts";
import { compareContent, toContent } from "./content.ts";
import type { Polled, WatchContext } from "./context.ts";
import type { OrderDeliveries } from "./outputs.ts";
import { type LookUpPage, PendingOrders } from "./pending.ts";
import { Quarantine } from "./quarantine.ts";
import { FirstRun, isLastPage, PollPlan, readFirstPage, type Scan, scanOrders } from "./scan.ts";

const dayMs = 24 * 60 * 60_000;

const readStatus = ({ status }: Order): string => (typeof status === "string" ? plainText(status) : "");

interface Seen {
  orderId: string;
  order: Order;
  before: KnownOrder | undefined;
}

/** The service turned out to be another one, as a mock that was restarted: its orders are of another memory. */
export class OtherService extends Error {}

export class BranchWatch {
  readonly #context: WatchContext;
  readonly #branchId: string;
  readonly #deliveries: OrderDeliveries;
  readonly #plan: PollPlan;
  readonly #firstRun: FirstRun;
  readonly #refusedStates = new Set<string>();
  readonly #toldMismatches = new Set<string>();
  /** Of which the service counts more orders than its pages hold. */
  readonly #shortStates = new Set<string>();
  readonly #quarantine: Quarantine;
  readonly #pending: PendingOrders;
  #memory: WatchMemory;
  /** Epoch milliseconds: when the newest order was made; the service's clock at its latest answer, else this machine's. */
  #newest: number | null = null;
  #serviceNow = 0;
  /** Written down together with the orders of the first page. */
  #began: { beganAt: number; firstPage: FirstPage | null } | undefined;
  #mismatches: string[] = [];
  /** What this poll found listed in pendiente. */
  #listed = new Set<string>();
  #waiting = 0;
  #found = 0;
  #changed = 0;
  answered = false;

  constructor(context: WatchContext, branchId: string, memory: WatchMemory, deliveries: OrderDeliveries) {
    this.#context = context;
    this.#branchId = branchId;
    this.#memory = memory;
    this.#deliveries = deliveries;
    this.#plan = new PollPlan(context.intervalMs);
    this.#firstRun = new FirstRun(memory.firstPage, memory.firstRun === 1 && memory.beganAt !== null);
    this.#quarantine = new Quarantine(context);
    this.#pending = new PendingOrders(context.journal.orders, memory);
  }

  async poll(): Promise<Polled> {
    this.#mismatches = [];
    this.#listed = new Set();
    this.#found = this.#changed = 0;
    const startedAt = this.#context.clock.now();
    const poll = this.#plan.next(startedAt);
    this.#deliveries.retryHung();
    const since = poll.full || this.#newest === null ? undefined : this.#newest - dayMs;
    let pages: number;
    try {
      const scan = await this.#scan("pendiente", since);
      pages = scan.pages;
      if (since === undefined) this.#waiting = scan.orders;
      this.#pending.scanned(this.#listed, since);
      if (this.#memory.firstRun === 1) await this.#pendingScanned(scan);
    } catch (error) {
      this.#firstRun.failed();
      throw error;
    } finally {
      // What failed before is due again, whether this poll failed or not.
      this.#deliveries.wake();
    }
    if (poll.everyState) await this.#readEveryState();
    this.#plan.done({ ...poll, full: since === undefined }, { at: startedAt, pages });
    await this.#pending.lookUp((page, isWanted) => this.#lookUp(page, isWanted));
    const pending = since === undefined ? this.#listed : undefined;
    const counts = { waiting: this.#waiting, found: this.#found, changed: this.#changed };
    return { ...counts, pending, mismatches: this.#mismatches };
  }

  async #pendingScanned(scan: Scan): Promise<void> {
    const { watchId } = this.#memory;
    const { orders } = this.#context.journal;
    const beganAt = this.#memory.beganAt ?? 0;
    const { all, early } = await orders.count(watchId, beganAt);
    const { size } = this.#quarantine;
    if (!this.#firstRun.scanned(scan, { all: all + size, early: early + size })) return;
    // A watch that is killed before it has read the other states knows that it missed nothing.
    await orders.found(watchId, [], { beganAt, firstPage: this.#firstRun.firstPage });
  }

  async #scan(status: OrderState, since: number | undefined): Promise<Scan> {
    const { client, tell } = this.#context;
    const query = { status, ...(since !== undefined && { since: isoWithOffset(since) }) };
    // Each page is delivered as it comes: a later page that fails must not hold up the orders of this one.
    const scan = await scanOrders(client, query, this.#context.signal, (page) => this.#hear(page, status));
    const { isShort, orders: read, total = 0 } = scan;
    // Then a service may count those before it, too.
    if (since !== undefined) return scan;
    if (isShort && !this.#shortStates.has(status))
      await tell({ event: "orders.unread", state: status, read, total });
    if (isShort) this.#shortStates.add(status);
    else this.#shortStates.delete(status);
    return scan;
  }

  async #hear({ date, mismatches, body }: Answer<OrdersResponse>, status: OrderState): Promise<void> {
    this.answered = true;
    if (this.#context.branchId() !== this.#branchId) throw new OtherService();
    this.#serviceNow = date ?? this.#context.clock.now();
    // The service's clock was set back.
    this.#newest = this.#newest && Math.min(this.#newest, this.#serviceNow);
    await this.#dateOlder();
    for (const mismatch of mismatches) {
      // An order that waits is read again at every poll, and each time at another place of its page.
      const kind = mismatch.replaceAll(/\.\d+(?=[.:])/g, "");
      if (!this.#toldMismatches.has(kind)) this.#mismatches.push(mismatch);
      this.#toldMismatches.add(kind);
    }
    if (this.#memory.beganAt === null) {
      this.#began = { beganAt: this.#serviceNow, firstPage: readFirstPage(body) };
      this.#memory = { ...this.#memory, beganAt: this.#began.beganAt };
      this.#firstRun.firstPage = this.#began.firstPage;
    }
    await this.#take(body.orders, status);
  }

  /** What is created from here on cannot have been delivered before the journal was restored. `Date` has whole seconds. */
  async #dateOlder(): Promise<void> {
    if (this.#memory.olderAt !== notYetKnown) return;
    const olderAt = this.#serviceNow + 999;
    await this.#context.journal.orders.setOlder(this.#memory.watchId, olderAt);
    this.#memory = { ...this.#memory, olderAt };
  }

  /** The scan begins a day before the newest order that was known when the last whole one began: one that fails moves nothing on. */
  async #readEveryState(): Promise<void> {
    const { watchId, beganAt } = this.#memory;
    const sinceFloor = await this.#sinceFloor();
    const noTimeKnown = sinceFloor === null && this.#newest === null;
    const ends = noTimeKnown ? await this.#eachState((status) => this.#readEnds(status)) : [false];
    const newest = this.#newest;
    const began = beganAt ?? this.#serviceNow;
    const since = sinceFloor ?? Math.min(began, newest ?? began) - dayMs;
    // One page a state holds all that there is; else what lies between the ends is missing.
    if (ends.includes(false)) await this.#eachState((status) => this.#scan(status, since));
    const next = newest === null ? sinceFloor : Math.max(since, newest - dayMs);
    if (this.#memory.firstRun === 1) await this.#finishFirstRun(since);
    const { leftOut } = this.#firstRun;
    await this.#context.journal.orders.scanned(watchId, next, [...leftOut.values()]);
    this.#memory = { ...this.#memory, firstRun: 0, sinceFloor: next };
    leftOut.clear();
  }

  /**
   * Where the scan begins. One that lies in the future, since the service's clock was ahead for a while, would leave out every order until then: it is
   * a day before the newest order of those up to now, and what was there before the first run stays out.
   */
  async #sinceFloor(): Promise<number | null> {
    const { watchId, beganAt, sinceFloor } = this.#memory;
    const now = this.#serviceNow;
    if (sinceFloor === null || sinceFloor <= now) return sinceFloor;
    const began = beganAt ?? now;
    if (began <= now) {
      const newest = await this.#context.journal.orders.newest(watchId, now);
      return Math.max(began, newest ?? began) - dayMs;
    }
    // Where only one answer tells an earlier time, that answer is wrong.
    return sinceFloor <= this.#context.clock.now() ? sinceFloor : now - dayMs;
  }

  /** Delivers what left pendiente before the first run had read all of it, and says what may have. */
  async #finishFirstRun(since: number): Promise<void> {
    if (this.#context.skipExisting) return;
    const { firstPage } = this.#firstRun;
    const { waited, isIncomplete } = this.#firstRun.finish();
    await this.#deliver(waited);
    if (isIncomplete)
      await this.#context.tell({ event: "first_run.incomplete", since: firstPage?.end ?? since });
  }

  /** While no order has told what time `created_at` goes by: the Date header may be of another clock. True when that was all. */
  async #readEnds(status: OrderState): Promise<boolean> {
    const { client, signal } = this.#context;
    const first = await client.listOrders({ status, page: 1 }, { signal });
    await this.#hear(first, status);
    const { total, orders } = first.body;
    const page = orders.length === 0 ? 1 : Math.ceil((toNumber(total) ?? 0) / orders.length);
    if (page > 1) await this.#hear(await client.listOrders({ status, page }, { signal }), status);
    return isLastPage(first.body) && page <= 1;
  }

  async #eachState<T>(read: (status: OrderState) => Promise<T>): Promise<T[]> {
    const results: T[] = [];
    for (const state of laterStates) {
      const result = await this.#unlessRefused(state, () => read(state));
      if (result !== undefined) results.push(result);
    }
    return results;
  }

  async #unlessRefused<T>(state: OrderState, read: () => Promise<T>): Promise<T | undefined> {
    if (this.#refusedStates.has(state)) return undefined;
    try {
      return await read();
    } catch (error) {
      // The specification lists these states; a service that refuses one must not stop the watch. Any other refusal
      // is an outage: a gateway that is being set up again answers 404 for a while.
      if (!isReason(error, "input_refused") || ![400, 422].includes(error.facts.status ?? 0)) throw error;
      this.#refusedStates.add(state);
      await this.#context.tell({ event: "state.refused", state, error });
      return undefined;
    }
  }

  /** Reads a page for what left pendiente. Of the others it takes what a scan of every state would: what is older was never this watch's. */
  #lookUp({ status, since, page }: LookUpPage, isWanted: (order: Order) => boolean) {
    const { client, signal } = this.#context;
    const floor = this.#memory.sinceFloor ?? Number.POSITIVE_INFINITY;
    return this.#unlessRefused(status, async () => {
      const answer = await client.listOrders({ status, since: isoWithOffset(since), page }, { signal });
      const orders = answer.body.orders.filter(
        (order) => usableOrderId(order) !== undefined && (isWanted(order) || (madeAt(order) ?? 0) > floor),
      );
      await this.#hear({ ...answer, body: { ...answer.body, orders } }, status);
      return answer.body;
    });
  }

  async #take(orders: readonly Order[], state: OrderState): Promise<void> {
    const { journal, tell } = this.#context;
    const { watchId } = this.#memory;
    const found = new Map<string, FoundOrder>();
    const filled: { orderId: string; createdAt: string }[] = [];
    const seen: Seen[] = [];
    const odd: Order[] = [];
    const numbers = orders.flatMap((order) => usableOrderId(order) ?? []);
    const remembered = await journal.orders.known(watchId, numbers);
    for (const order of orders) {
      const number = usableOrderId(order);
      if (number === undefined || isTooDeep(order)) {
        odd.push(order);
        continue;
      }
      this.#noteNewest(order);
      const { orderId, createdAt, known, other } = await this.#recall(number, order, remembered, found);
      seen.push({ orderId, order, before: known });
      if (state === "pendiente") this.#listed.add(orderId);
      this.#context.seen?.(orderId, order);
      if (known?.createdAt === null && createdAt !== null) filled.push({ orderId, createdAt });
      if (known !== undefined) continue;
      const one = { orderId, createdAt, status: readStatus(order), content: toContent(order) };
      if (this.#isLeftOut(order, state)) {
        const mayHaveWaited = state !== "pendiente" && this.#firstRun.mayHaveWaited(madeAt(order));
        this.#firstRun.leftOut.set(orderId, { ...one, body: mayHaveWaited ? answerText(order) : null });
        continue;
      }
      found.set(orderId, { ...one, body: answerText(order) });
      if (other !== undefined)
        await tell({ event: "number.reused", orderId: number, createdAt: createdAt ?? "", before: other });
    }
    if (filled.length > 0) await journal.orders.setCreatedAt(watchId, filled);
    await this.#deliver([...found.values()]);
    await this.#pending.note([...found.values()], true);
    await this.#takeChanges(seen);
    const delivered = seen.flatMap(({ orderId, order, before }) =>
      before?.state === "found"
        ? [{ orderId, createdAt: before.createdAt ?? createdAtText(order), status: readStatus(order) }]
        : [],
    );
    await this.#pending.note(delivered, false);
    await this.#quarantine.keep(odd);
  }

  /** Of orders that are known: another state, and until it is accepted another content. */
  async #takeChanges(seen: readonly Seen[]): Promise<void> {
    const { orders } = this.#context.journal;
    const { watchId } = this.#memory;
    const changes: OrderChange[] = [];
    const unedited: { orderId: string; content: string }[] = [];
    // One that a page lists twice is what it says last, at every poll.
    const last = new Map(seen.map((each) => [each.orderId, each]));
    for (const { orderId, order, before } of last.values()) {
      if (before?.state !== "found") continue;
      const { status: from } = before;
      const to = readStatus(order) || from;
      // What is accepted changes as it is prepared and paid.
      const isCompared = [from, to].includes("pendiente");
      const content = isCompared ? toContent(order) : before.content;
      const edited = compareContent(before.content, content);
      if (from !== to || edited.length > 0)
        changes.push({ orderId, from, to, edited, content, body: answerText(order) });
      // Found by a version that compared nothing, or other fields: it is taken as it is.
      else if (content !== null && content !== before.content) unedited.push({ orderId, content });
    }
    if (unedited.length > 0) await orders.setContent(watchId, unedited);
    if (changes.length === 0) return;
    await orders.changed(watchId, changes);
    this.#changed += changes.length;
    this.#deliveries.wake();
  }

  async #deliver(found: readonly FoundOrder[]): Promise<void> {
    this.#found += found.length;
    if (found.length === 0 && this.#began === undefined) return;
    await this.#context.journal.orders.found(this.#memory.watchId, found, this.#began);
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
    const { orders } = this.#context.journal;
    const createdAt = createdAtText(order);
    let same: { orderId: string; known: KnownOrder } | undefined;
    let other: string | undefined;
    for (let nth = 1; ; nth++) {
      const orderId = orderKey(number, nth);
      // What is not written down yet no output knows in another state.
      const unwritten = found.get(orderId) ?? this.#firstRun.leftOut.get(orderId);
      const written = nth === 1 ? remembered : await orders.known(this.#memory.watchId, [orderId]);
      const known: KnownOrder | undefined =
        written.get(orderId) ??
        (unwritten === undefined ? undefined : { ...unwritten, content: null, state: "skipped" });
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
    return !cameLater && (state !== "pendiente" || this.#context.skipExisting);
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
}
