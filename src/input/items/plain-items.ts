import type { CatalogColumns } from "../columns/catalog-columns.ts";
import { maxRowBytes, type PlainLines } from "../files/table.ts";
import type { CatalogItems } from "./catalog-items.ts";
import { judgeMade, kindOf, made, maxErrorLength, minErrorLength } from "./codes.ts";
import { type DecimalSign, parseDisabled, safeDigits } from "./numbers.ts";

const blank = 0x20;
const quote = 0x22;
const hash = 0x23;
const fullStop = 0x2e;
const backslash = 0x5c;
const newline = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const zero = 0x30;
const nine = 0x39;
const firstBeyondAscii = 0x80;
/** Begins the letters from À to ÿ. What else lies beyond ASCII may be a blank, such as U+00A0. */
const latinLead = 0xc3;

const { digit, letter, beyond: beyondAscii } = made;
const betweenWords = made.blank | made.colon;

const ordinary = 0;
const cellEnd = 1;
const rowEnd = 2;
const unlike = 3;

/** Bytes that can be appended; three more may be read behind them. */
type Text = { view: DataView; length: number };

const text = (ascii: string): Text => {
  const bytes = Uint8Array.from([...Buffer.from(ascii), 0, 0, 0]);
  return { view: new DataView(bytes.buffer), length: bytes.length - 3 };
};
const nombreKey = text('","nombre":"');
const categoriaKey = text('","categoria":"');
const codigoKey = text('{"codigo":"');
const closingQuote = text('"');
const precioKey = text(',"precio":');
const disabled = text(',"deshabilitado":true');
const enabled = text(',"deshabilitado":false');
const nothing = text("");
const decimalPoint = text(".");
const itemEnd = text("},");
/** Fields that hold bytes of the file: at most as many cells as an item has, each no longer than its line. */
const fields = 4;
const keyBytes = 128;

/** Makes items of plain lines byte by byte, as `ItemReader` does in several times the time; all other lines are left to that. */
export class PlainItems {
  readonly #items: CatalogItems;
  readonly #columns: CatalogColumns;
  readonly #sign: DecimalSign;
  readonly #utf8: Buffer;
  readonly #view: DataView;
  readonly #lineEnd: number;
  readonly #kinds = new Uint8Array(256).fill(unlike, 0, blank);
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  #next = 0;
  /** The offsets of the price's decimal sign, or of its end, and behind its last digit that counts. */
  #point = 0;
  #priceEnd = 0;
  readonly #judgesLone: boolean;
  readonly #words: { bytes: Buffer; json: Text }[] = [];

  constructor(
    { utf8, width, delimiter, lineEnd }: PlainLines,
    {
      items,
      columns,
      sign,
      judgesLone,
    }: { items: CatalogItems; columns: CatalogColumns; sign: DecimalSign; judgesLone: boolean },
  ) {
    this.#items = items;
    this.#columns = columns;
    this.#sign = sign;
    this.#judgesLone = judgesLone;
    this.#utf8 = utf8;
    this.#view = new DataView(utf8.buffer, utf8.byteOffset, utf8.length);
    this.#lineEnd = lineEnd;
    this.#starts = new Int32Array(width);
    this.#ends = new Int32Array(width);
    this.#kinds[quote] = unlike;
    this.#kinds[backslash] = unlike;
    if (lineEnd === newline) this.#kinds[carriageReturn] = rowEnd;
    this.#kinds[lineEnd] = rowEnd;
    this.#kinds[delimiter] = cellEnd;
  }

  take({ from, until, line }: PlainLines): { next: number; lines: number } {
    let next = from;
    let lines = 0;
    for (; next < until && this.#findCells(next, until); lines++) {
      // Up to three bytes behind a put are read.
      if (this.#next + 3 > this.#utf8.length || this.#next - next > maxRowBytes) break;
      if (!this.#isCode() || (this.#judgesLone && this.#isAlone())) break;
      if (this.#mayBeError(this.#columns.nombre) || this.#mayBeError(this.#columns.categoria)) break;
      const word = this.#readWord();
      if (word === null || !this.#findPrice()) break;
      const row = this.#items.add(line + lines, next, this.#next);
      this.#items.close(row, this.#write(word, this.#items.open(fields * (this.#next - next) + keyBytes)));
      this.#noteAmount(row, word);
      next = this.#next;
    }
    return { next, lines };
  }

  #findCells(from: number, until: number): boolean {
    const utf8 = this.#utf8;
    const kinds = this.#kinds;
    const last = this.#starts.length - 1;
    let start = from;
    let cell = 0;
    for (let at = from; ; at++) {
      const kind = at < until ? kinds[utf8[at] ?? 0] : rowEnd;
      if (kind === ordinary) continue;
      if (kind === unlike || cell > last || !this.#keepCell(cell, start, at)) return false;
      if (kind === rowEnd) {
        const end = utf8[at] === this.#lineEnd || at >= until ? at : at + 1;
        // A carriage return is the end of a line only before its newline.
        if (end > at && utf8[end] !== this.#lineEnd) return false;
        this.#next = Math.min(end + 1, until);
        return cell === last;
      }
      cell += 1;
      start = at + 1;
    }
  }

  #keepCell(cell: number, from: number, to: number): boolean {
    const utf8 = this.#utf8;
    let start = from;
    let end = to;
    while (start < end && utf8[start] === blank) start++;
    while (end > start && utf8[end - 1] === blank) end--;
    this.#starts[cell] = start;
    this.#ends[cell] = end;
    if (start === end) return true;
    const first = utf8[start] ?? 0;
    if (first >= firstBeyondAscii && first !== latinLead) return false;
    return (utf8[end - 1] ?? 0) < firstBeyondAscii || utf8[end - 2] === latinLead;
  }

  /**
   * False for a code that is empty, that a spreadsheet may have changed, or whose letters are more than a byte each; also
   * for a word without a digit, or several words, beside no name or category, which may be a total.
   */
  #isCode(): boolean {
    const { codigo, nombre, categoria } = this.#columns;
    const start = this.#starts[codigo] ?? 0;
    const end = this.#ends[codigo] ?? 0;
    let kinds = 0;
    for (let at = start; at < end; at++) kinds |= kindOf[this.#utf8[at] ?? 0] ?? 0;
    if (end === start || (kinds & beyondAscii) !== 0) return false;
    const isWord = (kinds & digit) !== 0 && (kinds & betweenWords) === 0;
    if (!isWord && !this.#isFilled(nombre) && !this.#isFilled(categoria)) return false;
    // Most codes are like this, and need not become a text.
    if (kinds === (digit | letter) || (kinds === digit && end - start <= safeDigits)) return true;
    return judgeMade(this.#utf8.toString("latin1", start, end), kinds) === null;
  }

  /** Returns true for a text that may come from a failed calculation: `#N/A`, `Err:502`, `Loading...`. */
  #mayBeError(column: number): boolean {
    const start = this.#starts[column] ?? 0;
    const end = this.#ends[column] ?? 0;
    if (this.#utf8[start] === hash) return end > start;
    if (end - start < minErrorLength || end - start > maxErrorLength) return false;
    const isErr = this.#utf8[end - 4] === colon || this.#utf8[end - 5] === colon;
    return isErr || this.#utf8[end - 1] === fullStop;
  }

  #isFilled(column: number): boolean {
    return (this.#ends[column] ?? 0) > (this.#starts[column] ?? 0);
  }

  /** Returns true for a code with no other field to be sent. */
  #isAlone(): boolean {
    const { nombre, categoria, precio, deshabilitado } = this.#columns;
    return (
      !this.#isFilled(nombre) &&
      !this.#isFilled(categoria) &&
      !this.#isFilled(precio) &&
      !this.#isFilled(deshabilitado)
    );
  }

  #noteAmount(row: number, word: Text): void {
    const { precio } = this.#columns;
    const from = this.#starts[precio] ?? 0;
    if (!this.#isFilled(precio)) {
      this.#items.note(row, word === disabled ? "unlisted" : "unpriced");
    } else if (this.#utf8[from] === zero && this.#point === from + 1 && this.#priceEnd === this.#point)
      this.#items.note(row, "free");
  }

  /** Returns true for a price whose JSON text is its own bytes; false also for possible thousands while the decimal sign is unknown. */
  #findPrice(): boolean {
    const { precio } = this.#columns;
    const from = this.#starts[precio] ?? 0;
    const to = this.#ends[precio] ?? 0;
    if (to === from) return true;
    // Before the sign is known, only a price without one is the same with both.
    const sign = this.#sign.found?.charCodeAt(0);
    const bytes = this.#utf8;
    let point = to;
    let end = from;
    for (let at = from; at < to; at++) {
      const code = bytes[at];
      if (code === sign && point === to && at > from) point = at;
      else if (code === undefined || code < zero || code > nine) return false;
      else if (code !== zero || at < point) end = at + 1;
    }
    if (to - from > safeDigits || point === to - 1) return false;
    // 007 is written 7, and 0.0000001 with an exponent.
    if (bytes[from] === zero && (point > from + 1 || (to > from + 2 && bytes[from + 2] === zero)))
      return false;
    if (!this.#sign.isGiven && to - point === 4 && point - from <= 3 && bytes[from] !== zero) return false;
    this.#point = point;
    this.#priceEnd = Math.max(point, end);
    return true;
  }

  #readWord(): Text | null {
    const { deshabilitado } = this.#columns;
    const start = this.#starts[deshabilitado] ?? 0;
    const end = this.#ends[deshabilitado] ?? 0;
    if (start === end) return nothing;
    for (const word of this.#words) if (this.#isSame(start, end, word.bytes)) return word.json;
    const said = parseDisabled(this.#utf8.toString("utf8", start, end), this.#columns);
    if (said === null) return null;
    const json = said ? disabled : enabled;
    this.#words.push({ bytes: Buffer.from(this.#utf8.subarray(start, end)), json });
    return json;
  }

  #isSame(start: number, end: number, bytes: Uint8Array): boolean {
    if (end - start !== bytes.length) return false;
    for (let at = start; at < end; at++) if (this.#utf8[at] !== bytes[at - start]) return false;
    return true;
  }

  /** Writes the product at an offset, and returns the offset behind it. */
  #write(word: Text, offset: number): number {
    const { codigo, nombre, categoria, precio } = this.#columns;
    let at = this.#addCell(offset, codigoKey, codigo);
    at = this.#addCell(at, nombreKey, nombre);
    at = this.#addCell(at, categoriaKey, categoria);
    at = this.#addText(at, closingQuote);
    const start = this.#starts[precio] ?? 0;
    if ((this.#ends[precio] ?? 0) > start) {
      at = this.#add(this.#addText(at, precioKey), this.#view, start, this.#point);
      if (this.#priceEnd > this.#point)
        at = this.#add(this.#addText(at, decimalPoint), this.#view, this.#point + 1, this.#priceEnd);
    }
    return this.#addText(this.#addText(at, word), itemEnd);
  }

  #addCell(offset: number, key: Text, column: number): number {
    const start = this.#starts[column] ?? 0;
    const end = this.#ends[column] ?? 0;
    return start === end ? offset : this.#add(this.#addText(offset, key), this.#view, start, end);
  }

  #addText(offset: number, { view, length }: Text): number {
    return this.#add(offset, view, 0, length);
  }

  /** Writes bytes at an offset, and returns the offset behind them. Reads and writes up to three bytes behind `end`. */
  #add(offset: number, from: DataView, start: number, end: number): number {
    const { view } = this.#items;
    let [at, next] = [offset, start];
    // So few bytes are copied faster here than by a call; the next bytes overwrite those that are too many.
    for (; next < end; next += 4, at += 4) view.setUint32(at, from.getUint32(next, true), true);
    return at - (next - end);
  }
}
