import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CatalogState, isCatalogKept, keepCatalog } from "../../src/journal/catalog-state.ts";
import { openJournal } from "../../src/journal/open.ts";

const item = { codigo: "A", precio: 1.5 };

describe("the products of a branch", () => {
  it("are kept from when somebody asks for it, each branch on its own", () => {
    const journal = openJournal(":memory:");
    expect(isCatalogKept(journal, "one")).toBe(false);
    keepCatalog(journal, "one");
    keepCatalog(journal, "one");
    expect([isCatalogKept(journal, "one"), isCatalogKept(journal, "two")]).toEqual([true, false]);
    const [one, two] = [new CatalogState(journal, "one"), new CatalogState(journal, "two")];
    expect(one.isEmpty()).toBe(true);
    one.put("A", { item, active: true, open: false });
    expect([one.isEmpty(), two.isEmpty()]).toEqual([false, true]);
    expect(one.get("A")).toEqual({ item, active: true, open: false });
    expect(two.get("A")).toBeUndefined();
    expect([one.activeCodes(), two.activeCodes()]).toEqual([["A"], []]);
    one.drop("A");
    expect(one.get("A")).toBeUndefined();
  });

  it("go by their codes byte for byte, whatever is in them", () => {
    const odd = fc.string({ unit: "binary", minLength: 1 });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof(odd, fc.constantFrom("1", "01", "a\0b", "a", "é", "e\u0301")), {
          minLength: 1,
        }),
        (codes) => {
          const state = new CatalogState(openJournal(":memory:"), "b");
          for (const [n, codigo] of codes.entries())
            state.put(codigo, { item: { codigo, precio: n }, active: true, open: false });
          expect(state.activeCodes().toSorted()).toEqual(codes.toSorted());
          for (const [n, codigo] of codes.entries())
            expect(state.get(codigo)?.item).toEqual({ codigo, precio: n });
        },
      ),
      { numRuns: 30 },
    );
  });
});
