import { describe, expect, test } from "vitest";
import { orderStates } from "../../../src/contract/limits.ts";
import type { RunningMock } from "../../../src/mock/index.ts";
import { raw } from "../raw.ts";
import { push, send, start } from "../support.ts";
import { linkOf, page, streamOf, textOf, textsOf } from "./support.ts";

const order = (given: Record<string, unknown> = {}) => ({
  order_id: 7001,
  cliente: { nombre: "Ana Ñáñez", telefono: "+54 9 11 5555-0001" },
  delivery_type: "delivery",
  domicilio: { calle: "Mitre", numero: "12", localidad: "Lanús", referencia: "Portón verde" },
  costo_envio: 700,
  pago: { modo: "en_entrega", pagado: false },
  lineas: [
    {
      codigo: "PIZ-1",
      nombre: "Pizza",
      cantidad: 2,
      precio_unitario: 1000,
      opciones: [{ nombre: "Doble queso", precio_adicional: 50.5 }],
    },
  ],
  ...given,
});

const place = (mock: RunningMock, given = order(), more: object = {}) =>
  send(`${mock.baseUrl}/_mock/orders`, { order: given, ...more });

/** The numbers of the cards in a piece of the page, as it lists them. */
const cardsIn = (html: string): number[] =>
  Array.from(html.matchAll(/data-order="(\d+)"/g), ([, id]) => Number(id));

describe("the board", () => {
  test("shows each order in the column of its state, the oldest first, with its state in words", async () => {
    const mock = await start();
    await place(mock);
    await place(mock, order({ order_id: 7002, status: "listo", pago: { modo: "online", pagado: true } }));
    await place(mock, order({ order_id: 7003 }));
    const { html } = await page(mock, "/");
    const columns = html.split('id="state-').slice(1);
    expect(columns.map((column) => [column.split('"')[0], cardsIn(column)])).toEqual(
      orderStates.map((state) => [
        `state-${state}`.slice(6),
        { pendiente: [7001, 7003], listo: [7002] }[state as string] ?? [],
      ]),
    );
    // The text of a card is its name: each tells number, state, customer, products and amount.
    const names = Array.from(html.matchAll(/<a id="order-.*?<\/a>/g), ([card]) =>
      card.replace(/<[^>]+>/g, " "),
    );
    expect(names.map((name) => name.trim().replace(/\s+/g, " "))).toEqual([
      "7001 Pending 0 min Ana Ñáñez 2 Pizza Doble queso Delivery · Branch demo $ 2.801,00",
      "7003 Pending 0 min Ana Ñáñez 2 Pizza Doble queso Delivery · Branch demo $ 2.801,00",
      "7002 Ready 0 min Ana Ñáñez 2 Pizza Doble queso Delivery · Branch demo Paid online",
    ]);
    expect(html).toContain('title="en_preparacion">Preparing<');
  });

  test("tells how old an order is, and of one with many dishes how many more there are", async () => {
    const mock = await start();
    const lineas = ["Pizza", "Flan", "Agua", "Pan", "Vino"].map((nombre) => ({ nombre, precio_unitario: 1 }));
    await place(mock, order({ lineas }));
    for (const [advance_ms, age] of [
      [12 * 60_000, "12 min"],
      [50 * 60_000, "1 h"],
      [60 * 60 * 60_000, "2 d"],
    ] as const) {
      await mock.control.moveClock({ advance_ms });
      const [, card] = /(<a id="order-.*?<\/a>)/s.exec((await page(mock, "/")).html) ?? [];
      expect(textOf(card ?? "")).toBe(
        `7001 Pending ${age} Ana Ñáñez 1 Pizza 1 Flan 1 Agua + 2 more Delivery · Branch demo $ 705,00`,
      );
    }
  });

  test("folds the three states of the end into one column, until they are opened", async () => {
    const mock = await start();
    for (const [n, status] of ["entregado", "entregado", "rechazado", "cancelado"].entries())
      await place(mock, order({ order_id: 7001 + n, status }));
    await place(mock, order({ order_id: undefined, status: "entregado" }), { count: 5 });
    const folded = (await page(mock, "/?branch=demo&q=ana")).html;
    // The newest four of those delivered, by number and name.
    expect(cardsIn(folded)).toHaveLength(6);
    expect(textsOf(folded, "li")[0]).toMatch(/^\d+ Delivered Ana Ñáñez$/);
    expect(linkOf(folded, "ends")).toBe("/?branch=demo&q=ana&ends=open");
    const open = (await page(mock, linkOf(folded, "ends"))).html;
    expect(cardsIn(open)).toHaveLength(9);
    expect(open).toContain('<input type="hidden" name="ends" value="open"/>');
    expect(linkOf(open, "ends")).toBe("/?branch=demo&q=ana");
  });

  test("shows 30 orders of a state, the oldest and the newest, and those between by a link that keeps branch and search", async () => {
    const mock = await start();
    const named = order({ order_id: undefined, cliente: { nombre: "Zoe" } });
    await place(mock, named, { branch: "norte", count: 170 });
    const first = await page(mock, "/?branch=norte&q=zoe");
    expect(cardsIn(first.html)).toHaveLength(30);
    const [, path = ""] = /href="([^"#]+)#order-\d+">140 more/.exec(first.html) ?? [];
    const more = await page(mock, path.replaceAll("&amp;", "&"));
    expect(cardsIn(more.html)).toHaveLength(130);
    expect(more.html).toContain("branch=norte&amp;q=zoe&amp;state=pendiente&amp;limit=230");
    for (const limit of ["-5", "0.5", "x", "1e9"])
      expect(cardsIn((await page(mock, `/?state=pendiente&limit=${limit}`)).html)).toHaveLength(
        limit === "1e9" ? 170 : 30,
      );
  });

  test.each([
    ["7002", [7002]],
    ["nanez", [7001]],
    ["ÑÁ", [7001]],
    ["5555 0002", [7002]],
    ["+54 9 11 5555", [7001, 7002]],
    ["nobody", []],
    ["  ", [7001, 7002]],
  ])("finds orders by number, customer or phone: %s", async (q, found) => {
    const mock = await start();
    await place(mock);
    await place(mock, order({ order_id: 7002, cliente: { nombre: null, telefono: "+5491155550002" } }));
    expect(cardsIn((await page(mock, `/?q=${encodeURIComponent(q)}`)).html)).toEqual(found);
  });

  test("shows one branch alone, and says when there is nothing yet", async () => {
    const mock = await start();
    expect((await page(mock, "/")).html).toContain("<p>Place a new or random order above.</p>");
    await place(mock, order(), { branch: "norte" });
    expect(cardsIn((await page(mock, "/?branch=demo")).html)).toEqual([]);
    const { html } = await page(mock, "/?branch=norte");
    expect(cardsIn(html)).toEqual([7001]);
    expect(html).not.toContain("No orders yet");
  });
});

describe("the ticket", () => {
  test("shows all that is in the order, fields beyond the specification too, and the eight states", async () => {
    const mock = await start();
    await place(mock, order({ mesa: { numero: 4 }, status: "asignado" }));
    const { status, html } = await page(mock, "/console/orders/7001");
    expect(status).toBe(200);
    const texts = ["Ana Ñáñez", "+54 9 11 5555-0001", "Mitre 12, Lanús", "Portón verde", "2 × ", "PIZ-1"];
    for (const text of [...texts, "Doble queso", "$ 50,50 each", "$ 700,00", "$ 2.801,00", "TO COLLECT"])
      expect(html).toContain(text);
    expect(html).toMatch(/mesa<\/dt><dd><bdi class="mono">{&quot;numero&quot;:4}/);
    expect(Array.from(html.matchAll(/id="move-(\w+)"[^>]*aria-pressed="true"/g), ([, at]) => at)).toEqual([
      "asignado",
    ]);
    expect(html.match(/hx-patch="\/_mock\/orders\/7001"/g)).toHaveLength(orderStates.length);
    await place(mock, order({ order_id: 7002, pago: { modo: "online", pagado: true } }));
    const paid = (await page(mock, "/console/orders/7002")).html;
    expect(paid).toContain("PAID ONLINE");
    expect(paid).not.toContain("TO COLLECT");
  });

  test("is a part of the page when htmx asks, and a page of its own without script", async () => {
    const mock = await start();
    await place(mock);
    expect((await page(mock, "/console/orders/7001")).html).toMatch(/^<!doctype html>/);
    const part = await page(mock, "/console/orders/7001", { "hx-request": "true" });
    expect(part.html).toMatch(/^<div class="ticket-view">/);
  });

  test("of an order that is not there is a page that says so", async () => {
    const mock = await start();
    const { status, html } = await page(mock, "/console/orders/99");
    expect(status).toBe(404);
    expect(html).toContain("<h1>order 99 does not exist</h1>");
    const part = await page(mock, "/console/orders/99", { "hx-request": "true" });
    expect([part.status, JSON.parse(part.html)]).toMatchObject([404, { message: "order 99 does not exist" }]);
  });
});

describe("a new order", () => {
  test("offers what the branch sells, and not what is disabled or gone", async () => {
    const mock = await start();
    const item = (codigo: string, more: object = {}) => ({
      codigo,
      nombre: `Nombre ${codigo}`,
      precio: 10.5,
      categoria: "Una",
      ...more,
    });
    await push(mock, [item("A"), item("B", { categoria: "Otra" }), item("C"), item("0")]);
    await push(mock, [item("OFF", { deshabilitado: true }), item("GONE")]);
    await push(mock, [{ codigo: "GONE" }], { action: "delete" });
    const { html } = await page(mock, "/console/new-order?branch=demo");
    const offers = Array.from(
      html.matchAll(/data-value="([^"]* · ([^" ]*))" data-code/g),
      ([, text]) => text,
    );
    expect(offers).toEqual(["A", "B", "C", "0"].map((code) => `Nombre ${code} · $ 10,50 · ${code}`));
    expect(html).toContain('name="order.lineas.{n}.codigo"');
  });

  test("lists 1,000 products at most", async () => {
    const mock = await start();
    await push(
      mock,
      Array.from({ length: 1001 }, (_, n) => ({ codigo: `P${n}`, nombre: "P", precio: 1 })),
    );
    const { html } = await page(mock, "/console/new-order");
    expect(html.match(/data-value="P · \$ 1,00 · P\d+"/g)).toHaveLength(1_000);
    expect(html).toContain("Only the first 1000 of 1001 products are listed.");
  });

  test("says how to push a catalog where there is none, and offers a random order", async () => {
    const mock = await start();
    await push(mock, [{ codigo: "A", nombre: "A", precio: 1 }]);
    const { html } = await page(mock, "/console/new-order?branch=norte");
    expect(html).toContain(
      `export BPOS_MOCK=${mock.baseUrl}\nexport BPOS_API_KEY=bpk_demo_norte\nprintf &#39;codigo`,
    );
    expect(html).toContain('hx-vals="{&quot;branch&quot;:&quot;norte&quot;}"');
  });

  test("takes a home and a phone as they are given: no part of them is drawn", async () => {
    const mock = await start();
    await push(mock, [{ codigo: "A", nombre: "Empanada", precio: 10.5 }]);
    const typed = {
      delivery_type: "delivery",
      domicilio: { calle: "Mitre", numero: "12" },
      cliente: { telefono: "+541100" },
      lineas: [{ codigo: "A", cantidad: 3, opciones: [{ nombre: "Sin sal", precio_adicional: 1 }] }],
    };
    const { body } = await place(mock, typed as never, { count: 2 });
    expect((body as { orders: unknown[] }).orders).toHaveLength(2);
    expect((body as { orders: unknown[] }).orders[1]).toMatchObject({
      delivery_address: "Mitre 12",
      domicilio: { calle: "Mitre", numero: "12", piso_depto: null, localidad: null, referencia: null },
      cliente: { telefono: "+541100", telefono_area: null, telefono_numero: null },
      lineas: [{ nombre: "Empanada", precio_unitario: 10.5, subtotal: 34.5 }],
    });
  });
});

describe("the stream", () => {
  test("sends every part once, then the columns that changed and nothing else", async () => {
    const mock = await start();
    await place(mock);
    const stream = await streamOf(mock, "/");
    const parts = [
      "scenario-name",
      "status",
      "sandbox",
      "found",
      ...orderStates.map((state) => `state-${state}`),
    ];
    expect((await stream.until("state-cancelado")).map(({ id }) => id)).toEqual(parts);
    const began = performance.now();
    await mock.control.setOrderStatus(7001, "en_camino");
    const sent = await stream.until("state-en_camino");
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(sent.map(({ id, html }) => [id, cardsIn(html)])).toEqual([
      ["state-pendiente", []],
      ["state-en_camino", [7001]],
    ]);
    await place(mock, order({ order_id: 7002, status: "cancelado" }));
    expect(await stream.until("state-cancelado")).toHaveLength(1);
  });

  test("keeps to the branch and the search of its page", async () => {
    const mock = await start();
    const stream = await streamOf(mock, "/?branch=norte&q=zoe");
    await stream.until("state-cancelado");
    const zoe = { nombre: "Zoe" };
    await place(mock, order({ order_id: 1, cliente: zoe }));
    await place(mock, order({ order_id: 2 }), { branch: "norte" });
    await place(mock, order({ order_id: 3, cliente: zoe }), { branch: "norte" });
    const [found, column] = await stream.until("state-pendiente");
    expect(found).toMatchObject({ id: "found", html: expect.stringContaining("1 order matches") as string });
    expect(cardsIn(column?.html ?? "")).toEqual([3]);
  });

  test("shows another world at once, even where its orders have the same numbers", async () => {
    const mock = await start();
    await place(mock);
    const stream = await streamOf(mock, "/");
    await stream.until("state-cancelado");
    await mock.control.reset();
    await place(mock, order({ cliente: { nombre: "Other" } }));
    let html = "";
    while (!html.includes("Other")) html = (await stream.until("state-pendiente")).at(-1)?.html ?? "";
    expect(cardsIn(html)).toEqual([7001]);
  });
});

describe("what the page allows", () => {
  const markup = `<img src=x onerror=alert(1)>"'</script>\r\revent: state-pendiente\rdata: gone\n\ndata: x`;

  test("hostile texts are texts, on the board, on the ticket and in the stream", async () => {
    const mock = await start();
    const line = { codigo: "<u>", nombre: markup, opciones: [{ nombre: markup }] };
    const hostile = { cliente: { nombre: markup, telefono: markup }, lineas: [line], [markup]: markup };
    await place(mock, order({ ...hostile, domicilio: { calle: markup, referencia: markup } }));
    await push(mock, [{ codigo: "<i>", nombre: markup, categoria: markup, precio: 1 }]);
    const paths = ["/", "/console/orders/7001", `/?q=${encodeURIComponent(markup)}`, "/console/new-order"];
    const pages = await Promise.all(paths.map((path) => page(mock, path)));
    const sent = await (await streamOf(mock, "/")).until("state-pendiente");
    expect(sent.map(({ id }) => id)).toEqual([
      "scenario-name",
      "status",
      "sandbox",
      "found",
      "state-pendiente",
    ]);
    expect(sent[4]?.html).toContain("event: state-pendiente\ndata: gone");
    for (const { html } of [...pages, ...sent.slice(4)]) {
      expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;");
      expect(html).not.toMatch(/<img|<u>|<i>|"'<\/script/);
    }
  });

  test("looking changes nothing: every page twice, and the world is as it was", async () => {
    const mock = await start();
    await place(mock);
    const before = await mock.control.world();
    const paths = ["/", "/console/orders/7001", "/console/new-order", "/?q=x"];
    for (const path of [...paths, ...paths]) expect((await page(mock, path)).status).toBe(200);
    expect(await mock.control.world()).toEqual(before);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      expect((await fetch(`${mock.baseUrl}/`, { method })).status).toBe(405);
  });

  test("no script but its own files, nothing for other sites", async () => {
    const mock = await start();
    for (const path of ["/", "/console/new-order", "/console/orders/1", "/console/static/console.js"]) {
      const { headers } = await page(mock, path);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toContain("unsafe");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
    await place(mock);
    for (const path of ["/", "/console/new-order", "/console/orders/7001"])
      expect((await page(mock, path)).html).not.toMatch(/<script(?! src=)|\sstyle=|\son\w+=/);
  });

  test("is refused to other origins and hosts", async () => {
    const mock = await start();
    for (const path of ["/", "/console/orders/1", "/console/events?view=/", "/console/static/console.js"]) {
      expect((await page(mock, path, { origin: "https://elsewhere.example" })).status).toBe(403);
      expect((await raw(mock.baseUrl + path, { headers: { host: "elsewhere.example" } })).status).toBe(421);
    }
  });

  test("serves its own files and no others", async () => {
    const mock = await start();
    for (const name of ["htmx.js", "sse.js", "console.js", "console.css"]) {
      const { status, headers } = await page(mock, `/console/static/${name}`);
      expect([status, headers.get("content-type")]).toEqual([
        200,
        `text/${name.endsWith("css") ? "css" : "javascript"}; charset=utf-8`,
      ]);
    }
    for (const name of ["..%2fmain.js", "%2e%2e%2f%2e%2e%2fpackage.json", "no.js", "console"])
      expect((await page(mock, `/console/static/${name}`)).status).toBe(404);
  });

  test.each([
    [undefined, "es-AR,es;q=0.9,en;q=0.8", "es-AR"],
    [undefined, "es-MX,es;q=0.9,en;q=0.8", "es"],
    [undefined, "fr, en-GB", "en"],
    [undefined, "*", "en"],
    ["en" as const, "es", "en"],
    ["es" as const, "es-AR", "es"],
    ["es-AR" as const, "en", "es-AR"],
  ])("its language is that of the mock (%s), else of the browser (%s)", async (lang, accepted, expected) => {
    const mock = await start(lang === undefined ? {} : { lang });
    const { html } = await page(mock, "/", { "accept-language": accepted });
    expect(html).toContain(`<html lang="${expected}">`);
    const words: Record<string, string> = {
      en: "Drag an order",
      es: "Arrastra un pedido",
      "es-AR": "Arrastrá un pedido",
    };
    expect(html).toContain(words[expected] ?? "");
  });
});
