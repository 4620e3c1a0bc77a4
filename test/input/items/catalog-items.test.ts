import fc from "fast-check";
import { expect, it } from "vitest";
import { CatalogItems } from "../../../src/input/items/catalog-items.ts";

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

it("tells products that stand in a list just so from others and missing ones, in any order and with any codes", () => {
  const odd = fc.constantFrom('"', "\\", "\n", "\ud800", "é", "🍞", ",", "}");
  const code = fc.oneof(fc.string(), fc.string({ unit: odd }), fc.constantFrom("a", "b", "ab"));
  const fate = fc.constantFrom("same", "same", "same", "changed", "missing", "new", "dropped");
  const product = fc.record({ codigo: code, fate, place: fc.double({ noNaN: true }), precio: fc.nat() });
  const selector = ({ codigo }: { codigo: string }) => codigo;
  fc.assert(
    fc.property(fc.uniqueArray(product, { selector, maxLength: 40 }), fc.boolean(), (products, isSorted) => {
      const items = new CatalogItems(noCells);
      const filed = products.filter((each) => each.fate !== "missing");
      for (const { codigo, precio, fate: of } of filed) {
        const row = items.add(1, 0, 0);
        items.fill(row, { codigo, precio });
        if (of === "dropped") items.drop(row);
      }
      items.settle();
      const listed = products.filter((each) => each.fate !== "new");
      if (!isSorted) listed.sort((a, b) => a.place - b.place);
      const toItem = ({ codigo, fate: of, precio }: (typeof listed)[number]) =>
        of === "changed" ? { codigo, precio, nombre: "Ñ" } : { codigo, precio };
      const marks = new Uint8Array(items.length);
      const list = Buffer.from(listed.map((each) => JSON.stringify(toItem(each))).join(","));
      const { differing, pairs, missing } = items.markSame(list, marks);
      const sent = filed.filter((each) => each.fate !== "dropped");
      expect([...marks]).toEqual(sent.map((each) => Number(each.fate === "same")));
      const of = (...fates: string[]) => listed.filter((each) => fates.includes(each.fate)).map(toItem);
      const changed = listed.filter((each) => each.fate === "changed");
      expect(differing).toEqual(changed.map((each) => sent.indexOf(each)));
      expect(JSON.parse(pairs)).toEqual(
        changed.flatMap((each) => [{ codigo: each.codigo, precio: each.precio }, toItem(each)]),
      );
      expect(JSON.parse(missing)).toEqual(of("missing"));
    }),
  );
});

it("keeps a product that is larger than its blocks, and those around it", () => {
  const items = new CatalogItems(noCells);
  const codes = ["a", "b".repeat(9 << 20), "c"];
  for (const codigo of codes) items.fill(items.add(1, 0, 0), { codigo });
  expect(codes.map((code, row) => items.itemAt(row).codigo === code)).toEqual([true, true, true]);
});
