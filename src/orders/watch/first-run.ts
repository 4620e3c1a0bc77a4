import { numberOf } from "../../api/json.ts";
import { madeAt } from "../../api/pages.ts";
import type { OrdersResponse } from "../../contract/order.ts";
import type { FirstPage, FoundOrder } from "../../journal/watches.ts";
import type { Sweep } from "./scan.ts";

/** An order that was there before the first run; its body only while it may have been pendiente all the same. */
export interface LeftOut extends Omit<FoundOrder, "body"> {
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

/**
 * What the first run leaves out: orders that were in another state before it. One that left pendiente before all pages had been
 * read looks the same; what the first page said of the others tells whether there can be any.
 */
export class FirstRun {
  /** By its key. */
  readonly leftOut = new Map<string, LeftOut>();
  /** Of several pages. */
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
  scanned({ orders, total }: Sweep, seen: { all: number; early: number }): void {
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
