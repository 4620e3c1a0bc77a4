/** Epoch milliseconds as ISO 8601 with this machine's offset. */
export function isoWithOffset(instant: number): string {
  const offset = -new Date(instant).getTimezoneOffset();
  const shifted = new Date(instant + offset * 60_000).toISOString().slice(0, -1);
  const pad = (value: number): string => String(Math.floor(Math.abs(value))).padStart(2, "0");
  return `${shifted}${offset < 0 ? "-" : "+"}${pad(offset / 60)}:${pad(Math.abs(offset) % 60)}`;
}

/** A pause that doubles with each failure in a row, from `firstMs` at the first one up to `maxMs`. */
export const backoffMs = (failures: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number =>
  Math.min(maxMs, firstMs * 2 ** Math.max(0, failures - 1));
