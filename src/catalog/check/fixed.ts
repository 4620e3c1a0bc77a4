import { csvChunks, inChunks } from "../../cli/display/csv.ts";
import { copyForm } from "../../cli/files/rejected-rows.ts";
import type { SheetCell } from "../../cli/files/workbook.ts";
import type { CatalogItem } from "../../contract/catalog.ts";
import { BposError } from "../../errors.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import { candidates } from "../../input/files/csv.ts";
import { encodedOnce } from "../../input/files/double-encoded.ts";
import { type Decimal, numberCell } from "../../input/items/numbers.ts";
import type { ItemList } from "../item-list.ts";

/** Yields the products of a corrected copy: texts that were encoded twice are repaired, codes stay as they are. */
export function* cleanItems(items: ItemList): Generator<CatalogItem> {
  for (let position = 0; position < items.length; position++) {
    const item = items.item(position);
    for (const field of ["nombre", "categoria"] as const) {
      const once = encodedOnce(item[field] ?? "");
      if (once !== null) item[field] = once;
    }
    yield item;
  }
}

type CopyShape = ReturnType<typeof copyShape>;

/** The ASCII unit separator, which no text contains. */
const lastResort = "\u001f";
const noText = /[\u0000-\u0008\u000e-\u001f]/;
const loneSurrogate = /\p{Cs}/u;

/**
 * Returns a form in which the products read back as they are. A row whose cells hold line breaks and also the delimiter
 * could be two rows that a quotation mark made one.
 */
export function copyShape({ items, mapping: { fields: mapped }, form }: CatalogReading) {
  const known = ["codigo", "nombre", "categoria", "precio", "deshabilitado"] as const;
  const fields: (keyof CatalogItem)[] = known.filter((field) => mapped[field] !== null);
  const { delimiter: own, marked } = copyForm(form);
  const decimal: Decimal = form.delimiter === null ? "." : (form.decimal ?? ".");

  let free = [own, ...candidates.filter((each) => each !== own)];
  for (let position = 0; position < items.length; position++) {
    const { codigo, nombre = "", categoria = "" } = items.item(position);
    const texts = `${codigo}\n${nombre}\n${categoria}`;
    if (noText.test(texts) || loneSurrogate.test(texts))
      throw new BposError("usage_flag", { problem: { kind: "control_character", code: codigo } });
    if (/[\r\n]/.test(nombre + categoria)) free = free.filter((delimiter) => !texts.includes(delimiter));
  }

  // A header with a single name shows no delimiter: this one is assumed.
  const [delimiter = lastResort] = fields.length === 1 ? [";"] : free;
  return { fields, delimiter, marked, decimal };
}

function amount(value: number, decimal: Decimal): string {
  const text = String(value);
  const digits = { useGrouping: false, maximumSignificantDigits: 21 };
  // Very large and very small ones have an exponent.
  return numberCell(text.includes("e") ? value.toLocaleString("en", digits) : text).replace(".", decimal);
}

function* records(
  items: Iterable<CatalogItem>,
  { fields, decimal }: CopyShape,
): Generator<readonly string[]> {
  yield fields;
  for (const item of items)
    yield fields.map((field) => {
      const value = item[field];
      return typeof value === "number" ? amount(value, decimal) : String(value ?? "");
    });
}

/** Yields a CSV for pushing, not for a spreadsheet: a code that looks like a formula stays as it is. */
export function* fixedCsv(items: Iterable<CatalogItem>, shape: CopyShape): Generator<string> {
  const { delimiter, marked } = shape;
  // Without a byte order mark, spreadsheets misread UTF-8.
  if (marked) yield "\ufeff";
  // A header that does not show its delimiter is preceded by a line that names it.
  if (delimiter === lastResort) yield `sep=${delimiter}\r\n`;
  yield* csvChunks(records(items, shape), { delimiter });
}

/** Yields the rows of a workbook, in which a price is a number and everything else a text. */
function* fixedRows(items: Iterable<CatalogItem>, { fields }: CopyShape): Generator<SheetCell[]> {
  yield fields.map((text) => ({ text, as: "heading" }));
  for (const item of items)
    yield fields.map((field) => ({
      text: String(item[field] ?? ""),
      as: field === "precio" ? "number" : "text",
    }));
}

function* jsonLines(items: Iterable<CatalogItem>, isArray: boolean): Generator<string> {
  let before = isArray ? "[\n" : "";
  for (const item of items) {
    yield before + JSON.stringify(item);
    before = isArray ? ",\n" : "\n";
  }
  yield isArray ? "\n]\n" : "\n";
}

export function fixedJson(items: Iterable<CatalogItem>, isArray: boolean): Iterable<string> {
  return inChunks(jsonLines(items, isArray));
}

/** Returns the products as a file that can be pushed, in the format that its name says. */
export async function copyChunks(
  file: string,
  reading: CatalogReading,
): Promise<Iterable<string | Uint8Array>> {
  const [, ending = ""] = /\.(\w+)$/.exec(file.toLowerCase()) ?? [];
  const items = cleanItems(reading.items);
  if (["json", "ndjson", "jsonl"].includes(ending)) return fixedJson(items, ending === "json");
  const shape = copyShape(reading);
  if (ending !== "xlsx") return fixedCsv(items, shape);
  const { workbookChunks } = await import("../../cli/files/workbook.ts");
  return workbookChunks(
    fixedRows(items, shape),
    shape.fields.map(() => 20),
  );
}
