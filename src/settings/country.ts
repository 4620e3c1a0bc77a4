interface Money {
  currency: string;
  locale: string;
}

const argentina: Money = { currency: "ARS", locale: "es-AR" };
/** Where Intl names a language in which no shop writes its prices. */
const languages: Readonly<Record<string, string>> = { PY: "es" };

/** The currency of a country, and how numbers are written there; Argentina's where the country is unknown. */
export async function findMoney(country = "AR"): Promise<Money> {
  const code = country.trim().toUpperCase();
  if (code === "AR") return argentina;
  const { default: currencies } = await import("country-to-currency");
  const currency = (currencies as Readonly<Record<string, string>>)[code];
  if (currency === undefined) return argentina;
  const language = languages[code] ?? new Intl.Locale(`und-${code}`).maximize().language;
  return { currency, locale: `${language}-${code}` };
}
