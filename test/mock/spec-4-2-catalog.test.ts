import { describe, expect, test } from "vitest";
import { untold } from "../support/service.ts";
import { deniedProblem, frozen, inputProblem, norte, push, send, start } from "./support.ts";

const a1 = { codigo: "A1", nombre: "Uno", categoria: "Varios", precio: 10 };
const later = "2026-01-01T13:00:00-03:00";
const earlier = "2026-01-01T11:00:00-03:00";

describe("POST /v1/catalog/items (docs/reference/service.md 4.2)", () => {
  test("an upsert adds and changes products of the key's branch", async () => {
    const mock = await start();
    const first = await push(mock, [a1, { codigo: "B2", nombre: "Dos", precio: 0, deshabilitado: true }]);
    expect(first.answer).toMatchObject({
      status: 200,
      body: { duplicate: false, accepted: 2, skipped_stale: 0, rejected: [] },
    });
    await push(mock, [{ codigo: "A1", precio: 12.5 }], { occurred_at: later });
    expect(await mock.control.catalog()).toEqual([
      {
        ...{ ...a1, precio: 12.5, deshabilitado: false, active: true, occurred_at: later },
        event_id: expect.any(String) as unknown,
      },
      {
        codigo: "B2",
        nombre: "Dos",
        categoria: null,
        precio: 0,
        deshabilitado: true,
        active: true,
        occurred_at: frozen,
        event_id: expect.any(String) as unknown,
      },
    ]);
    expect(await mock.control.catalog("norte")).toEqual([]);
  });

  test("delete deactivates and needs only codigo; an unknown one is rejected", async () => {
    const mock = await start();
    await push(mock, [a1]);
    const result = await push(mock, [{ codigo: "A1" }, { codigo: "X" }], { action: "delete" });
    expect(result).toMatchObject({
      accepted: 1,
      rejected: [{ codigo: "X", error: expect.stringContaining("unknown") as unknown }],
    });
    expect(await mock.control.catalog()).toMatchObject([{ codigo: "A1", nombre: "Uno", active: false }]);
  });

  test("an upsert of a deactivated product makes it active again; deshabilitado is a field of its own", async () => {
    const mock = await start();
    await push(mock, [{ ...a1, deshabilitado: true }]);
    await push(mock, [{ codigo: "A1" }], { action: "delete" });
    await push(mock, [{ codigo: "A1" }]);
    expect(await mock.control.catalog()).toMatchObject([{ active: true, deshabilitado: true, precio: 10 }]);
  });

  test("a product of the starting catalog takes any event and any subset of fields", async () => {
    const mock = await start({ scenario: untold });
    const [first] = await mock.control.catalog();
    expect((await mock.control.catalog()).length).toBe(12);
    const given = { codigo: first?.codigo ?? "", precio: 1 };
    const result = await push(mock, [given], { occurred_at: "1999-01-01T00:00:00Z" });
    expect(result.accepted).toBe(1);
    expect((await mock.control.catalog())[0]).toMatchObject({ ...given, nombre: first?.nombre });
  });
});

describe("stale events: per product, compared as instants", () => {
  test("older than the last applied to that codigo is skipped and counted, equal is applied", async () => {
    const mock = await start();
    await push(mock, [a1], { occurred_at: frozen });
    const older = await push(
      mock,
      [
        { codigo: "A1", precio: 1 },
        { ...a1, codigo: "NEW" },
      ],
      {
        occurred_at: earlier,
      },
    );
    expect(older).toMatchObject({ accepted: 1, skipped_stale: 1, rejected: [] });
    // The same instant, written with another offset.
    const equal = await push(mock, [{ codigo: "A1", precio: 2 }], { occurred_at: "2026-01-01T15:00:00Z" });
    expect(equal).toMatchObject({ accepted: 1, skipped_stale: 0 });
    expect((await mock.control.catalog()).map((item) => item.precio)).toEqual([2, 10]);
  });

  test("offsets are not compared as text", async () => {
    const mock = await start();
    await push(mock, [a1], { occurred_at: "2026-01-01T23:00:00+09:00" });
    const result = await push(mock, [{ codigo: "A1", precio: 5 }], { occurred_at: "2026-01-01T15:00:00Z" });
    expect(result).toMatchObject({ accepted: 1, skipped_stale: 0 });
  });

  test("microseconds count", async () => {
    const mock = await start();
    await push(mock, [a1], { occurred_at: "2026-01-01T12:00:00.000900Z" });
    const older = await push(mock, [a1], { occurred_at: "2026-01-01T12:00:00.000100Z" });
    expect(older).toMatchObject({ accepted: 0, skipped_stale: 1 });
    const newer = await push(mock, [a1], { occurred_at: "2026-01-01T12:00:00.000901Z" });
    expect(newer).toMatchObject({ accepted: 1, skipped_stale: 0 });
  });

  test("a delete counts as applied: an older upsert does not bring the product back", async () => {
    const mock = await start();
    await push(mock, [a1], { occurred_at: earlier });
    await push(mock, [{ codigo: "A1" }], { occurred_at: later, action: "delete" });
    expect(await push(mock, [a1], { occurred_at: frozen })).toMatchObject({ accepted: 0, skipped_stale: 1 });
    expect(await mock.control.catalog()).toMatchObject([{ active: false }]);
    const olderDelete = await push(mock, [{ codigo: "A1" }], { occurred_at: frozen, action: "delete" });
    expect(olderDelete).toMatchObject({ accepted: 0, skipped_stale: 1 });
  });

  test("validity is checked before staleness", async () => {
    const mock = await start();
    await push(mock, [a1], { occurred_at: later });
    const result = await push(mock, [{ codigo: "A1", precio: -1 }], { occurred_at: earlier });
    expect(result).toMatchObject({ accepted: 0, skipped_stale: 0, rejected: [{ codigo: "A1" }] });
  });
});

describe("items", () => {
  test.each([
    ["codigo missing", { nombre: "x", precio: 1 }, "", /codigo/],
    ["codigo empty", { ...a1, codigo: "" }, "", /codigo/],
    ["codigo of 65 characters", { ...a1, codigo: "x".repeat(65) }, "x".repeat(65), /64/],
    ["codigo a number", { ...a1, codigo: 123 }, "123", /codigo/],
    ["a new product without nombre", { codigo: "N", precio: 1 }, "N", /nombre/],
    ["a new product without precio", { codigo: "N", nombre: "x" }, "N", /precio/],
    ["precio as text", { ...a1, precio: "10" }, "A1", /precio/],
    ["precio below 0", { ...a1, precio: -0.01 }, "A1", /precio/],
    ["precio null", { ...a1, precio: null }, "A1", /precio/],
    ["nombre a number", { ...a1, nombre: 1 }, "A1", /nombre/],
    ["categoria a list", { ...a1, categoria: [] }, "A1", /categoria/],
    ["deshabilitado as text", { ...a1, deshabilitado: "no" }, "A1", /deshabilitado/],
    ["not an object", "A1", "", /object/],
    ["null", null, "", /object/],
    ["a list", [a1], "", /object/],
  ])("an invalid one is listed and the others are applied: %s", async (_, item, codigo, error) => {
    const mock = await start();
    const result = await push(mock, [item, { ...a1, codigo: "OK" }]);
    expect(result).toMatchObject({ accepted: 1, skipped_stale: 0 });
    expect(result.rejected).toEqual([{ codigo, error: expect.stringMatching(error) as unknown }]);
    expect((await mock.control.catalog()).map((one) => one.codigo)).toEqual(["OK"]);
  });

  test("a number beyond what a double holds rejects the item", async () => {
    const mock = await start();
    const items = '[{"codigo":"A","nombre":"x","precio":1e999}]';
    const body = `{"event_id":"e","occurred_at":"${frozen}","action":"upsert","items":${items}}`;
    const answer = await send(`${mock.baseUrl}/v1/catalog/items`, body);
    expect(answer).toMatchObject({ status: 200, body: { accepted: 0, rejected: [{ codigo: "A" }] } });
  });

  test("codigo may have 64 characters, counted as people count them, and keeps every byte", async () => {
    const mock = await start();
    const codes = ["x".repeat(64), "😀".repeat(64), "00123", "1E5", " a b ", "__proto__", "é"];
    const result = await push(
      mock,
      codes.map((codigo) => ({ ...a1, codigo })),
    );
    expect(result).toMatchObject({ accepted: codes.length, rejected: [] });
    expect((await mock.control.catalog()).map((one) => one.codigo)).toEqual(codes);
  });

  test("the same codigo twice in one event: the later wins field by field, both count", async () => {
    const mock = await start();
    const twice = [a1, { codigo: "A1", precio: 99 }];
    expect(await push(mock, twice)).toMatchObject({ accepted: 2, skipped_stale: 0 });
    expect(await mock.control.catalog()).toMatchObject([{ nombre: "Uno", categoria: "Varios", precio: 99 }]);
  });

  test("none is 200 with zeros", async () => {
    const mock = await start();
    const { answer } = await push(mock, []);
    expect(answer).toMatchObject({
      status: 200,
      body: { duplicate: false, accepted: 0, skipped_stale: 0, rejected: [] },
    });
  });
});

describe("event_id", () => {
  test("a repeated one gets the first answer with duplicate true, and applies nothing", async () => {
    const mock = await start();
    const first = await push(mock, [a1, { codigo: "BAD" }], { event_id: "same" });
    const again = await push(mock, [{ ...a1, precio: 77 }], { event_id: "same", occurred_at: later });
    expect(again.answer.body).toEqual({ ...(first.answer.body as object), duplicate: true });
    expect(await mock.control.catalog()).toMatchObject([{ precio: 10 }]);
  });

  test("belongs to the branch", async () => {
    const mock = await start();
    await push(mock, [a1], { event_id: "same" });
    expect((await push(mock, [a1], { event_id: "same" }, norte)).duplicate).toBe(false);
    expect(await mock.control.catalog("norte")).toHaveLength(1);
  });

  test("is not used up by a broken envelope or a foreign store_id", async () => {
    const mock = await start();
    await push(mock, [a1], { event_id: "same", action: "replace" as "upsert" });
    await push(mock, [a1], { event_id: "same", store_id: "2" });
    expect(await push(mock, [a1], { event_id: "same" })).toMatchObject({ duplicate: false, accepted: 1 });
  });

  test("50 calls at once with one event_id apply it once", async () => {
    const mock = await start();
    const calls = Array.from({ length: 50 }, (_, index) =>
      push(mock, [{ ...a1, precio: index }], { event_id: "same" }),
    );
    const results = await Promise.all(calls);
    expect(results.filter((result) => result.duplicate === false)).toHaveLength(1);
  });
});

describe("the envelope", () => {
  test.each([
    ["event_id missing", { event_id: undefined }],
    ["event_id empty", { event_id: "" }],
    ["event_id a number", { event_id: 7 }],
    ["occurred_at missing", { occurred_at: undefined }],
    ["occurred_at without offset", { occurred_at: "2026-01-01T12:00:00" }],
    ["occurred_at without seconds", { occurred_at: "2026-01-01T12:00-03:00" }],
    ["occurred_at no such day", { occurred_at: "2026-02-30T12:00:00Z" }],
    ["occurred_at a number", { occurred_at: 1767279600000 }],
    ["action unknown", { action: "replace" }],
    ["items missing", { items: undefined }],
    ["items an object", { items: {} }],
    ["store_id an object", { store_id: {} }],
  ])("broken is 400 and applies nothing: %s", async (_, change) => {
    const mock = await start();
    const body = { event_id: "e", occurred_at: frozen, action: "upsert", items: [a1], ...change };
    const answer = await send(`${mock.baseUrl}/v1/catalog/items`, body);
    expect([answer.status, answer.body]).toEqual([400, inputProblem(expect.any(String))]);
    expect(await mock.control.catalog()).toEqual([]);
  });

  test.each([["1"], [1]])("store_id of the branch, string or number, is fine: %j", async (store_id) => {
    const mock = await start();
    expect(await push(mock, [a1], { store_id })).toMatchObject({ accepted: 1 });
  });

  test.each([["2"], [2], ["01"], [""]])("another store_id is 403: %j", async (store_id) => {
    const mock = await start();
    const { answer } = await push(mock, [a1], { store_id });
    expect([answer.status, answer.body]).toEqual([403, deniedProblem]);
    expect(await mock.control.catalog()).toEqual([]);
  });
});
