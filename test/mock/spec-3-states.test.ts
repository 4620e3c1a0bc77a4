import { describe, expect, test } from "vitest";
import { orderStates } from "../../src/contract/limits.ts";
import { allOrders, campaign, frozen, get, listOrders, push, send, start, statusOf } from "./support.ts";

describe("order states (docs/reference/service.md 3)", () => {
  test("there are eight, and each is a value of the filter", async () => {
    const mock = await start();
    expect(orderStates).toEqual([
      "pendiente",
      "en_preparacion",
      "listo",
      "asignado",
      "en_camino",
      "entregado",
      "rechazado",
      "cancelado",
    ]);
    for (const state of orderStates) {
      expect((await get(`${mock.baseUrl}/v1/orders?status=${state}`)).status).toBe(200);
    }
  });

  test("an order is in exactly one of them", async () => {
    const mock = await start({ scenario: "busy" });
    const lists = await Promise.all(orderStates.map((state) => allOrders(mock, state)));
    const ids = lists.flat().map((order) => order.order_id);
    expect(ids).toHaveLength(40);
    expect(new Set(ids).size).toBe(40);
  });

  test("new orders begin as pendiente", async () => {
    const mock = await start({ scenario: "demo" });
    const seen = new Set<unknown>();
    // Each is pendiente for 45 s or more, so that who polls every 30 s sees it then.
    for (let poll = 0; poll < 40; poll++) {
      await mock.control.moveClock({ advance_ms: 30_000 });
      for (const { order_id } of await allOrders(mock)) seen.add(order_id);
    }
    const lists = await Promise.all(orderStates.map((state) => allOrders(mock, state)));
    const arrived = lists.flat().filter(({ created_at }) => created_at > Date.parse(frozen));
    expect(arrived.length).toBeGreaterThan(25);
    expect(arrived.filter(({ order_id }) => !seen.has(order_id))).toEqual([]);
  });

  test("a POS has no operation that changes a state", async () => {
    const mock = await start();
    const [order] = await mock.control.placeOrders();
    for (const method of ["PATCH", "PUT", "POST", "DELETE"]) {
      for (const path of [`/v1/orders/${order!.order_id}`, "/v1/orders"]) {
        const answer = await send(mock.baseUrl + path, { status: "listo" }, { method });
        expect([404, 405]).toContain(answer.status);
      }
    }
    expect(await listOrders(mock)).toMatchObject({ total: 1 });
  });
});

describe("campaign and recipient statuses (docs/reference/service.md 3)", () => {
  test("a campaign is sent from its creation on; a recipient goes from pending to responded", async () => {
    const mock = await start();
    const { campaign_id, status } = await campaign(mock, {
      recipients: [{ phone: "+5491155550003", params: [] }],
    });
    const seen = new Set<string | null | undefined>();
    for (let look = 0; look < 50; look++) {
      const now = await statusOf(mock, campaign_id);
      expect(now.status).toBe(status);
      seen.add(now.recipients?.[0]?.status);
      await mock.control.moveClock({ advance_ms: 100 });
    }
    expect([...seen]).toEqual(["pending", "sent", "delivered", "read", "responded"]);
  });
});

describe("catalog products (docs/reference/service.md 3)", () => {
  test("a deleted one is deactivated, not removed, and historical orders stay readable", async () => {
    const mock = await start();
    await push(mock, [{ codigo: "A1", nombre: "Uno", precio: 10 }]);
    const lineas = [{ codigo: "A1", nombre: "Uno", precio_unitario: 10 }];
    const [order] = await mock.control.placeOrders({ order: { lineas } });
    await push(mock, [{ codigo: "A1" }], { action: "delete", occurred_at: "2026-01-01T12:00:01-03:00" });
    expect(await mock.control.catalog()).toMatchObject([{ codigo: "A1", nombre: "Uno", active: false }]);
    expect((await listOrders(mock)).orders).toEqual([order]);
    const later = await mock.control.placeOrders({ count: 20 });
    expect(later.flatMap((one) => one.lineas).some((line) => line.codigo === "A1")).toBe(false);
  });
});
