import { parseBoolean } from "./booleans.ts";
import { ByteCells } from "./byte-cells.ts";
import type { CatalogColumns } from "./catalog-columns.ts";
import type { CatalogItems } from "./catalog-rows.ts";
import type { CodeIndex } from "./code-index.ts";
import { type Decimal, PlainAmount } from "./numbers.ts";
import type { PlainForm, PlainLines } from "./table.ts";

const plus = 0x2b;
const firstBeyondAscii = 0x80;
/** No byte is this one. */
const noSign = -1;
interface Stretch {
  view: DataView;
  length: number;
}

/** Bytes that can be put; three more may be read behind them. */
const stretch = (text: string): Stretch => {
  const bytes = Uint8Array.from([...Buffer.from(text), 0, 0, 0]);
  return { view: new DataView(bytes.buffer), length: bytes.length - 3 };
};
const codigoKey = stretch('{"codigo":"');
const nombreKey = stretch('","nombre":"');
const categoriaKey = stretch('","categoria":"');
const closingQuote = stretch('"');
const precioKey = stretch(',"precio":');
const disabled = stretch(',"deshabilitado":true');
const enabled = stretch(',"deshabilitado":false');
const nothing = stretch("");
const decimalPoint = stretch(".");
const itemEnd = stretch("},");
/** Fields that hold bytes of the file: as many cells as an item has at most, each no longer than its line. */
const fields = 4;
/** More than all keys and signs of an item take. */
const keyBytes = 128;

/** What a price must be read with. */
interface PriceSign {
  readonly found: Decimal | undefined;
  readonly isGiven: boolean;
}

/**
 * Makes items of plain lines byte by byte, where a line can mean but one thing: what it takes, `ItemReader` would take the same
 * way, in several times the time, and what it does not take is left to that.
 */
export class PlainItems {
  readonly #cells: ByteCells;
  #view: DataView | undefined;
  readonly #columns: CatalogColumns;
  readonly #kept: CatalogItems;
  readonly #codes: CodeIndex;
  readonly #sign: PriceSign;
  readonly #byteSign = { sign: noSign, isGiven: false };
  readonly #amount = new PlainAmount();
  /** The words for yes and no that this file has used, and what stands for them in JSON. */
  readonly #words: { bytes: Buffer; json: Stretch }[] = [];

  constructor(
    form: PlainForm,
    {
      columns,
      kept,
      codes,
      sign,
    }: { columns: CatalogColumns; kept: CatalogItems; codes: CodeIndex; sign: PriceSign },
  ) {
    this.#cells = new ByteCells(form);
    this.#columns = columns;
    this.#kept = kept;
    this.#codes = codes;
    this.#sign = sign;
  }

  /** Takes the first of these lines, up to one that is not plain; tells `onTwice` of each code that was there before. */
  take(
    { utf8, from, until, line }: PlainLines,
    onTwice: (other: number, index: number) => void,
  ): { next: number; lines: number } {
    let next = from;
    let lines = 0;
    this.#view ??= new DataView(utf8.buffer, utf8.byteOffset, utf8.length);
    for (; next < until && this.#cells.find(utf8, next, until); lines++) {
      // What is put is read three bytes too far.
      if (this.#cells.next + 3 > utf8.length) break;
      const codigo = this.#columns.codigo;
      const start = this.#cells.starts[codigo] ?? 0;
      const end = this.#cells.ends[codigo] ?? 0;
      if (!isPlainCode(utf8, start, end)) break;
      const word = this.#wordOf(utf8);
      if (word === null || !this.#hasPlainPrice(utf8)) break;
      const index = this.#kept.add(line + lines, next, this.#cells.next);
      this.#kept.store.open(fields * (this.#cells.next - next) + keyBytes);
      this.#write(this.#view, word);
      this.#kept.store.close(index);
      const other = this.#codes.claimAscii(utf8, start, end, index);
      if (other !== undefined) onTwice(other, index);
      next = this.#cells.next;
    }
    return { next, lines };
  }

  /** Whether the price can be read in one way only; where there is none, too. */
  #hasPlainPrice(utf8: Buffer): boolean {
    const { precio } = this.#columns;
    const start = this.#cells.starts[precio] ?? 0;
    const end = this.#cells.ends[precio] ?? 0;
    // Before the sign is known, only a price without one says the same with both.
    const { found, isGiven } = this.#sign;
    this.#byteSign.sign = found?.charCodeAt(0) ?? noSign;
    this.#byteSign.isGiven = isGiven;
    return start === end || this.#amount.find(utf8, start, end, this.#byteSign);
  }

  /** What stands for the word that says whether a product is off; null for one that is not known. */
  #wordOf(utf8: Buffer): Stretch | null {
    const { deshabilitado, inverse } = this.#columns;
    const start = this.#cells.starts[deshabilitado] ?? 0;
    const end = this.#cells.ends[deshabilitado] ?? 0;
    if (start === end) return nothing;
    for (const word of this.#words) if (isSame(utf8, start, end, word.bytes)) return word.json;
    const said = parseBoolean(utf8.toString("utf8", start, end));
    if (said === null) return null;
    const json = said === inverse ? enabled : disabled;
    this.#words.push({ bytes: Buffer.from(utf8.subarray(start, end)), json });
    return json;
  }

  #write(view: DataView, word: Stretch): void {
    const { starts, ends } = this.#cells;
    const { store } = this.#kept;
    const { codigo, nombre, categoria, precio } = this.#columns;
    store.put(codigoKey.view, 0, codigoKey.length);
    store.put(view, starts[codigo] ?? 0, ends[codigo] ?? 0);
    const nombreEnd = ends[nombre] ?? 0;
    if (nombreEnd > (starts[nombre] ?? 0)) {
      store.put(nombreKey.view, 0, nombreKey.length);
      store.put(view, starts[nombre] ?? 0, nombreEnd);
    }
    const categoriaEnd = ends[categoria] ?? 0;
    if (categoriaEnd > (starts[categoria] ?? 0)) {
      store.put(categoriaKey.view, 0, categoriaKey.length);
      store.put(view, starts[categoria] ?? 0, categoriaEnd);
    }
    store.put(closingQuote.view, 0, closingQuote.length);
    if ((ends[precio] ?? 0) > (starts[precio] ?? 0)) {
      const { point, end } = this.#amount;
      store.put(precioKey.view, 0, precioKey.length);
      store.put(view, starts[precio] ?? 0, point);
      if (end > point) {
        store.put(decimalPoint.view, 0, decimalPoint.length);
        store.put(view, point + 1, end);
      }
    }
    store.put(word.view, 0, word.length);
    store.put(itemEnd.view, 0, itemEnd.length);
  }
}

function isSame(utf8: Uint8Array, start: number, end: number, bytes: Uint8Array): boolean {
  if (end - start !== bytes.length) return false;
  for (let at = start; at < end; at++) if (utf8[at] !== bytes[at - start]) return false;
  return true;
}

/** False for a code that is empty, that a spreadsheet may have shortened, or whose letters are more than a byte each. */
function isPlainCode(utf8: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = utf8[at] ?? 0;
    if (byte === plus || byte >= firstBeyondAscii) return false;
  }
  return end > start;
}
