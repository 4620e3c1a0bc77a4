import fc from "fast-check";
import { expect, it } from "vitest";
import { type SheetCell, workbookChunks } from "../../src/cli/files/workbook.ts";
import { openRows } from "../../src/input/files/rows.ts";
import type { Row } from "../../src/input/files/table.ts";
import { cellsIn, sheetOf } from "../support/workbooks.ts";

const workbook = (rows: SheetCell[][]): Buffer => Buffer.concat([...workbookChunks(rows, [10])]);

it("keeps every text as it is, and makes no number or formula of one", () => {
  const signs = Array.from("=+-@'0019_xA&<>\"\t\r\n\0\x07\x7f\ud83c\udf55\ufffd\uffff ");
  const hostile = fc.constantFrom(...signs, "\ud83c", "constructor");
  const text = fc.array(hostile, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(""));
  const cells = fc.array(text, { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(fc.array(cells, { minLength: 1 }), (rows) => {
      const written = workbook(rows.map((texts) => texts.map((each) => ({ text: each }))));
      const read = cellsIn(written).map((row) => row.map((cell) => cell?.text));
      expect(read).toEqual(rows);
      expect(sheetOf(written)).not.toMatch(/<f>|<v>/);
    }),
  );
});

it("is read as it was written: zeros, numbers, what JavaScript and XML keep for themselves", async () => {
  const texts = [
    "00123",
    "=1+1",
    "__proto__",
    "constructor",
    "toString",
    "a & b <c>",
    "ñ\u00a0🍕",
    "A\x07_x0041_",
  ];
  const cells = [...texts.map((text) => ({ text })), { text: "1450.5", as: "number" } as const];
  const rows: Row[] = [];
  const file = { name: "r.xlsx", bytes: workbook([[{ text: "a" }], cells, [{ text: "" }, { text: "x" }]]) };
  const source = await openRows(file, {}, "items");
  await source.stream({ header: () => undefined, row: (row) => rows.push(row) });
  expect(rows[0]?.cells).toEqual([...texts, "1450,5"]);
  expect(rows[0]?.numbers?.indexOf("1450.5")).toBe(texts.length);
  expect(rows[1]?.cells.slice(0, 2)).toEqual(["", "x"]);
});

it("is the same bytes for the same rows, whenever it is written", () => {
  const rows = [[{ text: "codigo" }], [{ text: "00123" }]];
  expect(workbook(rows).equals(workbook(rows))).toBe(true);
  // The date in the head of its first part: the first of January 1980.
  expect(workbook(rows).readUInt32LE(10)).toBe(0x00210000);
});

it("takes rows as they come: a hundred thousand are never in memory at once", () => {
  let alive = 0;
  function* rows(): Generator<SheetCell[]> {
    for (let n = 0; n < 20_000; n++) {
      alive = n;
      yield [{ text: `row ${n}` }, { text: "x".repeat(50) }];
    }
  }
  const chunks = workbookChunks(rows(), [10, 10]);
  let early = 0;
  for (let size = 0; size < 20_000; ) {
    const { value } = chunks.next() as { value: Uint8Array };
    size += value.length;
    early = alive;
  }
  expect(early).toBeLessThan(15_000);
});
