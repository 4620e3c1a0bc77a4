import * as z from "zod";
import { type OrderState, orderStates } from "../../../contract/limits.ts";
import { type Linea, type Order, orderSchema } from "../../../contract/order.ts";
import type { Language } from "../../../texts/texts.ts";
import { formatInstant, lastInstant } from "../clock.ts";
import { draw } from "../random.ts";
import { badInput, parseInput } from "../refusal.ts";
import type { Product } from "./catalog.ts";
import { drawAddress, drawCustomer, formatHome, noHome, noPhone } from "./customers.ts";
import { computeSubtotal, drawLines, roundMoney } from "./menu.ts";

/** Functions that the page gets from outside the mock. */
export interface PageTools {
  /** Draws an order as a printer prints it, as a PNG. */
  readonly drawReceipt?: (
    order: Order,
    how: { paper: 58 | 80; lang: Language; branch: string },
  ) => Uint8Array | Promise<Uint8Array>;
}

export type MockOrder = Order & { order_id: number };

export type OrderPlace = { branch: string; orderId: number; createdAt: number };
export type OrderSeed = OrderPlace & {
  seed: number;
  /** Which order of its world it is: what it holds is drawn by this, since its id hangs on the world's beginning. */
  number: number;
  /** Products that an order may hold when it is drawn. */
  products: readonly Product[];
  findProduct?: (codigo: string) => Product | undefined;
};

function computeTotal(lines: readonly Linea[], shipping: number): number {
  const cents = lines.reduce((sum, line) => sum + Math.round(line.subtotal * 100), 0);
  return roundMoney(cents / 100 + shipping);
}

function drawOrder(drawn: OrderSeed, deliveryType: "pick_up" | "delivery" | undefined): MockOrder {
  const from = draw(drawn.seed, "order", drawn.branch, drawn.number);
  const delivery = (deliveryType ?? (from.chance(0.65) ? "delivery" : "pick_up")) === "delivery";
  const lineas = drawLines(from, drawn.products);
  const shipping = delivery ? from.pick([0, 700, 950.5, 1200]) : 0;
  const total = computeTotal(lineas, shipping);
  const online = from.chance(0.15);

  return {
    order_id: drawn.orderId,
    created_at: drawn.createdAt,
    created_at_iso: formatInstant(drawn.createdAt),
    status: "pendiente",
    delivery_type: delivery ? "delivery" : "pick_up",
    ...(delivery ? drawAddress(from, drawn.branch) : { delivery_address: null }),
    cliente: drawCustomer(from),
    pago: { modo: online ? "online" : "en_entrega", pagado: online, monto: total },
    costo_envio: shipping,
    total,
    lineas,
  };
}

const optionSchema = z.looseObject({
  codigo: z.string().nullable().default(null),
  nombre: z.string().default("Opción"),
  precio_adicional: z.number().default(0),
});

const lineSchema = z.looseObject({
  codigo: z.string().nullable().default(null),
  nombre: z.string().optional(),
  cantidad: z.int().default(1),
  precio_unitario: z.number().optional(),
  subtotal: z.number().optional(),
  opciones: z.array(optionSchema).default([]),
});

/** A missing name or price is that of the branch's product. */
function completeLine(line: z.infer<typeof lineSchema>, { findProduct }: OrderSeed) {
  const product = line.codigo === null ? undefined : findProduct?.(line.codigo);
  const { nombre = product?.nombre ?? "Producto" } = line;
  const { precio_unitario = roundMoney(product?.precio ?? 0) } = line;
  const whole = { ...line, nombre, precio_unitario };
  return { ...whole, subtotal: line.subtotal ?? computeSubtotal(whole) };
}

/** A missing field is drawn at random or computed from the others. */
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
  lineas: z.array(lineSchema).optional(),
});

export type OrderOverrides = z.infer<typeof overridesSchema>;

/** Returns the same order for the same seed, with the given parts. Throws MockRefusal 400 if they are invalid. */
export function makeOrder(seed: OrderSeed, given?: OrderOverrides): MockOrder {
  const drawn = drawOrder(seed, given?.delivery_type);
  if (!given) return drawn;

  // An extra field may nest deeper than JSON.stringify can follow, and would break every later answer.
  try {
    JSON.stringify(given);
  } catch {
    throw badInput("order: nested too deeply");
  }

  const lines = given.lineas?.map((line) => completeLine(line, seed));
  const lineas = lines ?? drawn.lineas;
  const costo_envio = given.costo_envio ?? drawn.costo_envio;
  const total = given.total ?? computeTotal(lineas, roundMoney(costo_envio));

  const created_at = given.created_at ?? drawn.created_at;
  // A given home or phone is never completed at random.
  const domicilio = given.domicilio && { ...noHome, ...given.domicilio };
  const delivery_address = (domicilio && drawn.domicilio && formatHome(domicilio)) || drawn.delivery_address;

  const merged = {
    ...drawn,
    created_at_iso: formatInstant(created_at),
    delivery_address,
    ...given,
    created_at,
    ...(domicilio && { domicilio }),
    cliente: {
      ...drawn.cliente,
      ...(given.cliente?.["telefono"] !== undefined && noPhone),
      ...given.cliente,
    },
    pago: { ...drawn.pago, monto: total, ...given.pago },
    costo_envio,
    total,
    lineas,
  };
  return parseInput(orderSchema, merged) as MockOrder;
}

export type OrderStep = Readonly<{ state: OrderState; at: number }>;

/** The orders of all branches, each branch's oldest first. They are the book's own: it changes their status in place. */
export const startBook = (firstId: number) => ({
  byBranch: new Map<string, MockOrder[]>(),
  byId: new Map<number, MockOrder>(),
  /** The course of an order by itself, each step at an age of the world. */
  scheduled: new Map<MockOrder, OrderStep[]>(),
  /** The world's age until which time moves no order. */
  nextMoveAt: Infinity,
  firstId,
  nextId: firstId,
  /** Responses that are valid until an order arrives or changes. */
  pages: new Map<string, Buffer>(),
});

type OrderBook = ReturnType<typeof startBook>;

export function findFreeId(book: OrderBook, from = book.nextId): number {
  let id = from;
  while (book.byId.has(id)) id++;
  return id;
}

export function addOrder(book: OrderBook, branch: string, given: MockOrder): MockOrder {
  const order = { ...given };
  const orders = book.byBranch.get(branch) ?? [];
  book.byBranch.set(branch, orders);

  const before = orders.findLastIndex(
    ({ created_at, order_id }) =>
      created_at < order.created_at || (created_at === order.created_at && order_id < order.order_id),
  );
  orders.splice(before + 1, 0, order);

  book.byId.set(order.order_id, order);
  book.pages.clear();
  return order;
}

export function scheduleSteps(book: OrderBook, order: MockOrder, born: number, life: OrderStep[]): void {
  const steps = life.map(({ state, at }) => ({ state, at: born + at }));
  book.scheduled.set(order, steps);
  book.nextMoveAt = Math.min(book.nextMoveAt, steps[0]?.at ?? Infinity);
}

export function moveOrders(book: OrderBook, age: number): void {
  if (age < book.nextMoveAt) return;

  book.nextMoveAt = Infinity;
  for (const [order, steps] of book.scheduled) {
    for (; steps[0] && steps[0].at <= age; steps.shift()) {
      order.status = steps[0].state;
      book.pages.clear();
    }
    if (steps[0]) book.nextMoveAt = Math.min(book.nextMoveAt, steps[0].at);
    else book.scheduled.delete(order);
  }
}

export function setStatus(book: OrderBook, orderId: number, status: OrderState): void {
  const order = book.byId.get(orderId);
  if (!order) return;

  book.scheduled.delete(order);
  order.status = status;
  book.pages.clear();
}
