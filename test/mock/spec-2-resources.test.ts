import { describe, expect, test } from "vitest";
import { orderStates } from "../../src/contract/limits.ts";
import { allOrders, campaign, frozen, listOrders, norte, push, start, statusOf } from "./support.ts";

const now = Date.parse(frozen);

/** In cents, where sums are exact. */
const cents = (amount: number): number => Math.round(amount * 100);

describe("an order (docs/reference/service.md 2.1 to 2.4)", () => {
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
    const [before] = await mock.control.placeOrders({ order: { lineas: [{ codigo: "NEW-1" }] } });
    await push(mock, [{ codigo: "NEW-1", precio: 333 }]);
    const after = await mock.control.placeOrders({ count: 100 });
    const coded = after.flatMap((order) => order.lineas).filter((line) => line.codigo !== null);
    const lines = coded.filter((line) => line.codigo?.startsWith("NEW-"));
    for (const line of lines)
      expect([line.codigo, line.nombre, line.precio_unitario]).toEqual(["NEW-1", "Uno", 333]);
    // It is one of thirteen products.
    expect(lines.length / coded.length).toBeGreaterThan(1 / 26);
    expect(lines.length / coded.length).toBeLessThan(2 / 13);
    const kept = (await allOrders(mock)).find((order) => order.order_id === before?.order_id);
    expect(kept).toEqual(before);
    expect(kept?.lineas).toMatchObject([{ codigo: "NEW-1", precio_unitario: 100.25 }]);
  });

  /** A list as long as that of the scenario, which it takes the place of. */
  const wholeList = Array.from({ length: 12 }, (_, n) => ({
    codigo: `NEW-${n}`,
    nombre: `Uno ${n}`,
    precio: 1,
  }));

  test("hold only what was pushed once that is a list of its own", async () => {
    const mock = await start({ scenario: "demo" });
    await push(mock, wholeList);
    const lines = (await mock.control.placeOrders({ count: 50 })).flatMap(({ lineas }) => lineas);
    expect(
      lines.map(({ codigo }) => codigo ?? "NEW-").filter((codigo) => !codigo.startsWith("NEW-")),
    ).toEqual([]);
  });

  test("an order that arrived by itself before a push keeps its lines, looked at or not", async () => {
    const [looked, unseen] = await Promise.all([start({ scenario: "demo" }), start({ scenario: "demo" })]);
    for (const mock of [looked, unseen]) {
      await mock.control.moveClock({ advance_ms: 300_000 });
      if (mock === looked) await listOrders(mock);
      await push(mock, wholeList, { event_id: "same" });
      await mock.control.moveClock({ advance_ms: 300_000 });
    }
    const orders = await allOrders(unseen);
    expect(await allOrders(looked)).toEqual(orders);
    const holdsNew = orders.map((order) => order.lineas.some((line) => line.codigo?.startsWith("NEW-")));
    const early = orders.filter((order) => order.created_at <= now + 300_000).length;
    expect(holdsNew.slice(0, early)).not.toContain(true);
    expect(holdsNew.slice(early)).toContain(true);
  });

  test("ids are whole numbers that no two orders share, across branches too", async () => {
    const mock = await start({ scenario: "demo" });
    await mock.control.placeOrders({ count: 10, branch: "norte" });
    await mock.control.moveClock({ advance_ms: 600_000 });
    const lists = await Promise.all(
      orderStates.flatMap((state) => [allOrders(mock, state), allOrders(mock, state, norte)]),
    );
    const ids = lists.flat().map((order) => order.order_id);
    expect(ids.length).toBeGreaterThan(40);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every(Number.isSafeInteger)).toBe(true);
  });
});

describe("cliente (docs/reference/service.md 2.2)", () => {
  test("the parts of a phone make the whole: country without plus, area without zero, number without hyphens", async () => {
    const mock = await start();
    for (const { cliente } of await mock.control.placeOrders({ count: 100 })) {
      const { telefono, telefono_pais, telefono_area, telefono_numero } = cliente;
      expect([telefono_pais, telefono_area]).toEqual(["54", "11"]);
      expect(telefono_numero).toMatch(/^\d{8}$/);
      expect(telefono).toBe(`+549${telefono_area ?? ""}${telefono_numero ?? ""}`);
    }
  });
});

describe("OrdersResponse (docs/reference/service.md 2.5)", () => {
  test("has these five fields and no others", async () => {
    const mock = await start({ scenario: "demo" });
    const page = await listOrders(mock);
    expect(Object.keys(page)).toEqual(["orders", "page", "per_page", "total", "has_more"]);
  });

  test("total counts the orders in the state asked for, not the page nor the other states", async () => {
    const mock = await start();
    await mock.control.placeOrders({ count: 25 });
    await mock.control.placeOrders({ count: 3, order: { status: "listo" } });
    expect(await listOrders(mock, "?page=2")).toMatchObject({ total: 25, page: 2 });
    expect(await listOrders(mock, "?status=listo")).toMatchObject({ total: 3 });
  });
});

describe("a catalog item (docs/reference/service.md 2.6)", () => {
  test("keeps its five fields as they were pushed", async () => {
    const mock = await start();
    const item = { codigo: "00123", nombre: "Café", categoria: "Bebidas", precio: 0.1, deshabilitado: true };
    await push(mock, [item]);
    expect(await mock.control.catalog()).toMatchObject([{ ...item, active: true, occurred_at: frozen }]);
  });
});

describe("a campaign (docs/reference/service.md 2.7)", () => {
  const recipients = [{ phone: "+5491161234567", params: [] }];

  test("on creation is sent, has no counts, and its recipients are numbers", async () => {
    const mock = await start();
    const { answer } = await campaign(mock, { recipients, external_ref: "r" });
    expect(answer.body).toEqual({
      campaign_id: expect.any(String) as unknown,
      status: "sent",
      campaign_name: "API - aviso_simple - r",
      external_ref: "r",
      recipients: { added: 1, duplicates: 0, errors: [] },
      replayed: false,
    });
  });

  test("on the status read has counts, and its recipients are a list", async () => {
    const mock = await start();
    const { campaign_id } = await campaign(mock, { recipients });
    const status = await statusOf(mock, campaign_id);
    expect(Object.keys(status)).toEqual([
      "campaign_id",
      "status",
      "campaign_name",
      "external_ref",
      "counts",
      "recipients",
    ]);
    expect(status.recipients).toHaveLength(1);
  });
});
