import { stringify } from "lossless-json";
import type { Order, OrdersQuery, OrdersResponse } from "../contract/order.ts";
import { isReason } from "../errors.ts";
import type { Answer } from "./call.ts";
import { answerText, toNumber } from "./json.ts";

export function orderIdText(order: Order): string | undefined {
  // A service may list a value that is no object: it must not hold up the orders.
  const id: unknown = (order as Order | null)?.order_id;
  return typeof id === "number" || typeof id === "bigint" || typeof id === "string" ? String(id) : undefined;
}

/** Returns what identifies an order: order_id and created_at, since numbers come again when a branch is reset; without them its whole content. */
export function orderIdentity(order: Order): string {
  const id = orderIdText(order);
  if (id !== undefined) return `${id} ${stringify(order.created_at)}`;
  // In a list, so that the number 7 is not taken for order 7.
  return answerText([order]);
}

export function usableOrderId(order: Order): string | undefined {
  const id: unknown = (order as Order | null)?.order_id;
  const isKey = Number.isSafeInteger(id) || typeof id === "bigint" || typeof id === "string";
  // It becomes a file name, and 64 characters fit everywhere.
  return isKey && /^[A-Za-z0-9_-]{1,64}$/.test(String(id)) ? String(id) : undefined;
}

export function madeAt({ created_at: made }: Order): number | undefined {
  const instant = toNumber(made);
  return instant === undefined || instant < 0 ? undefined : Math.floor(instant);
}

type Fields = { [name: string]: Fields | true };

const lasting: Fields = {
  created_at: true,
  created_at_iso: true,
  cliente: { nombre: true, telefono: true },
  lineas: { codigo: true, nombre: true, cantidad: true, opciones: { codigo: true, nombre: true } },
  total: true,
};

function pick(value: unknown, fields: Fields | true): unknown {
  if (fields === true || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => pick(each, fields));
  const own = Object.entries(fields).filter(([name]) => Object.hasOwn(value, name));
  const kept = own.map(([name, inner]) => [name, pick((value as Record<string, unknown>)[name], inner)]);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

export function lastingIdentity(order: unknown): string {
  const isObject = typeof order === "object" && order !== null && !Array.isArray(order);
  if (!isObject) return answerText([order]);
  const { order_id: id } = order as { order_id?: unknown };
  return answerText([pick(order, lasting) ?? [id, Object.keys(order).sort()]]);
}

type Page = Answer<OrdersResponse>;

/** Returns undefined for a page that does not exist. */
async function unlessRefused(page: Page | Promise<Page>): Promise<Page | undefined> {
  try {
    return await page;
  } catch (error) {
    if (isReason(error, "input_refused")) return undefined;
    throw error;
  }
}

/** Returns the number of orders before a page and on it. */
export function countUntil(
  { orders, per_page: size }: Pick<OrdersResponse, "orders"> & Partial<OrdersResponse>,
  page: number,
): number {
  return (page - 1) * (toNumber(size) ?? orders.length) + orders.length;
}

/**
 * Yields pages from `query.page` (default 1) on, while `has_more` is true or `total` counts more than were seen, and a page brings an order that is
 * new (`docs/reference/service.md` 4.1): a service may say that nothing remains and count more, and then refuse the next page all the same. With
 * `concurrency`, as many as `total` promises are asked for before their turn, until one of them fails: that one is asked for again in its turn.
 * @param listOrders given a signal, for a page before its turn, it makes one attempt.
 */
export async function* orderPages(
  listOrders: (query: OrdersQuery, early?: AbortSignal) => Promise<Page>,
  query: OrdersQuery = {},
  concurrency = 1,
): AsyncGenerator<Page, void, undefined> {
  const seen = new Set<string>();
  const ahead: Promise<Page | undefined>[] = [];
  let end: AbortController | undefined;
  let atOnce = concurrency;
  let perPage: number | undefined;
  let before: number | undefined;
  let isDoubted = false;
  const early = (page: number) => {
    end ??= new AbortController();
    return listOrders({ ...query, page }, end.signal).catch(() => {
      atOnce = 1;
      return undefined;
    });
  };
  try {
    for (let page = query.page ?? 1; ; page++) {
      const asked = (await ahead.shift()) ?? listOrders({ ...query, page });
      const answer: Page | undefined = await (isDoubted ? unlessRefused(asked) : asked);
      if (answer === undefined) return;
      const ids = answer.body.orders.map(orderIdentity);
      const fresh = ids.filter((id) => !seen.has(id));
      if ((ids.length > 0 || isDoubted) && fresh.length === 0) return;
      yield answer;
      for (const id of fresh) seen.add(id);
      const { has_more: more, total: said }: { has_more?: unknown; total?: unknown } = answer.body;
      const total = toNumber(said);
      before ??= countUntil(answer.body, page) - ids.length;
      isDoubted = more !== true;
      const remain = more === true || (total !== undefined && before + seen.size < total);
      if (!remain || fresh.length === 0) return;
      if (answer.attempts > 1) atOnce = 1;
      perPage ??= ids.length;
      const pages = total === undefined ? 0 : Math.ceil(total / perPage);
      while (atOnce > 1 && ahead.length < atOnce && page + ahead.length < pages)
        ahead.push(early(page + ahead.length + 1));
    }
  } finally {
    end?.abort();
  }
}
