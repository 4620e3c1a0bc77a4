import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanItems, copyShape, fixedCsv, fixedJson } from "../../src/catalog/check/fixed.ts";
import { type CatalogReading, readCatalog } from "../../src/input/catalog.ts";
import { isErrorValue, judgeCode } from "../../src/input/items/codes.ts";
import { sized } from "../support/soak.ts";
import { catalog, fileOf, isFormulaText, rowsOf } from "./support.ts";

const itemsOf = (reading: CatalogReading) => rowsOf(reading).map(({ item }) => item);
const textOf = async (chunks: Iterable<string>): Promise<string> =>
  (await Readable.from(chunks).toArray()).join("");
const fixedOf = (reading: CatalogReading) => textOf(fixedCsv(cleanItems(reading.items), copyShape(reading)));

/** Reads a corrected copy; it must be without a complaint, but of codes that look odd: they are sent as they are, and stay so. */
async function readCopy(text: string, name = "clean.csv") {
  const copy = await readCatalog(fileOf(text, name));
  const notices = copy.notices.filter(({ kind }) => !kind.startsWith("codes_"));
  expect({ ...copy, notices }).toMatchObject({ rejected: { length: 0 }, notices: [], collapsed: 0 });
  return itemsOf(copy);
}

const piece = fc.oneof(
  fc.constantFrom(
    "=",
    "+",
    "-",
    "@",
    "'",
    '"',
    "\n",
    "\r\n",
    "\r",
    ",",
    ";",
    "\t",
    "|",
    "00",
    "1E5",
    "1.10",
    "🍕",
    "👩‍🍳",
    "e\u0301",
    "ñ",
  ),
  fc.string({ unit: "grapheme", maxLength: 3 }),
);
const plain = (parts: string[]) =>
  parts
    .join("")
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufeff]/g, "")
    .trim();
const text = fc
  .array(piece, { maxLength: 7 })
  .map(plain)
  .filter((each) => !isFormulaText(each));
const code = text.filter((each) => each !== "" && judgeCode(each) === null && !/[\r\n]/.test(each));
const product = fc.record(
  {
    codigo: code,
    nombre: text.filter((each) => each !== "" && !isErrorValue(each)),
    categoria: text.filter((each) => each !== "" && !isErrorValue(each)),
    precio: fc.oneof(
      fc.tuple(fc.nat(999), fc.nat(999)).map(([a, b]) => Number(`${a}.${String(b).padStart(3, "0")}`)),
      fc.nat(99_999_999),
      fc.constantFrom(0, 0.1, 1e-7, 1.5e-10, 1e21, 1.25e22, 1.125),
    ),
    deshabilitado: fc.boolean(),
  },
  { requiredKeys: ["codigo"], noNullPrototype: true },
);
/** A code alone is a heading in a table that has names or prices. */
const whole = product.filter((each) => Object.keys(each).length > 1);
const products = fc.uniqueArray(whole, { selector: ({ codigo }) => codigo, minLength: 1, maxLength: 6 });

test("a corrected copy of any products is read back as the same products, without a complaint", async () => {
  await fc.assert(
    fc.asyncProperty(products, async (given) => {
      const reading = await readCatalog(fileOf(JSON.stringify(given), "a.json"));
      expect(itemsOf(reading)).toEqual(given);
      expect(await readCopy(await fixedOf(reading))).toEqual(given);
      const json = await textOf(fixedJson(cleanItems(reading.items), true));
      expect(await readCopy(json, "clean.json")).toEqual(given);
    }),
    { numRuns: sized(20, 200) },
  );
});

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const grouped = (whole: string, separator: string) => whole.replace(/\B(?=(\d{3})+$)/g, separator);
const dialects: {
  decimal: "," | ".";
  delimiter: string;
  write: (whole: string, fraction: string) => string;
}[] = [
  { decimal: ".", delimiter: ",", write: (w, f) => `${w}.${f}` },
  { decimal: ",", delimiter: ";", write: (w, f) => `${w},${f}` },
  { decimal: ",", delimiter: "\t", write: (w, f) => `${grouped(w, ".")},${f}` },
  { decimal: ".", delimiter: "|", write: (w, f) => `${grouped(w, ",")}.${f}` },
  { decimal: ",", delimiter: ";", write: (w, f) => `$ ${grouped(w, ".")},${f}` },
  { decimal: ",", delimiter: ";", write: (w, f) => `${grouped(w, "\u00a0")},${f}` },
];
const line = text.map((each) => each.replace(/[\r\n]/g, ""));
const row = fc.tuple(line, line, fc.nat(9_999_999).map(String), fc.stringMatching(/^\d{1,3}$/));

test("so is one of a file in any dialect", async () => {
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(...dialects),
      async (rows, dialect) => {
        const { decimal, delimiter, write } = dialect;
        const written = rows.map(([codigo, nombre, whole, fraction]) =>
          [quoted(codigo), quoted(nombre), quoted(write(whole, fraction))].join(delimiter),
        );
        const reading = await catalog(
          ["Código", "Descripción", "Precio"].join(delimiter) + ["", ...written].join("\r\n"),
          { decimal, delimiter },
        );
        sent += reading.items.length;
        if (reading.items.length === 0) return;
        const copy = await fixedOf(reading);
        expect(copy.startsWith(["codigo", "nombre", "precio"].join(delimiter))).toBe(true);
        expect(await readCopy(copy)).toEqual(itemsOf(reading));
      },
    ),
    { numRuns: sized(20, 200) },
  );
  expect(sent).toBeGreaterThan(sized(20, 200));
});

test.each<[string, Buffer, string]>([
  [
    "plain UTF-8",
    Buffer.from("codigo;nombre;precio\n1;Ñoqui;2,5\n"),
    "codigo;nombre;precio\r\n1;Ñoqui;2,5\r\n",
  ],
  [
    "UTF-8 with a byte order mark",
    Buffer.from("\ufeffcodigo|nombre|precio\n1|Ñoqui|2.5\n"),
    "\ufeffcodigo|nombre|precio\r\n1|Ñoqui|2.5\r\n",
  ],
  [
    "UTF-16",
    Buffer.from("\ufeffcodigo\tnombre\tprecio\n1\tÑoqui\t2,5\n", "utf16le"),
    "\ufeffcodigo\tnombre\tprecio\r\n1\tÑoqui\t2,5\r\n",
  ],
  [
    "windows-1252",
    Buffer.from('codigo,nombre,precio\n1,Ñoqui,"2,5"\n', "latin1"),
    '\ufeffcodigo,nombre,precio\r\n1,Ñoqui,"2,5"\r\n',
  ],
  [
    "JSON with a byte order mark",
    Buffer.from('\ufeff[{"codigo":"1","nombre":"Ñoqui","precio":"2,5"}]'),
    "codigo,nombre,precio\r\n1,Ñoqui,2.5\r\n",
  ],
])("the copy of a file in %s opens in the program that the file came from", async (_, bytes, expected) => {
  const reading = await catalog(bytes);
  const copy = await fixedOf(reading);
  expect(copy).toBe(expected);
  expect(await readCopy(copy)).toEqual(itemsOf(reading));
});
