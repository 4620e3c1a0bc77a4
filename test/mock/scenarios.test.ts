import { describe, expect, test } from "vitest";
import { orderStates } from "../../src/contract/limits.ts";
import type { Order } from "../../src/contract/order.ts";
import { type RunningMock, readScenarioDefinition } from "../../src/mock/index.ts";
import { sized } from "../support/soak.ts";
import { allOrders, campaign, frozen, listOrders, norte, push, start, statusOf } from "./support.ts";
import { expectStep } from "./transitions.ts";

const now = Date.parse(frozen);

describe("scenarios", () => {
  test("demo: two branches with four pendiente orders and twelve products each, and about an order every 40 s", async () => {
    const mock = await start({ scenario: "demo" });
    for (const { key, branch } of mock.keys) {
      const page = await listOrders(mock, "", key);
      expect(page.orders).toHaveLength(4);
      expect(page.orders.every((order) => order.created_at < now && order.created_at > now - 240_000)).toBe(
        true,
      );
      expect(await mock.control.catalog(branch)).toHaveLength(12);
    }
    await mock.control.moveClock({ advance_ms: 4_000_000 });
    const arrived = [...(await board(mock)).values()]
      .map((order) => order.created_at)
      .filter((at) => at > now)
      .sort((a, b) => a - b);
    expect(arrived.length).toBeGreaterThanOrEqual(99);
    expect(arrived.length).toBeLessThanOrEqual(101);
    const gaps = arrived.slice(1).map((at, index) => at - (arrived[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(0);
    expect(new Set(gaps).size).toBeGreaterThan(90);
  });

  test.each([1, 2, 77])(
    "demo with seed %s: every state has orders, and the next one comes within 20 s",
    async (seed) => {
      const mock = await start({ scenario: "demo", seed });
      for (const { key } of mock.keys)
        for (const status of orderStates)
          expect((await listOrders(mock, `?status=${status}`, key)).total, status).toBeGreaterThan(0);
      const before = await mock.control.orders();
      await mock.control.moveClock({ advance_ms: 20_000 });
      expect((await mock.control.orders()).length).toBeGreaterThan(before.length);
    },
  );

  test("demo: a campaign is finished, with replies, and each branch's price list had two rejected rows", async () => {
    const mock = await start({ scenario: "demo" });
    const [told, ...others] = await mock.control.campaigns();
    expect(others).toEqual([]);
    const { campaign_id, counts } = told!;
    expect(counts).toMatchObject({ total_recipients: 30, pending: 0, sent: 30 - counts.failed });
    expect(Math.min(counts.failed, counts.read, counts.responded)).toBeGreaterThan(0);
    const replies = await mock.control.replies();
    expect(replies).toHaveLength(counts.responded);
    expect(replies.map(({ text }) => text)).toContain("BAJA");
    expect(replies.every(({ at }) => Date.parse(at) < now)).toBe(true);

    for (const [branch, codes] of [
      ["demo", ["EMP-004", "BEB-003"]],
      ["norte", ["H04", "D03"]],
    ] as const) {
      const [push] = await mock.control.pushes(branch);
      expect(push).toMatchObject({ branch, items: 14, accepted: 12, skipped_stale: 0 });
      expect(push?.rejected.map(({ codigo }) => codigo)).toEqual(codes);
      const catalog = await mock.control.catalog(branch);
      expect(catalog.every(({ occurred_at }) => occurred_at === push?.occurred_at)).toBe(true);
    }
    // The first campaign that somebody sends is number 1, as in a world without a past.
    expect((await campaign(mock)).campaign_id).toMatch(/^cmp_[0-9a-f]{8}00000001$/);
    await mock.control.moveClock({ advance_ms: 3_600_000 });
    expect((await statusOf(mock, campaign_id)).counts).toEqual(counts);
  });

  test("demo: the past is the same after an export, and its prices make room for a list of one's own", async () => {
    const [from, to] = [await start({ scenario: "demo", seed: 5 }), await start()];
    const past = async ({ control }: RunningMock) => [
      await control.campaigns(),
      await control.replies(),
      await control.pushes(),
      await control.catalog(),
    ];
    await to.control.importWorld(await from.control.exportWorld());
    expect(await past(to)).toEqual(await past(from));
    await push(
      from,
      Array.from({ length: 12 }, (_, n) => ({ codigo: `A${n}`, nombre: "Sushi", precio: 9 })),
    );
    const lines = (await from.control.placeOrders({ count: 20 })).flatMap(({ lineas }) => lineas);
    expect(lines.filter(({ codigo }) => codigo?.startsWith("A") === false)).toEqual([]);
  });

  test("demo: orders are on their way when it begins, and move on until they are delivered", async () => {
    const mock = await start({ scenario: "demo" });
    const count = async (status: string) =>
      (await listOrders(mock, `?status=${status}`)).total +
      (await listOrders(mock, `?status=${status}`, norte)).total;
    for (const status of ["en_preparacion", "listo", "en_camino", "entregado"])
      expect(await count(status), status).toBeGreaterThan(0);
    let before = await board(mock);
    const began = new Set(before.keys());
    for (let look = 0; look < sized(20, 60); look++) {
      await mock.control.moveClock({ advance_ms: sized(90_000, 30_000) });
      const after = await board(mock);
      for (const [id, order] of before) expectStep(order, after.get(id)?.status ?? "lost");
      before = after;
    }
    const left = [...before].filter(([id]) => began.has(id)).map(([, { status }]) => status);
    expect(left.filter((status) => !["entregado", "rechazado", "cancelado"].includes(status))).toEqual([]);
    // As many come as go.
    expect(await count("pendiente")).toBeLessThan(16);
  });

  test("demo: what somebody placed stays where it is, and what somebody moved too", async () => {
    const mock = await start({ scenario: "demo" });
    const [waiting] = await allOrders(mock);
    const [placed] = await mock.control.placeOrders({});
    await mock.control.setOrderStatus(Number(waiting?.order_id), "listo");
    await mock.control.moveClock({ advance_ms: 3_600_000 });
    const orders = await board(mock);
    expect(orders.get(placed?.order_id ?? 0)?.status).toBe("pendiente");
    expect(orders.get(Number(waiting?.order_id))?.status).toBe("listo");
  });

  test("empty: nothing is there and nothing arrives", async () => {
    const mock = await start({ scenario: "empty" });
    await mock.control.moveClock({ advance_ms: 86_400_000 });
    for (const { key, branch } of mock.keys) {
      expect((await listOrders(mock, "", key)).total).toBe(0);
      expect(await mock.control.catalog(branch)).toEqual([]);
    }
    expect(await mock.control.templates()).toHaveLength(6);
  });
});

describe("what is ordered", () => {
  test("is what a shop could get: a dish on one line, options of its kind, names, the town of the branch", async () => {
    const mock = await start({ scenario: "rush", seed: 3 });
    await mock.control.moveClock({ advance_ms: 600_000 });
    const orders = [...(await allOrders(mock)), ...(await allOrders(mock, "pendiente", norte))];
    expect(orders.length).toBeGreaterThan(600);
    for (const { lineas } of orders)
      expect(new Set(lineas.map(({ nombre }) => nombre)).size).toBe(lineas.length);
    const lines = orders.flatMap(({ lineas }) => lineas);
    const optionsOf = (dish: RegExp) =>
      new Set(
        lines
          .filter(({ nombre }) => dish.test(nombre))
          .flatMap(({ opciones }) => (opciones ?? []).map(({ nombre }) => nombre)),
      );
    expect(optionsOf(/^(Flan|Helado|Brownie)/)).toEqual(
      new Set(["Con dulce de leche", "Con crema", "Dos cucharas"]),
    );
    expect([...optionsOf(/^Empanada/)].sort()).toEqual([
      "Al horno",
      "Con agua sin gas 500 ml",
      "Con gaseosa cola 1,5 l",
      "Fritas",
      "Salsa picante",
    ]);
    const nameless = orders.filter(({ cliente }) => cliente.nombre === null).length;
    expect(nameless / orders.length).toBeLessThan(0.1);
    const townsOf = async (key?: string) =>
      new Set(
        (await allOrders(mock, "pendiente", key)).flatMap(({ domicilio }) => domicilio?.localidad ?? []),
      );
    expect(await townsOf()).toEqual(new Set(["CABA"]));
    expect(await townsOf(norte)).toEqual(new Set(["Olivos"]));
  });
});

describe("rush", () => {
  test("starts with 57 pendiente orders in demo, three pages, and more than a page in norte", async () => {
    const mock = await start({ scenario: "rush" });
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(await listOrders(mock, `?page=${page}`));
    expect(pages.map((page) => [page.orders.length, page.total, page.has_more])).toEqual([
      [20, 57, true],
      [20, 57, true],
      [17, 57, false],
    ]);
    expect((await listOrders(mock, "", norte)).total).toBe(23);
    const all = await allOrders(mock);
    expect(all.every((order) => order.created_at < now && order.created_at > now - 600_000)).toBe(true);
  });

  test("brings one order every 2 s, and they stay pendiente", async () => {
    const mock = await start({ scenario: "rush" });
    await mock.control.moveClock({ advance_ms: 1_000_000 });
    const { total } = await listOrders(mock);
    expect(Math.abs(total - 57 - 500)).toBeLessThanOrEqual(1);
  });
});

/** Every order of the demo branch by its id, whatever its state. */
async function board(mock: RunningMock): Promise<Map<number, Order>> {
  const states = await Promise.all(orderStates.map((status) => allOrders(mock, status)));
  return new Map(states.flat().map((order) => [Number(order.order_id), order]));
}

describe("busy", () => {
  test("has orders in every state of the way at once, more of them every 20 s", async () => {
    const mock = await start({ scenario: "busy" });
    await mock.control.moveClock({ advance_ms: 3_600_000 });
    for (const status of orderStates) {
      expect((await listOrders(mock, `?status=${status}`)).total, status).toBeGreaterThan(0);
    }
    const orders = await board(mock);
    expect(Math.abs(orders.size - 40 - 180)).toBeLessThanOrEqual(1);
  });

  test("orders move on by themselves, never back, and none is lost on the way", async () => {
    const mock = await start({ scenario: "busy" });
    let before = await board(mock);
    let steps = 0;
    for (let look = 0; look < sized(20, 40); look++) {
      await mock.control.moveClock({ advance_ms: 30_000 });
      const after = await board(mock);
      for (const [id, order] of before) {
        const { status } = after.get(id) ?? { status: "lost" };
        expectStep(order, status);
        if (status !== order.status) steps++;
      }
      before = after;
    }
    expect(steps).toBeGreaterThan(sized(50, 100));
  });

  test("some are never pendiente for a POS that polls every 10 s", async () => {
    const mock = await start({ scenario: "busy" });
    const seen = new Set((await allOrders(mock)).map((order) => order.order_id));
    for (let poll = 0; poll < sized(60, 120); poll++) {
      await mock.control.moveClock({ advance_ms: 10_000 });
      for (const order of await allOrders(mock)) seen.add(order.order_id);
    }
    const arrived = (await Promise.all(orderStates.map((status) => allOrders(mock, status))))
      .flat()
      .filter((order) => order.created_at > now);
    const missed = arrived.filter((order) => !seen.has(order.order_id));
    expect(missed.length).toBeGreaterThan(3);
    expect(missed.length).toBeLessThan(arrived.length / 2);
  });

  test("a page that was read before shows at once what time has moved", async () => {
    const orders = Array.from({ length: 30 }, () => ({}));
    const branches = [{ branch: "uno", store_id: "1", keys: ["key-1"], orders }];
    const mock = await start({ scenario: readScenarioDefinition({ branches, moving: true }) });
    const totals = async (): Promise<number[]> => {
      const pages = await Promise.all(
        orderStates.map((status) => listOrders(mock, `?status=${status}`, "key-1")),
      );
      return pages.map((page) => page.total);
    };
    const before = await totals();
    expect(before[0]).toBe(30);
    await mock.control.moveClock({ advance_ms: 120_000 });
    const after = await totals();
    expect(after[0]).toBeLessThan(30);
    expect(after.reduce((sum, total) => sum + total)).toBe(30);
    expect((await allOrders(mock, "pendiente", "key-1")).length).toBe(after[0]);
  });
});
