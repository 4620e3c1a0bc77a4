import type { Answer, Client } from "../../api/client.ts";
import { toNumber } from "../../api/json.ts";
import { countUntil, madeAt, orderIdentity } from "../../api/pages.ts";
import type { OrdersQuery, OrdersResponse } from "../../contract/order.ts";
import type { FirstPage, FoundOrder } from "../../journal/orders.ts";

const maxPasses = 3;

function agree(one: ReadonlySet<string>, other: ReadonlySet<string> | undefined): boolean {
  return one.size === other?.size && [...one].every((id) => other.has(id));
}

/** Until two passes hold the same orders: one that leaves the state moves later ones up, and one is skipped. The pages are the longest pass's. */
export async function scanOrders(
  client: Client,
  query: OrdersQuery,
  signal: AbortSignal,
  take: (page: Answer<OrdersResponse>) => Promise<void>,
) {
  let before: Set<string> | undefined;
  const all = new Set<string>();
  let longest = 0;
  let total: number | undefined;
  for (let pass = 1; ; pass++) {
    const seen = new Set<string>();
    let pages = 0;
    for await (const page of client.orderPages(query, { signal })) {
      pages += 1;
      total = toNumber(page.body.total);
      for (const id of page.body.orders.map(orderIdentity)) {
        seen.add(id);
        all.add(id);
      }
      await take(page);
    }
    longest = Math.max(longest, pages);
    const isSure = pages <= 1 || agree(seen, before);
    // While pages shift, one that was skipped is no sign of anything.
    const isShort = isSure && total !== undefined && all.size < total;
    if (isSure || pass === maxPasses) return { pages: longest, orders: seen.size, total, isShort };
    before = seen;
  }
}

export type Scan = Awaited<ReturnType<typeof scanOrders>>;

/** Whether a poll reads all of pendiente, and not only what is recent; and the seven other states too. */
type Poll = Record<"full" | "everyState", boolean>;

const maxScanPages = 10;
const fullScanEveryMs = 15 * 60_000;
const everyStatePolls = 10;

/** Which poll reads how much (`docs/guarantees.md`, Orders, 3 and 4); instants are of this machine, epoch milliseconds. */
export class PollPlan {
  readonly #intervalMs: number;
  #pollsSinceEveryState = Number.POSITIVE_INFINITY;
  #lastPollAt = Number.NEGATIVE_INFINITY;
  #lastFullAt = Number.NEGATIVE_INFINITY;
  #fullPages = 0;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  next(now: number): Poll {
    // A clock that was set back says nothing about how long ago it was.
    const sinceFull = now >= this.#lastFullAt ? now - this.#lastFullAt : Number.POSITIVE_INFINITY;
    const gap = Math.abs(now - this.#lastPollAt);
    return {
      // The next poll may come a tenth later than the interval says.
      full: this.#fullPages <= maxScanPages || sinceFull + this.#intervalMs * 1.1 >= fullScanEveryMs,
      everyState: this.#pollsSinceEveryState + 1 >= everyStatePolls || gap > 2 * this.#intervalMs,
    };
  }

  /** Counts a poll that read all it was to read; one that failed leaves what was due still due. */
  done(poll: Poll, { at, pages }: { at: number; pages: number }): void {
    this.#lastPollAt = at;
    this.#pollsSinceEveryState = poll.everyState ? 0 : this.#pollsSinceEveryState + 1;
    if (!poll.full) return;
    this.#lastFullAt = at;
    this.#fullPages = pages;
  }
}

const nothingBehind: FirstPage = { total: 0, end: 0 };

/** Whether a page is the last one; an answer may leave has_more out, or count more orders than it says there are. */
export function isLastPage(body: OrdersResponse, page = 1): boolean {
  const { has_more: more }: { has_more?: unknown } = body;
  if (more === true) return false;
  const count = toNumber(body.total);
  return count === undefined ? more === false : count <= countUntil(body, page);
}

/** What the first page of pendiente says of those behind it; null where it does not say. */
export function readFirstPage(page: OrdersResponse): FirstPage | null {
  if (isLastPage(page)) return nothingBehind;
  const { orders } = page;
  const total = toNumber(page.total) ?? 0;
  const last = orders.at(-1);
  const end = (last && madeAt(last)) ?? Number.NaN;
  // The journal holds no others.
  const isUsable = Number.isSafeInteger(total) && Number.isSafeInteger(end);
  return isUsable && total > orders.length ? { total, end } : null;
}

/** Orders that were in another state before the first run. One that left pendiente before all pages were read looks the same. */
export class FirstRun {
  /** Not delivered; with its body only while it may have been pendiente all the same. */
  readonly leftOut = new Map<string, Omit<FoundOrder, "body"> & { body: string | null }>();
  firstPage: FirstPage | null;
  /** A poll failed before all of pendiente had been read. */
  #broke: boolean;
  #scanned = false;
  /** How many of the orders that the first page counted were never read, at least and at most. */
  #missing = { least: -1, most: 0 };

  constructor(firstPage: FirstPage | null, broke: boolean) {
    this.firstPage = firstPage;
    this.#broke = broke;
  }

  failed(): void {
    this.#broke ||= !this.#scanned;
  }

  /** All of pendiente was read. True when it turns out that nothing is behind it, which the first page had not said. */
  scanned({ orders, total }: Scan, seen: { all: number; early: number }): boolean {
    if (this.#scanned) return false;
    this.#scanned = true;
    // Where the service's total is not what it lists, orders came or went meanwhile, or it counts something else.
    if (this.firstPage === null || this.firstPage.total === 0) return false;
    const { total: counted } = this.firstPage;
    this.#missing =
      total === orders
        ? { least: counted - seen.all, most: counted - seen.early }
        : { least: -1, most: Number.POSITIVE_INFINITY };
    if (this.#broke || this.#missing.most > 0) return false;
    this.firstPage = nothingBehind;
    return true;
  }

  /** Whether an order in another state, created then, may have been on a page of pendiente that was not read in time. */
  mayHaveWaited(made: number | undefined): boolean {
    if (this.firstPage === null) return this.#broke;
    // Pages hold the oldest orders first.
    return this.firstPage.total > 0 && (made === undefined || made >= this.firstPage.end);
  }

  /** Once all states were read: what was pendiente for certain, left out no more, and whether anything else may have been. */
  finish(): { waited: FoundOrder[]; isIncomplete: boolean } {
    const open = [...this.leftOut.values()].filter((order): order is FoundOrder => order.body !== null);
    const { least, most } = this.#missing;
    const waited = open.length <= least ? open : [];
    for (const { orderId } of waited) this.leftOut.delete(orderId);
    const mayBeMore = most > waited.length && (open.length > 0 || least > 0);
    return { waited, isIncomplete: mayBeMore || (this.#broke && open.length > waited.length) };
  }
}
