import { isTooDeep } from "../../../api/json.ts";
import { usableOrderId } from "../../../api/pages.ts";
import type { Order } from "../../../contract/order.ts";
import { plainText } from "../../../journal/engine/engine.ts";
import { createdAtText, type KnownOrder, type Orders, toOrderKey } from "../../../journal/records/orders.ts";

/** An order of a page, with its record in the journal. */
export interface Recognised {
  order: Order;
  number: string;
  /** Its key in the journal. */
  orderKey: string;
  createdAt: string | null;
  /** Empty where the service gives none. */
  status: string;
  /** Undefined for an order that is new. */
  known: KnownOrder | undefined;
  /** When another order with this number was created; undefined if there is none, or it has no created_at. */
  other: string | undefined;
}

interface RecogniseOptions {
  journal: Orders;
  watchId: number;
  /** The orders that the first run leaves out, which are not in the journal yet. */
  leftOut: ReadonlyMap<string, Unwritten>;
}

type Unwritten = Pick<KnownOrder, "createdAt" | "status">;
type ReadKnown = (orderKey: string, nth: number) => Promise<KnownOrder | undefined>;

const readStatus = ({ status }: Order): string => (typeof status === "string" ? plainText(status) : "");

/** Finds the record of an order. The same number with another created_at is another order; if either has none, it is the same one. */
async function recognise(
  number: string,
  createdAt: string | null,
  readKnown: ReadKnown,
): Promise<Pick<Recognised, "orderKey" | "known" | "other">> {
  let same: { orderKey: string; known: KnownOrder } | undefined;
  let other: string | undefined;
  for (let nth = 1; ; nth++) {
    const orderKey = toOrderKey(number, nth);
    const known = await readKnown(orderKey, nth);
    if (known === undefined) return same === undefined ? { orderKey, known, other } : { ...same, other };
    if (known.createdAt === createdAt) return { orderKey, known, other };
    if (known.createdAt === null || createdAt === null) same = { orderKey, known };
    else other = known.createdAt;
  }
}

/**
 * Returns the orders of a page in its sequence; `odd` are those that cannot be delivered: they are nested too deep or have no usable
 * order_id.
 */
export async function recogniseOrders(
  orders: readonly Order[],
  { journal, watchId, leftOut }: RecogniseOptions,
): Promise<{ recognised: Recognised[]; odd: Order[] }> {
  const odd: Order[] = [];
  const usable: { order: Order; number: string }[] = [];
  for (const order of orders) {
    const number = usableOrderId(order);
    if (number === undefined || isTooDeep(order)) odd.push(order);
    else usable.push({ order, number });
  }

  const numbers = usable.map(({ number }) => number);
  const firsts = await journal.known(watchId, numbers);
  const newHere = new Map<string, Unwritten>();
  const readKnown: ReadKnown = async (orderKey, nth) => {
    const written = nth === 1 ? firsts : await journal.known(watchId, [orderKey]);
    const known = written.get(orderKey);
    const unwritten = newHere.get(orderKey) ?? leftOut.get(orderKey);
    if (known !== undefined || unwritten === undefined) return known;
    // No output knows it in another state.
    return { createdAt: unwritten.createdAt, status: unwritten.status, content: null, state: "skipped" };
  };

  const recognised: Recognised[] = [];
  for (const { order, number } of usable) {
    const [createdAt, status] = [createdAtText(order), readStatus(order)];
    const found = await recognise(number, createdAt, readKnown);
    if (found.known === undefined) newHere.set(found.orderKey, { createdAt, status });
    recognised.push({ order, number, createdAt, status, ...found });
  }
  return { recognised, odd };
}
