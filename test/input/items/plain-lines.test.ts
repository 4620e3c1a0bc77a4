import fc from "fast-check";
import { expect, test } from "vitest";
import { isReason } from "../../../src/errors.ts";
import type { CatalogOptions } from "../../../src/input/catalog.ts";
import { sized } from "../../support/soak.ts";
import { catalog, rowsOf } from "../support.ts";

// A line of plain cells is read as bytes, any other as text. Quotes make every line one of the others: both must say the same.

/** Mostly the one, now and then the other: with many odd cells no line would be plain. */
const mostly = (usual: fc.Arbitrary<string>, odd: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 19, arbitrary: usual }, { weight: 1, arbitrary: odd });

const blanks = mostly(fc.constantFrom("", " ", "  "), fc.constantFrom("\u00a0", "\u2003", "\ufeff"));
const letters = fc.constantFrom(...Array.from("aZ07éÑÿ×ß\u0301€🍕\\'=+.\u007f\u0085\u2028"));
const word = mostly(
  fc.stringMatching(/^[a-zéÑ0-9 .]{0,8}$/),
  fc.array(letters, { maxLength: 6 }).map((parts) => parts.join("")),
);
const padded = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(blanks, text, blanks).map((parts) => parts.join(""));
const code = mostly(
  fc.oneof(fc.constantFrom("A1", "00017", "1E5", "x y"), fc.nat(60).map(String)),
  fc.oneof(fc.constantFrom("7,79E+12", "7.79E+12", "", "café", "=1+1", "Total general", "Promedio"), word),
);
/** Amounts that say nothing against a point as the decimal sign, and the others. */
const pointed = fc.oneof(
  fc.constantFrom(
    "",
    "0",
    "0.5",
    "0.05",
    "0.50",
    "1250.00",
    "007",
    "00.5",
    "0.0000001",
    "0.00",
    "123456789012345",
    "1234567890123456",
    "12345678901234.56",
  ),
  fc.nat(99_999).map((cents) => (cents / 100).toFixed(2)),
  fc.nat(9_999).map(String),
  fc.nat(1_999_999).map((thousandths) => (thousandths / 1000).toFixed(3)),
);
const doubtful = fc.constantFrom("1.250", "1.250,50", "0.", ".5", "5.", "12.3.4", "-1", "$ 5", "1e3", "٣");
const asComma = (text: string) =>
  text.replaceAll(".", "\u0000").replaceAll(",", ".").replaceAll("\u0000", ",");
const disabled = mostly(
  fc.constantFrom("", "true", "false", "TRUE", "1", "0", "SI", "no", "x", "verdadero"),
  fc.constantFrom("sí", "quizás", "trué"),
);

const names = ["codigo", "nombre", "categoria", "precio", "deshabilitado", "otra"];
const cellOf: Record<string, fc.Arbitrary<string>> = {
  codigo: code,
  nombre: word,
  categoria: word,
  deshabilitado: disabled,
  otra: word,
};

const table = fc.record({
  columns: fc.shuffledSubarray(names, { minLength: 2 }).filter((columns) => columns.includes("codigo")),
  activo: fc.boolean(),
  delimiter: fc.constantFrom(";", "\t", "|", ","),
  end: fc.constantFrom("\n", "\r\n"),
  isClosed: fc.boolean(),
  isComma: fc.boolean(),
  isDoubtful: fc.constantFrom(false, false, false, true),
  given: fc.constantFrom(undefined, "." as const, "," as const),
  onDuplicate: fc.constantFrom(undefined, "first" as const, "last" as const),
});
const sheet = table.chain(({ delimiter, ...rest }) => {
  const form = { ...rest, delimiter: rest.isComma && delimiter === "," ? ";" : delimiter };
  const points = form.isDoubtful ? mostly(pointed, doubtful) : pointed;
  const prices = form.isComma ? points.map(asComma) : points;
  const cells = form.columns.map((name) => padded(name === "precio" ? prices : (cellOf[name] ?? word)));
  const row = fc.tuple(...cells).map((each) => each.map((cell) => cell.replaceAll(form.delimiter, "")));
  // A row with a cell too many, one too few, and a line without anything.
  const odd = fc.oneof(
    // A heading, or a product of which nothing else is said.
    code.map((text) =>
      form.columns.map((name) => (name === "codigo" ? text.replaceAll(form.delimiter, "") : "")),
    ),
    code.map((text) => form.columns.map((name) => (/codigo|precio/.test(name) ? text : ""))),
    fc.constant(
      form.columns.map((name) => ({ codigo: "Total", precio: "5", deshabilitado: "no" })[name] ?? ""),
    ),
    row.map((each) => [...each, "x"]),
    row.map((each) => each.slice(1)),
    fc.constant([""]),
  );
  const rows = fc.array(fc.oneof({ weight: 19, arbitrary: row }, { weight: 1, arbitrary: odd }), {
    maxLength: 25,
  });
  return rows.map((all) => ({ ...form, rows: [...firstRows(form.columns), ...all] }));
});
/** Rows behind the header are read as text: lines are taken as bytes from the next attempt on. */
const firstRows = (columns: readonly string[]): string[][] =>
  Array.from({ length: 16 }, (_, n) =>
    columns.map((name) => ({ codigo: `F${n}`, precio: "5", deshabilitado: "no" })[name] ?? "x"),
  );
type Sheet = typeof sheet extends fc.Arbitrary<infer T> ? T : never;

function written(
  { columns, activo, delimiter, end, isClosed, rows }: Sheet,
  mark: (cell: string) => string,
): string {
  const header = columns.map((name) => (activo && name === "deshabilitado" ? "activo" : name));
  const lines = [header, ...rows].map((cells) =>
    cells.map((cell) => (cells.length === 1 && cell === "" ? "" : mark(cell))).join(delimiter),
  );
  return lines.join(end) + (isClosed ? end : "");
}

/** All that comes of a file but how its cells were written. */
async function outcome(text: string, options: CatalogOptions): Promise<unknown> {
  try {
    const reading = await catalog(text, options);
    const { read, collapsed, notices, rejected } = reading;
    return {
      read,
      collapsed,
      notices,
      decimal: reading.form.decimal,
      items: rowsOf(reading).map(({ line, item }) => ({ line, item })),
      prices: {
        without: reading.items.unpriced,
        disabled: reading.items.unlisted,
        zero: Array.from({ length: reading.items.free.length }, (_, n) => reading.items.free.item(n)),
      },
      json: reading.items.json(0, reading.items.length).toString(),
      rejected: rejected.map(({ line, codigo, problem }) => ({ line, codigo, problem })),
    };
  } catch (error) {
    if (!isReason(error, "input_unusable")) throw error;
    return error.facts;
  }
}

test("a file says the same whether its lines are read as bytes or as text", async () => {
  let plain = 0;
  await fc.assert(
    fc.asyncProperty(sheet, async (given) => {
      const options: CatalogOptions = {
        delimiter: given.delimiter,
        ...(given.given && { decimal: given.given }),
        ...(given.onDuplicate && { onDuplicate: given.onDuplicate }),
      };
      const asBytes = await outcome(
        written(given, (cell) => cell),
        options,
      );
      expect(asBytes).toEqual(
        await outcome(
          written(given, (cell) => `"${cell}"`),
          options,
        ),
      );
      if (typeof asBytes === "object" && asBytes !== null && "items" in asBytes) plain += 1;
    }),
    { numRuns: sized(30, 700) },
  );
  expect(plain).toBeGreaterThan(sized(7, 200));
});

test("the lines of a rejected file of ours are not taken as they stand", async () => {
  const reading = await catalog("codigo,nombre,error\n'+A,'=x,\n'@B,'-y,\n");
  expect(rowsOf(reading).map(({ item }) => item)).toEqual([
    { codigo: "+A", nombre: "=x" },
    { codigo: "@B", nombre: "-y" },
  ]);
});

test("nothing but the code is taken of a line that deletes", async () => {
  const reading = await catalog("codigo;nombre;precio\nA;uno;1\nB;dos;2\n", { action: "delete" });
  expect(rowsOf(reading).map(({ item }) => item)).toEqual([{ codigo: "A" }, { codigo: "B" }]);
});

test("a code that stands twice is found, one of them in a line of bytes and one in a line of text", async () => {
  for (const codigo of ["A1", "café", "🍕"]) {
    const { rejected } = await catalog(`codigo;nombre\n${codigo};uno\n"${codigo}";dos\nB2;tres\n`);
    expect(rejected.map(({ line, problem }) => [line, problem.kind])).toEqual([
      [2, "duplicate_code"],
      [3, "duplicate_code"],
    ]);
  }
});
