import { describe, expect, test } from "vitest";
import { untold } from "../support/service.ts";
import { allOrders, campaign, frozen, get, listOrders, norte, push, send, start } from "./support.ts";

describe("orders", () => {
  test("POST places orders of the demo branch, one unless told otherwise, and PATCH moves one", async () => {
    const mock = await start();
    const url = `${mock.baseUrl}/_mock/orders`;
    const one = (await send(url, {})).body as { orders: { order_id: number }[] };
    expect(one.orders).toEqual((await listOrders(mock)).orders);
    await send(url, { count: 3, branch: "norte" });
    expect((await listOrders(mock, "", norte)).total).toBe(3);

    const moved = await send(
      `${url}/${one.orders[0]?.order_id ?? 0}`,
      { status: "listo" },
      { method: "PATCH" },
    );
    expect(moved).toMatchObject({ status: 200, body: { ...one.orders[0], status: "listo" } });
    expect((await listOrders(mock, "?status=listo")).total).toBe(1);
    const { orders } = (await get(`${url}?branch=demo`)).body as { orders: unknown[] };
    expect(orders).toEqual([moved.body]);
    expect(await mock.control.orders()).toHaveLength(4);
    expect((await get(`${url}?branch=sur`)).status).toBe(400);
  });

  test("parts of an order can be set; the sums follow", async () => {
    const mock = await start();
    const lineas = [{ codigo: "A", nombre: "Uno", cantidad: 3, precio_unitario: 0.1 }];
    const [order] = await mock.control.placeOrders({
      order: {
        order_id: 7,
        delivery_type: "delivery",
        costo_envio: 0.7,
        lineas,
        cliente: { nombre: null },
        extra: 1,
      },
    });
    expect(order).toMatchObject({
      order_id: 7,
      costo_envio: 0.7,
      total: 1,
      pago: { monto: 1 },
      cliente: { nombre: null, telefono: expect.stringMatching(/^\+/) as unknown },
      lineas: [{ subtotal: 0.3, opciones: [] }],
      extra: 1,
    });
    expect(order?.domicilio).toBeDefined();
    expect((await listOrders(mock)).orders).toEqual([order]);
  });

  test("a line with a code takes name and price from the branch's catalog, where it does not say them", async () => {
    const mock = await start({ scenario: "demo" });
    await push(mock, [{ codigo: "PIZ-001", precio: 0.1 }]);
    const lineas = [
      { codigo: "PIZ-001", cantidad: 3 },
      { codigo: "PIZ-001", precio_unitario: 5 },
      { codigo: "H01" },
      { nombre: "Propina" },
    ];
    const [order] = await mock.control.placeOrders({ order: { lineas } });
    expect(order?.lineas).toMatchObject([
      { nombre: "Pizza muzzarella", cantidad: 3, precio_unitario: 0.1, subtotal: 0.3 },
      { nombre: "Pizza muzzarella", precio_unitario: 5, subtotal: 5 },
      { nombre: "Producto", precio_unitario: 0 },
      { codigo: null, nombre: "Propina", precio_unitario: 0 },
    ]);
    const north = await mock.control.placeOrders({ branch: "norte", order: { lineas } });
    expect(north[0]?.lineas[2]).toMatchObject({ nombre: "Hamburguesa simple", subtotal: 7900 });
  });

  test("PATCH of an unknown order is 404, to an unknown state 400", async () => {
    const mock = await start();
    await mock.control.placeOrders({ order: { order_id: 5 } });
    const patch = async (id: string, body: unknown): Promise<number> =>
      (await send(`${mock.baseUrl}/_mock/orders/${id}`, body, { method: "PATCH" })).status;
    expect(await patch("6", { status: "listo" })).toBe(404);
    expect(await patch("x", { status: "listo" })).toBe(404);
    expect(await patch("5", { status: "nuevo" })).toBe(400);
    expect(await patch("5", null)).toBe(400);
  });
});
describe("catalog, campaigns, messages and templates", () => {
  test("answer over HTTP what the functions return, in lists", async () => {
    const mock = await start({ scenario: untold });
    const sent = await campaign(mock, { external_ref: "r" });
    const read = async (path: string): Promise<unknown> => (await get(`${mock.baseUrl}/_mock/${path}`)).body;
    expect(await read("catalog?branch=norte")).toEqual({ items: await mock.control.catalog("norte") });
    expect(await read("catalog")).toEqual({ items: await mock.control.catalog("demo") });
    expect(await read("messages")).toEqual({ messages: await mock.control.messages() });
    expect(await read("templates")).toEqual({ templates: await mock.control.templates() });
    expect(await read("campaigns")).toEqual({
      campaigns: [
        {
          campaign_id: sent.campaign_id,
          status: "sent",
          campaign_name: "API - aviso_simple - r",
          external_ref: "r",
          counts: {
            total_recipients: 1,
            pending: 1,
            sent: 0,
            failed: 0,
            delivered: 0,
            read: 0,
            responded: 0,
          },
          branch: "demo",
          template: "aviso_simple",
          template_language: "es_AR",
          header_media_url: null,
          idempotency_key: expect.any(String) as unknown,
          at: frozen,
        },
      ],
    });
    expect((await get(`${mock.baseUrl}/_mock/catalog?branch=sur`)).status).toBe(400);
  });

  test("the templates are those of the table", async () => {
    const mock = await start();
    const rows = (await mock.control.templates()).map((one) =>
      [one.name, one.id, one.languages.join(" "), one.header, one.params, one.state].join(" | "),
    );
    expect(rows).toEqual([
      "pedido_listo | tpl_1 | es_AR | none | 2 | approved",
      "promo_semana | tpl_2 | es_AR pt_BR | image | 1 | approved",
      "menu_pdf | tpl_3 | es_AR | document | 1 | approved",
      "video_local | tpl_4 | es_AR | video | 0 | approved",
      "aviso_simple | tpl_5 | es_AR | none | 0 | approved",
      "encuesta | tpl_6 | es_AR | none | 1 | pending",
    ]);
  });

  const hello = {
    id: "tpl_9",
    languages: ["es_AR"],
    header: "none",
    params: 1,
    state: "approved",
    body: "Hola {{1}}",
  };

  test("PUT adds a template, or replaces one; messages that went out keep their text", async () => {
    const mock = await start();
    const url = `${mock.baseUrl}/_mock/templates/saludo`;
    const answer = await send(url, hello, { method: "PUT" });
    expect(answer).toMatchObject({ status: 200, body: { name: "saludo", ...hello } });
    const one = {
      template_id: "tpl_9",
      template_name: undefined,
      recipients: [{ phone: "+5491155551234", params: ["$&"] }],
    };
    await campaign(mock, one);
    await send(url, { ...hello, body: "Chau {{1}} {{2}}" }, { method: "PUT" });
    await campaign(mock, one);
    expect((await mock.control.messages()).map((row) => row.text)).toEqual(["Hola $&", "Chau $& {{2}}"]);
    await send(url, { ...hello, state: "rejected" }, { method: "PUT" });
    expect((await campaign(mock, one)).answer.status).toBe(400);
  });
});

describe("GET /_mock/pushes", () => {
  const a = { codigo: "A", nombre: "a", precio: 1 };
  const day = (n: number) => ({ occurred_at: `2026-01-0${n}T00:00:00Z` });

  test("shows what each event came to, with its stale and its rejected codes; a product names its last event", async () => {
    const mock = await start();
    await push(mock, [a], { event_id: "one", ...day(2) });
    await push(mock, [a], { event_id: "north", ...day(2) }, norte);
    await mock.control.moveClock({ advance_ms: 1_000 });
    const items = [a, { ...a, codigo: "B" }, { codigo: "C" }];
    await push(mock, items, { event_id: "two", ...day(1) });
    await push(mock, [], { event_id: "two" });
    await push(mock, [{ codigo: "B" }], { event_id: "three", action: "delete", ...day(2) });
    const read = async (query = "") => (await get(`${mock.baseUrl}/_mock/pushes${query}`)).body;
    const one = { branch: "demo", event_id: "one", at: frozen, ...day(2), action: "upsert", items: 1 };
    const none = { accepted: 1, skipped_stale: 0, rejected: [], stale: [] };
    const later = { ...one, at: "2026-01-01T12:00:01.000-03:00" };
    const two = { ...later, event_id: "two", ...day(1), items: 3, accepted: 1, skipped_stale: 1 };
    const rejected = [{ codigo: "C", error: expect.stringContaining("nombre") as unknown }];
    const pushes = [
      { ...one, ...none },
      { ...two, rejected, stale: ["A"] },
      { ...later, ...none, event_id: "three", action: "delete" },
    ];
    expect(await read("?branch=demo")).toEqual({ pushes });
    const ids = (await mock.control.pushes()).map(({ event_id }) => event_id);
    expect(ids).toEqual(["one", "north", "two", "three"]);
    expect((await get(`${mock.baseUrl}/_mock/pushes?branch=sur`)).status).toBe(400);
    const last = (await mock.control.catalog()).map(({ codigo, event_id }) => [codigo, event_id]);
    expect(last).toEqual([
      ["A", "one"],
      ["B", "three"],
    ]);
  });

  test("keeps the last 200, and 1,000 codes of each kind with the counts whole", async () => {
    const mock = await start();
    const many = Array.from({ length: 1_500 }, (_, n) => ({ ...a, codigo: `A${n}` }));
    await push(mock, many, day(2));
    const bad = many.map(() => ({ codigo: "X" }));
    await push(mock, [...many, ...bad, a], { event_id: "old", ...day(1) });
    const [, big] = await mock.control.pushes("demo");
    expect(big).toMatchObject({ event_id: "old", items: 3_001, accepted: 1, skipped_stale: 1_500 });
    expect([big?.stale.length, big?.rejected.length]).toEqual([1_000, 1_000]);
    for (let n = 0; n < 199; n++) await push(mock, [a], { event_id: `e${n}` });
    const kept = await mock.control.pushes("demo");
    expect([kept.length, kept[0]?.event_id, kept.at(-1)?.event_id]).toEqual([200, "old", "e198"]);
  });
});

test("messages and campaigns show the header file, where the template has one", async () => {
  const mock = await start();
  const header_media_url = "https://cdn.example.com/promo.png";
  const params = ["Ana"];
  const more = { header_media_url, recipients: [{ phone: "+5491155551234", params }] };
  await campaign(mock, { ...more, template_name: "promo_semana", template_language: "es_AR" });
  await campaign(mock, { header_media_url });
  const urls = [header_media_url, null];
  for (const rows of [await mock.control.messages(), await mock.control.campaigns()])
    expect(rows.map((row) => row.header_media_url)).toEqual(urls);
});

describe("reset", () => {
  test("starts everything anew: orders, catalog, campaigns, templates, clock and log", async () => {
    const mock = await start({ scenario: untold });
    const before = await allOrders(mock);
    await push(mock, [{ codigo: "A", nombre: "x", precio: 1 }], { event_id: "same" });
    await campaign(mock, { idempotency_key: "k" });
    await mock.control.putTemplate("aviso_simple", { ...(await mock.control.templates())[0]!, id: "tpl_5" });
    await mock.control.moveClock({ advance_ms: 600_000 });
    const answer = await send(`${mock.baseUrl}/_mock/reset`, "");
    expect(answer.body).toEqual({ scenario: "demo", seed: 1, now: frozen });
    expect(await mock.control.requests()).toEqual([]);
    expect(await allOrders(mock)).toEqual(before);
    expect(await mock.control.catalog()).toHaveLength(12);
    expect(await mock.control.messages()).toEqual([]);
    expect((await campaign(mock, { idempotency_key: "k" })).replayed).toBe(false);
    expect((await push(mock, [], { event_id: "same" })).duplicate).toBe(false);
  });
});

test("tells one world from the next at the same address", async () => {
  const mock = await start();
  const worldId = async (): Promise<unknown> => {
    const answer = await fetch(`${mock.baseUrl}/_mock/world`);
    return ((await answer.json()) as Record<string, unknown>)["world_id"];
  };
  const first = await worldId();
  expect(first).toMatch(/^\S{30,}$/);
  expect(await worldId()).toBe(first);
  // Every answer names it, whatever it says.
  for (const fault of ["html", "garbage", "status=500", "retry-after=1", "truncate"])
    await mock.control.addFault(`GET /v1/orders ${fault} times=1`);
  for (const path of ["/v1/orders", "/v1/orders", "/v1/orders", "/v1/orders", "/v1/orders"]) {
    const answer = await fetch(mock.baseUrl + path, { headers: { "X-API-Key": "bpk_demo_centro" } });
    expect(answer.headers.get("bpos-mock-world")).toBe(first);
    await answer.text().catch(() => "half of it");
  }
  for (const path of ["/v1/orders", "/nothing", "/_mock/clock", "/console/world", "/a\\b"])
    expect((await fetch(mock.baseUrl + path)).headers.get("bpos-mock-world")).toBe(first);
  await mock.control.reset();
  expect(await worldId()).not.toBe(first);
});
