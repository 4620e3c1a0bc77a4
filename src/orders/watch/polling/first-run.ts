import { answerText, toNumber } from "../../../api/json.ts";
import { madeAt } from "../../../api/pages.ts";
import type { OrderState } from "../../../contract/limits.ts";
import type { Order, OrdersResponse } from "../../../contract/order.ts";
import type { FirstPage, FoundOrder, WatchProgress } from "../../../journal/records/orders.ts";
import { isLastPage, type Scan } from "./scan.ts";
import type { ServiceTimes } from "./service-times.ts";

const nothingBehind: FirstPage = { total: 0, end: 0 };

/** Returns what the first page of pendiente says about the following pages; null if it says nothing. */
function readFirstPage(page: OrdersResponse): FirstPage | null {
  if (isLastPage(page)) return nothingBehind;
  const { orders } = page;
  const total = toNumber(page.total) ?? 0;
  const last = orders.at(-1);
  const end = (last && madeAt(last)) ?? Number.NaN;
  // The journal holds no others.
  const isUsable = Number.isSafeInteger(total) && Number.isSafeInteger(end);
  return isUsable && total > orders.length ? { total, end } : null;
}

type Remembered = Omit<FoundOrder, "body">;

/**
 * The first run of a watch, until it has read every state. It delivers only what is pendiente, and leaves out what was in another state
 * before it began. What left pendiente before it had read all pages looks the same.
 */
export class FirstRun {
  isOver: boolean;
  /** By the service's clock, epoch milliseconds; null before its first page. */
  beganAt: number | null;
  /** To be recorded together with the orders of the first page. */
  unwritten: { beganAt: number; firstPage: FirstPage | null } | undefined;
  firstPage: FirstPage | null;
  /** Not delivered; has its body only while it may have been pendiente. */
  readonly leftOut = new Map<string, Remembered & { body: string | null }>();
  readonly #skipsExisting: boolean;
  /** A poll failed before all of pendiente had been read. */
  #broke: boolean;
  #isScanned = false;
  /** How many of the orders that the first page counted were never read, at least and at most. */
  #missing = { least: -1, most: 0 };

  /** @param skipsExisting delivers nothing that was there before. */
  constructor({ firstRun, beganAt, firstPage }: WatchProgress, skipsExisting: boolean) {
    this.isOver = firstRun === 0;
    this.beganAt = beganAt;
    this.firstPage = firstPage;
    this.#skipsExisting = skipsExisting;
    this.#broke = firstRun === 1 && beganAt !== null;
  }

  /** Begins with the first page read. */
  begin(now: number, page: OrdersResponse): void {
    if (this.beganAt !== null) return;
    this.beganAt = now;
    this.firstPage = readFirstPage(page);
    this.unwritten = { beganAt: now, firstPage: this.firstPage };
  }

  /** Whether an order is left out: it was there before the first run, and is not pendiente, or nothing that was there is delivered. */
  leavesOut(order: Order, state: OrderState, times: ServiceTimes): boolean {
    if (this.isOver) return false;
    const made = madeAt(order);
    const cameLater = made !== undefined && made > (this.beganAt ?? 0) && !times.isFuture(made);
    return !cameLater && (state !== "pendiente" || this.#skipsExisting);
  }

  leaveOut(remembered: Remembered, order: Order, state: OrderState): void {
    const mayHaveWaited = state !== "pendiente" && this.#mayHaveWaited(madeAt(order));
    const body = mayHaveWaited ? answerText(order) : null;
    this.leftOut.set(remembered.orderKey, { ...remembered, body });
  }

  /** Whether an order in another state, created then, may have been on a page of pendiente that was not read in time. */
  #mayHaveWaited(made: number | undefined): boolean {
    if (this.firstPage === null) return this.#broke;
    // Pages hold the oldest orders first.
    return this.firstPage.total > 0 && (made === undefined || made >= this.firstPage.end);
  }

  /** Notes that a scan of pendiente failed. */
  noteFailure(): void {
    this.#broke ||= !this.#isScanned;
  }

  /** Notes that all of pendiente was read. Returns true if nothing was missed, which the first page had not said. */
  noteScan({ orders, total }: Scan, seen: { all: number; early: number }): boolean {
    if (this.#isScanned) return false;
    this.#isScanned = true;
    if (this.firstPage === null || this.firstPage.total === 0) return false;

    const { total: counted } = this.firstPage;
    // If the service's total is not what it lists, orders came or went meanwhile, or it counts something else.
    this.#missing =
      total === orders
        ? { least: counted - seen.all, most: counted - seen.early }
        : { least: -1, most: Number.POSITIVE_INFINITY };
    if (this.#broke || this.#missing.most > 0) return false;

    this.firstPage = nothingBehind;
    return true;
  }

  /** Returns, once all states were read, the skipped orders that were certainly pendiente, and whether others may have been. */
  takeWaited(): { waited: FoundOrder[]; isIncomplete: boolean } {
    const open = [...this.leftOut.values()].filter((order): order is FoundOrder => order.body !== null);
    const { least, most } = this.#missing;
    const waited = open.length <= least ? open : [];
    for (const { orderKey } of waited) this.leftOut.delete(orderKey);

    const mayBeMore = most > waited.length && (open.length > 0 || least > 0);
    return { waited, isIncomplete: mayBeMore || (this.#broke && open.length > waited.length) };
  }

  /** Ends the first run once the skipped orders are in the journal. */
  end(): void {
    this.isOver = true;
    this.leftOut.clear();
  }
}
