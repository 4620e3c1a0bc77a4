interface Money {
  currency: string;
  locale: string;
}

const argentina: Money = { currency: "ARS", locale: "es-AR" };
/** Countries for which Intl names a language in which no shop writes its prices. */
const languages: Readonly<Record<string, string>> = { PY: "es" };

/** The country of a Spanish or Portuguese locale such as `es_MX.UTF-8`; of no other, since many a machine is English everywhere. */
export const findCountry = (locale: string): string | undefined =>
  /^(?:es|pt)_([A-Z]{2})(?![A-Z])/.exec(locale)?.[1];

/** The language of most people of a country, by its code in capital letters. */
export const findLanguage = (code: string): string =>
  languages[code] ?? new Intl.Locale(`und-${code}`).maximize().language;

/** The currency of a country, and how numbers are written there; Argentina's where the country is unknown. */
export async function findMoney(country = "AR"): Promise<Money> {
  const code = country.trim().toUpperCase();
  if (code === "AR") return argentina;
  const { default: currencies } = await import("country-to-currency");
  const currency = (currencies as Readonly<Record<string, string>>)[code];
  if (currency === undefined) return argentina;
  return { currency, locale: `${findLanguage(code)}-${code}` };
}
