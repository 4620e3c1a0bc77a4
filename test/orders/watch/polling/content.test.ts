import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../../../src/api/json.ts";
import type { Order } from "../../../../src/contract/order.ts";
import { compareContent, toContent } from "../../../../src/orders/watch/polling/content.ts";
import { orderOf } from "../../../support/peers.ts";

const line = (nombre: string, cantidad = 1, more: object = {}) => ({
  ...{ codigo: null, nombre, cantidad, precio_unitario: 100, subtotal: 100 * cantidad },
  opciones: [
    { codigo: "A", nombre: "Sin sal", precio_adicional: 0 },
    { codigo: "B", nombre: "Extra queso", precio_adicional: 50 },
  ],
  ...more,
});
const usual = {
  ...{ delivery_type: "delivery", delivery_address: "Güemes 742", lineas: [line("Pizza"), line("Fainá", 2)] },
  domicilio: { calle: "Güemes", numero: "742", piso_depto: null, localidad: "Córdoba", referencia: null },
  ...{ costo_envio: 50, total: 350, pago: { modo: "en_entrega", pagado: false, monto: 350 } },
};
const order = (more: object = {}): Order => orderOf(7, { ...usual, ...more }) as unknown as Order;
const edited = (before: object, now: object): string[] =>
  compareContent(toContent(before as Order), toContent(now as Order));

describe("what of an order was edited", () => {
  it.each<[string, object, string[]]>([
    [
      "a line and so the total, which is collected",
      { lineas: [line("Pizza", 2)], total: 200, pago: { ...usual.pago, monto: 200 } },
      ["lineas", "total"],
    ],
    ["an option", { lineas: [line("Pizza", 1, { opciones: [] }), line("Fainá", 2)] }, ["lineas"]],
    ["a quantity", { lineas: [line("Pizza"), line("Fainá", 3)] }, ["lineas"]],
    ["one line as two", { lineas: [line("Pizza"), line("Fainá"), line("Fainá")] }, ["lineas"]],
    ["an amount to collect that is not the total", { pago: { ...usual.pago, monto: 300 } }, ["pago"]],
    ["what was paid meanwhile", { pago: { ...usual.pago, modo: "online", pagado: true } }, ["pago"]],
    [
      "the address",
      { delivery_address: "Güemes 800", domicilio: { ...usual.domicilio, numero: "800" } },
      ["delivery_address", "domicilio"],
    ],
    ["the customer's note", { domicilio: { ...usual.domicilio, referencia: "Timbre roto" } }, ["domicilio"]],
    ["the customer", { cliente: { nombre: "Ana", telefono: "+5491155550000" } }, ["cliente"]],
    ["the way it is delivered", { delivery_type: "pick_up" }, ["delivery_type"]],
    ["the shipping", { costo_envio: 0 }, ["costo_envio"]],
  ])("%s", (_what, more, names) => expect(edited(order(), order(more))).toEqual(names));

  it.each<[string, object]>([
    [
      "the sequence of lines, and of options",
      { lineas: [line("Fainá", 2), line("Pizza", 1, { opciones: line("").opciones.toReversed() })] },
    ],
    ["the state, and when it was created", { status: "listo", created_at: 1, created_at_iso: "x" }],
    [
      "a missing field that was null",
      { domicilio: { calle: "Güemes", numero: "742", localidad: "Córdoba" } },
    ],
    ["blanks around a text", { delivery_address: " Güemes 742 " }],
    ["numbers as texts", { total: "350.00", costo_envio: "50" }],
    ["what the 16th digit says", { total: 350.00000000000006 }],
  ])("is not %s", (_what, more) => expect(edited(order(), order(more))).toEqual([]));

  it("goes by the value of a number, however many digits it has", () => {
    const total = (digits: string): Order => parseJson(`{"order_id":7,"total":${digits}}`) as Order;
    for (const [one, other] of [
      ["1.0", "1"],
      ["1e2", "100.00"],
      ["1234567890.10000000000", "1234567890.1"],
      ["9007199254740993", "9007199254740993.0"],
    ])
      expect(edited(total(one!), total(other!)), one).toEqual([]);
    expect(edited(total("123456789012.25"), total("123456789012.26"))).toEqual(["total"]);
  });

  it("is nothing that the contract does not know, at any depth, nor the sequence of keys", () => {
    const unknown = fc.dictionary(
      fc.string().filter((name) => !/^[a-z_]+$/.test(name)),
      fc.jsonValue(),
    );
    const turned = (given: object): object => Object.fromEntries(Object.entries(given).toReversed());
    const noisy = (given: object, noise: object): object => turned({ ...noise, ...given });
    fc.assert(
      fc.property(unknown, (noise) => {
        const { domicilio, pago, lineas, cliente, ...rest } = order();
        const lines = lineas.map((each) =>
          noisy({ ...each, opciones: (each.opciones ?? []).map((option) => noisy(option, noise)) }, noise),
        );
        const parts = {
          domicilio: noisy(domicilio!, noise),
          pago: noisy(pago, noise),
          cliente: noisy(cliente, noise),
        };
        expect(edited(order(), noisy({ ...rest, ...parts, lineas: lines }, noise))).toEqual([]);
      }),
    );
  });

  it("never fails, and is as long whatever an order is", () => {
    const odd = fc.dictionary(fc.constantFrom(...Object.keys(order())), fc.anything());
    fc.assert(
      fc.property(odd, (given) => {
        expect(toContent(given as unknown as Order)).toHaveLength(32);
      }),
    );
  });

  it("is kept in letters that say nothing of the order, and are others in another order", () => {
    const [one, other] = [toContent(order()), toContent({ ...order(), order_id: 8 })];
    expect(one).toMatch(/^[\w-]{32}$/);
    expect(compareContent(one, other)).toHaveLength(8);
  });

  it("is nothing against what was written down in another way", () => {
    for (const before of [null, "", "abcd"]) expect(compareContent(before, toContent(order()))).toEqual([]);
  });
});
