import type { Order } from "../contract/order.ts";
import { answerText } from "./answer-text.ts";
import { numberOf } from "./loose-values.ts";

/**
 * The order_id as text if an order can be remembered and named by it: an integer, or a short text of plain letters,
 * digits, `_` and `-`; undefined otherwise.
 */
export function usableOrderId(order: Order): string | undefined {
  // A service may list what is no object, null too.
  const id: unknown = (order as Order | null)?.order_id;
  const isKey = Number.isSafeInteger(id) || typeof id === "bigint" || typeof id === "string";
  // It becomes the name of a file, and 64 characters fit everywhere.
  return isKey && /^[A-Za-z0-9_-]{1,64}$/.test(String(id)) ? String(id) : undefined;
}

/** When an order was made, whole epoch milliseconds of the service's clock; undefined when it does not say. */
export function madeAt({ created_at: made }: Order): number | undefined {
  const instant = numberOf(made);
  return instant === undefined || instant < 0 ? undefined : Math.floor(instant);
}

type Fields = { [name: string]: Fields | true };

/** What a service does not change of an order once it is made. */
const lasting: Fields = {
  created_at: true,
  created_at_iso: true,
  cliente: { nombre: true, telefono: true },
  lineas: { codigo: true, nombre: true, cantidad: true, opciones: { codigo: true, nombre: true } },
  total: true,
};

/** What of a value is named by these fields; undefined where it has none of them. */
function pick(value: unknown, fields: Fields | true): unknown {
  if (fields === true || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => pick(each, fields));
  const own = Object.entries(fields).filter(([name]) => Object.hasOwn(value, name));
  const kept = own.map(([name, inner]) => [name, pick((value as Record<string, unknown>)[name], inner)]);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/**
 * A text that is the same each time an order is listed, for one that no usable order_id identifies: its lasting fields. Without
 * any of them its order_id and the names of its fields; all of it when it is no object.
 */
export function lastingIdentity(order: unknown): string {
  const isObject = typeof order === "object" && order !== null && !Array.isArray(order);
  if (!isObject) return answerText([order]);
  const { order_id: id } = order as { order_id?: unknown };
  return answerText([pick(order, lasting) ?? [id, Object.keys(order).sort()]]);
}
