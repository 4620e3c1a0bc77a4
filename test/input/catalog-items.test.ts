import fc from "fast-check";
import { expect, it } from "vitest";
import { CatalogItems } from "../../src/input/catalog-items.ts";

const noCells = (): readonly string[] => [];

it("joins products with gaps, those that were filled late too, and finds codes that stand twice", () => {
  const odd = fc.constantFrom('"', "\\", "\n", "\u0000", "\ud800", "\u2028", "é", "🍞");
  const code = fc.oneof(fc.string(), fc.string({ unit: odd }), fc.constantFrom("a", "b"));
  fc.assert(
    fc.property(
      fc.array(code, { minLength: 1, maxLength: 30 }),
      fc.infiniteStream(fc.nat()),
      (codes, random) => {
        const items = new CatalogItems(noCells);
        const late: number[] = [];
        for (const [row, codigo] of codes.entries()) {
          expect(items.add(row + 1, 0, 0)).toBe(row);
          if (random.next().value % 3 === 0) late.push(row);
          else items.fill(row, { codigo });
        }
        for (const row of late) items.fill(row, { codigo: codes[row]! });
        const dropped = codes.map((_, row) => row).filter(() => random.next().value % 4 === 0);
        for (const row of dropped) items.drop(row);
        expect([...items.settle()]).toEqual([]);
        const sent = codes.flatMap((codigo, row) => (dropped.includes(row) ? [] : [{ codigo }]));
        const text = items.json(0, items.length).toString();
        expect(text).toBe(JSON.stringify(sent).slice(1, -1));
        const twice = codes.filter(
          (each, row) => codes.indexOf(each) === row && codes.lastIndexOf(each) > row,
        );
        const rowsOf = (each: string) => codes.flatMap((other, row) => (other === each ? [row] : []));
        expect(new Set([...items.groups()].map(String))).toEqual(
          new Set(twice.map((each) => String(rowsOf(each)))),
        );
      },
    ),
  );
});

it("keeps a product that is larger than its blocks, and those around it", () => {
  const items = new CatalogItems(noCells);
  const codes = ["a", "b".repeat(9 << 20), "c"];
  for (const codigo of codes) items.fill(items.add(1, 0, 0), { codigo });
  expect(codes.map((code, row) => items.itemAt(row).codigo === code)).toEqual([true, true, true]);
});
