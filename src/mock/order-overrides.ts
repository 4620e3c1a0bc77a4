import * as z from "zod";
import { orderSchema } from "../contract/order.ts";
import { orderStates } from "../contract/order-states.ts";
import { type MockOrder, money, subtotalOf, totalOf } from "./orders.ts";
import { parseInput } from "./parse.ts";
import { badInput } from "./refusal.ts";
import { formatInstant, lastInstant } from "./time.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Parts of an order that `POST /_mock/orders` sets; a field not given is drawn or worked out from the others. */
export const overridesSchema = z.looseObject({
  order_id: z.int().min(1).optional(),
  created_at: z.int().min(0).max(lastInstant).optional(),
  status: z.enum(orderStates).optional(),
  delivery_type: z.enum(["pick_up", "delivery"]).optional(),
  costo_envio: z.number().optional(),
  total: z.number().optional(),
  cliente: z.looseObject({}).optional(),
  domicilio: z.looseObject({}).nullable().optional(),
  pago: z.looseObject({}).optional(),
  lineas: z
    .array(
      z.looseObject({
        codigo: z.string().nullable().default(null),
        nombre: z.string().default("Producto"),
        cantidad: z.int().default(1),
        precio_unitario: z.number().default(0),
        subtotal: z.number().optional(),
        opciones: z
          .array(
            z.looseObject({
              codigo: z.string().nullable().default(null),
              nombre: z.string().default("Opción"),
              precio_adicional: z.number().default(0),
            }),
          )
          .default([]),
      }),
    )
    .optional(),
});

/** Parts of an order that a caller sets. */
export type OrderOverrides = z.infer<typeof overridesSchema>;

const jsonSafe = (value: unknown): boolean => {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
};

/** The order with the given parts in place and its sums worked out anew. Throws MockRefusal 400 when it is none. */
export function withOverrides(drawn: MockOrder, given: OrderOverrides): MockOrder {
  // An extra field may nest deeper than JSON.stringify can follow, and would break every later answer.
  if (!jsonSafe(given)) throw badInput("order: nested too deeply");
  const lineas = given.lineas
    ? given.lineas.map((line) => ({ ...line, subtotal: line.subtotal ?? subtotalOf(line) }))
    : drawn.lineas;
  const costo_envio = given.costo_envio ?? drawn.costo_envio;
  const total = given.total ?? totalOf(lineas, money(costo_envio));
  const created_at = given.created_at ?? drawn.created_at;
  const merged: Fields = {
    ...drawn,
    created_at_iso: formatInstant(created_at),
    ...given,
    created_at,
    ...(given.domicilio ? { domicilio: { ...drawn.domicilio, ...given.domicilio } } : {}),
    cliente: { ...drawn.cliente, ...given.cliente },
    pago: { ...drawn.pago, monto: total, ...given.pago },
    costo_envio,
    total,
    lineas,
  };
  return parseInput(orderSchema, merged) as MockOrder;
}
