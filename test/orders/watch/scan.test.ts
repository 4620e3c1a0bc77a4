import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../../../src/api/client.ts";
import type { OrdersQuery } from "../../../src/contract/order.ts";
import { type Scan, scanOrders } from "../../../src/orders/watch/scan.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { fixedServer, orderOf, pageOf } from "../../support/peers.ts";

/** What each request, 1 being the first, is answered with: a page of ids, and whether more remain. */
type Script = (page: number, request: number) => { ids: readonly unknown[]; more?: boolean };

/** Scans once; the pages that were asked for, the ids as they came, and what it came to. */
async function scan(
  script: Script,
  query: OrdersQuery = {},
): Promise<{ asked: URLSearchParams[]; pages: number[]; ids: unknown[]; scan: Scan }> {
  const asked: URLSearchParams[] = [];
  const url = await fixedServer(({ searchParams }) => {
    asked.push(searchParams);
    const page = Number(searchParams.get("page"));
    const { ids, more = false } = script(page, asked.length);
    return {
      body: pageOf(
        ids.map((id) => orderOf(id)),
        { page, has_more: more },
      ),
    };
  });
  const addresses = { baseUrl: url, campaignsBaseUrl: url, apiKey: "bpk_x" };
  const client = createClient({ ...addresses, clock: fakeClock(), random: () => 0, retries: 0 });
  onTestFinished(() => client.close());
  const ids: unknown[] = [];
  const running = scanOrders(client, query, new AbortController().signal);
  for (;;) {
    const { done, value } = await running.next();
    const pages = asked.map((params) => Number(params.get("page")));
    if (done === true) return { asked, pages, ids, scan: value };
    ids.push(...value.body.orders.map(({ order_id: id }) => id));
  }
}

it("reads a single page once: it cannot shift", async () => {
  const { pages, ids, scan: came } = await scan(() => ({ ids: [1, 2] }));
  expect({ pages, ids, came }).toMatchObject({ pages: [1], ids: [1, 2], came: { pages: 1, orders: 2 } });
});

it("reads several pages again until two passes hold the same orders", async () => {
  const { pages, scan: came } = await scan((page) => ({ ids: [page * 2, page * 2 + 1], more: page < 3 }));
  expect(pages).toEqual([1, 2, 3, 1, 2, 3]);
  expect(came).toMatchObject({ pages: 3, orders: 6 });
});

it("finds in the second pass what was skipped in the first, and confirms it by a third", async () => {
  // 1 leaves the state after the first page was read, so that 3 moves up to it.
  const {
    pages,
    ids,
    scan: came,
  } = await scan((page, request) => {
    if (request === 1) return { ids: [1, 2], more: true };
    return page === 1 ? { ids: [2, 3], more: true } : { ids: [4] };
  });
  expect(pages).toEqual([1, 2, 1, 2, 1, 2]);
  expect(new Set(ids)).toEqual(new Set([1, 2, 3, 4]));
  expect(came).toMatchObject({ pages: 2, orders: 3 });
});

it("takes two passes with as many other orders for different", async () => {
  const { pages } = await scan((page, request) => ({ ids: [page === 1 ? 1 : request], more: page === 1 }));
  expect(pages).toEqual([1, 2, 1, 2, 1, 2]);
});

it("stops after three passes that never agree", async () => {
  const { pages } = await scan((page, request) => ({
    ids: [request * 10, request * 10 + 1],
    more: page < 2,
  }));
  expect(pages).toHaveLength(6);
});

it("ends a pass at a page that repeats another", async () => {
  const { pages, ids } = await scan((page) => ({ ids: page === 1 ? [1, 2] : [3, 4], more: true }));
  expect(pages).toEqual([1, 2, 3, 1, 2, 3]);
  expect(ids).toEqual([1, 2, 3, 4, 1, 2, 3, 4]);
});

it("ends a pass at an empty page that says there are more", async () => {
  const { pages, scan: came } = await scan((page) => ({ ids: page === 1 ? [1] : [], more: true }));
  expect(pages).toEqual([1, 2, 1, 2]);
  expect(came.orders).toBe(1);
});

it("tells orders without a usable id apart by all that they say", async () => {
  const { ids, pages } = await scan((page) => ({ ids: page === 1 ? [1, null] : [2, 1.5], more: page < 2 }));
  expect(pages).toEqual([1, 2, 1, 2]);
  expect(new Set(ids)).toEqual(new Set([1, null, 2, 1.5]));
});

it("asks for the same state and since on every page", async () => {
  const query = { status: "listo", since: "2026-01-01T00:00:00-03:00" } as const;
  const { asked } = await scan((page) => ({ ids: [page], more: page < 3 }), query);
  for (const params of asked)
    expect([params.get("status"), params.get("since")]).toEqual([query.status, query.since]);
});
