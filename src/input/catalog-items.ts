import type { CatalogItem } from "../contract/catalog.ts";
import type { RowFaults } from "../errors/problems.ts";
import type { RejectedRow, RowPlace } from "./table.ts";

/** Blocks grow from the one to the other: most files are small. */
const firstBlockBytes = 256 << 10;
const maxBlockBytes = 8 << 20;
/** UTF-8 needs at most three for a unit of the language's texts. */
const bytesPerUnit = 3;
const comma = 0x2c;

const numbersBits = 12;
const numbersLength = 1 << numbersBits;

/** A list of whole numbers below 2^32, in four bytes each; it grows without being copied. */
export class GrowingNumbers {
  readonly #blocks: Uint32Array[] = [];
  length = 0;

  push(value: number): void {
    if (this.length === this.#blocks.length * numbersLength)
      this.#blocks.push(new Uint32Array(numbersLength));
    this.length += 1;
    this.set(this.length - 1, value);
  }

  at(index: number): number {
    return this.#blocks[index >>> numbersBits]?.[index % numbersLength] ?? 0;
  }

  set(index: number, value: number): void {
    const block = this.#blocks[index >>> numbersBits];
    if (block !== undefined) block[index % numbersLength] = value;
  }
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/**
 * Which row has a code, in eight bytes a row: a Map of a million strings would take as much as the file. The texts stay where
 * they are; `codeOf` fetches one to be compared.
 */
export class CodeIndex {
  readonly #codeOf: (row: number) => string;
  /** Each plus one; zero in an empty slot. */
  #rows = new Uint32Array(1024);
  #hashes = new Uint32Array(1024);
  #count = 0;

  constructor(codeOf: (row: number) => string) {
    this.#codeOf = codeOf;
  }

  /** The row that has this code already, or undefined after it was put down for `row`. */
  claim(code: string, row: number): number | undefined {
    const hash = hashOf(code);
    const slot = this.#slotOf(code, hash);
    const known = this.#rows[slot] ?? 0;
    if (known > 0) return known - 1;
    this.#rows[slot] = row + 1;
    this.#hashes[slot] = hash;
    this.#count += 1;
    if (this.#count * 2 > this.#rows.length) this.#grow();
    return undefined;
  }

  find(code: string): number | undefined {
    const row = this.#rows[this.#slotOf(code, hashOf(code))] ?? 0;
    return row > 0 ? row - 1 : undefined;
  }

  #slotOf(code: string, hash: number): number {
    const mask = this.#rows.length - 1;
    let slot = hash & mask;
    for (; this.#rows[slot] !== 0; slot = (slot + 1) & mask)
      if (this.#hashes[slot] === hash && this.#codeOf((this.#rows[slot] ?? 1) - 1) === code) break;
    return slot;
  }

  #grow(): void {
    const [rows, hashes] = [this.#rows, this.#hashes];
    this.#rows = new Uint32Array(rows.length * 2);
    this.#hashes = new Uint32Array(rows.length * 2);
    const mask = this.#rows.length - 1;
    for (let from = 0; from < rows.length; from++) {
      const row = rows[from] ?? 0;
      if (row === 0) continue;
      const hash = hashes[from] ?? 0;
      let slot = hash & mask;
      while (this.#rows[slot] !== 0) slot = (slot + 1) & mask;
      this.#rows[slot] = row;
      this.#hashes[slot] = hash;
    }
  }
}

/** A list whose elements are made when somebody asks: a million of them at once would take several times their file. */
export interface LazyList<T> extends Iterable<T> {
  readonly length: number;
  slice(first: number, end: number): T[];
}

export class RejectedRows implements LazyList<RejectedRow> {
  readonly #numbers: Uint32Array;
  readonly #read: (number: number) => RejectedRow;

  constructor(numbers: Uint32Array, read: (number: number) => RejectedRow) {
    this.#numbers = numbers;
    this.#read = read;
  }

  get length(): number {
    return this.#numbers.length;
  }

  slice(first: number, end: number): RejectedRow[] {
    return Array.from(this.#numbers.subarray(first, end), this.#read);
  }

  *[Symbol.iterator](): Generator<RejectedRow> {
    for (const number of this.#numbers) yield this.#read(number);
  }
}

export interface KeptOfRow {
  faults?: RowFaults;
  cells?: readonly string[];
}

/** What becomes of a row beside being sent: it is left out, or rejected; from there on the number of what is kept of it. */
const leftOut = 1;
const rejected = 2;
const nothing: KeptOfRow = {};

/**
 * The rows of a catalog file, in its order: where each stands in it, its product, and what becomes of it. Products are kept
 * as the JSON text that is sent, some tens of bytes each outside the language's heap: a million objects with their strings
 * would take several times the file. A comma stands behind each, so that neighbours are the inside of an array as they lie.
 */
export class CatalogItems {
  readonly codes = new CodeIndex((row) => this.itemAt(row).codigo);
  readonly #lines = new GrowingNumbers();
  readonly #starts = new GrowingNumbers();
  readonly #ends = new GrowingNumbers();
  readonly #block = new GrowingNumbers();
  readonly #from = new GrowingNumbers();
  readonly #to = new GrowingNumbers();
  readonly #fates = new GrowingNumbers();
  /** Of each row, the next with its code, plus one. */
  readonly #twins = new GrowingNumbers();
  /** The first rows of codes that stand more than once. */
  readonly #heads = new GrowingNumbers();
  readonly #kept: KeptOfRow[] = [nothing];
  readonly #cellsAt: (start: number, end: number) => readonly string[];
  readonly #blocks: Buffer[] = [];
  #last: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #used = 0;
  #at = 0;
  #chosen: Uint32Array = new Uint32Array();

  constructor(cellsAt: (start: number, end: number) => readonly string[]) {
    this.#cellsAt = cellsAt;
  }

  add(line: number, start: number, end: number): number {
    this.#lines.push(line);
    this.#starts.push(start);
    this.#ends.push(end);
    this.#block.push(0);
    this.#from.push(0);
    this.#to.push(0);
    this.#fates.push(0);
    return this.#lines.length - 1;
  }

  get rows(): number {
    return this.#lines.length;
  }

  placeOf(row: number): RowPlace {
    return { line: this.#lines.at(row), start: this.#starts.at(row), end: this.#ends.at(row) };
  }

  /** Keeps the product of a row; true unless its code was there before. */
  fill(row: number, item: CatalogItem): boolean {
    const json = JSON.stringify(item);
    this.open(json.length * bytesPerUnit + 1);
    this.#at += this.#last.write(json, this.#used);
    this.#last[this.#at] = comma;
    this.#at += 1;
    return this.close(row, item.codigo);
  }

  /** Begins a product that is put together of at most so many bytes; `close` ends it, and nothing comes between. */
  open(bytes: number): void {
    if (this.#used + bytes > this.#last.length) {
      const next = Math.min(maxBlockBytes, Math.max(firstBlockBytes, this.#last.length * 2));
      this.#last = Buffer.allocUnsafeSlow(Math.max(next, bytes));
      this.#blocks.push(this.#last);
      this.#view = new DataView(this.#last.buffer);
      this.#used = 0;
    }
    this.#at = this.#used;
  }

  /** Puts bytes behind what the open product has; up to three bytes behind `to` are read, and written. */
  put(bytes: DataView, from: number, to: number): void {
    const view = this.#view;
    let at = this.#at;
    // So few bytes are copied quicker here than by a call; what is written too far, the next bytes write over.
    for (let next = from; next < to; next += 4, at += 4) view.setUint32(at, bytes.getUint32(next));
    this.#at += to - from;
  }

  /** The open product, whose last byte is the comma behind it, is that of `row` and has this code. */
  close(row: number, code: string): boolean {
    this.#block.set(row, this.#blocks.length - 1);
    this.#from.set(row, this.#used);
    this.#to.set(row, this.#at - 1);
    this.#used = this.#at;
    const head = this.codes.claim(code, row);
    if (head === undefined) return true;
    while (this.#twins.length < this.rows) this.#twins.push(0);
    const next = this.#twins.at(head);
    if (next === 0) this.#heads.push(head);
    this.#twins.set(row, next);
    this.#twins.set(head, row + 1);
    return false;
  }

  /** The rows that have the code of this first one, in the order of the file. */
  twinsOf(head: number): number[] {
    const rows = [head];
    for (let at = this.#twins.at(head); at > 0; at = this.#twins.at(at - 1)) rows.push(at - 1);
    return rows.sort((a, b) => a - b);
  }

  *groups(): Generator<number[]> {
    for (let n = 0; n < this.#heads.length; n++) yield this.twinsOf(this.#heads.at(n));
  }

  drop(row: number): void {
    this.#fates.set(row, leftOut);
  }

  /** Rejects a row; `kept` is what reading it again would not tell. */
  reject(row: number, kept = nothing): void {
    // Mostly what is kept of a row is that of the one before it.
    if (kept !== nothing && kept !== this.#kept.at(-1)) this.#kept.push(kept);
    this.#fates.set(row, rejected + (kept === nothing ? 0 : this.#kept.length - 1));
  }

  isRejected(row: number): boolean {
    return this.#fates.at(row) >= rejected;
  }

  keptOf(row: number): KeptOfRow {
    return this.#kept[this.#fates.at(row) - rejected] ?? nothing;
  }

  /** Settles which products are sent; the rejected rows, in the order of the file. */
  settle(): Uint32Array {
    const where = (isWanted: (row: number) => boolean): Uint32Array => {
      const found = new Uint32Array(this.rows);
      let count = 0;
      for (let row = 0; row < found.length; row++) if (isWanted(row)) found[count++] = row;
      return found.slice(0, count);
    };
    this.#chosen = where((row) => this.#fates.at(row) === 0);
    return where((row) => this.isRejected(row));
  }

  /** The JSON text of a row's product: equal for equal ones. */
  jsonAt(row: number): Buffer {
    return this.#bytes(this.#block.at(row), this.#from.at(row), this.#to.at(row));
  }

  itemAt(row: number): CatalogItem {
    return JSON.parse(this.jsonAt(row).toString()) as CatalogItem;
  }

  #bytes(block: number, from: number, to: number): Buffer {
    return this.#blocks[block]?.subarray(from, to) ?? Buffer.alloc(0);
  }

  /** Leaves out what is not `wanted`, by its position among what is sent; how many that were. */
  keep(wanted: (position: number) => boolean): number {
    const before = this.#chosen.length;
    this.#chosen = this.#chosen.filter((_, position) => wanted(position));
    return before - this.#chosen.length;
  }

  get length(): number {
    return this.#chosen.length;
  }

  /** Some products as the inside of a JSON array. Nothing may write to it. */
  json(first: number, count: number): Buffer {
    const rows = this.#chosen.subarray(first, first + count);
    const runs: Buffer[] = [];
    for (let n = 0; n < rows.length; n++) {
      const head = rows[n] ?? 0;
      const block = this.#block.at(head);
      let to = this.#to.at(head);
      for (; n + 1 < rows.length; n++) {
        const next = rows[n + 1] ?? 0;
        if (this.#block.at(next) !== block || this.#from.at(next) !== to + 1) break;
        to = this.#to.at(next);
      }
      // The comma behind a run goes with it, except behind the last one.
      runs.push(this.#bytes(block, this.#from.at(head), n + 1 < rows.length ? to + 1 : to));
    }
    return runs.length === 1 && runs[0] !== undefined ? runs[0] : Buffer.concat(runs);
  }

  item(position: number): CatalogItem {
    return this.itemAt(this.#chosen[position] ?? 0);
  }

  line(position: number): number {
    return this.#lines.at(this.#chosen[position] ?? 0);
  }

  cells(position: number): readonly string[] {
    const row = this.#chosen[position] ?? 0;
    return this.#cellsAt(this.#starts.at(row), this.#ends.at(row));
  }
}
