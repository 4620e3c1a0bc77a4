import { BposError, type ErrorFacts } from "../errors.ts";

/** What a message costs, by country; the price under `*` is that of all others. */
export interface RateCard {
  currency: string;
  /** Decimal texts, of which no digit is rounded away. */
  prices: ReadonlyMap<string, string>;
}

const decimalText = /^\d{1,12}(?:\.\d{1,12})?$/;

/** A rate card as the profile holds it. Throws `rates_unusable`, which names the file. */
export function toRateCard(given: object, file: string): RateCard {
  const refused = (fault: ErrorFacts["rates_unusable"]["fault"], text = ""): BposError =>
    new BposError("rates_unusable", { file, fault, text });
  const prices = new Map<string, string>();
  let currency: string | undefined;
  for (const [name, value] of Object.entries(given)) {
    // A number of JSON comes as it was written.
    const text = typeof value === "object" ? "" : String(value).trim();
    const country = name.trim().toUpperCase();
    if (country === "CURRENCY") currency = text.toUpperCase();
    else if (country !== "*" && !/^[A-Z]{2}$/.test(country)) throw refused("country", name);
    else if (prices.has(country)) throw refused("country_twice", country);
    else if (decimalText.test(text)) prices.set(country, text);
    else throw refused("price", `${country}: ${text}`);
  }
  if (currency === undefined) throw refused("no_currency");
  if (!/^[A-Z]{3}$/.test(currency)) throw refused("currency", currency);
  if (prices.size === 0) throw refused("no_prices");
  return { currency, prices };
}

/** The rate card as the profile holds it. */
export const fromRateCard = ({ currency, prices }: RateCard): Record<string, string> => ({
  currency,
  ...Object.fromEntries(prices),
});
