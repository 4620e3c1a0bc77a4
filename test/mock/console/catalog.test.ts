import { expect, test } from "vitest";
import { untold } from "../../support/service.ts";
import { push, start } from "../support.ts";
import { linkOf, pageAt, runCopied, streamOf, textOf, textsOf } from "./support.ts";

const page = "/console/catalog";
const rowsOf = (html: string): string[] => textsOf(html, "tr").slice(1);

test("each product has its state and the push that last changed it, the newest change first or by code", async () => {
  const mock = await start({ scenario: untold });
  await push(mock, [{ codigo: "PIZ-001", precio: 1.5, deshabilitado: true }], { event_id: "one" });
  await push(mock, [{ codigo: "BEB-001" }], {
    event_id: "two",
    action: "delete",
    occurred_at: "2026-01-01T15:00:01Z",
  });

  const html = await pageAt(mock, page);
  expect(rowsOf(html).slice(0, 3)).toEqual([
    "BEB-001 Gaseosa cola 1,5 l $ 3.900,00 Bebidas deactivated by a delete 2026-01-01 12:00",
    "PIZ-001 Pizza muzzarella before: $ 9.800,00 → $ 1,50 Pizzas disabled 2026-01-01 12:00",
    "BEB-002 Agua sin gas 500 ml $ 1.600,00 Bebidas active from the scenario",
  ]);
  // The link behind the time leads to the request that pushed it.
  expect(linkOf(html, "by-PIZ-001")).toBe("/console/pushes/one?branch=demo");
  await push(mock, [{ codigo: "PIZ-001", nombre: "Pizza" }], { occurred_at: "2026-01-01T15:00:02Z" });
  expect(rowsOf(await pageAt(mock, page))[0]).toMatch(/^PIZ-001 Pizza \$ 1,50/);
  expect(rowsOf(await pageAt(mock, `${page}?sort=code`))[0]).toMatch(/^BEB-001/);
  expect(rowsOf(await pageAt(mock, `${page}?branch=norte`))[0]).toMatch(/^00123/);
});

test("a search finds code, name and category, without case and accents", async () => {
  const mock = await start({ scenario: untold });
  for (const [q, codes] of [
    ["jamon", ["EMP-002"]],
    ["POS-", ["POS-001", "POS-002"]],
    ["platos", ["MIL-001", "MIL-002"]],
    ["<b>", []],
  ] as const) {
    const html = await pageAt(mock, `${page}?q=${encodeURIComponent(q)}`);
    expect(rowsOf(html).map((row) => row.split(" ")[0])).toEqual(codes);
  }
});

test("10,000 products come in pages of 100; a page past the end is the last", async () => {
  const mock = await start();
  const items = Array.from({ length: 10_000 }, (_, n) => ({
    codigo: String(n).padStart(5, "0"),
    nombre: `Producto ${n}`,
    precio: n,
  }));
  await push(mock, items);
  const second = await pageAt(mock, `${page}?page=2`);
  expect(rowsOf(second)).toHaveLength(100);
  expect(rowsOf(second)[0]).toMatch(/^00100 Producto 100/);
  expect(textOf(second)).toContain("101 to 200 of 10,000");
  expect(textOf(await pageAt(mock, `${page}?page=999`))).toContain("9,901 to 10,000 of 10,000");
  expect(textOf(await pageAt(mock, `${page}?page=x`))).toContain("1 to 100 of 10,000");
});

test("a push shows what it counted, and its dialog what was rejected and what was stale", async () => {
  const mock = await start({ scenario: untold });
  await push(mock, [{ codigo: "PIZ-001", precio: 1 }], { occurred_at: "2026-01-01T12:00:01-03:00" });
  const items = [{ codigo: "PIZ-001", precio: 2 }, { codigo: "PIZ-002", precio: 3 }, { codigo: "NUEVO" }, 7];
  await push(mock, items, { event_id: "old/1" });

  const html = await pageAt(mock, page);
  expect(textsOf(html, "li")[0]).toBe("2026-01-01 12:00 upsert items 4 accepted 1 stale 1 rejected 2");
  const dialog = await pageAt(mock, linkOf(html, "push-old"), { "hx-request": "true" });
  expect(rowsOf(dialog)).toEqual([
    "NUEVO nombre is required for a new product",
    "– an item must be an object",
  ]);
  expect(textsOf(dialog, "li")).toEqual(["PIZ-001"]);
  expect(textOf(await pageAt(mock, "/console/pushes/unknown", { "hx-request": "true" }))).toMatch(
    /no longer available/,
  );
});

test("an empty catalog says what to type, with the key where the branch is not the first", async () => {
  const mock = await start();
  expect(textOf(await pageAt(mock, page))).toContain(
    `export BPOS_MOCK=${mock.baseUrl} printf 'codigo,nombre,precio`,
  );
  const html = await pageAt(mock, `${page}?branch=norte`, { "accept-language": "es-MX" });
  const other = textOf(html);
  expect(other).toContain(
    `export BPOS_MOCK=${mock.baseUrl} export BPOS_API_KEY=bpk_demo_norte printf 'codigo`,
  );
  expect(await runCopied(html)).toMatchObject({ code: 0 });
  expect(await mock.control.catalog("norte")).toMatchObject([{ codigo: "PIZ-001", precio: 9900 }]);
  expect(other).toContain("Sube una lista de precios");
});

test("texts that are markup are shown as they are", async () => {
  const mock = await start();
  const markup = "<script>alert(1)</script>\"'&amp;";
  await push(mock, [{ codigo: markup, nombre: markup, categoria: markup, precio: 1 }, { codigo: "<b>" }], {
    event_id: markup,
  });
  const html = await pageAt(
    mock,
    `${page}?q=${encodeURIComponent(markup)}&branch=${encodeURIComponent(markup)}`,
  );
  const dialog = await pageAt(mock, linkOf(html, "push-"), { "hx-request": "true" });
  expect(rowsOf(html)[0]).toContain(`${markup} ${markup} $ 1,00 ${markup} active 2026`);
  expect(rowsOf(dialog)).toEqual(["<b> nombre is required for a new product"]);
  for (const each of [html, dialog]) expect(each).not.toMatch(/<script>|<b>nombre|<b> /);
});

test("a push changes an open page", async () => {
  const mock = await start({ scenario: untold });
  const stream = await streamOf(mock, page);
  await stream.until("pushes");
  await push(mock, [{ codigo: "NUEVO", nombre: "Nuevo", precio: 1 }]);
  const [changes, pushes] = await stream.until("pushes");
  expect(textOf(changes?.html ?? "")).toBe("Products: 13. Last push: 2026-01-01 12:00.");
  expect(textsOf(pushes?.html ?? "", "li")).toEqual([
    "2026-01-01 12:00 upsert items 1 accepted 1 stale 0 rejected 0",
  ]);
});
