import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { MockRefusal } from "../../src/mock/core/refusal.ts";
import { readScenarioDefinition, type ScenarioDefinition } from "../../src/mock/index.ts";
import { allOrders, campaign, get, inputProblem, listOrders, push, send, start } from "./support.ts";

const file = new URL("../../fixtures/scenario.json", import.meta.url);
const sushi = async (): Promise<ScenarioDefinition> =>
  readScenarioDefinition(JSON.parse(await readFile(file, "utf8")));
const [belgrano, cocina, costanera] = [
  "bpk_sushi_belgrano",
  "bpk_sushi_belgrano_cocina",
  "bpk_sushi_costanera",
];

const branch = { branch: "uno", store_id: "1", keys: ["key-1"] };
const small = (given: object = {}, more: object = {}): ScenarioDefinition =>
  readScenarioDefinition({ branches: [{ ...branch, ...given }], ...more });

describe("fixtures/scenario.json", () => {
  test("starts, and lists its own orders to its own keys", async () => {
    const mock = await start({ scenario: await sushi() });
    expect(mock.keys).toEqual([
      { branch: "belgrano", store_id: "11", key: belgrano },
      { branch: "belgrano", store_id: "11", key: cocina },
      { branch: "costanera", store_id: "12", key: costanera },
    ]);
    const [first, second] = (await listOrders(mock, "", belgrano)).orders;
    expect(first).toMatchObject({
      order_id: 501,
      cliente: { nombre: "Mariko Higa" },
      domicilio: { calle: "Av. Juramento", piso_depto: "4 B" },
      costo_envio: 950,
      total: 47_850,
      lineas: [
        { codigo: "COM-30", subtotal: 38_500 },
        { codigo: "NIG-SAL", subtotal: 8_400 },
      ],
    });
    expect(second).toMatchObject({ delivery_type: "pick_up", cliente: { nombre: null } });
    expect(await listOrders(mock, "?status=en_preparacion", belgrano)).toMatchObject({
      total: 1,
      orders: [{ pago: { modo: "online", pagado: true } }],
    });
    expect(await listOrders(mock, "", cocina)).toEqual(await listOrders(mock, "", belgrano));
  });

  test("has its own catalog, and orders of its codes arrive at its own pace", async () => {
    const mock = await start({ scenario: await sushi() });
    const catalog = await get(`${mock.baseUrl}/_mock/catalog?branch=costanera`);
    const { items } = catalog.body as { items: { codigo: string }[] };
    expect(items.map((item) => item.codigo)).toEqual(["TEM-001", "ROL-PHI", "UDO-001"]);
    expect((await mock.control.catalog())[5]).toMatchObject({
      codigo: "GYO-06",
      deshabilitado: true,
      active: true,
      occurred_at: null,
    });
    await mock.control.moveClock({ advance_ms: 3_600_000 });
    const all = (
      await Promise.all(["entregado", "en_camino", "listo"].map((one) => allOrders(mock, one, costanera)))
    ).flat();
    const codes = new Set(all.flatMap((order) => order.lineas.map((line) => line.codigo)));
    expect([...codes].sort()).toEqual([null, "ROL-PHI", "TEM-001", "UDO-001"].sort());
    expect(all.length).toBeGreaterThan(50);
    expect(all.length).toBeLessThan(83);
  });

  test("its templates can be sent, the built-in ones cannot", async () => {
    const mock = await start({ scenario: await sushi() });
    const to = [{ phone: "+5491161234567", params: ["Ana"] }];
    const sent = await campaign(mock, { template_name: "sushi_listo", recipients: to }, costanera);
    expect(sent.answer.status).toBe(200);
    expect(await mock.control.messages()).toMatchObject([
      { branch: "costanera", text: "Hola Ana, tu sushi está listo." },
    ]);
    expect((await campaign(mock, {}, costanera)).answer.status).toBe(400);
  });

  test("store_id is checked against its branches; a campaign belongs to one of two keys of a branch", async () => {
    const mock = await start({ scenario: await sushi() });
    expect((await push(mock, [], { store_id: "12" }, costanera)).answer.status).toBe(200);
    expect((await push(mock, [], { store_id: "11" }, costanera)).answer.status).toBe(403);
    const one = { template_name: "sushi_listo", recipients: [{ phone: "+5491161234567", params: ["Ana"] }] };
    const { campaign_id } = await campaign(mock, one, belgrano);
    const read = async (key: string): Promise<number> =>
      (await get(`${mock.campaignsBaseUrl}/campaigns/${campaign_id}`, key)).status;
    expect([await read(belgrano), await read(cocina)]).toEqual([200, 400]);
  });
});

describe("what a scenario may leave out", () => {
  test("a branch alone is enough: no products, no orders, the built-in templates, nothing moves", async () => {
    const mock = await start({ scenario: small() });
    await mock.control.moveClock({ advance_ms: 3_600_000 });
    expect((await listOrders(mock, "", "key-1")).total).toBe(0);
    expect(await mock.control.catalog()).toEqual([]);
    expect(await mock.control.templates()).toHaveLength(6);
  });

  test("orders are placed in the first branch unless another is named", async () => {
    const mock = await start({ scenario: small() });
    await mock.control.placeOrders();
    expect((await listOrders(mock, "", "key-1")).total).toBe(1);
    const answer = await send(`${mock.baseUrl}/_mock/orders`, { branch: "demo" });
    expect(answer.body).toEqual(inputProblem(expect.stringContaining("the branches are uno")));
  });
});

describe("a wrong scenario is refused, by the path of the first wrong field and what is expected", () => {
  const other = { ...branch, branch: "dos", store_id: "2", keys: ["key-2"] };
  const two = (given: object): object => ({ branches: [branch, { ...other, ...given }] });
  const template = {
    name: "t",
    id: "tpl",
    languages: ["es_AR"],
    header: "none",
    params: 0,
    state: "approved",
    body: "",
  };
  test.each<[string, unknown, RegExp]>([
    ["no object", null, /expected object/],
    ["no branches", {}, /^branches: .*expected array/],
    ["an unknown field", { branches: [branch], orderEvery: "40s" }, /"orderEvery"/],
    ["a key that no header can carry", two({ keys: ["ñ"] }), /^branches\.1\.keys\.0: .*ASCII/],
    ["a key of two branches", two({ keys: ["key-2", "key-1"] }), /^branches\.1\.keys\.1: duplicate key-1/],
    ["a store_id twice", two({ store_id: "1" }), /^branches\.1\.store_id: duplicate 1/],
    [
      "a codigo twice",
      two({ catalog: ["A", "B", "A"].map((codigo) => ({ codigo, nombre: "a", precio: 1 })) }),
      /^branches\.1\.catalog\.2\.codigo: duplicate A/,
    ],
    [
      "a codigo of 65 characters",
      two({ catalog: [{ codigo: "x".repeat(65), nombre: "a", precio: 1 }] }),
      /64/,
    ],
    [
      "an order in no state",
      two({ orders: [{}, { status: "nuevo" }] }),
      /^branches\.1\.orders\.1\.status: .*"listo"/,
    ],
    [
      "an order that is none",
      two({ orders: [{ cliente: { telefono: 5 } }] }),
      /^branches\.1\.orders\.0\.cliente\.telefono: .*expected string/,
    ],
    [
      "an order_id twice",
      two({ orders: [{ order_id: 5 }, { order_id: 5 }] }),
      /orders\.1\.order_id: duplicate 5/,
    ],
    [
      "a template twice",
      { branches: [branch], templates: [template, { ...template, id: "other" }] },
      /^templates\.1\.name: duplicate t/,
    ],
    ["a pace without unit", { branches: [branch], order_every: "40" }, /^order_every: a duration .*"40s"/],
  ])("%s", (_, json, message) => {
    expect(() => readScenarioDefinition(json)).toThrow(message);
    expect(() => readScenarioDefinition(json)).toThrow(MockRefusal);
  });

  test("a mock does not start with one", async () => {
    const given = two({ store_id: 2 }) as ScenarioDefinition;
    await expect(start({ scenario: given })).rejects.toThrow(/^branches\.1\.store_id: /);
    await expect(start({ scenario: "none" as "demo" })).rejects.toThrow(/rush, busy, or your own scenario/);
  });

  test("a reset to one is 400 and changes nothing", async () => {
    const mock = await start({ scenario: await sushi() });
    for (const scenario of ["none", 5, null, { branches: [] }, "__proto__"]) {
      const answer = await send(`${mock.baseUrl}/_mock/reset`, { scenario });
      expect([answer.status, answer.body]).toEqual([400, inputProblem(expect.any(String))]);
    }
    expect(mock.keys).toHaveLength(3);
  });
});
