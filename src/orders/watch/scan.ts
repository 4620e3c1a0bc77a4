import type { Answer, Client } from "../../api/client.ts";
import { numberOf } from "../../api/json.ts";
import { madeAt, orderIdentity } from "../../api/pages.ts";
import type { OrdersQuery, OrdersResponse } from "../../contract/order.ts";
import type { FirstPage, FoundOrder } from "../../journal/orders.ts";

export interface Scan {
  /** Pages of its longest pass. */
  pages: number;
  /** Orders of its last pass. */
  orders: number;
  /** How many there are, as the service last said. */
  total: number | undefined;
}

const maxPasses = 3;

function agree(one: ReadonlySet<string>, other: ReadonlySet<string> | undefined): boolean {
  return one.size === other?.size && [...one].every((id) => other.has(id));
}

/** Again until two passes hold the same orders, three at most: an order that leaves the state moves later ones up, and one is skipped. */
export async function* scanOrders(
  client: Client,
  query: OrdersQuery,
  signal: AbortSignal,
): AsyncGenerator<Answer<OrdersResponse>, Scan> {
  let before: Set<string> | undefined;
  let longest = 0;
  let total: number | undefined;
  for (let pass = 1; ; pass++) {
    const seen = new Set<string>();
    let pages = 0;
    for await (const page of client.orderPages(query, { signal })) {
      pages += 1;
      total = numberOf(page.body.total);
      for (const order of page.body.orders) seen.add(orderIdentity(order));
      yield page;
    }
    longest = Math.max(longest, pages);
    if (pages <= 1 || pass === maxPasses || agree(seen, before))
      return { pages: longest, orders: seen.size, total };
    before = seen;
  }
}

export interface Poll {
  /** All of pendiente, and not only what is recent. */
  full: boolean;
  /** The seven other states too. */
  everyState: boolean;
}

/** Beyond this many pages a full scan is too long for every poll. */
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
    const long = this.#fullPages > maxScanPages;
    // A clock that was set back says nothing about how long ago it was.
    const sinceFull = now >= this.#lastFullAt ? now - this.#lastFullAt : Number.POSITIVE_INFINITY;
    const gap = Math.abs(now - this.#lastPollAt);
    return {
      // The next poll may come a tenth later than the interval says.
      full: !long || sinceFull + this.#intervalMs * 1.1 >= fullScanEveryMs,
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

/** An order that was there before the first run; its body only while it may have been pendiente all the same. */
interface LeftOut extends Omit<FoundOrder, "body"> {
  body: string | null;
}

/** What the first page of pendiente says of those behind it; null where it is all, or does not say. */
export function firstPageOf({ orders, total, has_more: more }: OrdersResponse): FirstPage | null {
  const last = orders.at(-1);
  const end = last === undefined ? undefined : madeAt(last);
  const count = numberOf(total);
  // An answer may leave has_more out.
  if (count === undefined || end === undefined || (more as boolean | undefined) === false) return null;
  return count <= orders.length ? null : { total: count, end };
}

/** Orders that were in another state before the first run. One that left pendiente before all pages were read looks the same. */
export class FirstRun {
  readonly leftOut = new Map<string, LeftOut>();
  firstPage: FirstPage | null;
  /** A poll failed before all of pendiente had been read. */
  #broke: boolean;
  #scanned = false;
  /** How many of the orders that the first page counted were never read, at least and at most. */
  #missing = { least: -1, most: 0 };

  constructor({ firstPage, broke }: { firstPage: FirstPage | null; broke: boolean }) {
    this.firstPage = firstPage;
    this.#broke = broke;
  }

  failed(): void {
    this.#broke ||= !this.#scanned;
  }

  /** All of pendiente was read: so many orders in all tries, and so many that were there when the first page was. */
  scanned({ orders, total }: Scan, seen: { all: number; early: number }): void {
    if (this.#scanned) return;
    this.#scanned = true;
    if (this.firstPage === null) return;
    const { total: counted } = this.firstPage;
    // Where the service's total is not what it lists, orders came or went meanwhile, or it counts something else.
    const isExact = total === orders;
    this.#missing = {
      least: isExact ? counted - seen.all : -1,
      most: isExact ? counted - seen.early : Number.POSITIVE_INFINITY,
    };
  }

  /** Whether an order in another state, created then, may have been on a page of pendiente that was not read in time. */
  mayHaveWaited(made: number | undefined): boolean {
    if (this.firstPage === null) return this.#broke;
    // Pages hold the oldest orders first.
    return made === undefined || made >= this.firstPage.end;
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
