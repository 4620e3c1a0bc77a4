import { expect, it } from "vitest";
import { fixedServer, orderOf, pageOf } from "../support/peers.ts";
import { home } from "../support/profiles.ts";

/** What `orders list` shows of a total of 8900 with these settings of a profile. */
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

it.each([
  ["MX", "MXN", "es-MX", "$8,900.00"],
  ["mx", "MXN", "es-MX", "$8,900.00"],
  ["BR", "BRL", "pt-BR", "R$ 8.900,00"],
  ["CL", "CLP", "es-CL", "$8.900"],
  ["PY", "PYG", "es-PY", "Gs. 8.900"],
  ["US", "USD", "en-US", "$8,900.00"],
  ["AR", "ARS", "es-AR", "$ 8.900,00"],
])("currency and numbers are those of the country: %s", async (country, currency, locale, total) => {
  const found = await shownWith("--country", country);
  expect(found).toMatchObject({ currency, locale });
  expect(found.shown).toContain(total);
  // What follows from the country is not written down, so that it follows a change of it.
  expect(found.stored().profiles["a"]).not.toHaveProperty("currency");
});

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
