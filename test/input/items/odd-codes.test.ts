import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rowProblemWords } from "../../../src/errors/words/rows.ts";
import { hashLooks } from "../../../src/input/items/codes.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { sized } from "../../support/soak.ts";
import { catalog, inWords, items, reasons, rowsOf } from "../support.ts";

describe("codes that look alike", () => {
  test("are sent as written, with a warning that names both lines and shows what differs", async () => {
    const codes = ["caf\u00e9", "A1", "cafe\u0301", "B2", "A1\u200b", "niño"];
    const reading = await catalog(`codigo;nombre\n${codes.map((code) => `${code};x\n`).join("")}`);
    expect(rowsOf(reading).map(({ item }) => item.codigo)).toEqual(codes);
    expect(inWords(reading.notices)).toEqual([
      '2 codes differ from another only in case, leading zeros, accents, separators or invisible characters (line 2: "café", line 4: "cafe\\u0301"; line 3: "A1", line 6: "A1\\u200b"). Codes are sent as written, as different products.',
    ]);
  });

  test("are found whichever comes first, and where none is as it looks", async () => {
    for (const [one, other] of [
      ["A1\u200b", "A1"],
      ["A\u200b1", "A1\ufeff\u200d"],
      ["e\u0301\u200b", "e\u0301"],
      ["ab1", "AB1"],
      ["7", "007"],
      ["0", "00"],
      ["A-1", "a1"],
      ["A 1", "A.1"],
      ["1-2", "1/2"],
      ["CAFÉ", "cafe"],
      ["Ñ-1", "n\u0303 1"],
    ] as const) {
      const [notice] = (await catalog(`codigo;nombre\n${one};x\nZ;y\n${other};x\n`)).notices;
      expect(notice).toMatchObject({ kind: "codes_alike", count: 1, pairs: [{ line: 2, otherLine: 4 }] });
    }
  });
});

describe("codes that differ only at a second glance", () => {
  const list = (codes: readonly string[]) => `codigo;nombre\n${codes.map((code) => `${code};x\n`).join("")}`;

  test("stay two, in every format, with one warning for all of them and the first five by their lines", async () => {
    const codes = ["ab1", "AB1", "7", "007", "Ab-1", "B2", "b2", "c.3", "C3", "d4", "D4", "e5", "E5"];
    const ndjson = codes.map((codigo) => `${JSON.stringify({ codigo, nombre: "x" })}\n`).join("");
    for (const [content, first] of [
      [list(codes), 2],
      [ndjson, 1],
    ] as const) {
      const reading = await catalog(content);
      expect(rowsOf(reading).map(({ item }) => item.codigo)).toEqual(codes);
      const of = (pair: readonly [number, number]) => ({
        line: first + pair[0],
        code: codes[pair[0]],
        otherLine: first + pair[1],
        otherCode: codes[pair[1]],
      });
      const pairs = (
        [
          [0, 1],
          [2, 3],
          [0, 4],
          [5, 6],
          [7, 8],
        ] as const
      ).map(of);
      expect(reading.notices).toEqual([{ kind: "codes_alike", count: 7, pairs }]);
    }
  });

  test.each([
    ["1-2", "12"],
    ["1.10", "110"],
    ["10", "1"],
    ["A01", "A1"],
    ["A1", "A1+"],
    ["-", "--"],
    ["A", "B"],
  ])("%s and %s are not alike", async (one, other) => {
    expect((await catalog(list([one, other]))).notices.filter(({ kind }) => kind === "codes_alike")).toEqual(
      [],
    );
  });

  test("those of rejected rows are not named, and a code on two lines is no other code", async () => {
    const { notices } = await catalog("codigo;precio\nab1;1\nAB1;x\nab1;1\nb2;1\nB2;1\nB2;2\n");
    expect(notices).toEqual([]);
  });

  test("have one hash, whatever they are made of", () => {
    const odd = fc.constantFrom(...Array.from("aAéÉñ0017-. _/\u00a0\u0301\u200b🍕ßİ"));
    fc.assert(
      fc.property(fc.oneof(fc.string({ minLength: 1 }), fc.string({ unit: odd, minLength: 1 })), (code) => {
        fc.pre(/[^\p{M}\p{Cf}]/u.test(code));
        // The line is found in a text of ASCII without making the other; with a sign behind it, never.
        expect(hashLooks(code)).toBe(hashLooks(`\u200b${code}`));
        expect(hashLooks(code.toUpperCase().toLowerCase())).toBe(hashLooks(`\u200b${code.toUpperCase()}`));
      }),
      { numRuns: sized(300, 20_000) },
    );
  });
});

test("a code on thousands of lines is told with the first lines and the count", async () => {
  const count = sized(8_000, 20_000);
  const rows = Array.from({ length: count }, (_, n) => `A;${n}\n`);
  const { rejected } = await catalog(`codigo;precio\n${rows.join("")}`);
  expect(rejected).toHaveLength(count);
  const { problem } = rejected[7_000]!;
  expect(rowProblemWords(problem, textsIn("es").t)).toBe(
    `el código "A" está en las líneas 2, 3, 4, 5, 6 y ${count - 5} más con datos distintos: deja una sola, o usa --on-duplicate first o last`,
  );
});

describe("the sum below a list", () => {
  const said = (line: number, word: string) =>
    `${line}: a ${word} row is not a product: delete it, or give the product its own code`;

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
