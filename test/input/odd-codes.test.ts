import { describe, expect, test } from "vitest";
import { noticeWords } from "../../src/i18n/en/files.ts";
import { es } from "../../src/i18n/es.ts";
import { catalog, items, reasons, rowsOf } from "./support.ts";

describe("codes that look alike", () => {
  test("are sent as written, with a warning that names both lines and shows what differs", async () => {
    const codes = ["caf\u00e9", "A1", "cafe\u0301", "B2", "A1\u200b", "niño"];
    const reading = await catalog(`codigo;nombre\n${codes.map((code) => `${code};x\n`).join("")}`);
    expect(rowsOf(reading).map(({ item }) => item.codigo)).toEqual(codes);
    expect(reading.notices.map(noticeWords)).toEqual([
      '2 codes differ from another only in invisible characters (line 2: "café", line 4: "cafe\\u0301"; line 3: "A1", line 6: "A1\\u200b"). They are sent as written, as different products.',
    ]);
  });

  test("are found whichever comes first, and where none is as it looks", async () => {
    for (const [one, other] of [
      ["A1\u200b", "A1"],
      ["A\u200b1", "A1\ufeff\u200d"],
      ["e\u0301\u200b", "e\u0301"],
    ] as const) {
      const [notice] = (await catalog(`codigo;nombre\n${one};x\nZ;y\n${other};x\n`)).notices;
      expect(notice).toMatchObject({ kind: "codes_alike", count: 1, pairs: [{ line: 2, otherLine: 4 }] });
    }
  });
});

test("a code on thousands of lines is told with the first lines and the count", async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => `A;${n}\n`);
  const { rejected } = await catalog(`codigo;precio\n${rows.join("")}`);
  expect(rejected).toHaveLength(20_000);
  const { problem } = rejected[7_000]!;
  expect(es.rows.problem(problem)).toBe(
    'el código "A" está en las líneas 2, 3, 4, 5, 6 y 19995 más con datos distintos: deja una sola, o usa --on-duplicate first o last',
  );
});

describe("the sum below a list", () => {
  const said = (line: number, word: string) =>
    `${line}: a ${word} row is not a product: delete it, or give the product a code of its own`;

  test.each([
    ["TOTAL;;1.250,00", "TOTAL"],
    ["Totales;;", "Totales"],
    [";Subtotal:;1.250,00", "Subtotal:"],
    [";TOTAL GENERAL;consultar", "TOTAL GENERAL"],
    ['"TOTAL";x;1,5\n;;\n', "TOTAL"],
    ["TOTAL;1250", "TOTAL"],
  ])("%j is rejected by name", async (row, word) => {
    const text = `codigo;nombre;precio\nA;Agua;1,50\n${row}\n`;
    expect(await reasons(text)).toEqual([said(3, word)]);
    expect(await items(text)).toHaveLength(1);
  });

  test.each([
    "A;Agua;1,50\nTC1;Total Cleaner;3,50\n",
    "A;Agua;1,50\nTC1;Total;3,50\n",
    "TOTAL;Limpiador;3,50\nA;Agua;1,50\n",
    "A;Agua;1,50\nTOTAL 3;Limpiador;3,50\n",
  ])("%j is a list of products", async (rows) => {
    const text = `codigo;nombre;precio\n${rows}`;
    expect(await reasons(text)).toEqual([]);
    expect(await items(text)).toHaveLength(2);
  });
});
