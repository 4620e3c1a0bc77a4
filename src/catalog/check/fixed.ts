import { csvChunks } from "../../cli/csv.ts";
import type { CatalogItem } from "../../contract/catalog.ts";
import type { CopyShape } from "./check.ts";

const chunkCharacters = 1 << 16;

/** A number in digits, without the exponent of very large and very small ones. */
function plainNumber(value: number): string {
  const [digits = "", power] = String(value).split("e");
  if (power === undefined) return digits;
  const [whole = "", fraction = ""] = digits.split(".");
  const places = Number(power);
  return places < 0
    ? `0.${"0".repeat(-places - 1)}${whole}${fraction}`
    : whole + fraction.padEnd(places, "0");
}

/** An amount that can be read in one way only: `1.125` alone might be a thousand. */
function amount(value: number, decimal: CopyShape["decimal"]): string {
  const text = plainNumber(value);
  return (/^\d{1,3}\.\d{3}$/.test(text) ? `${text}0` : text).replace(".", decimal);
}

function cellOf(item: CatalogItem, field: keyof CatalogItem, { decimal }: CopyShape): string {
  const value = item[field];
  return typeof value === "number" ? amount(value, decimal) : String(value ?? "");
}

function* records(items: Iterable<CatalogItem>, shape: CopyShape): Generator<readonly string[]> {
  yield shape.fields;
  for (const item of items) yield shape.fields.map((field) => cellOf(item, field, shape));
}

/** Products as a CSV file for pushing; not for a spreadsheet: a code that looks like a formula stays as it is. */
export function* fixedCsv(items: Iterable<CatalogItem>, shape: CopyShape): Generator<string> {
  const { delimiter, named, marked } = shape;
  // Without the mark spreadsheets take UTF-8 for something else.
  if (marked) yield "\ufeff";
  if (named) yield `sep=${delimiter}\r\n`;
  yield* csvChunks(records(items, shape), { delimiter });
}

function* jsonLines(items: Iterable<CatalogItem>, isArray: boolean): Generator<string> {
  let before = isArray ? "[\n" : "";
  for (const item of items) {
    yield before + JSON.stringify(item);
    before = isArray ? ",\n" : "\n";
  }
  yield isArray ? "\n]\n" : "\n";
}

/** Products as one JSON array, or an object a line, in pieces that are worth a write each. */
export function* fixedJson(
  items: Iterable<CatalogItem>,
  { isArray }: { isArray: boolean },
): Generator<string> {
  let chunk = "";
  for (const line of jsonLines(items, isArray)) {
    chunk += line;
    if (chunk.length < chunkCharacters) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}
