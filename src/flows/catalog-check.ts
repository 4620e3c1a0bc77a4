import type { CatalogItem } from "../contract/catalog.ts";
import { BposError } from "../errors.ts";
import type { CatalogForm, CatalogMapping, CatalogReading } from "../input/catalog-items.ts";
import { encodedOnce } from "../input/double-encoding.ts";
import type { Notice } from "../input/problems.ts";
import type { PushItems } from "./push-plan.ts";
import type { RejectedProduct } from "./push-report.ts";

/** How many products are shown as they will be sent. */
const FIRST = 5;

/** What a catalog file comes to, without the service. */
export interface CatalogCheck {
  /** The file as people name it. */
  file: string;
  form: CatalogForm;
  mapping: CatalogMapping;
  /** The first products as they will be sent. */
  first: readonly CatalogItem[];
  /** Rows of the file. */
  read: number;
  /** Products that will be sent. */
  products: number;
  /** Rows that another row with the same code stands for. */
  collapsed: number;
  rejected: readonly RejectedProduct[];
  notices: readonly Notice[];
  /** The corrected copy that was written. */
  fixedFile: string | null;
}

/** A reading as a report; `fixedFile` is set by whoever writes that file. */
export function catalogCheck(reading: CatalogReading, file: string): CatalogCheck {
  const { form, mapping, items, read, collapsed, notices } = reading;
  const first = Array.from({ length: Math.min(FIRST, items.length) }, (_, position) => items.item(position));
  const rejected = reading.rejected.map((row): RejectedProduct => ({ source: "file", ...row }));
  const counts = { read, products: items.length, collapsed };
  return { file, form, mapping, first, ...counts, rejected, notices, fixedFile: null };
}

/** Products for a corrected copy: texts that were encoded twice are repaired, codes stay as they are. */
export function* cleanItems(items: PushItems): Generator<CatalogItem> {
  for (let position = 0; position < items.length; position++) {
    const item = items.item(position);
    for (const field of ["nombre", "categoria"] as const) {
      const once = encodedOnce(item[field] ?? "");
      if (once !== null) item[field] = once;
    }
    yield item;
  }
}

/** The columns of a corrected copy in CSV, and the character between its cells. */
export interface CopyShape {
  fields: readonly (keyof CatalogItem)[];
  delimiter: string;
  /** True where the header does not show the delimiter, which must then be named in a line before it. */
  named: boolean;
}

const shown = [",", ";", "\t", "|"];
/** The separator of units of ASCII: no text holds it. */
const lastResort = "\u001f";
const noText = /[\u0000-\u0008\u000e-\u001f]/;
const loneSurrogate = /\p{Cs}/u;

function textsOf({ codigo, nombre = "", categoria = "" }: CatalogItem): string {
  return `${codigo}\n${nombre}\n${categoria}`;
}

/**
 * Finds a form in which the products read back as they are. A row whose cells hold line breaks and also the delimiter
 * could be two rows that a quotation mark made one, so such a row decides about the delimiter.
 *
 * @throws BposError usage_flag when a text holds what no CSV file can
 */
export function copyShape(items: PushItems, { fields: mapped }: CatalogMapping): CopyShape {
  const known = ["codigo", "nombre", "categoria", "precio", "deshabilitado"] as const;
  const fields: (keyof CatalogItem)[] = known.filter((field) => mapped[field] !== null);
  let free = shown;
  for (let position = 0; position < items.length; position++) {
    const item = items.item(position);
    const texts = textsOf(item);
    if (noText.test(texts) || loneSurrogate.test(texts)) {
      const detail = `the product ${JSON.stringify(item.codigo)} holds a control character, which CSV cannot carry. Nothing was written.`;
      throw new BposError("usage_flag", { detail, hint: "Name a file that ends in .ndjson with --fixed." });
    }
    if (/[\r\n]/.test((item.nombre ?? "") + (item.categoria ?? "")))
      free = free.filter((delimiter) => !texts.includes(delimiter));
  }
  const [first = lastResort] = fields.length === 1 ? [";"] : free;
  return { fields, delimiter: first, named: first === lastResort };
}
