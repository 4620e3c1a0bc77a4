import { usableOrderId } from "../../../api/pages.ts";
import { isOffState, laterStates, type OrderState, offStates } from "../../../contract/limits.ts";
import type { Order, OrdersResponse } from "../../../contract/order.ts";
import {
  createdAtText,
  maxLookups,
  numberIn,
  type Orders,
  type PendingOrder,
  type RememberedOrder,
  type WatchProgress,
} from "../../../journal/records/orders.ts";
import { isLastPage } from "./scan.ts";

/** Cancelled and rejected come first, since somebody may be preparing such an order. */
const lookUpStates = [...offStates, ...laterStates.filter((state) => !isOffState(state))];

const secondMs = 1_000;
const maxVainReads = 20;
/** The end of the year 9999, the latest time that `since` can express. */
const lastInstant = 253_402_300_799_999;

interface Pending extends Pick<PendingOrder, "createdAt" | "lookups"> {
  made: number;
  hasLeft: boolean;
}

export interface LookUpPage {
  status: OrderState;
  since: number;
  page: number;
}

/** Reads a page; `isWanted` tells an order that is looked up. Undefined where the service refuses the state. */
export type ReadPage = (
  page: LookUpPage,
  isWanted: (order: Order) => boolean,
) => Promise<OrdersResponse | undefined>;

function parseInstant(createdAt: string | null): number | undefined {
  const instant = createdAt === null ? Number.NaN : Number(createdAt);
  return instant >= 0 && instant <= lastInstant ? instant : undefined;
}

const identity = (number: string, createdAt: string | null): string => `${number} ${createdAt}`;

/** The delivered orders that were pendiente when they were last listed. An order without created_at is left to the tenth poll. */
export class PendingOrders {
  readonly #journal: Pick<Orders, "setLookups">;
  readonly #watchId: number;
  readonly #orders = new Map<string, Pending>();

  constructor(
    journal: Pick<Orders, "setLookups">,
    { watchId, pending }: Pick<WatchProgress, "pending" | "watchId">,
  ) {
    this.#journal = journal;
    this.#watchId = watchId;
    for (const { orderKey, createdAt, lookups } of pending) this.#keep(orderKey, createdAt, lookups);
  }

  #keep(orderKey: string, createdAt: string | null, lookups: number): boolean {
    const made = parseInstant(createdAt);
    if (made !== undefined) this.#orders.set(orderKey, { createdAt, lookups, made, hasLeft: false });
    return made !== undefined;
  }

  /** Records delivered orders as a page lists them; a new one already has its lookups in the journal. */
  async note(orders: readonly RememberedOrder[], areNew: boolean): Promise<void> {
    const renewed: Pick<PendingOrder, "orderKey" | "lookups">[] = [];
    for (const { orderKey, createdAt, status } of orders) {
      const before = this.#orders.get(orderKey);
      if (status === "pendiente" && before?.lookups === maxLookups) before.hasLeft = false;
      else if (status === "pendiente" && this.#keep(orderKey, createdAt, maxLookups) && !areNew)
        renewed.push({ orderKey, lookups: maxLookups });
      else if (!["pendiente", ""].includes(status)) this.#orders.delete(orderKey);
    }
    await this.#journal.setLookups(this.#watchId, renewed);
  }

  /** Notes a scan that listed these keys: of all of pendiente, or of the orders created after `since`. */
  noteScan(listed: ReadonlySet<string>, since = Number.NEGATIVE_INFINITY): void {
    for (const [orderKey, order] of this.#orders)
      if (!listed.has(orderKey) && order.made > since + secondMs) order.hasLeft = true;
  }

  #listLeft(): [orderKey: string, order: Pending][] {
    return [...this.#orders].filter(([, { hasLeft }]) => hasLeft);
  }

  /**
   * Looks up the orders that left pendiente and were not found yet. An order that is in no state is looked up again at the next polls,
   * `maxLookups` times in all.
   */
  async lookUp(read: ReadPage): Promise<void> {
    const left = this.#listLeft();
    if (left.length === 0) return;

    const wanted = new Set(left.map(([key, { createdAt }]) => identity(numberIn(key), createdAt)));
    const isWanted = (order: Order): boolean =>
      wanted.has(identity(usableOrderId(order) ?? "", createdAtText(order)));

    let vainReads = 0;
    const readUntilVain = async (page: LookUpPage): Promise<OrdersResponse | undefined> => {
      if (vainReads === maxVainReads) return undefined;
      const before = this.#listLeft().length;
      const body = await read(page, isWanted);
      if (this.#listLeft().length === before) vainReads += 1;
      return body;
    };

    // An order that is cancelled while the other states are read is in none of them.
    for (const state of [...lookUpStates, ...offStates]) await this.#lookUpIn(state, readUntilVain);
    await this.#noteNotFound();
  }

  /**
   * Each page begins a second before the oldest order that it can contain, so none is skipped when pages
   * shift.
   */
  async #lookUpIn(status: OrderState, read: (page: LookUpPage) => ReturnType<ReadPage>): Promise<void> {
    let since = Number.NEGATIVE_INFINITY;
    let end = Number.NEGATIVE_INFINITY;
    let page = 1;
    for (;;) {
      const times = this.#listLeft().flatMap(([, { made }]) => (made >= end ? made : []));
      if (times.length === 0) return;

      const next = times.reduce((one, other) => Math.min(one, other)) - secondMs;
      page = next > since ? 1 : page + 1;
      since = Math.max(since, next);

      const body = await read({ status, since, page });
      const last = body?.orders.at(-1);
      if (body === undefined || last === undefined || isLastPage(body, page)) return;
      end = parseInstant(createdAtText(last)) ?? end;
    }
  }

  async #noteNotFound(): Promise<void> {
    const vain = this.#listLeft().map(([orderKey, { lookups }]) => ({ orderKey, lookups: lookups - 1 }));
    await this.#journal.setLookups(this.#watchId, vain);
    for (const { orderKey, lookups } of vain) {
      const order = this.#orders.get(orderKey);
      if (order !== undefined) order.lookups = lookups;
      if (lookups === 0) this.#orders.delete(orderKey);
    }
  }
}
