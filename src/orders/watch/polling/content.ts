import { hash } from "node:crypto";
import { toNumber } from "../../../api/json.ts";
import { type Fields, fields, list } from "../../../cli/display/values.ts";
import type { Order } from "../../../contract/order.ts";

/**
 * Returns a value in one spelling, to compare it; empty if there is none, or if its type is not that of the contract
 * (`docs/reference/service.md` 2).
 */
type Spelling = (value: unknown) => string;

/** By value: 1.0 is 1, and a difference in the 16th digit, from a calculation, is none. */
const amount: Spelling = (value) => {
  const number = toNumber(value);
  return number === undefined ? "" : String(Number(number.toPrecision(15)));
};

const text: Spelling = (value) =>
  typeof value === "object" ? "" : String((value as number | string | undefined) ?? "").trim();

/** Ignores the fields that the contract does not have: a counter or a time among them would be an edit at each poll. */
const object =
  (spellings: Readonly<Record<string, Spelling>>): Spelling =>
  (value) => {
    const parts = Object.entries(spellings).map(([name, spelling]) => spelling(fields(value)[name]));
    return parts.some((part) => part !== "") ? JSON.stringify(parts) : "";
  };

/** Ignores the sequence: it changes neither the dishes nor the price. */
const all =
  (spelling: Spelling): Spelling =>
  (value) =>
    list(value).map(spelling).sort().join();

const named = { codigo: text, nombre: text };
const opciones = all(object({ ...named, precio_adicional: amount }));

/** The fields that are compared, in the sequence in which an edit names them. */
const spellings: Readonly<Record<string, Spelling>> = {
  lineas: all(object({ ...named, cantidad: amount, precio_unitario: amount, subtotal: amount, opciones })),
  total: amount,
  delivery_type: text,
  delivery_address: text,
  domicilio: object({ calle: text, numero: text, piso_depto: text, localidad: text, referencia: text }),
  cliente: object({
    nombre: text,
    telefono: text,
    telefono_pais: text,
    telefono_area: text,
    telefono_numero: text,
  }),
  pago: object({ modo: text, pagado: text, monto: amount }),
  costo_envio: amount,
};
const names = Object.keys(spellings);

/** Leaves out the amount to collect if it is the total, as it should be: the edit is one of the total. */
function withoutCopies(order: Fields): Fields {
  const pago = fields(order["pago"]);
  return amount(pago["monto"]) === amount(order["total"])
    ? { ...order, pago: { ...pago, monto: null } }
    : order;
}

/** The letters for each field: too few to guess an address or a phone from them, and enough to miss one edit in 16 million. */
const lettersEach = 4;

/**
 * Returns a fingerprint that shows whether an order was edited: some letters of a hash for each field, salted with the order, so that
 * they reveal no content.
 */
export function toContent(given: Order): string {
  const order = withoutCopies(fields(given));
  const id = text(order["order_id"]);
  return Object.entries(spellings)
    .map(([name, spelling]) => JSON.stringify([id, name, spelling(order[name])]))
    .map((field) => hash("sha256", field, "base64url").slice(0, lettersEach))
    .join("");
}

/** Returns the names of the fields that differ; none if one of the fingerprints is from a version that compared other fields, or none. */
export function compareContent(before: string | null, now: string | null): string[] {
  if (before === null || before.length !== now?.length) return [];
  const readPart = (content: string, n: number): string =>
    content.slice(n * lettersEach, (n + 1) * lettersEach);
  return names.filter((_, n) => readPart(before, n) !== readPart(now, n));
}
