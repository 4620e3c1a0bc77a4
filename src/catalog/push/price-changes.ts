import type { PriceChange, PricesToZero } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import type { Catalog } from "../../journal/catalog.ts";
import { itemsFrom, type PushItems } from "./plan.ts";

const lookUp = 1_000;
const maxNamed = 10;
const maxNamedZeros = 5;

/** Two amounts as whole numbers of one unit, however small: in binary 0.45 is more than half as much again as 0.3. */
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

/** By how many per cent a price would change, where that is more than `limit`; rounded away from it to a tenth. */
export function changeBeyond(limit: number, before: number, after: number): number | null | undefined {
  const [from, to] = inOneUnit(before, after);
  const difference = to > from ? to - from : from - to;
  if (difference * 100n <= from * BigInt(limit)) return undefined;
  if (from === 0n) return null;
  const tenths = Number((difference * 1000n + from - 1n) / from) / 10;
  return to > from ? tenths : -tenths;
}

/** How many times as much, or as little: a thousandth of a price is worse than ten times as much. A price that was 0 was none yet. */
function priceFactor({ old_price: before, new_price: after }: PriceChange): number {
  return before === 0 ? 0 : Math.max(before, after) / Math.min(before, after);
}

/** Compares the prices with those last confirmed to this machine; returns how many codes have none there. Throws `price_change_too_large`. */
export async function checkPriceChanges(
  catalog: Catalog,
  branch: string,
  items: Pick<PushItems, "length" | "item">,
  limit: number,
): Promise<number> {
  const beyond: PriceChange[] = [];
  let unknown = 0;
  for (let from = 0; from < items.length; from += lookUp) {
    const batch = itemsFrom(items, from, lookUp);
    const codes = batch.map(({ codigo }) => codigo);
    const known = await catalog.get(branch, codes);

    for (const { codigo, nombre, precio } of batch) {
      const { item } = known.get(codigo) ?? {};
      if (precio === undefined) continue;
      if (item?.precio === undefined) {
        unknown += 1;
        continue;
      }

      const change = changeBeyond(limit, item.precio, precio);
      if (change === undefined) continue;
      beyond.push({
        codigo,
        nombre: nombre ?? item.nombre ?? null,
        old_price: item.precio,
        new_price: precio,
        change_percent: change,
      });
    }
  }

  if (beyond.length === 0) return unknown;
  const worst = beyond.toSorted((a, b) => priceFactor(b) - priceFactor(a)).slice(0, maxNamed);
  throw new BposError("price_change_too_large", { limit: `${limit}%`, count: beyond.length, prices: worst });
}

/** Of the products whose price is 0, those that were last confirmed to this machine with a price above it. */
export async function pricesToZero(
  catalog: Catalog,
  branch: string,
  free: Pick<PushItems, "length" | "item">,
): Promise<PricesToZero> {
  const found: PricesToZero = { count: 0, first: [] };
  for (let from = 0; from < free.length; from += lookUp) {
    const batch = itemsFrom(free, from, lookUp);
    const codes = batch.map(({ codigo }) => codigo);
    const known = await catalog.get(branch, codes);

    for (const { codigo, nombre } of batch) {
      const { precio: old_price = 0, nombre: before = null } = known.get(codigo)?.item ?? {};
      if (old_price <= 0) continue;

      found.count += 1;
      if (found.first.length < maxNamedZeros)
        found.first.push({ codigo, nombre: nombre ?? before, old_price });
    }
  }
  return found;
}
