import { describe, expect, test } from "vitest";
import { campaign, get, push, start } from "./support.ts";

describe("GET /_mock/requests", () => {
  test("shows number, method, path, status, the body's own key and the masked API key", async () => {
    const mock = await start();
    await get(`${mock.baseUrl}/v1/orders?page=2`);
    await push(mock, [], { event_id: "ev-1" });
    await campaign(mock, { idempotency_key: "id-1", template_name: "none" });
    await fetch(`${mock.baseUrl}/v1/orders`);
    const row = {
      at: "2026-01-01T12:00:00.000-03:00",
      ms: expect.any(Number) as unknown,
      query: "",
      key: "bpk_…ntro",
    };
    expect((await get(`${mock.baseUrl}/_mock/requests`)).body).toEqual({
      requests: [
        { ...row, id: 1, method: "GET", path: "/v1/orders", query: "page=2", status: 200 },
        { ...row, id: 2, method: "POST", path: "/v1/catalog/items", status: 200, event_id: "ev-1" },
        { ...row, id: 3, method: "POST", path: "/messaging/campaigns", status: 400, idempotency_key: "id-1" },
        { ...row, id: 4, method: "GET", path: "/v1/orders", status: 403, key: null },
      ],
    });
  });

  test("keeps the last 1,000 and shows the last 100 unless asked for more", async () => {
    const mock = await start();
    for (let index = 0; index < 41; index++) {
      const urls = Array.from({ length: 25 }, (_, page) => `${mock.baseUrl}/v1/orders?page=${page + 1}`);
      await Promise.all(urls.map((url) => get(url)));
    }
    await get(`${mock.baseUrl}/v1/orders?last`);
    const rows = await mock.control.requests(1000);
    expect([rows.length, rows.at(-1)?.query]).toEqual([1000, "last"]);
    expect(await mock.control.requests()).toEqual(rows.slice(-100));
    expect((await get(`${mock.baseUrl}/_mock/requests?limit=1`)).body).toEqual({ requests: rows.slice(-1) });
    expect((await get(`${mock.baseUrl}/_mock/requests?limit=x`)).status).toBe(400);
  });
});
