import fc from "fast-check";
import { expect, test } from "vitest";
import { isReason } from "../../src/errors.ts";
import { readCatalog } from "../../src/input/catalog.ts";
import { isSpoiled } from "../../src/input/items/codes.ts";
import { sized } from "../support/soak.ts";
import { catalog, fileOf, isFormulaText, rowsOf } from "./support.ts";

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/** Codes as points of sale have them: zeros in front, exponents, inner spaces, emoji, combining accents. */
const code = fc
  .array(
    fc.oneof(
      fc.constantFrom("0", "00", "1E5", "1.10", " ", "e\u0301", "ñ", "🍕", "👩‍🍳", '"', ";", ","),
      fc.string({ unit: "grapheme", maxLength: 3 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) =>
    parts
      .join("")
      .replace(/[\u0000-\u001f]/g, "")
      .trim(),
  )
  .filter((text) => text !== "" && !isSpoiled(text) && !isFormulaText(text));
const codes = fc.uniqueArray(code, { minLength: 1, maxLength: 8 });

test("codes survive byte for byte", async () => {
  await fc.assert(
    fc.asyncProperty(codes, fc.constantFrom(";", ",", "\t", "|"), async (given, delimiter) => {
      const text = [`codigo${delimiter}nombre`, ...given.map((each) => `${quoted(each)}${delimiter}x`)].join(
        "\r\n",
      );
      const csv = await catalog(text, { delimiter });
      expect(rowsOf(csv).map(({ item }) => item.codigo)).toEqual(given);
      const json = await catalog(JSON.stringify(given.map((codigo) => ({ codigo }))));
      expect(rowsOf(json).map(({ item }) => item.codigo)).toEqual(given);
    }),
    { numRuns: sized(12, 300) },
  );
});

/** Cents of an amount, written the way six kinds of people write it. */
const grouped = (whole: string, separator: string) => whole.replace(/\B(?=(\d{3})+$)/g, separator);
const dialects: ((whole: string, fraction: string) => string)[] = [
  (whole, fraction) => whole + (fraction && `.${fraction}`),
  (whole, fraction) => whole + (fraction && `,${fraction}`),
  (whole, fraction) => grouped(whole, ".") + (fraction && `,${fraction}`),
  (whole, fraction) => grouped(whole, ",") + (fraction && `.${fraction}`),
  (whole, fraction) => `$ ${grouped(whole, ".")}${fraction && `,${fraction}`}`,
  (whole, fraction) => grouped(whole, "\u00a0") + (fraction && `,${fraction}`),
];
const amount = fc.tuple(
  fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 99_999_999 })).map(String),
  fc.oneof(fc.constant(""), fc.stringMatching(/^\d{1,3}$/)),
);

test("an amount in any dialect is read back as the same number, or its row or the file is refused", async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(amount, { minLength: 1, maxLength: 6 }), fc.nat(5), async (amounts, which) => {
      const cells = amounts.map(([whole, fraction]) => dialects[which]!(whole, fraction));
      const text = ["codigo\tprecio", ...cells.map((cell, index) => `${index}\t${cell}`)].join("\n");
      const decimal = which === 0 || which === 3 ? "." : ",";
      const expected = amounts.map(([whole, fraction]) => Number(`${whole}.${fraction}`));
      const told = await catalog(text, { decimal });
      expect(rowsOf(told).map(({ item }) => item.precio)).toEqual(expected);
      try {
        const guessed = await catalog(text);
        for (const { item } of rowsOf(guessed)) expect(item.precio).toBe(expected[Number(item.codigo)]);
        for (const { problem } of guessed.rejected) expect(problem.kind).toBe("price_ambiguous");
        expect(guessed.items.length + guessed.rejected.length).toBe(cells.length);
        if (guessed.rejected.length === 0) accepted += 1;
      } catch (error) {
        if (!isReason(error, "input_unusable")) throw error;
        expect(error.facts.problem.kind).toBe("decimals_ambiguous");
      }
    }),
    { numRuns: sized(40, 1_000) },
  );
  expect(accepted).toBeGreaterThan(sized(11, 300));
});

test("cells hold what JSON escapes as it is", async () => {
  const name = fc
    .string({ unit: fc.constantFrom("a", "\\", "\t", "é", "🍞", "n"), minLength: 1, maxLength: 8 })
    .filter((text) => text.trim() === text);
  await fc.assert(
    fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 6 }), async (names) => {
      const { items } = await catalog(
        `codigo;nombre;precio\n${names.map((text, n) => `${n};${text};5\n`).join("")}`,
        { delimiter: ";" },
      );
      expect(names.map((_, n) => items.item(n).nombre)).toEqual(names);
    }),
  );
});

test("line numbers are physical lines, whatever newlines the quoted cells hold", async () => {
  const name = fc
    .array(fc.constantFrom("a", "\n", "\r\n", '"', "b", ";"), { maxLength: 8 })
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, fc.nat(2)), { minLength: 1, maxLength: 12 }), async (names) => {
      let line = 2;
      let text = "codigo;nombre;categoria;precio;activo\r\n";
      const expected: number[] = [];
      for (const [index, [each, blanks]] of names.entries()) {
        text += "\r\n".repeat(blanks);
        line += blanks;
        expected.push(line);
        const row = `${index};${quoted(each)};;5;no\r\n`;
        text += row;
        line += row.split("\n").length - 1;
      }
      const reading = await readCatalog(fileOf(text));
      const lines = [...rowsOf(reading), ...reading.rejected].map((row) => row.line).sort((a, b) => a - b);
      // A name that reads like the end of one row and the start of another is refused as one row.
      expect([...reading.rejected].filter(({ problem }) => problem.kind !== "quote_late")).toEqual([]);
      expect(lines).toEqual(expected);
    }),
    { numRuns: sized(12, 300) },
  );
});
