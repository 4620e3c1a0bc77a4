import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { orderPages } from "../../src/api/pages.ts";
import type { OrdersQuery, OrdersResponse } from "../../src/contract/order.ts";
import { noOrders } from "./harness.ts";

type Id = number | bigint | null;
const pageOf = (ids: readonly Id[], has_more: unknown) =>
  ({ ...noOrders, orders: ids.map((order_id) => ({ order_id })), has_more }) as unknown as OrdersResponse;

/** Returns the results, page by page, and how many pages were asked for. */
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

describe("orderPages with several at once", () => {
  /** Answers a page, or fails it, by its number alone. */
  const page = fc.record({
    ids: fc.array(fc.nat(40), { maxLength: 4 }),
    more: fc.constantFrom(true, true, true, false, undefined, "yes"),
    total: fc.oneof(fc.nat(60), fc.constantFrom(-1, null, undefined, Number.NaN, 1e9, "40")),
    fails: fc.constantFrom("never", "never", "never", "early", "always"),
    attempts: fc.constantFrom(1, 1, 1, 2),
    ticks: fc.nat(30),
  });
  type Page = typeof page extends fc.Arbitrary<infer Of> ? Of : never;

  async function readAll(pages: readonly Page[], concurrency?: number) {
    const got: unknown[] = [];
    const ahead: number[] = [];
    const list = async ({ page: number = 0 }: OrdersQuery, early?: AbortSignal) => {
      ahead.push(ahead.length + 1 - got.length);
      const { ids, more, total, fails, attempts, ticks } = pages[(number - 1) % pages.length]!;
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      if (fails === "always" || (fails === "early" && early !== undefined)) throw new Error(`page ${number}`);
      const orders = ids.map((order_id) => ({ order_id }));
      const body = { orders, page: number, per_page: 20, total, has_more: more } as unknown as OrdersResponse;
      return { body, status: 200, attempts, date: undefined, mismatches: [] };
    };
    try {
      for await (const { body } of orderPages(list, {}, concurrency)) got.push(body);
    } catch (error) {
      got.push((error as Error).message);
    }
    return { got, ahead };
  }

  it("gives what one after another gives, whatever the service says of itself and whatever fails", async () => {
    const some = fc.array(page, { minLength: 1, maxLength: 20 });
    const property = fc.asyncProperty(some, fc.integer({ min: 2, max: 8 }), async (pages, concurrency) => {
      const { got, ahead } = await readAll(pages, concurrency);
      expect(got).toEqual((await readAll(pages)).got);
      expect(Math.max(...ahead)).toBeLessThanOrEqual(concurrency + 1);
    });
    await fc.assert(property, { numRuns: 1000 });
  });

  it("has so many on the way, asks for none twice, and after a failure for one at a time", async () => {
    const usual: Page = { ids: [], more: true, total: 200, fails: "never", attempts: 1, ticks: 5 };
    const pages = Array.from({ length: 50 }, (_, n) => ({
      ...usual,
      more: n < 49,
      ids: [4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3],
    }));
    const { ahead: usually } = await readAll(pages, 8);
    expect([usually.length, Math.max(...usually)]).toEqual([50, 8]);
    for (const trouble of [{ fails: "early" }, { attempts: 2 }] as const) {
      const broken = pages.map((each, n) => (n === 9 ? { ...each, ...trouble } : each));
      const { got, ahead } = await readAll(broken, 8);
      const twice = Number("fails" in trouble);
      expect([got.length, ahead.length]).toEqual([50, 50 + twice]);
      expect(Math.max(...ahead.slice(-30))).toBe(1 + twice);
    }
  });
});
