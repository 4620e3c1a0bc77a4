import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainAmount } from "../../src/input/numbers.ts";
import { rejectedSheet } from "../../src/input/rejected-sheet.ts";
import { catalog, rowsOf } from "./support.ts";

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
  expect(cells(reading.rejected[0]!.cells)).toEqual(["", "1.250,00"]);
});
