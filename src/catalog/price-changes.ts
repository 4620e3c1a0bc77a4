import type { PriceChange } from "../errors/problems.ts";
import type { ProductChange } from "../journal/records/catalog.ts";

/** Returns two amounts as whole numbers of one unit, however small: in binary 0.45 is more than half as much again as 0.3. */
function inOneUnit(before: number, after: number): [before: bigint, after: bigint] {
  const parts = [before, after].map((amount) => {
    const [digits = "", exponent = "0"] = String(amount).split("e");
    const [whole = "", fraction = ""] = digits.split(".");
    return { digits: BigInt(whole + fraction), power: Number(exponent) - fraction.length };
  });
  const unit = Math.min(...parts.map(({ power }) => power));
  const [from = 0n, to = 0n] = parts.map(({ digits, power }) => digits * 10n ** BigInt(power - unit));
  return [from, to];
}

/** Returns by how many per cent a price changes, rounded away from `limit` to a tenth; null from 0 on, undefined up to `limit`. */
export function changeBeyond(limit: number, before: number, after: number): number | null | undefined {
  const [from, to] = inOneUnit(before, after);
  const difference = to > from ? to - from : from - to;
  if (difference * 100n <= from * BigInt(limit)) return undefined;
  if (from === 0n) return null;
  const tenths = Number((difference * 1000n + from - 1n) / from) / 10;
  return to > from ? tenths : -tenths;
}

/** Returns how many times a price rises or falls: to a thousandth is worse than to ten times as much. 0 where it was 0, so none yet. */
export function priceFactor({
  old_price: before,
  new_price: after,
}: Pick<PriceChange, "old_price" | "new_price">): number {
  return before === 0 ? 0 : Math.max(before, after) / Math.min(before, after);
}

/** Returns the change of a price in per cent; null from 0 on, undefined where it is not known. */
export function priceShare({ fields: { precio } }: Pick<ProductChange, "fields">): number | null | undefined {
  if (typeof precio?.from !== "number" || typeof precio.to !== "number") return undefined;
  return changeBeyond(0, precio.from, precio.to);
}

/** Returns how much a price changes, for sorting: 0 where it does not, or nobody knows. */
export function changeSize({ fields: { precio } }: Pick<ProductChange, "fields">): number {
  if (typeof precio?.from !== "number" || typeof precio.to !== "number") return 0;
  return precio.from === 0 ? Number.MIN_VALUE : priceFactor({ old_price: precio.from, new_price: precio.to });
}
