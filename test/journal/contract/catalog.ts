import fc from "fast-check";
import { expect, it } from "vitest";
import type { Journal } from "../../../src/journal/journal.ts";
import { anyText } from "../../support/texts.ts";

const item = { codigo: "A", precio: 1.5 };
const known = { item, active: true, pending: false };

/** The codes of the products that are active for certain, and of the other active ones. */
async function activeCodes(catalog: Journal["catalog"], branch: string) {
  const codes: Record<"certain" | "uncertain", string[]> = { certain: [], uncertain: [] };
  let count = 0;
  for await (const { list, uncertain, active } of catalog.activePages(branch)) {
    count += active;
    codes.uncertain.push(...uncertain);
    const items = JSON.parse(`[${list.toString()}]`) as { codigo: string }[];
    codes.certain.push(...items.map(({ codigo }) => codigo));
  }
  expect(codes.certain.length + codes.uncertain.length).toBe(count);
  return codes;
}

/** Tests of the products of a branch, for any engine. */
export function catalogContract(open: () => Promise<Journal>): void {
  it("are kept from when somebody asks for it, each branch on its own", async () => {
    const { catalog } = await open();
    const codesOf = async (branch: string) => (await activeCodes(catalog, branch)).certain;
    expect(await catalog.isKept("one")).toBe(false);
    await catalog.keep("one");
    await catalog.keep("one");
    expect([await catalog.isKept("one"), await catalog.isKept("two")]).toEqual([true, false]);
    expect(await catalog.isEmpty("one")).toBe(true);
    const off = { ...known, active: false, pending: true };
    await catalog.put(
      "one",
      new Map([
        ["A", off],
        ["B", { ...known, item: { codigo: "B", precio: 2 } }],
      ]),
    );
    await catalog.put("one", new Map([["A", known]]));
    expect([await catalog.isEmpty("one"), await catalog.isEmpty("two")]).toEqual([false, true]);
    expect(await catalog.get("one", ["A", "C"])).toEqual(new Map([["A", known]]));
    expect(await catalog.get("two", ["A"])).toEqual(new Map());
    expect(await codesOf("two")).toEqual([]);
    await catalog.drop("one", ["A", "C"]);
    expect(await codesOf("one")).toEqual(["B"]);
  });

  it("are active for certain, or active and uncertain, or neither", async () => {
    const { catalog } = await open();
    const states = {
      A: known,
      B: { ...known, item: { codigo: "B" }, pending: true },
      C: { ...known, item: {} },
      D: { ...known, item: { codigo: "D" }, active: false },
    };
    await catalog.put("b", new Map(Object.entries(states)));
    expect(await activeCodes(catalog, "b")).toEqual({ certain: ["A"], uncertain: ["B", "C"] });
  });

  it("are read as texts page by page, whatever stands in them", async () => {
    const { catalog } = await open();
    const codes = Array.from({ length: 20_001 }, (_, n) => `${n}\n"`);
    const items = codes.map((codigo) => [codigo, { ...known, item: { codigo } }] as const);
    await catalog.put("b", new Map(items));
    expect(new Set((await activeCodes(catalog, "b")).certain)).toEqual(new Set(codes));
  });

  it("are kept unasked while they are few, and forgotten with the first large push", async () => {
    const { catalog } = await open();
    await catalog.keepSmall("b", 5_000);
    await catalog.put("b", new Map([["A", known]]));
    await catalog.keepSmall("b", 5_001);
    expect([await catalog.isKept("b"), await catalog.isEmpty("b")]).toEqual([false, true]);
    await catalog.keep("b");
    await catalog.keepSmall("b", 5_001);
    expect(await catalog.isKept("b")).toBe(true);
  });

  it("go by their codes byte for byte, whatever is in them", async () => {
    const odd = anyText({ minLength: 1 });
    const { catalog } = await open();
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.oneof(odd, fc.constantFrom("1", "01", "a\0b", "a", "é", "e\u0301")), {
          minLength: 1,
        }),
        fc.uuid(),
        async (codes, branch) => {
          const items = codes.map(
            (codigo, n) => [codigo, { ...known, item: { codigo, precio: n } }] as const,
          );
          await catalog.put(branch, new Map(items));
          expect((await activeCodes(catalog, branch)).certain.toSorted()).toEqual(codes.toSorted());
          expect(await catalog.get(branch, codes)).toEqual(new Map(items));
        },
      ),
      { numRuns: 30 },
    );
  });
}
