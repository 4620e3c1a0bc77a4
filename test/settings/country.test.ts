import { expect, it } from "vitest";
import { byteSize, decimalSign, money, oneDecimal } from "../../src/cli/display/format.ts";
import { rowProblemWords } from "../../src/errors/words/rows.ts";
import { countryCode, readPhone } from "../../src/input/phone.ts";
import { findCountry } from "../../src/settings/country.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { items } from "../input/support.ts";
import { fixedServer, orderOf, pageOf } from "../support/peers.ts";
import { home } from "../support/profiles.ts";

/** Returns how `orders list` shows a total of 8900 with these settings of a profile. */
async function shownWith(...flags: string[]) {
  const url = await fixedServer(() => ({ body: pageOf([{ ...orderOf(1), total: 8900 }]) }));
  const { run, stored, write } = home();
  const add = ["profile", "add", "a", "--base-url", url, "--api-key-file", "-", "--no-check", ...flags];
  const { code, stderr } = await run(add, { stdin: "bpk_demo_centro" });
  expect({ code, stderr: stderr.replace(/^Note.*\n/, "") }).toEqual({ code: 0, stderr: "" });
  const { settings } = JSON.parse((await run(["profile", "show", "--json"])).stdout) as {
    settings: { setting: string; value: unknown }[];
  };
  const value = (name: string): unknown => settings.find(({ setting }) => setting === name)?.value;
  const listed = await run(["orders", "list", "--lang", "es"]);
  return { shown: listed.stdout, currency: value("currency"), locale: value("locale"), stored, write, run };
}

/** A row a country: how its shops write an amount and dial a mobile, and how an order's total is shown. */
const countries = [
  ["AR", "ARS", "es-AR", "$ 8.900,00", "$ 1.234,50", "011 15 5555-0101", "+5491155550101", ","],
  ["MX", "MXN", "es-MX", "$8,900.00", "$1,234.50", "044 55 1234 5678", "+525512345678", "."],
  ["CO", "COP", "es-CO", "$ 8.900", "$ 1.234,50", "310 555 1234", "+573105551234", ","],
  ["CL", "CLP", "es-CL", "$8.900", "$1.234,50", "09 6123 4567", "+56961234567", ","],
  ["PE", "PEN", "es-PE", "S/ 8,900.00", "S/. 1,234.50", "912 345 678", "+51912345678", "."],
  ["UY", "UYU", "es-UY", "$ 8.900,00", "$U 1.234,50", "099 123 456", "+59899123456", ","],
  ["BR", "BRL", "pt-BR", "R$ 8.900,00", "R$ 1.234,50", "(011) 91234-5678", "+5511912345678", ","],
  ["PY", "PYG", "es-PY", "Gs. 8.900", "Gs. 1.234,50", "0981 123 456", "+595981123456", ","],
  ["US", "USD", "en-US", "$8,900.00", "$1,234.50", "(212) 555-0101", "+12125550101", "."],
] as const;

it.each(countries)("of %s are the currency, the numbers and the phones", async (country, ...row) => {
  const [currency, locale, total, cell, dialled, phone, sign] = row;
  const found = await shownWith("--country", country.toLowerCase());
  expect(found).toMatchObject({ currency, locale });
  expect(found.shown).toContain(total);
  // Settings that follow from the country are not written down, so that they follow a change of it.
  expect(found.stored().profiles["a"]).not.toHaveProperty("currency");

  const ui = { money: { locale, currency } };
  expect(decimalSign(ui) ?? ",").toBe(sign);
  expect(money(8900, ui)).toBe(total);
  expect(await items(`codigo,precio\nA,"${cell}"\n`)).toEqual([{ codigo: "A", precio: 1234.5 }]);
  const read = readPhone(dialled, { column: "telefono", country: countryCode(country) });
  expect(read).toMatchObject({ ok: true, person: phone });
});

it.each([
  [
    "AR",
    "15 6123-4567",
    "11",
    "as in 011 15 6123-4567 if it is a mobile of your area, else 0AREA 15 … or +54 9 AREA …",
  ],
  ["AR", "15 6123-4567", "351", "as in 0AREA 15 … or +54 9 AREA …"],
  ["MX", "1234 5678", "55", "as in 55 1234-5678 if it is a mobile of your area, else AREA … or +52 AREA …"],
  [
    "BR",
    "91234-5678",
    "11",
    "as in (11) 91234-5678 if it is a mobile of your area, else (AREA) 9… or +55 AREA 9…",
  ],
  ["BR", "91234-5678", undefined, "as in (AREA) 9… or +55 AREA 9…"],
])(
  "a mobile of %s without its area code is told how it is dialled there: %s",
  (country, text, area, said) => {
    const read = readPhone(text, { column: "telefono", country: countryCode(country), area });
    expect(read.ok ? "" : rowProblemWords(read.problem, textsIn("en").t)).toBe(
      `"${text}" has no area code: write it before the number, ${said}`,
    );
  },
);

it("the sign of decimals is the country's, and that of the language where none is named", () => {
  const seen = (locale: string) => {
    const money = { locale, currency: "XXX" };
    return [textsIn("en"), textsIn("es")].map((texts) => [
      byteSize(1_400_000, { money, texts }),
      oneDecimal(1.5, { money, texts }),
    ]);
  };
  const [comma, point] = [
    ["1,4 MB", "1,5"],
    ["1.4 MB", "1.5"],
  ];
  expect(seen("es-MX")).toEqual([point, point]);
  expect(seen("pt-BR")).toEqual([comma, comma]);
  expect(seen("es-AR")).toEqual([point, comma]);
});

it.each([
  ["es_MX.UTF-8", "MX"],
  ["pt_BR", "BR"],
  ["es_419", undefined],
  ["en_US.UTF-8", undefined],
  ["C", undefined],
])("the country of the locale %s is %s", (locale, country) => expect(findCountry(locale)).toBe(country));

it("what the profile says itself goes before, and without a country they are Argentina's", async () => {
  expect(await shownWith()).toMatchObject({ currency: "ARS", locale: "es-AR" });
  const { currency, locale, shown, stored, write, run } = await shownWith(
    "--country",
    "MX",
    "--currency",
    "usd",
  );
  expect({ currency, locale }).toEqual({ currency: "USD", locale: "es-MX" });
  expect(shown).toContain("USD 8,900.00");
  const content = stored();
  Object.assign(content.profiles["a"]!, { locale: "de-DE" });
  write(content);
  expect((await run(["orders", "list"])).stdout).toContain("8.900,00 $");
});
