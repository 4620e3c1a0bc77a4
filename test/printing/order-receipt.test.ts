import { describe, expect, it } from "vitest";
import type { Order } from "../../src/contract/order.ts";
import { changeReceipt, orderReceipt } from "../../src/printing/order-receipt.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { drawn, printed, readable } from "../support/printed.ts";

const money = { locale: "es-AR", currency: "ARS" };
const options = {
  ui: { texts: textsIn("es"), money, badge: null },
  paper: 58,
  language: "escpos",
  drawer: false,
  beep: false,
} as const;

const order = {
  order_id: 1042,
  created_at: 1_763_900_000_000,
  created_at_iso: "2025-11-23T09:13:20-03:00",
  status: "pendiente",
  delivery_type: "delivery",
  delivery_address: null,
  domicilio: {
    calle: "Güemes",
    numero: "742",
    piso_depto: "2B",
    localidad: "Córdoba",
    referencia: "Timbre roto: ¡golpeá fuerte!",
  },
  cliente: {
    nombre: "Íñigo Peña",
    telefono: "+5493515551234",
    telefono_pais: null,
    telefono_area: null,
    telefono_numero: null,
  },
  pago: { modo: "en_entrega", pagado: false, monto: 25_500 },
  costo_envio: 1_000,
  total: 25_500,
  lineas: [
    {
      codigo: "PIZ-001",
      nombre: "Muzzarella",
      cantidad: 2,
      precio_unitario: 12_000,
      subtotal: 24_500,
      opciones: [
        { codigo: null, nombre: "Extra queso", precio_adicional: 250 },
        { codigo: null, nombre: "Sin cebolla", precio_adicional: 0 },
      ],
    },
  ],
} as unknown as Order;

const first = (bytes: Uint8Array, language: "escpos" | "star" = "escpos") => {
  const [receipt, ...more] = printed(bytes, language, 32);
  if (receipt === undefined || more.length > 0) throw new Error("not one receipt");
  return receipt;
};
const textOf = (given: unknown, more: Partial<Parameters<typeof orderReceipt>[1]> = {}): string =>
  readable(first(orderReceipt(given as Order, { ...options, ...more }), more.language));

describe("an order on paper", () => {
  it.each(["escpos", "star"] as const)("has all that a kitchen and a courier need, in %s", (language) => {
    const receipt = first(orderReceipt(order, { ...options, language, branchName: "centro" }), language);
    const time = new Date(1_763_900_000_000).toTimeString().slice(0, 5);
    expect(drawn(receipt, 32)).toBe(`│             centro             │ b
│     P E D I D O   1 0 4 2      │ 2x2b
│             ENVÍO              │ 1x2bi
│        23/11/2025 ${time}        │ b
│────────────────────────────────│
│Íñigo Peña                      │ b
│+5493515551234                  │
│Güemes 742, 2B, Córdoba         │
│┌──────────────────────────────┐│
││ Nota: Timbre roto: ¡golpeá   ││ b
││ fuerte!                      ││ b
│└──────────────────────────────┘│
│────────────────────────────────│
│2 × Muzzarella       $ 24.500,00│ 1x2b
│    + Extra queso               │
│                    $ 250,00 c/u│
│    + Sin cebolla               │
│────────────────────────────────│
│Envío (en el total)   $ 1.000,00│
│TOTAL                $ 25.500,00│ b
│                                │
│          C O B R A R           │ 2x2b
│     $   2 5 . 5 0 0 , 0 0      │ 2x2b
${"│                                │\n".repeat(5)}└╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┘
`);
    expect(receipt.unknown).toEqual([]);
  });

  it("says in the language of the run what to collect, and only what is paid is", () => {
    const paid = (pago: unknown): string =>
      textOf({ ...order, pago }, { ui: { texts: textsIn("en"), money, badge: "MOCK" } });
    expect(paid({ modo: "online", pagado: true, monto: 25_500 })).toMatch(
      /MOCK[\s\S]*DELIVERY[\s\S]*TOTAL.*\n *PAID\n$/,
    );
    expect(paid({ modo: "en_entrega", pagado: true })).toMatch(/ PAID\n$/);
    expect(paid({ modo: "online", pagado: false, monto: 7 })).toMatch(/not paid yet\n *COLLECT \$ 7,00\n$/);
    expect(paid({ modo: "online", pagado: "true", monto: 7 })).toMatch(/COLLECT \$ 7,00\n$/);
    expect(paid(null)).toMatch(/COLLECT -\n$/);
  });

  it("says first that it may be a second copy, and that it is off where it is", () => {
    expect(textOf(order, { repeated: true })).toMatch(/^ *REIMPRESIÓN\n *Puede que ya esté impreso\.\n/);
    expect(textOf(order)).not.toContain("REIMPRESIÓN");
    expect(textOf({ ...order, status: "cancelado" })).toMatch(
      / CANCELADO\n *No lo prepares ni lo entregues\./,
    );
    expect(textOf({ ...order, status: "listo" })).toMatch(/ LISTO\n/);
  });

  it("opens the drawer, beeps and cuts once, whatever its texts command", () => {
    const hostile =
      "\u001bp\u0000\u0019\u00fa\u001dV\u0000\u001bB\u0009\u0009\u001b@\u0007\u001bd\u0001\n\n\nPAGADO";
    const evil = JSON.parse(JSON.stringify(order), (_, value: unknown) =>
      typeof value === "string" ? hostile : value,
    ) as Order;
    for (const language of ["escpos", "star"] as const) {
      const quiet = first(orderReceipt(evil, { ...options, language, branchName: hostile }), language);
      expect(quiet).toMatchObject({ acts: ["cut"], unknown: [] });
      const loud = first(
        orderReceipt(evil, { ...options, language, drawer: "always", beep: true }),
        language,
      );
      expect(loud).toMatchObject({ acts: ["beep", "drawer", "cut"], unknown: [] });
      // A customer's text never has the size of the amount to collect.
      const large = quiet.lines.filter(({ width }) => width === 2).map(({ text }) => text.trim());
      expect(large).toEqual(["PEDIDO 1042", "COBRAR", "$ 25.500,00"]);
    }
  });

  it.each([
    {},
    {
      order_id: "9".repeat(300),
      status: 7,
      delivery_type: {},
      cliente: [],
      pago: "no",
      domicilio: null,
      lineas: "x",
    },
    {
      order_id: null,
      lineas: [null, {}, { cantidad: "x".repeat(90), nombre: ["a"], opciones: [{}, 3, null] }],
      total: "1e999",
    },
    { ...order, created_at: "then", created_at_iso: 5, costo_envio: "free", total: "much ".repeat(90) },
  ])("is printed whatever shape it has: %j", (odd) => {
    for (const language of ["escpos", "star"] as const) {
      expect(textOf(odd, { language })).toContain("COBRAR");
      const slip = changeReceipt(odd as unknown as Order, {
        ...options,
        language,
        from: "",
        to: "constructor",
      });
      expect(readable(first(slip, language))).toContain("CONSTRUCTOR");
    }
  });
});

describe("a change on paper", () => {
  const all = [
    "lineas",
    "total",
    "delivery_type",
    "delivery_address",
    "domicilio",
    "cliente",
    "pago",
    "costo_envio",
  ];

  it.each(["escpos", "star"] as const)(
    "of what it holds is the whole order, which stands for the one before, in %s",
    (language) => {
      const on = (edited: string[]): string => textOf(order, { language, edited });
      expect(on(["lineas", "total"])).toMatch(
        /^ *MODIFICADO\n *Cambió: productos, total\n *Reemplaza al ticket anterior\.\n *PEDIDO 1042\n/,
      );
      const whole = textOf(order, { language });
      expect(on(all).endsWith(whole)).toBe(true);
      const words = on(all).replaceAll(/\s+/g, " ");
      expect(words).toContain(
        "Cambió: productos, total, recoge o envío, dirección, cliente, pago, costo de envío Reemplaza",
      );
      expect(textOf({ ...order, status: "en_preparacion" }, { language, edited: all })).toContain(
        "EN_PREPARACION",
      );
    },
  );

  it("is a slip that says what became of which order, and opens no drawer", () => {
    const slip = changeReceipt(
      { ...order, status: "cancelado" },
      { ...options, drawer: true, beep: true, from: "pendiente", to: "cancelado" },
    );
    expect(first(slip).acts).toEqual(["beep", "cut"]);
    expect(readable(first(slip))).toMatch(
      /^ *CANCELADO\n *No lo prepares ni lo entregues\.\n *PEDIDO 1042\n *pendiente -> cancelado\n[\s\S]*Íñigo Peña\n[\s\S]*2 × Muzzarella\n$/,
    );
  });
});
