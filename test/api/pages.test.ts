import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { orderPages } from "../../src/api/pages.ts";
import type { OrdersQuery, OrdersResponse } from "../../src/contract/order.ts";
import { noOrders } from "./harness.ts";

type Id = number | bigint | null;
const pageOf = (ids: readonly Id[], has_more: unknown) =>
  ({ ...noOrders, orders: ids.map((order_id) => ({ order_id })), has_more }) as unknown as OrdersResponse;

/** What comes out, page by page, and how many pages were asked for. */
async function read(pageAt: (page: number) => OrdersResponse, page?: number) {
  const pages: Id[][] = [];
  let asked = 0;
  const list = ({ page = 0 }: OrdersQuery) => {
    if (++asked > 1000) throw new Error("endless");
    return Promise.resolve({ body: pageAt(page), status: 200, attempts: 1, date: undefined, mismatches: [] });
  };
  for await (const { body } of orderPages(list, page === undefined ? {} : { page })) {
    pages.push(body.orders.map(({ order_id }) => order_id));
  }
  return { pages, asked };
}

const ids = fc.uniqueArray(fc.oneof(fc.nat(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n })), {
  maxLength: 60,
});

/** Any split of the ids into pages of at least one. */
const split = ids.chain((all) =>
  fc.array(fc.integer({ min: 1, max: 7 }), { minLength: all.length, maxLength: all.length }).map((sizes) => {
    const pages: (number | bigint)[][] = [];
    for (let at = 0, n = 0; at < all.length; at += sizes[n++] ?? 1)
      pages.push(all.slice(at, at + (sizes[n] ?? 1)));
    return pages.length === 0 ? [[]] : pages;
  }),
);

describe("orderPages", () => {
  it("hands out every page of any split, once and in order", async () => {
    await fc.assert(
      fc.asyncProperty(split, async (pages) => {
        const result = await read((page) => pageOf(pages[page - 1] ?? [], page < pages.length));
        expect(result).toEqual({ pages, asked: pages.length });
      }),
    );
  });

  it("ends at the first page that brings nothing new, whatever has_more says", async () => {
    await fc.assert(
      fc.asyncProperty(split, fc.nat(), async (pages, back) => {
        // After the last page the server begins again somewhere, for ever.
        const result = await read((page) =>
          pageOf(pages[page - 1] ?? pages[back % pages.length] ?? [], true),
        );
        const empty = pages[0]?.length === 0;
        expect(result).toEqual({ pages, asked: empty ? 1 : pages.length + 1 });
      }),
    );
  });

  it.each([false, null, undefined, "true", 1])("ends when has_more is %j", async (more) => {
    expect(await read(() => pageOf([1], more))).toEqual({ pages: [[1]], asked: 1 });
  });

  it("hands out orders without an id, and what is behind them, until nothing is new", async () => {
    const pages = [[1], [null, 1], [2], [null, 1]];
    const { asked, pages: seen } = await read((page) => pageOf(pages[page - 1] ?? [], true));
    expect({ asked, seen }).toEqual({ asked: 4, seen: pages.slice(0, 3) });
  });
});
