import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rejectedCsv, rejectedSheet } from "../../../src/cli/files/rejected-rows.ts";
import type { CatalogReading } from "../../../src/input/catalog.ts";
import { decimalHint, plainAmount } from "../../../src/input/items/numbers.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { sized } from "../../support/soak.ts";
import { catalog, rowsOf } from "../support.ts";

describe("an amount of a rejected row", () => {
  it.each([
    ["1.250", ",", "1.250,00"],
    ["1,250", ",", "1,2500"],
    ["1,250", ".", "1,250.00"],
    ["1.250", ".", "1.2500"],
    ["$ 1.250", ",", "$ 1.250,00"],
    ["1.250 $", ",", "1.250,00 $"],
    ["1.250,50", ",", "1.250,50"],
    ["1250", ",", "1250"],
    ["consultar", ",", "consultar"],
    ["", ",", ""],
  ] as const)("%j with %j is written %j", (text, decimal, written) => {
    expect(plainAmount(text, decimal)).toBe(written);
  });

  it("means the same when it stands alone in its file", async () => {
    const whole = fc.integer({ min: 1, max: 999 });
    const group = fc.integer({ min: 0, max: 999 }).map((n) => String(n).padStart(3, "0"));
    await fc.assert(
      fc.asyncProperty(
        whole,
        group,
        fc.constantFrom(".", ","),
        fc.constantFrom(".", ","),
        async (a, b, between, sign) => {
          const text = `${a}${between}${b}`;
          const file = (cell: string, own = ""): string => `codigo\tprecio\n1\t${cell}\n${own}`;
          const [known] = rowsOf(await catalog(file(text), { decimal: sign }));
          const alone = await catalog(file(plainAmount(text, sign)));
          expect(rowsOf(alone)[0]?.item).toEqual(known?.item);
        },
      ),
    );
  });
});

it("a sheet keeps the delimiter of its file, and no amount of it can be read in two ways", async () => {
  const reading = await catalog("codigo;precio\n;1.250\n2;9,50\n");
  const { delimiter, cells } = rejectedSheet(reading);
  expect(delimiter).toBe(";");
  expect(cells(reading.rejected[0]!)).toEqual(["", "1.250,00"]);
});

/** The rejected file of a reading of which the service accepted nothing. */
function rejectedFile(reading: CatalogReading): string {
  const rejected = rowsOf(reading).map(({ item, line, cells }) => {
    return { source: "service", codigo: item.codigo, line, error: "no; not, this|one\t", cells } as const;
  });
  const sheet = rejectedSheet(reading);
  return [sheet.marked ? "\ufeff" : "", ...rejectedCsv(rejected, sheet, textsIn("en"))].join("");
}

describe("a rejected file that is pushed as it is", () => {
  const cell = fc
    .array(fc.constantFrom("=", "+", "-", "@", "'", '"', ";", ",", "\t", "|", "00", "ñ", "a", " "), {
      maxLength: 6,
    })
    .map((parts) => parts.join("").trim());
  // One that begins as a formula, or with the mark of a text, is rejected for itself.
  const code = cell.filter((each) => each !== "" && !/^[=']/.test(each));
  const fraction = fc.stringMatching(/^\d{0,4}$/);
  const row = fc.tuple(code, cell, fc.nat(99_999).map(String), fraction);
  const rows = fc.uniqueArray(row, { selector: ([codigo]) => codigo, minLength: 1, maxLength: 6 });
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

  it.each([
    [",", "."],
    [";", ","],
    ["\t", ","],
    ["|", "."],
    [",", ","],
  ] as const)(
    "gives the same products back, with %j between cells and %j before decimals",
    async (delimiter, decimal) => {
      await fc.assert(
        fc.asyncProperty(rows, async (given) => {
          const lines = given.map(([codigo, nombre, whole, rest]) =>
            [codigo, nombre, rest === "" ? whole : whole + decimal + rest].map(quoted).join(delimiter),
          );
          const text = [["codigo", "nombre", "precio"].join(delimiter), ...lines].join("\n");
          const reading = await catalog(text, { decimal, delimiter });
          const copy = rejectedFile(reading);
          expect(copy.startsWith(["codigo", "nombre", "precio", "error\r\n"].join(delimiter))).toBe(true);
          // The decimal sign is not known where no amount has decimals, and not needed either.
          const again = await catalog(copy);
          expect(rowsOf(again).map(({ item }) => item)).toEqual(rowsOf(reading).map(({ item }) => item));
          expect(again.rejected).toEqual([]);
        }),
        { numRuns: sized(8, 100) },
      );
    },
  );

  it("gives the same products back though a JSON file mixes numbers and texts with a decimal comma", async () => {
    const price = fc.oneof(
      fc.tuple(fc.nat(2000), fc.stringMatching(/^\d{1,4}$/)).map(([a, b]) => Number(`${a}.${b}`)),
      fc
        .tuple(fc.nat(2000), fc.stringMatching(/^\d{1,4}$/))
        .map(([a, b]) => `${a},${b}`)
        .filter((text) => decimalHint(text) !== "ambiguous"),
      fc.constantFrom("1.250", "$ 12.500"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(price, { minLength: 1, maxLength: 6 }), async (prices) => {
        const products = [...prices, "0,5"].map((precio, n) => ({ codigo: `c${n}`, precio }));
        const reading = await catalog(JSON.stringify(products));
        const again = await catalog(rejectedFile(reading));
        expect(rowsOf(again).map(({ item }) => item)).toEqual(rowsOf(reading).map(({ item }) => item));
        expect(again.items.length).toBe(products.length);
      }),
      { numRuns: sized(20, 200) },
    );
  });
});
