import { price } from "../../cli/display/format.ts";
import type { Output } from "../../cli/display/output.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { PricesToZero } from "../../errors/problems.ts";
import type { Catalog } from "../../journal/records/catalog.ts";
import type { T } from "../../texts/texts.ts";
import { besideKnown } from "../compare.ts";
import type { ItemList } from "../item-list.ts";
import type { UnboundRequest } from "./request.ts";

const maxNamedZeros = 5;

/** Returns the products with price 0 that the service last confirmed to this journal with a higher price. */
async function pricesToZero(
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
function pricesToZeroText({ count, first }: PricesToZero, ui: Ui, t: T): string {
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

/** Warns of known prices that become 0, which is rarely meant; returns the requests with what was found. */
export async function warnOfZeros(
  output: Output,
  catalog: Catalog,
  branch: string,
  requests: readonly UnboundRequest[],
): Promise<UnboundRequest[]> {
  const checked: UnboundRequest[] = [];
  for (const request of requests) {
    const { prices } = request;
    if (prices === undefined) {
      checked.push(request);
      continue;
    }
    const toZero = await pricesToZero(catalog, branch, prices.free);
    if (toZero.count > 0) await output.warning(pricesToZeroText(toZero, output.ui, output.texts.t));
    checked.push({ ...request, prices: { ...prices, toZero } });
  }
  return checked;
}
