import { madeAt } from "../../../api/pages.ts";
import type { Order } from "../../../contract/order.ts";

export const dayMs = 24 * 60 * 60_000;

/** The service's times; epoch milliseconds. */
export class ServiceTimes {
  /** Its clock at its latest answer, else this machine's. */
  now = 0;
  /** When the newest order was created; null while none has said so. */
  newest: number | null = null;

  setNow(now: number): void {
    this.now = now;
    // The service's clock may have been set back.
    if (this.newest !== null) this.newest = Math.min(this.newest, now);
  }

  noteOrder(order: Order): void {
    const made = madeAt(order);
    if (made === undefined || this.isFuture(made)) return;
    // A store whose clock is ahead must not shorten the day that is read again.
    const sure = Math.min(made, this.now);
    this.newest = Math.max(this.newest ?? sure, sure);
  }

  /** Whether a time is so far ahead that it means nothing: it is wrong, or the Date header is. */
  isFuture(made: number): boolean {
    return made > this.now + dayMs;
  }
}
