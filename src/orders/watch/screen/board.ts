import { createdAt } from "../../../cli/display/format.ts";
import type { Fields } from "../../../cli/display/values.ts";
import { isOffState, maxInstant } from "../../../contract/limits.ts";
import type { Order } from "../../../contract/order.ts";

/** An order as the watch last read it. Instants are epoch milliseconds of this machine's clock. */
export interface BoardOrder {
  key: string;
  order: Fields;
  /** When it was created; NaN if unknown. */
  since: number;
  /** When it was first seen in another state than pendiente. */
  leftAt?: number;
  /** It was edited during this watch, and still waits. */
  isEdited?: boolean;
}

/** How long an order that left pendiente stays on the board. */
const shownChangedMs = 60_000;
/** How long the board waits for the new state of an order that left pendiente. */
const missedMs = 15 * 60_000;
const minuteMs = 60_000;

/** Returns the day of an instant in the zone that an ISO 8601 time names, else in this machine's. */
function dayAt(instant: number, iso: string): string {
  if (!(Math.abs(instant) < maxInstant)) return "";
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(iso) ?? [];
  const east = Number(hours) * 60 + Number(minutes);
  const named = /Z$/i.test(iso) ? 0 : sign === "-" ? -east : east;
  const offset = Number.isNaN(named) ? -new Date(instant).getTimezoneOffset() : named;

  return new Date(instant + offset * minuteMs).toISOString().slice(0, 10);
}

/** The orders of one branch that wait in pendiente, that have just left it, and that came today, as the polls have read them. */
export class Board {
  readonly #now: () => number;
  readonly #orders = new Map<string, Omit<BoardOrder, "key" | "since"> & { missedAt?: number }>();
  readonly #late = new Set<string>();
  /** Orders of today by their key; undefined when nobody counts them. */
  readonly #today: Map<string, { made: number; total: number; isOff: boolean }> | undefined;
  /** Whether a poll has finished: before that, the waiting orders are unknown. */
  isRead = false;
  #aheadMs = 0;
  /** The newest created_at_iso, for the zone in which the service says its times. */
  #iso = "";

  constructor(now: () => number, countsToday: boolean) {
    this.#now = now;
    if (countsToday) this.#today = new Map();
  }

  seen(key: string, given: Order): void {
    const order = given as Fields;
    const before = this.#orders.get(key);
    const isEdited = before?.isEdited === true;
    if (order["status"] === "pendiente") this.#orders.set(key, { order, isEdited });
    else if (before !== undefined) this.#orders.set(key, { leftAt: before.leftAt ?? this.#now(), order });

    const { created_at_iso: iso, total, status } = order;
    if (typeof iso === "string" && /^\d{4}-/.test(iso) && iso > this.#iso) this.#iso = iso;
    this.#today?.set(key, { made: createdAt(order), total: Number(total) || 0, isOff: isOffState(status) });
  }

  edited(key: string): void {
    const before = this.#orders.get(key);
    if (before !== undefined) this.#orders.set(key, { ...before, isEdited: true });
  }

  /**
   * Notes the end of a poll. `pending` are the keys that a scan of all of pendiente listed; `aheadMs` is how far this machine's clock
   * is ahead.
   */
  polled(pending: ReadonlySet<string> | undefined, aheadMs: number): void {
    this.isRead = true;
    this.#aheadMs = aheadMs;
    const now = this.#now();
    for (const [key, each] of this.#orders) {
      const hasLeft = pending?.has(key) === false;
      if (hasLeft) this.#late.delete(key);
      if (hasLeft && each.leftAt === undefined) each.missedAt ??= now;
      const { leftAt = now, missedAt = now } = each;
      if (now - leftAt >= shownChangedMs || now - missedAt >= missedMs) this.#orders.delete(key);
    }

    const today = this.#day(now - aheadMs);
    for (const [key, { made }] of this.#today ?? []) if (this.#day(made) < today) this.#today?.delete(key);
  }

  /** Returns the waiting orders, the oldest first. */
  waiting(): BoardOrder[] {
    return this.#sortOrders(({ leftAt, missedAt }) => leftAt === undefined && missedAt === undefined);
  }

  /** Returns the orders that left pendiente within the last minute. */
  changed(): BoardOrder[] {
    const from = this.#now() - shownChangedMs;
    return this.#sortOrders(({ leftAt = from }) => leftAt > from);
  }

  late(lateMs: number): BoardOrder[] {
    return this.waiting().filter(({ since }) => this.#now() - since >= lateMs);
  }

  /** Returns the late orders that no earlier call returned. */
  newlyLate(lateMs: number): BoardOrder[] {
    const found = this.late(lateMs).filter(({ key }) => !this.#late.has(key));
    for (const { key } of found) this.#late.add(key);
    return found;
  }

  /** Returns number and total of the orders created today, in the service's zone; cancelled and rejected orders are not counted. */
  today(): { orders: number; total: number } {
    const today = this.#day(this.#now() - this.#aheadMs);
    const counted = [...(this.#today?.values() ?? [])].filter(
      ({ made, isOff }) => !isOff && this.#day(made) === today,
    );
    return { orders: counted.length, total: counted.reduce((sum, { total }) => sum + total, 0) };
  }

  #day(instant: number): string {
    return dayAt(instant, this.#iso);
  }

  #sortOrders(isWanted: (times: { leftAt?: number; missedAt?: number }) => boolean): BoardOrder[] {
    return [...this.#orders]
      .filter(([, each]) => isWanted(each))
      .map(([key, { order, ...rest }]) => ({ key, order, since: createdAt(order) + this.#aheadMs, ...rest }))
      .sort((a, b) => (a.since || 0) - (b.since || 0));
  }
}
