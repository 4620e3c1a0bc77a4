import { price } from "../cli/display/format.ts";
import type { Ui } from "../cli/display/ui.ts";
import type { PriceChange, PricesToZero } from "../errors/problems.ts";
import { BposError } from "../errors.ts";
import type { Catalog, ProductChange } from "../journal/records/catalog.ts";
import type { T } from "../texts/texts.ts";
import { besideKnown, type NamedChange } from "./compare.ts";
import type { ItemList } from "./item-list.ts";

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
function priceFactor({
  old_price: before,
  new_price: after,
}: Pick<PriceChange, "old_price" | "new_price">): number {
  return before === 0 ? 0 : Math.max(before, after) / Math.min(before, after);
}

/** The change of a price in per cent, for people; null from 0 on, undefined where it is not known. */
export function priceShare({ fields: { precio } }: Pick<ProductChange, "fields">): number | null | undefined {
  if (typeof precio?.from !== "number" || typeof precio.to !== "number") return undefined;
  return changeBeyond(0, precio.from, precio.to);
}

/** By how much a price changes, for sorting: 0 where it does not, or nobody knows. */
export function changeSize({ fields: { precio } }: Pick<ProductChange, "fields">): number {
  if (typeof precio?.from !== "number" || typeof precio.to !== "number") return 0;
  return precio.from === 0 ? Number.MIN_VALUE : priceFactor({ old_price: precio.from, new_price: precio.to });
}

/** Throws `price_change_too_large`. */
export function checkPriceChanges(changes: Iterable<NamedChange>, limit: number): void {
  const beyond: PriceChange[] = [];
  for (const { codigo, nombre, fields } of changes) {
    const { from, to } = fields.precio ?? {};
    if (typeof from !== "number" || typeof to !== "number") continue;
    const change = changeBeyond(limit, from, to);
    if (change === undefined) continue;
    beyond.push({ codigo, nombre, old_price: from, new_price: to, change_percent: change });
  }
  if (beyond.length === 0) return;
  const worst = beyond.toSorted((a, b) => priceFactor(b) - priceFactor(a)).slice(0, maxNamed);
  throw new BposError("price_change_too_large", { limit: `${limit}%`, count: beyond.length, prices: worst });
}

/** Of the products whose price is 0, those that were last confirmed to this machine with a price above it. */
export async function pricesToZero(
  catalog: Catalog,
  branch: string,
  free: Pick<ItemList, "length" | "item">,
): Promise<PricesToZero> {
  const found: PricesToZero = { count: 0, first: [] };
  for await (const batch of besideKnown(catalog, branch, free))
    for (const { item, known } of batch) {
      const { precio: old_price = 0, nombre: before = null } = known?.item ?? {};
      if (old_price <= 0) continue;
      found.count += 1;
      const { codigo, nombre = before } = item;
      if (found.first.length < maxNamedZeros) found.first.push({ codigo, nombre, old_price });
    }
  return found;
}

/** Says that known prices become 0. */
export function pricesToZeroText({ count, first }: PricesToZero, ui: Ui, t: T): string {
  const products = first
    .map(({ codigo, nombre, old_price: old }) => {
      const product = nombre === null ? codigo : `${codigo} (${nombre})`;
      return t("{product} from {price}", { product, price: price(old, ui) });
    })
    .reduce((list, product) => t("{list}, {product}", { list, product }));
  const more = count - first.length;
  return more > 0
    ? t(
        "Warning: {count, plural, one {# known price becomes} other {# known prices become}} 0: {products}, and {more} more.",
        { count, products, more },
      )
    : t(
        "Warning: {count, plural, one {# known price becomes} other {# known prices become}} 0: {products}.",
        { count, products },
      );
}
