/** A pause that doubles with each failure in a row, from `firstMs` at the first one up to `maxMs`. */
export const backoffMs = (failures: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number =>
  Math.min(maxMs, firstMs * 2 ** Math.max(0, failures - 1));
