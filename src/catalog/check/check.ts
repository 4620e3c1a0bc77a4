import type { RejectedProduct } from "../../cli/files.ts";
import type { CatalogItem } from "../../contract/catalog.ts";
import { BposError } from "../../errors.ts";
import type { CatalogForm, CatalogMapping, CatalogReading } from "../../input/catalog.ts";
import type { LazyList } from "../../input/catalog-items.ts";
import { candidates } from "../../input/csv.ts";
import { encodedOnce } from "../../input/decode.ts";
import type { Decimal } from "../../input/numbers.ts";
import { copyForm } from "../../input/rejected-sheet.ts";
import type { Notice } from "../../input/table.ts";
import type { PushItems } from "../push/push-plan.ts";

/** How many products are shown as they will be sent. */
const FIRST = 5;

/** The texts of the products that were encoded twice, or look so. */
interface DoubledTexts {
  /** Texts that a corrected copy holds repaired. */
  repaired: number;
  /** Texts that it leaves: codes, which are never changed, and names of which only a part looks so. */
  left: number;
  /** The first of them, and what it probably should be. */
  sample: { line: number; text: string; proposal: string } | null;
}

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
  rejected: LazyList<RejectedProduct>;
  notices: readonly Notice[];
  doubled: DoubledTexts;
  /** The corrected copy that was written. */
  fixedFile: string | null;
}

const textFields = ["codigo", "nombre", "categoria"] as const;

function doubledTexts({ items, notices }: CatalogReading): DoubledTexts {
  const found: DoubledTexts = { repaired: 0, left: 0, sample: null };
  if (!notices.some(({ kind }) => kind === "double_encoded")) return found;
  for (let position = 0; position < items.length; position++) {
    const item = items.item(position);
    for (const field of textFields) {
      const text = item[field] ?? "";
      if (field !== "codigo" && encodedOnce(text) !== null) found.repaired += 1;
      else {
        const word = text.split(/\s+/).find((each) => encodedOnce(each) !== null);
        if (word === undefined) continue;
        found.left += 1;
        found.sample ??= { line: items.line(position), text: word, proposal: encodedOnce(word) ?? "" };
      }
    }
  }
  return found;
}

/** A reading as a report; `fixedFile` is set by whoever writes that file. */
export function catalogCheck(reading: CatalogReading, file: string): CatalogCheck {
  const { form, mapping, items, read, collapsed, notices } = reading;
  const first = Array.from({ length: Math.min(FIRST, items.length) }, (_, position) => items.item(position));
  const { rejected } = reading;
  const counts = { read, products: items.length, collapsed };
  const doubled = doubledTexts(reading);
  return { file, form, mapping, first, ...counts, rejected, notices, doubled, fixedFile: null };
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

/** The columns of a corrected copy in CSV, and how its cells are written. */
export interface CopyShape {
  fields: readonly (keyof CatalogItem)[];
  delimiter: string;
  /** True where the header does not show the delimiter, which must then be named in a line before it. */
  named: boolean;
  /** Whether it begins with a byte order mark. */
  marked: boolean;
  decimal: Decimal;
}

/** The separator of units of ASCII: no text holds it. */
const lastResort = "\u001f";
const noText = /[\u0000-\u0008\u000e-\u001f]/;
const loneSurrogate = /\p{Cs}/u;

function textsOf({ codigo, nombre = "", categoria = "" }: CatalogItem): string {
  return `${codigo}\n${nombre}\n${categoria}`;
}

/**
 * Finds a form in which the products read back as they are, as near as can be to that of their file. A row whose cells
 * hold line breaks and also the delimiter could be two rows that a quotation mark made one, so such a row decides about
 * the delimiter.
 *
 * @throws BposError usage_flag when a text holds what no CSV file can
 */
export function copyShape({ items, mapping: { fields: mapped }, form }: CatalogReading): CopyShape {
  const known = ["codigo", "nombre", "categoria", "precio", "deshabilitado"] as const;
  const fields: (keyof CatalogItem)[] = known.filter((field) => mapped[field] !== null);
  const { delimiter: own, marked } = copyForm(form);
  const decimal = form.delimiter === null ? "." : (form.decimal ?? ".");
  let free = [own, ...candidates.filter((each) => each !== own)];
  for (let position = 0; position < items.length; position++) {
    const item = items.item(position);
    const texts = textsOf(item);
    if (noText.test(texts) || loneSurrogate.test(texts)) {
      throw new BposError("usage_flag", { problem: { kind: "control_character", code: item.codigo } });
    }
    if (/[\r\n]/.test((item.nombre ?? "") + (item.categoria ?? "")))
      free = free.filter((delimiter) => !texts.includes(delimiter));
  }
  // A header of one name shows no delimiter; then this one is taken for it.
  const [delimiter = lastResort] = fields.length === 1 ? [";"] : free;
  return { fields, delimiter, named: delimiter === lastResort, marked, decimal };
}
