import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskPersons } from "../../src/cli/session/mask-persons.ts";
import { examples } from "../../src/contract/examples.ts";
import { sized } from "../support/soak.ts";

const asIs = (text: string): string => text;
const mask = (value: unknown): unknown => JSON.parse(maskPersons(JSON.stringify(value), asIs));

describe("values of persons", () => {
  it.each([
    [
      { cliente: { nombre: "Ana", apodo: "Anita", edad: 41, activo: true, nada: null, "": "" } },
      { cliente: { nombre: "…(3)", apodo: "…(5)", edad: "…(2)", activo: true, nada: null, "": "" } },
    ],
    [
      { domicilio: { calle: "Ñandú", extra: { timbre: ["5 B"] } } },
      { domicilio: { calle: "…(5)", extra: { timbre: ["…(3)"] } } },
    ],
    [
      { deliveryAddress: "Calle 1", Dirección: "Calle 2" },
      { deliveryAddress: "…(7)", Dirección: "…(7)" },
    ],
    [
      { customer: "Ana", notas: "sin sal", text: "hola ☕👨" },
      { customer: "…(3)", notas: "…(7)", text: "…(7)" },
    ],
    [{ nombre: "Ana" }, { nombre: "…(3)" }],
    [
      { lineas: [{ nombre: "Pan", opciones: [{ nombre: "Sal" }], notas: "para Ana" }] },
      { lineas: [{ nombre: "Pan", opciones: [{ nombre: "Sal" }], notas: "…(8)" }] },
    ],
    [
      { items: [{ codigo: "A1", nombre: "Pan", precio: 10.5 }] },
      { items: [{ codigo: "A1", nombre: "Pan", precio: 10.5 }] },
    ],
    [
      {
        recipients: [
          {
            phone: "+5491155550017",
            status: "failed",
            sent_at: "2026-01-01",
            error_message: "131026",
            extra: "Ana",
            params: ["Ana", 7],
          },
        ],
      },
      {
        recipients: [
          {
            phone: "+54…0017",
            status: "failed",
            sent_at: "2026-01-01",
            error_message: "131026",
            extra: "…(3)",
            params: ["…(3)", "…(1)"],
          },
        ],
      },
    ],
    [
      { recipients: { added: 1, duplicates: 0, errors: ["line 2"] } },
      { recipients: { added: 1, duplicates: 0, errors: ["line 2"] } },
    ],
    [
      { telefonos: ["+5491155550017", 1155550017], phone: { number: "1155550017", owner: "Ana" } },
      { telefonos: ["+54…0017", "115…0017"], phone: { number: "…(10)", owner: "…(3)" } },
    ],
    [
      { campaign_name: "API - t - enero", external_ref: "enero-1", message: "No." },
      { campaign_name: "API - t - enero", external_ref: "enero-1", message: "No." },
    ],
    [
      [{ cliente: "Ana" }, { total: 1 }, "x"],
      [{ cliente: "…(3)" }, { total: 1 }, "…(1)"],
    ],
  ])("of %j are masked", (value, shown) => expect(mask(value)).toEqual(shown));

  it("are masked under a name that is escaped", () => {
    expect(maskPersons(String.raw`{"\u0063liente":"Ana"}`, asIs)).toBe(String.raw`{"\u0063liente":"…(3)"}`);
  });

  it.each([
    ['{"nombre":"Ana "Pepa" Gómez","total":1}', '{"nombre":"…(4)"…(4)"…(6)","total":1}'],
    ["{'nombre': Ana, 'total': 1}", '{…(8): …(3), …(7): "…(1)"}'],
    ['{"cliente":{"nombre":"Ana\nGómez', '{"cliente":{"nombre":"…(9)'],
    ["upstream is busy", "upstream is busy"],
    ['<p class="a">Bad, gateway: 502</p>', '<p class="a">Bad, gateway: 502</p>'],
  ])("are masked in what is no JSON: %j", (text, shown) => expect(maskPersons(text, asIs)).toBe(shown));
});

const secret = "Zq7Xw9Kv";
/** The same value with each text and number of a person as the secret. */
const { listOrders, sendCampaign, readCampaign } = examples;
const [order] = listOrders.response.orders;
const own = (value: object) => Object.fromEntries(Object.keys(value).map((name) => [name, secret]));
const documents = [
  {
    ...listOrders.response,
    orders: [
      { ...order, delivery_address: secret, domicilio: own(order!.domicilio), cliente: own(order!.cliente) },
    ],
  },
  { ...sendCampaign.body, recipients: [{ phone: secret, params: [secret, `${secret} \\ "x" \n`] }] },
  { ...readCampaign.response, recipients: [{ phone: secret, name: secret, status: "sent" }] },
].map((each) => JSON.stringify(each));

it("are nowhere in a body of the contract, wherever it is cut and whatever is put into it", () => {
  const pieces = fc.constantFrom('"', "{", "}", "[", "]", ",", ":", "\\", "\n", " ", "x", "1");
  const damaged = fc.record({
    text: fc.constantFrom(...documents),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    put: fc.array(pieces, { maxLength: 3 }),
    isCut: fc.boolean(),
  });
  fc.assert(
    fc.property(damaged, ({ text, at, put, isCut }) => {
      const place = Math.ceil((text.length - 1) * at) + 1;
      const body = text.slice(0, place) + put.join("") + (isCut ? "" : text.slice(place));
      expect(maskPersons(body, asIs)).not.toMatch(/Zq7|Xw9/);
    }),
    { numRuns: sized(500, 30_000) },
  );
});

it("leaves everything else of the contract as it is", () => {
  const { orders, ...page } = listOrders.response;
  const { cliente: _c, domicilio: _d, delivery_address: _a, ...kept } = orders[0]!;
  for (const body of [
    { ...page, orders: [kept] },
    examples.pushCatalog.body,
    examples.pushCatalog.response,
    sendCampaign.response,
  ])
    expect(mask(body)).toEqual(body);
});
