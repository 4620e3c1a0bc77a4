import fc from "fast-check";
import { expect, it } from "vitest";
import { ItemStore, itemJson } from "../../src/input/item-store.ts";

const odd = fc.constantFrom('"', "\\", "\n", "\u0000", "\ud800", "\udc00", "\u2028", "é", "🍞");
const text = fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.string({ unit: odd }));
const price = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(-0, 1e21, 5e-7));
const fields = { codigo: text, nombre: text, categoria: text, precio: price, deshabilitado: fc.boolean() };

it("writes items as JSON.stringify does, whatever is in them", () => {
  fc.assert(
    fc.property(fc.record(fields, { requiredKeys: ["codigo"] }), (item) => {
      const { codigo, ...rest } = item;
      const ordered = Object.keys(fields).flatMap((name) =>
        name in rest ? [[name, rest[name as keyof typeof rest]]] : [],
      );
      const { precio, ...texts } = item;
      const written = { ...texts, ...(precio !== undefined && { precio: JSON.stringify(precio) }) };
      const expected = JSON.stringify({ codigo, ...Object.fromEntries(ordered) });
      expect(itemJson(written)).toBe(expected);
      const isPlain = JSON.stringify(Object.values(texts)) === `["${Object.values(texts).join('","')}"]`;
      if (isPlain) expect(itemJson(written, true)).toBe(expected);
    }),
  );
});

it("joins items in any order and with gaps, those that were filled late too", () => {
  const texts = fc.array(fc.string(), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(texts, fc.infiniteStream(fc.nat()), (codes, random) => {
      const store = new ItemStore();
      const late: number[] = [];
      for (const code of codes) {
        const waits = random.next().value % 3 === 0;
        const index = store.add(waits ? null : itemJson({ codigo: code }));
        if (waits) late.push(index);
      }
      expect([...store.filled()]).toEqual(codes.flatMap((_, index) => (late.includes(index) ? [] : [index])));
      for (const index of late) store.fill(index, itemJson({ codigo: codes[index]! }));
      const chosen = codes.map((_, index) => index).filter(() => random.next().value % 4 > 0);
      if (random.next().value % 2 === 0) chosen.reverse();
      const joined = JSON.parse(`[${store.joined(Uint32Array.from(chosen)).toString()}]`) as unknown;
      expect(joined).toEqual(chosen.map((index) => ({ codigo: codes[index] })));
    }),
  );
});

it("keeps an item that is larger than its blocks, and those around it", () => {
  const store = new ItemStore();
  const codes = ["a", "b".repeat(9 << 20), "c"];
  for (const codigo of codes) store.add(itemJson({ codigo }));
  expect(codes.map((_, index) => store.item(index).codigo === codes[index])).toEqual([true, true, true]);
});
