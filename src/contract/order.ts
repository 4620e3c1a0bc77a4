import * as z from "zod";
import { orderStates } from "./limits.ts";

/** An integer of any size: a JSON number beyond 2^53 arrives as a bigint, so that it keeps all its digits. */
export const wireInteger = z.union([z.int(), z.bigint()]);

/** The service may send null here. Elsewhere it must send a value, and this program is content without one. */
const textOrNull = z.string().nullish().meta({ sent: "or null" });

/** A structured address (`docs/reference/service.md` 2.1): every field is null when the original address cannot be split. */
export const domicilioSchema = z
  .looseObject({
    calle: textOrNull.describe("Street."),
    numero: textOrNull.describe("House number."),
    piso_depto: textOrNull.describe("Floor and flat."),
    localidad: textOrNull.describe("Town or district."),
    referencia: textOrNull.describe("Extra instructions from the customer."),
  })
  .meta({ id: "Domicilio", description: "Structured address, present for delivery only." });

/** The customer of an order (`docs/reference/service.md` 2.2). */
export const clienteSchema = z
  .looseObject({
    nombre: textOrNull.describe("Null when the customer gave no name: show a generic label."),
    telefono: z.string().describe("Full number in international format."),
    telefono_pais: textOrNull.describe("Country code without the plus sign."),
    telefono_area: textOrNull.describe("Area code without a leading zero."),
    telefono_numero: textOrNull.describe("Local number without hyphens or spaces."),
  })
  .meta({ id: "Cliente", description: "The customer of an order." });

/** The payment of an order (`docs/reference/service.md` 2.3). */
export const pagoSchema = z
  .looseObject({
    modo: z
      .string()
      .describe("en_entrega: to collect at the door. online: by an online payment provider.")
      .meta({ enum: ["en_entrega", "online"] }),
    pagado: z.boolean().describe("True when it is paid already."),
    monto: z
      .number()
      .describe("Amount to collect: equals total, shipping included. 0 when there is no total."),
  })
  .meta({ id: "Pago", description: "How an order is paid." });

/** An option of an order line (`docs/reference/service.md` 2.4). */
export const opcionSchema = z
  .looseObject({
    codigo: textOrNull.describe("The POS's code of the option, or null."),
    nombre: z.string().describe("Name."),
    precio_adicional: z.number().describe("Price added to the line's unit price."),
  })
  .meta({ id: "Opcion", description: "An option of an order line." });

/** A line of an order (`docs/reference/service.md` 2.4). */
export const lineaSchema = z
  .looseObject({
    codigo: textOrNull.describe(
      "The POS's product code; null when entered by hand in the service's own admin.",
    ),
    nombre: z.string().describe("Name."),
    cantidad: z.int().describe("Pieces."),
    precio_unitario: z.number().describe("Price of one."),
    subtotal: z.number().describe("Price of the line."),
    opciones: z.array(opcionSchema).nullish().describe("What the customer chose or left out."),
  })
  .meta({ id: "Linea", description: "A line of an order." });

/** An order (`docs/reference/service.md` 2.1), read generously: unknown fields and states pass through. */
export const orderSchema = z
  .looseObject({
    order_id: wireInteger.describe("The order's identity."),
    created_at: z.int().describe("Epoch milliseconds."),
    created_at_iso: z.string().describe("The same instant in ISO 8601, with the offset of the store."),
    status: z
      .string()
      .describe("An order state; values beyond the eight may occur.")
      .meta({ examples: [...orderStates] }),
    delivery_type: z
      .string()
      .describe("How the order reaches the customer.")
      .meta({ enum: ["pick_up", "delivery"] }),
    delivery_address: textOrNull.describe("Full address on one line: the fallback for domicilio."),
    domicilio: domicilioSchema
      .nullish()
      .meta({ sent: "or nothing", description: "Structured address, present for delivery only." }),
    cliente: clienteSchema.describe("Who ordered."),
    pago: pagoSchema.describe("How it is paid."),
    costo_envio: z.number().describe("Shipping, already included in total: never add it again."),
    total: z.number().describe("Includes shipping."),
    lineas: z.array(lineaSchema).describe("What was ordered."),
  })
  .meta({ id: "Order", description: "An order taken by the ordering bot." });
export type Order = z.infer<typeof orderSchema>;
/** A line of an order, `docs/reference/service.md` 2.4. */
export type Linea = z.infer<typeof lineaSchema>;

/** One page of orders (`docs/reference/service.md` 2.5). */
export const ordersResponseSchema = z
  .looseObject({
    orders: z.array(orderSchema).describe("Oldest first."),
    page: z.int().describe("This page, from 1."),
    per_page: z.int().describe("Orders a page has at most."),
    total: z.int().describe("Orders in that state, not only on this page."),
    has_more: z.boolean().describe("True when at least one more page remains."),
  })
  .meta({ id: "OrdersResponse", description: "One page of orders, oldest first." });
export type OrdersResponse = z.infer<typeof ordersResponseSchema>;

/** The least that makes a page of orders usable; an order that differs from the specification, even one that is no object, is only reported. */
export const usableOrdersSchema = z.looseObject({ orders: z.array(z.unknown()) });

/** The query of GET /v1/orders (`docs/reference/service.md` 4.1). */
export const ordersQuerySchema = z
  .object({
    status: z.enum(orderStates).optional().meta({ default: "pendiente", description: "Order state." }),
    since: z.iso.datetime({ offset: true }).optional().describe("Only orders created after this instant."),
    page: z
      .int()
      .min(1)
      .optional()
      .meta({ default: 1, description: "Ask for the next while has_more is true." }),
  })
  .meta({ id: "OrdersQuery" });
export type OrdersQuery = z.infer<typeof ordersQuerySchema>;
