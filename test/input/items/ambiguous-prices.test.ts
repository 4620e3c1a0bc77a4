import { describe, expect, test } from "vitest";
import type { CatalogOptions } from "../../../src/input/catalog.ts";
import { catalog, items, reasons, refusal } from "../support.ts";

const csv = (cells: readonly string[]): string =>
  `codigo\tprecio\n${cells.map((cell, n) => `${n}\t${cell}\n`).join("")}`;

const doubted = (line: number, text: string, decimal: string, [one, thousand]: readonly [string, string]) =>
  `${line}: precio "${text}" can mean ${one} or ${thousand}: correct the cell, or use --decimal ${decimal} if it is ${one}`;

const noPrice = (line: number, text: string) =>
  `${line}: precio "${text}" is not a price: write an amount of 0 or more in at most 15 digits, or leave the cell empty`;

async function read(cells: readonly string[], options: CatalogOptions = {}) {
  const sent = (await items(csv(cells), options)).map(({ precio }) => precio);
  return { sent, rejected: await reasons(csv(cells), options) };
}

describe("a column that no cell decides is refused with both readings", () => {
  const ambiguous = ["800", "1.250", "2.300"];

  test.each([
    [ambiguous, "1.250", "1250 or 1.25"],
    [["1,600"], "1,600", "1.6 or 1600"],
    [["$ 12,345", "", "7"], "$ 12,345", "12.345 or 12345"],
    [["999.999 €", "0"], "999.999 €", "999999 or 999.999"],
    [["consultar", "-2.000", "1.250"], "1.250", "1250 or 1.25"],
  ])("%j", async (cells, cell, readings) => {
    const line = 2 + cells.indexOf(cell);
    const said = await refusal(catalog(csv(cells)));
    expect(said).toContain(`line ${line}: "${cell}" in precio can mean ${readings}, and no other row`);
    expect(said).toContain("Use --decimal , to read it as");
  });

  test("--decimal settles it, and rejects what does not fit", async () => {
    expect((await read(ambiguous, { decimal: "," })).sent).toEqual([800, 1250, 2300]);
    expect((await read(ambiguous, { decimal: "." })).sent).toEqual([800, 1.25, 2.3]);
    expect((await read(["12,5"], { decimal: "." })).rejected).toEqual([noPrice(2, "12,5")]);
  });

  test("the sum below a list is none of its prices", async () => {
    expect(await reasons("codigo;nombre;precio\n1;Agua;800\n2;Pan;450\n;TOTAL;1.250\n")).toEqual([
      "4: a TOTAL row is not a product: delete it, or give the product its own code",
    ]);
  });
});

describe("where other cells decide", () => {
  test.each([
    // They prove that its sign separates thousands: it passes.
    [["2.300", "1.450,50"], [2300, 1450.5], []],
    [["1,600", "99.90"], [1600, 99.9], []],
    [["1.600", "0,5"], [1600, 0.5], []],
    [["1,600", "1,234,567"], [1600, 1_234_567], []],
    [["1.600", "1.450.000"], [1600, 1_450_000], []],
    // They prove that its sign is the decimal sign: that row is rejected.
    [["1,600", "1.450,50"], [1450.5], [doubted(2, "1,600", ",", ["1.6", "1600"])]],
    [["99.90", "2.007"], [99.9], [doubted(3, "2.007", ".", ["2.007", "2007"])]],
    [["7,5", "12,600 $"], [7.5], [doubted(3, "12,600 $", ",", ["12.6", "12600"])]],
    [["0,600", "999,125"], [0.6], [doubted(3, "999,125", ",", ["999.125", "999125"])]],
    [["1.450.000", "1,600"], [1_450_000], [doubted(3, "1,600", ",", ["1.6", "1600"])]],
    // Written so, it is no thousands: a zero in front, four digits before the sign, or not three behind it.
    [["0,600", "1450,500", "012,600", "1,6000", "12,60"], [0.6, 1450.5, 12.6, 1.6, 12.6], []],
    [["1250", "", "0"], [1250, undefined, 0], []],
    // Text that is no price with either sign is in no doubt.
    [["800", "-1.250"], [800], [noPrice(3, "-1.250")]],
  ] as const)("%j", async (cells, sent, rejected) => {
    expect(await read(cells)).toEqual({ sent, rejected });
    // In whatever order they stand.
    const turned = await read(cells.toReversed());
    expect(turned.sent.toReversed()).toEqual(sent);
    expect(turned.rejected).toHaveLength(rejected.length);
  });

  test.each([0, 500, 1000])("one odd 99.90 on row %d does not decide for a thousand 2.007", async (place) => {
    const cells = Array.from({ length: 1000 }, () => "2.007").toSpliced(place, 0, "99.90");
    const { sent, rejected } = await read(cells);
    expect(sent).toEqual([99.9]);
    expect(rejected).toHaveLength(1000);
    expect(rejected[0]).toBe(doubted(place === 0 ? 3 : 2, "2.007", ".", ["2.007", "2007"]));
  });

  test("--decimal settles it", async () => {
    expect(await read(["1,600", "1.450,50"], { decimal: "," })).toEqual({
      sent: [1.6, 1450.5],
      rejected: [],
    });
    expect(await read(["1,600", "99.90"], { decimal: "." })).toEqual({ sent: [1600, 99.9], rejected: [] });
  });
});

describe("in JSON", () => {
  test("a number is never in doubt and decides nothing, a text is as a cell", async () => {
    const text =
      '[{"codigo":"A","precio":1.600},{"codigo":"B","precio":"1.600"},{"codigo":"C","precio":"9.5"}]';
    expect((await items(text)).map(({ precio }) => precio)).toEqual([1.6, 9.5]);
    expect(await reasons(text)).toEqual([doubted(1, "1.600", ".", ["1.6", "1600"])]);
    expect(await items('[{"codigo":"A","precio":1.600}]')).toEqual([{ codigo: "A", precio: 1.6 }]);
    const alone = '[{"codigo":"A","precio":9.5},{"codigo":"B","precio":"1.600"}]';
    expect(await refusal(catalog(alone))).toContain('"1.600" in precio can mean 1600 or 1.6');
  });
});
