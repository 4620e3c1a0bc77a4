import type { OrdersResponse } from "../contract/order.ts";
import type { FirstPage, FoundOrder } from "../journal/watches.ts";
import { numberOf } from "./loose-values.ts";
import { madeAt } from "./order-identity.ts";
import type { Sweep } from "./order-sweep.ts";

/** An order that was there before the first run; its body only while it may have been pendiente all the same. */
export interface LeftOut extends Omit<FoundOrder, "body"> {
  body: string | null;
}

/** What the first page of pendiente says of those behind it; null where it is all, or does not say. */
export function firstPageOf({ orders, total }: OrdersResponse): FirstPage | null {
  const last = orders.at(-1);
  const end = last === undefined ? undefined : madeAt(last);
  const count = numberOf(total);
  return count === undefined || end === undefined || count <= orders.length ? null : { total: count, end };
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
  /** How many of the orders that the first page counted were never read; null where that cannot be told. */
  #missing: number | null = null;

  constructor({ firstPage, broke }: { firstPage: FirstPage | null; broke: boolean }) {
    this.firstPage = firstPage;
    this.#broke = broke;
  }

  failed(): void {
    this.#broke ||= !this.#scanned;
  }

  /** All of pendiente was read; `seen` is how many orders were, in all tries. */
  scanned({ orders, total }: Sweep, seen: number): void {
    if (this.#scanned) return;
    this.#scanned = true;
    // Where the service's total is not what it lists, it counts something else.
    if (this.firstPage !== null && total === orders) this.#missing = this.firstPage.total - seen;
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
    const missing = this.#missing;
    if (missing === null || open.length > missing)
      return { waited: [], isIncomplete: this.#broke ? open.length > 0 : (missing ?? 0) > 0 };
    for (const { orderId } of open) this.leftOut.delete(orderId);
    return { waited: open, isIncomplete: missing > open.length };
  }
}
