import type { Answer, CallOptions, Client } from "../../../api/client.ts";
import { toNumber } from "../../../api/json.ts";
import { countUntil, orderIdentity } from "../../../api/pages.ts";
import { isoWithOffset, laterStates, type OrderState } from "../../../contract/limits.ts";
import type { OrdersQuery, OrdersResponse } from "../../../contract/order.ts";
import { isReason } from "../../../errors.ts";
import type { WatchContext } from "./context.ts";

const maxPasses = 3;

type ProcessPage = (page: Answer<OrdersResponse>) => Promise<void>;

/** The result of a scan of one state. */
export interface Scan {
  /** The pages of the longest pass. */
  pages: number;
  /** The orders of the last pass. */
  orders: number;
  /** How many the service counts, as its last page says. */
  total: number | undefined;
  /** Whether the service counts more orders than its pages hold. */
  isShort: boolean;
}

/** Whether a page is the last one; an answer may leave has_more out, or count more orders than it says there are. */
export function isLastPage(body: OrdersResponse, page = 1): boolean {
  const { has_more: more }: { has_more?: unknown } = body;
  if (more === true) return false;
  const count = toNumber(body.total);
  return count === undefined ? more === false : count <= countUntil(body, page);
}

function agree(one: ReadonlySet<string>, other: ReadonlySet<string> | undefined): boolean {
  return one.size === other?.size && [...one].every((id) => other.has(id));
}

/** Reads all pages until two passes hold the same orders: an order that leaves the state moves later ones up, and one is skipped. */
async function scanOrders(
  client: Client,
  query: OrdersQuery,
  how: CallOptions,
  process: ProcessPage,
): Promise<Scan> {
  const all = new Set<string>();
  let before: Set<string> | undefined;
  let longest = 0;
  let total: number | undefined;

  for (let pass = 1; ; pass++) {
    const seen = new Set<string>();
    let pages = 0;
    for await (const page of client.orderPages(query, how)) {
      pages += 1;
      total = toNumber(page.body.total);
      for (const id of page.body.orders.map(orderIdentity)) {
        seen.add(id);
        all.add(id);
      }
      await process(page);
    }

    longest = Math.max(longest, pages);
    const isSure = pages <= 1 || agree(seen, before);
    // While pages shift, a skipped order is no sign of anything.
    const isShort = isSure && total !== undefined && all.size < total;
    if (isSure || pass === maxPasses) return { pages: longest, orders: seen.size, total, isShort };
    before = seen;
  }
}

/** Reads the states of a branch; each page is processed as it comes: a later page that fails must not hold up the orders of this one. */
export class StateReader {
  readonly #context: Pick<WatchContext, "client" | "signal" | "tell" | "throttle">;
  readonly #refused = new Set<OrderState>();
  /** The states of which the service counts more orders than its pages hold. */
  readonly #short = new Set<OrderState>();

  constructor(context: Pick<WatchContext, "client" | "signal" | "tell" | "throttle">) {
    this.#context = context;
  }

  get #how(): CallOptions {
    const { signal, throttle } = this.#context;
    return { signal, check: throttle.request };
  }

  /** @param since leaves out what was created up to then; epoch milliseconds. */
  async scan(status: OrderState, since: number | undefined, process: ProcessPage): Promise<Scan> {
    const query = { status, ...(since !== undefined && { since: isoWithOffset(since) }) };
    const scan = await scanOrders(this.#context.client, query, this.#how, process);
    // With `since` a service may count those before it, too.
    if (since === undefined) await this.#tellShort(status, scan);
    return scan;
  }

  /** Reports once while it lasts that the service counts more orders than its pages hold. */
  async #tellShort(state: OrderState, { isShort, orders: read, total = 0 }: Scan): Promise<void> {
    if (!isShort) {
      this.#short.delete(state);
      return;
    }
    if (!this.#short.has(state)) await this.#context.tell({ event: "orders.unread", state, read, total });
    this.#short.add(state);
  }

  /** Reads the first page of a state and the last. Returns true if there are no others. */
  async readEnds(status: OrderState, process: ProcessPage): Promise<boolean> {
    const { client } = this.#context;
    const first = await client.listOrders({ status, page: 1 }, this.#how);
    await process(first);

    const { total, orders } = first.body;
    const page = orders.length === 0 ? 1 : Math.ceil((toNumber(total) ?? 0) / orders.length);
    if (page > 1) await process(await client.listOrders({ status, page }, this.#how));
    return isLastPage(first.body) && page <= 1;
  }

  /** Reads each state but pendiente. Returns what it read of those that the service does not refuse. */
  async readLater<T>(read: (state: OrderState) => Promise<T>): Promise<T[]> {
    const results: T[] = [];
    for (const state of laterStates) {
      const result = await this.unlessRefused(state, () => read(state));
      if (result !== undefined) results.push(result);
    }
    return results;
  }

  async unlessRefused<T>(state: OrderState, read: () => Promise<T>): Promise<T | undefined> {
    if (this.#refused.has(state)) return undefined;
    try {
      return await read();
    } catch (error) {
      // The specification lists these states; a service that refuses one must not stop the watch. Any other refusal
      // is an outage: a gateway that is being set up again answers 404 for a while.
      if (!isReason(error, "input_refused") || ![400, 422].includes(error.facts.status ?? 0)) throw error;
      this.#refused.add(state);
      await this.#context.tell({ event: "state.refused", state, error });
      return undefined;
    }
  }
}
