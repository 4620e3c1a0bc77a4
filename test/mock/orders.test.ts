import { describe, expect, test } from "vitest";
import { orderStates } from "../../src/contract/order.ts";
import { allOrders, centro, frozen, get, inputProblem, listOrders, norte, push, start } from "./support.ts";

const now = Date.parse(frozen);

/** In cents, where sums are exact. */
const cents = (amount: number): number => Math.round(amount * 100);

describe("an order (spec.md 2.1 to 2.4)", () => {
  test("sums, addresses, customers and payment hold in every one of 500 orders", async () => {
    const mock = await start({ scenario: "demo" });
    await mock.control.placeOrders({ count: 500 });
    const orders = await allOrders(mock);
    for (const order of orders) {
      for (const line of order.lineas) {
        const options = (line.opciones ?? []).reduce((sum, one) => sum + cents(one.precio_adicional), 0);
        expect(cents(line.subtotal)).toBe(line.cantidad * (cents(line.precio_unitario) + options));
      }
      const lines = order.lineas.reduce((sum, line) => sum + cents(line.subtotal), 0);
      expect(cents(order.total)).toBe(lines + cents(order.costo_envio));
      expect(order.pago.monto).toBe(order.total);
      expect(order.total).toBe(cents(order.total) / 100);
      expect(order.pago.pagado).toBe(order.pago.modo === "online");
      expect(Date.parse(order.created_at_iso)).toBe(order.created_at);
      expect(order.created_at_iso).toMatch(/-03:00$/);
      expect(order.cliente.telefono).toMatch(/^\+549\d{10}$/);
      if (order.delivery_type === "pick_up") {
        expect(order).not.toHaveProperty("domicilio");
        expect([order.delivery_address, order.costo_envio]).toEqual([null, 0]);
      } else {
        expect(order.delivery_address).toBeTruthy();
        expect(Object.keys(order.domicilio ?? {})).toEqual([
          "calle",
          "numero",
          "piso_depto",
          "localidad",
          "referencia",
        ]);
      }
    }
  });

  test("every kind of order that a POS must survive occurs, the usual kinds mostly", async () => {
    const mock = await start({ scenario: "demo" });
    await mock.control.placeOrders({ count: 500 });
    const orders = await allOrders(mock);
    const share = (of: (order: (typeof orders)[number]) => boolean): number =>
      orders.filter(of).length / orders.length;
    expect(share((order) => order.delivery_type === "delivery")).toBeGreaterThan(0.5);
    expect(share((order) => order.delivery_type === "pick_up")).toBeGreaterThan(0.2);
    expect(share((order) => order.domicilio?.calle === null)).toBeGreaterThan(0.02);
    expect(share((order) => order.cliente.nombre === null)).toBeGreaterThan(0.02);
    expect(share((order) => order.lineas.some((line) => line.codigo === null))).toBeGreaterThan(0.02);
    expect(
      share((order) =>
        order.lineas.some((line) => line.opciones?.some((option) => option.precio_adicional > 0)),
      ),
    ).toBeGreaterThan(0.1);
    expect(share((order) => order.pago.modo === "online")).toBeGreaterThan(0.05);
    expect(share((order) => order.pago.modo === "en_entrega")).toBeGreaterThan(0.7);
  });

  test("lines carry the codes and prices pushed last before the order, and keep them", async () => {
    const mock = await start({ scenario: "demo" });
    await push(mock, [
      { codigo: "NEW-1", nombre: "Uno", precio: 100.25 },
      { codigo: "NEW-2", nombre: "Dos", precio: 5, deshabilitado: true },
    ]);
    const [before] = await mock.control.placeOrders({ order: { cliente: { nombre: "antes" } } });
    await push(mock, [{ codigo: "NEW-1", precio: 333 }]);
    const after = await mock.control.placeOrders({ count: 30 });
    const coded = after.flatMap((order) => order.lineas).filter((line) => line.codigo !== null);
    expect(coded.length).toBeGreaterThan(10);
    for (const line of coded) {
      expect([line.codigo, line.nombre, line.precio_unitario]).toEqual(["NEW-1", "Uno", 333]);
    }
    const kept = (await allOrders(mock)).find((order) => order.order_id === before?.order_id);
    expect(kept).toEqual(before);
    expect(kept?.lineas.some((line) => line.codigo === "NEW-1" && line.precio_unitario === 100.25)).toBe(
      true,
    );
  });

  test("an order that arrived by itself before a push keeps its lines, looked at or not", async () => {
    const [looked, unseen] = await Promise.all([start({ scenario: "demo" }), start({ scenario: "demo" })]);
    for (const mock of [looked, unseen]) {
      await mock.control.moveClock({ advance_ms: 300_000 });
      if (mock === looked) await listOrders(mock);
      await push(mock, [{ codigo: "NEW-1", nombre: "Uno", precio: 1 }], { event_id: "same" });
      await mock.control.moveClock({ advance_ms: 300_000 });
    }
    const orders = await allOrders(unseen);
    expect(await allOrders(looked)).toEqual(orders);
    const holdsNew = orders.map((order) => order.lineas.some((line) => line.codigo === "NEW-1"));
    const early = orders.filter((order) => order.created_at <= now + 300_000).length;
    expect(holdsNew.slice(0, early)).not.toContain(true);
    expect(holdsNew.slice(early)).toContain(true);
  });

  test("ids are whole numbers that no two orders share, across branches too", async () => {
    const mock = await start({ scenario: "demo" });
    await mock.control.placeOrders({ count: 10, branch: "norte" });
    await mock.control.moveClock({ advance_ms: 600_000 });
    const ids = [...(await allOrders(mock)), ...(await allOrders(mock, "pendiente", norte))].map(
      (order) => order.order_id,
    );
    expect(ids.length).toBeGreaterThan(40);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every(Number.isSafeInteger)).toBe(true);
  });
});

describe("GET /v1/orders (spec.md 4.1)", () => {
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

  test("exactly 20 orders leave no more pages", async () => {
    const mock = await start();
    await mock.control.placeOrders({ count: 20 });
    expect(await listOrders(mock)).toMatchObject({ total: 20, has_more: false });
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
    expect((await listOrders(mock, "", centro)).total).toBe(0);
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
