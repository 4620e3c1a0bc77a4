import type { Linea, Order } from "../contract/order.ts";
import type { Product } from "./catalog.ts";
import {
  manualOptions,
  manualProducts,
  people,
  references,
  streets,
  unsplitAddresses,
} from "./order-words.ts";
import { type Draw, draw } from "./random.ts";
import { formatInstant } from "./time.ts";

/** An order of the mock: its ids are plain numbers. */
export type MockOrder = Order & { order_id: number };

/** What an order depends on, and nothing else does it depend on. */
export interface OrderSeed {
  readonly seed: number;
  readonly branch: string;
  readonly orderId: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** What may be ordered at that instant. */
  readonly products: readonly Product[];
  /** Drawn when absent. */
  readonly deliveryType?: "pick_up" | "delivery";
}

/** An amount with at most two decimals. */
export function money(amount: number): number {
  return Math.round(amount * 100) / 100;
}

/** The unit price and its options times the quantity. */
export function subtotalOf(line: Pick<Linea, "cantidad" | "precio_unitario" | "opciones">): number {
  const options = line.opciones ?? [];
  return money(
    options.reduce((sum, option) => sum + option.precio_adicional, line.precio_unitario) * line.cantidad,
  );
}

/** The sum of the lines, and shipping. */
export function totalOf(lines: readonly Linea[], shipping: number): number {
  return money(lines.reduce((sum, line) => sum + Math.round(line.subtotal * 100), 0) / 100 + shipping);
}

function makeOptions(from: Draw, products: readonly Product[]): NonNullable<Linea["opciones"]> {
  if (!from.chance(0.35)) return [];
  const extra = products.length > 0 && from.chance(0.4) ? from.pick(products) : undefined;
  if (extra) {
    return [{ codigo: extra.codigo, nombre: `Con ${extra.nombre}`, precio_adicional: money(extra.precio) }];
  }
  const [nombre, price] = from.pick(manualOptions);
  return [{ codigo: null, nombre, precio_adicional: price }];
}

function makeLine(from: Draw, products: readonly Product[]): Linea {
  const product = products.length === 0 || from.chance(0.12) ? undefined : from.pick(products);
  const [manualName, manualPrice] = from.pick(manualProducts);
  const line = {
    codigo: product?.codigo ?? null,
    nombre: product?.nombre ?? manualName,
    cantidad: from.chance(0.6) ? 1 : from.int(2, 6),
    precio_unitario: money(product?.precio ?? manualPrice),
    opciones: makeOptions(from, products),
  };
  const { opciones, ...rest } = line;
  return { ...rest, subtotal: subtotalOf(line), opciones };
}

function makeAddress(from: Draw): Pick<Order, "delivery_address" | "domicilio"> {
  if (from.chance(0.2)) {
    const nothing = { calle: null, numero: null, piso_depto: null, localidad: null, referencia: null };
    return { delivery_address: from.pick(unsplitAddresses), domicilio: nothing };
  }
  const [calle, localidad] = from.pick(streets);
  const numero = String(from.int(12, 6999));
  const piso_depto = from.chance(0.5) ? `${from.int(1, 14)} ${from.pick(["A", "B", "C", "D"])}` : null;
  const referencia = from.chance(0.3) ? from.pick(references) : null;
  const line = [`${calle} ${numero}`, piso_depto, localidad].filter((part) => part !== null).join(", ");
  return { delivery_address: line, domicilio: { calle, numero, piso_depto, localidad, referencia } };
}

function makeCustomer(from: Draw): Order["cliente"] {
  const local = String(from.int(20_000_000, 69_999_999));
  return {
    nombre: from.chance(0.15) ? null : from.pick(people),
    telefono: `+54911${local}`,
    telefono_pais: "54",
    telefono_area: "11",
    telefono_numero: local,
  };
}

/** A pendiente order (`spec.md` 2.1): the same for the same seed, with the codes and prices of that instant. */
export function makeOrder(given: OrderSeed): MockOrder {
  const from = draw(given.seed, "order", given.branch, given.orderId);
  const delivery = (given.deliveryType ?? (from.chance(0.65) ? "delivery" : "pick_up")) === "delivery";
  const lineas = Array.from({ length: from.int(1, 4) }, () => makeLine(from, given.products));
  const shipping = delivery ? from.pick([0, 700, 950.5, 1200]) : 0;
  const total = totalOf(lineas, shipping);
  const online = from.chance(0.15);
  return {
    order_id: given.orderId,
    created_at: given.createdAt,
    created_at_iso: formatInstant(given.createdAt),
    status: "pendiente",
    delivery_type: delivery ? "delivery" : "pick_up",
    ...(delivery ? makeAddress(from) : { delivery_address: null }),
    cliente: makeCustomer(from),
    pago: { modo: online ? "online" : "en_entrega", pagado: online, monto: total },
    costo_envio: shipping,
    total,
    lineas,
  };
}
