import { isLosslessNumber } from "lossless-json";

/**
 * The created_at of an order in the one spelling that tells it from another order under its number, however the service writes
 * it; null where it says nothing.
 */
export function createdAtText(order: unknown): string | null {
  const made = (order as { created_at?: unknown } | null | undefined)?.created_at;
  if (typeof made === "string" && /^\d{4}-\d\d-\d\dT/.test(made)) {
    const instant = Date.parse(made);
    return Number.isNaN(instant) ? made : String(instant);
  }
  const isKnown = ["string", "number", "bigint"].includes(typeof made) || isLosslessNumber(made);
  const text = isKnown ? String(made).trim() : "";
  const number = Number(text);
  // Digits that no double holds stay as they are.
  return text === "" ? null : Number.isSafeInteger(number) ? String(number) : text;
}

/** The key of the nth order under a number, the first being 1: no order_id that is used as a key holds a blank. */
export const orderKey = (orderId: string, nth: number): string =>
  nth === 1 ? orderId : `${orderId} (${nth})`;

/** Which order under its number a key stands for. */
export const nthOf = (key: string): number => Number(/ \((\d+)\)$/.exec(key)?.[1] ?? 1);
