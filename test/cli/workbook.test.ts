import fc from "fast-check";
import readSheet from "read-excel-file/node";
import { expect, it } from "vitest";
import { type SheetCell, workbookChunks } from "../../src/cli/workbook.ts";
import { cellsIn, sheetOf } from "../support/workbooks.ts";

const workbook = (rows: SheetCell[][]): Buffer => Buffer.concat([...workbookChunks(rows, [10])]);

it("keeps every text as it is, and makes no number or formula of one", async () => {
  const hostile = fc.constantFrom(
    ..."=+-@'0019_xA&<>\"\t\r\n\0\x07\x7f\ud83c\udf55\ufffd\uffff ",
    "constructor",
  );
  const text = fc.array(hostile, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(text, { minLength: 1, maxLength: 30 }), { minLength: 1 }),
      async (rows) => {
        const written = workbook(rows.map((cells) => cells.map((each) => ({ text: each }))));
        const read = cellsIn(written).map((cells) => cells.map((cell) => cell?.text));
        expect(read).toEqual(rows);
        expect(sheetOf(written)).not.toMatch(/<f>|<v>/);
      },
    ),
  );
});

it("is read by other programs: zeros, numbers, what JavaScript keeps for itself", async () => {
  const texts = ["00123", "=1+1", "__proto__", "constructor", "toString", "a & b <c>", "ñ\u00a0🍕"];
  const cells = [...texts.map((text) => ({ text })), { text: "1450.5", as: "number" } as const];
  const [sheet] = await readSheet(
    workbook([cells, [{ text: "" }, { text: "", isMarked: true }, { text: "x" }]]),
  );
  expect(sheet?.data[0]).toEqual([...texts, 1450.5]);
  expect(sheet?.data[1]?.slice(0, 3)).toEqual([null, null, "x"]);
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
