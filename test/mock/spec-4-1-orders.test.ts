import { describe, expect, test } from "vitest";
import { orderStates } from "../../src/contract/limits.ts";
import { demoKey, frozen, get, inputProblem, listOrders, norte, start } from "./support.ts";

const now = Date.parse(frozen);

describe("GET /v1/orders (docs/reference/service.md 4.1)", () => {
  test("pages of 20, oldest first, with total and has_more", async () => {
    const mock = await start();
    await mock.control.placeOrders({ count: 44 });
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push(await listOrders(mock, `?page=${page}`));
    expect(
      pages.map((page) => [page.orders.length, page.page, page.per_page, page.total, page.has_more]),
    ).toEqual([
      [20, 1, 20, 44, true],
      [20, 2, 20, 44, true],
      [4, 3, 20, 44, false],
      [0, 4, 20, 44, false],
    ]);
    const ids = pages.flatMap((page) => page.orders.map((order) => order.order_id));
    expect(ids).toEqual([...ids].sort((a, b) => Number(a) - Number(b)));
  });

  test("an older created_at comes first; in one millisecond the order_id decides", async () => {
    const mock = await start();
    await mock.control.placeOrders({ order: { order_id: 9, created_at: now } });
    await mock.control.placeOrders({ order: { order_id: 8, created_at: now } });
    await mock.control.placeOrders({ order: { order_id: 50, created_at: now - 1 } });
    expect((await listOrders(mock)).orders.map((order) => order.order_id)).toEqual([50, 8, 9]);
  });

  test("since is strictly later, whatever its offset", async () => {
    const mock = await start();
    for (const ms of [0, 1, 2])
      await mock.control.placeOrders({ order: { order_id: 5 + ms, created_at: now + ms } });
    const since = async (text: string): Promise<unknown[]> =>
      (await listOrders(mock, `?since=${encodeURIComponent(text)}`)).orders.map((order) => order.order_id);
    expect(await since("2026-01-01T12:00:00.001-03:00")).toEqual([7]);
    expect(await since("2026-01-01T15:00:00.000Z")).toEqual([6, 7]);
    expect(await since("2026-01-01T15:00:00.002+00:00")).toEqual([]);
    expect(await listOrders(mock, "?since=2026-01-01T15:00:00Z")).toMatchObject({ total: 2 });
  });

  test("status filters on each of the eight states and is pendiente by default", async () => {
    const mock = await start();
    for (const status of orderStates) await mock.control.placeOrders({ order: { status } });
    for (const status of orderStates) {
      expect((await listOrders(mock, `?status=${status}`)).orders.map((order) => order.status)).toEqual([
        status,
      ]);
    }
    expect((await listOrders(mock)).orders.map((order) => order.status)).toEqual(["pendiente"]);
  });

  test("a page read again shows what has changed", async () => {
    const mock = await start();
    const [order] = await mock.control.placeOrders();
    expect(await listOrders(mock)).toMatchObject({ total: 1 });
    await mock.control.setOrderStatus(order?.order_id ?? 0, "listo");
    expect(await listOrders(mock)).toMatchObject({ total: 0 });
    await mock.control.placeOrders({ count: 2 });
    expect(await listOrders(mock)).toMatchObject({ total: 2 });
    await mock.control.reset();
    expect(await listOrders(mock)).toMatchObject({ total: 0 });
  });

  test("orders belong to the branch of the key", async () => {
    const mock = await start();
    await mock.control.placeOrders({ branch: "norte" });
    expect((await listOrders(mock, "", demoKey)).total).toBe(0);
    expect((await listOrders(mock, "", norte)).total).toBe(1);
  });

  test.each([
    ["status=nuevo", /status/],
    ["status=", /status/],
    ["since=yesterday", /since/],
    ["since=", /since/],
    ["since=2026-01-01T12:00:00", /since/],
    ["since=2026-01-01T12:00Z", /since/],
    ["since=2026-02-30T12:00:00Z", /since/],
    ["page=0", /page/],
    ["page=-1", /page/],
    ["page=1.5", /page/],
    ["page=", /page/],
    ["page=two", /page/],
    ["page=99999999999999999999", /page/],
  ])("a bad parameter is 400: %s", async (query, message) => {
    const mock = await start();
    const answer = await get(`${mock.baseUrl}/v1/orders?${query}`);
    expect([answer.status, answer.body]).toEqual([400, inputProblem(expect.stringMatching(message))]);
  });

  test("an unknown parameter is ignored", async () => {
    const mock = await start({ scenario: "demo" });
    expect(await listOrders(mock, "?sort=desc")).toMatchObject({ total: 4 });
  });
});
