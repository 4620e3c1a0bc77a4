import fc from "fast-check";
import { receiptBlocks } from "../../src/contract/layout.ts";

/** Texts as customers write them: long and short words, accents, emoji, what would command a printer. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "ñandú",
        "Güemes",
        "Ø",
        "x".repeat(70),
        "½",
        "👩‍🍳",
        "€ 5",
        "─│┌",
        "שלום",
        "\u001b@",
        "2 × 3",
        "$",
      ),
      fc.string({ unit: "grapheme", maxLength: 12 }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => `a${parts.join(" ")}z`);

const amount = fc.oneof(fc.integer({ min: 0, max: 9_999_999 }), fc.constantFrom(0.5, 1234.56, 1e9));
const option = fc.record({ codigo: fc.constant(null), nombre: text, precio_adicional: amount });
const line = fc.record({
  codigo: fc.constant("A1"),
  nombre: text,
  cantidad: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(0.25, 1000)),
  precio_unitario: amount,
  subtotal: amount,
  opciones: fc.array(option, { maxLength: 4 }),
});

export const oddOrder = fc.record({
  order_id: fc.integer({ min: 1, max: 9_999_999_999 }),
  created_at: fc.integer({ min: 1e12, max: 2e12 }),
  created_at_iso: fc.constant("2026-11-26T20:00:00-03:00"),
  status: fc.constantFrom("pendiente", "pendiente", "listo"),
  delivery_type: fc.constantFrom("delivery", "pick_up"),
  delivery_address: fc.option(text),
  domicilio: fc.record({ calle: fc.option(text), numero: fc.constant("1"), referencia: text }),
  cliente: fc.record({ nombre: text, telefono: fc.constantFrom("+5493515551234", "351 555") }),
  pago: fc.record({
    modo: fc.constantFrom("en_entrega", "online"),
    pagado: fc.boolean(),
    monto: amount,
  }),
  costo_envio: amount,
  total: amount,
  lineas: fc.array(line, { maxLength: 6 }),
});

const lines = fc.array(
  text.map((each) => each.slice(0, 200)),
  { maxLength: 4 },
);

/** Any layout that is not refused. */
export const anyLayout = fc.record(
  {
    header: lines,
    blocks: fc
      .tuple(fc.shuffledSubarray([...receiptBlocks], { minLength: receiptBlocks.length }), fc.boolean())
      .map(([blocks, hasTotals]) => blocks.filter((block) => hasTotals || block !== "totals")),
    items_size: fc.constantFrom("normal" as const, "double" as const),
    prices: fc.boolean(),
    qr: fc.constantFrom("map" as const, "phone" as const, "none" as const),
    footer: lines,
    copies: fc.integer({ min: 1, max: 3 }),
    cut_between: fc.boolean(),
    lang: fc.constantFrom("en" as const, "es" as const, "es-AR" as const),
  },
  { requiredKeys: [] },
);
