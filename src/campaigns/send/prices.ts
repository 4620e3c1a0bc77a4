import { findCountries } from "../../input/phone.ts";
import type { RateCard } from "../../settings/rates.ts";

/** What messages cost; every amount is a decimal text. */
export interface Cost {
  currency: string;
  /** Without those of `unpriced`, the recipients in countries that have no price. */
  total: string;
  unpriced: number;
  countries: { country: string | null; recipients: number; price: string | null; cost: string | null }[];
}

/** What a send is checked and reported with. */
export interface Pricing {
  rates: RateCard | undefined;
  maxCost: string | undefined;
}

export const decimals = (text: string): number => text.split(".")[1]?.length ?? 0;

/** A decimal text as a whole number of the smallest units. */
export function toUnits(text: string, scale: number): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(scale, "0"));
}

/** A whole number of the smallest units as a decimal text. */
function toDecimal(units: bigint, scale: number): string {
  const digits = String(units).padStart(scale + 1, "0");
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, "");
  const whole = digits.slice(0, digits.length - scale);
  return scale === 0 || fraction === "" ? whole : `${whole}.${fraction}`;
}

/** The country of a phone; null where nothing tells which of several, or it has none. */
export function phoneCountry(phone: string): string | null {
  const [country, ...others] = findCountries(phone);
  return others.length > 0 ? null : (country ?? null);
}

/** Adds up, without rounding, what a message to each of these phones costs; the country with the most recipients first. */
export function computeCost(phones: Iterable<string>, { currency, prices }: RateCard): Cost {
  const scale = Math.max(...Array.from(prices.values(), decimals));
  const people = new Map<string | null, number>();
  for (const phone of phones) {
    const country = phoneCountry(phone);
    people.set(country, (people.get(country) ?? 0) + 1);
  }

  let total = 0n;
  let unpriced = 0;
  const rows = [...people].sort(([, one], [, other]) => other - one);
  const countries = rows.map(([country, recipients]) => {
    const price = prices.get(country ?? "*") ?? prices.get("*") ?? null;
    const units = price === null ? null : toUnits(price, scale) * BigInt(recipients);
    if (units === null) unpriced += recipients;
    total += units ?? 0n;
    return { country, recipients, price, cost: units === null ? null : toDecimal(units, scale) };
  });
  return { currency, total: toDecimal(total, scale), unpriced, countries };
}
