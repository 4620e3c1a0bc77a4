import type { CatalogItem } from "../../contract/catalog.ts";
import type { RowPlace } from "../files/table.ts";
import { foldLooks, hashJson } from "./codes.ts";
import { codeAt, findSorted, itemEnd, joinItems, textEnd } from "./item-texts.ts";

/** Blocks grow from the one to the other: most files are small. */
const firstBlockBytes = 256 << 10;
const blockBits = 23;
const maxBlockBytes = 1 << blockBits;
/** UTF-8 needs at most three for a unit of the language's texts. */
const bytesPerUnit = 3;
const commaByte = 0x2c;
const comma = Buffer.from(",");

/** Returns the place in a table of pairs where a hash is looked for first. */
const placeOf = (hash: number, table: Uint32Array): number => (hash << 1) & (table.length - 1);
const placeBehind = (place: number, table: Uint32Array): number => (place + 2) & (table.length - 1);

/** Returns a list whose elements are built on demand: a million of them at once would take several times their file. */
export type LazyList<T> = Iterable<T> & { readonly length: number; slice(first: number, end: number): T[] };

export const lazyList = <T>(rows: Uint32Array, read: (row: number) => T): LazyList<T> => ({
  length: rows.length,
  slice: (first, end) => Array.from(rows.subarray(first, end), read),
  *[Symbol.iterator]() {
    for (const row of rows) yield read(row);
  },
});

/** `twin` is the next row with the same code, counted from one; zero is none. */
const fields = { line: 0, start: 1, end: 2, address: 3, length: 4, fate: 5, twin: 6 };
const fieldCount = 7;
const rowsBits = 12;
const rowsPerBlock = 1 << rowsBits;
/** The states of a row. One that is not left out or rejected is sent, also with the price 0 or without one. */
const fates = { sent: 0, leftOut: 1, rejected: 2, free: 3, unpriced: 4, unlisted: 5 };
const fateCount = 6;
const tableGrowth = 4;

/**
 * The rows of a catalog file, in its order. Products are kept as the JSON text that is sent, outside the language's heap: a
 * million objects would take several times the file. The comma behind each makes neighbours the inside of an array.
 */
export class CatalogItems {
  readonly #numbers: Uint32Array[] = [];
  /**
   * The hash and the row of each code, in the first free place from that of its hash on: a Map of a million strings would take as much as
   * the file. Codes that look alike have one hash, so that they are found where they are put. A row counts from one, zero is free.
   */
  #table = new Uint32Array(2 * 1024);
  #codes = 0;
  readonly #heads: number[] = [];
  readonly #cellsOf: (place: RowPlace) => readonly string[];
  /** A product's address has the number of its block above these bits, and its offset in the block in them. */
  readonly #blocks: Buffer[] = [];
  readonly #views: DataView[] = [];
  #last: Buffer = Buffer.alloc(0);
  #used = 0;
  #chosen: Uint32Array = new Uint32Array();
  #free: Uint32Array = new Uint32Array();
  rows = 0;
  /** Where the open product is written. */
  view: DataView = new DataView(new ArrayBuffer(0));
  /** Pairs of rows whose codes look alike: a later one and the first that looks so. */
  readonly alike: [first: number, row: number][] = [];
  /** Numbers of products without a price: those that are on sale, and disabled ones. */
  unpriced = 0;
  unlisted = 0;

  constructor(cellsAt: (place: RowPlace) => readonly string[]) {
    this.#cellsOf = cellsAt;
  }

  #get(row: number, field: number): number {
    return this.#numbers[row >>> rowsBits]?.[(row % rowsPerBlock) * fieldCount + field] ?? 0;
  }

  #set(row: number, field: number, value: number): void {
    const block = this.#numbers[row >>> rowsBits];
    if (block !== undefined) block[(row % rowsPerBlock) * fieldCount + field] = value;
  }

  add(line: number, start: number, end: number): number {
    const row = this.rows++;
    const at = (row % rowsPerBlock) * fieldCount;
    if (at === 0) this.#numbers.push(new Uint32Array(rowsPerBlock * fieldCount));
    const block = this.#numbers[row >>> rowsBits];
    if (block === undefined) return row;
    block[at + fields.line] = line;
    block[at + fields.start] = start;
    block[at + fields.end] = end;
    return row;
  }

  placeAt(row: number): RowPlace {
    const { line, start, end } = fields;
    return { line: this.#get(row, line), start: this.#get(row, start), end: this.#get(row, end) };
  }

  fill(row: number, item: CatalogItem): void {
    const json = JSON.stringify(item);
    const from = this.open(json.length * bytesPerUnit + 1);
    const end = from + this.#last.write(json, from);
    this.#last[end] = commaByte;
    this.close(row, end + 1);
    const { precio, deshabilitado } = item;
    if (precio === 0) this.note(row, "free");
    if (precio === undefined) this.note(row, deshabilitado === true ? "unlisted" : "unpriced");
  }

  /** Marks a product that is sent with the price 0 or without one; a disabled one needs none. */
  note(row: number, fate: "free" | "unpriced" | "unlisted"): void {
    this.#set(row, fields.fate, fates[fate]);
  }

  /** Begins a product of at most so many bytes, which are written to `view` from the returned offset on; `close` ends it. */
  open(bytes: number): number {
    if (this.#used + bytes > Math.min(this.#last.length, maxBlockBytes)) {
      const next = Math.min(maxBlockBytes, Math.max(firstBlockBytes, this.#last.length * 2));
      this.#last = Buffer.allocUnsafeSlow(Math.max(next, bytes));
      this.#blocks.push(this.#last);
      this.view = new DataView(this.#last.buffer);
      this.#views.push(this.view);
      this.#used = 0;
    }
    return this.#used;
  }

  /** Ends the open product, which is that of `row`: its last byte, before `end`, is the comma behind it. */
  close(row: number, end: number): void {
    const start = this.#used;
    this.#used = end;
    const codeEnd = textEnd(this.#last, start + codeAt);
    const hash = hashJson(this.#last, start + codeAt, codeEnd);
    const block = this.#numbers[row >>> rowsBits];
    if (block === undefined) return;
    const at = (row % rowsPerBlock) * fieldCount;
    block[at + fields.address] = (this.#blocks.length - 1) * maxBlockBytes + start;
    block[at + fields.length] = end - 1 - start;
    const table = this.#table;
    let alike: number | undefined;
    let place = placeOf(hash, table);
    for (; table[place + 1] !== 0; place = placeBehind(place, table)) {
      if (table[place] !== hash) continue;
      const other = (table[place + 1] ?? 0) - 1;
      if (this.#begins(other, this.view, start, codeEnd + 1)) {
        this.#addTwin(other, row);
        return;
      }
      alike ??= other;
    }
    if (alike !== undefined && this.#looksOf(alike) === this.#looksOf(row)) this.alike.push([alike, row]);
    table[place] = hash;
    table[place + 1] = row + 1;
    this.#codes += 1;
    // Half of the places stay free.
    if (this.#codes * 4 > table.length) this.#growTable();
  }

  #addTwin(head: number, row: number): void {
    const next = this.#get(head, fields.twin);
    if (next === 0) this.#heads.push(head);
    this.#set(row, fields.twin, next);
    this.#set(head, fields.twin, row + 1);
  }

  readonly #looksOf = (row: number): string => foldLooks(this.itemAt(row).codigo);

  /** Returns the first row with a code. */
  find(codigo: string): number | undefined {
    const json = Buffer.from(JSON.stringify({ codigo }));
    return this.#findCode(json, new DataView(json.buffer, json.byteOffset, json.length), 0);
  }

  /**
   * Marks with 1 the products, by their position, that stand just so in `list`: the inside of a JSON array as this program writes it.
   * Returns the positions of those that stand there otherwise, the JSON of each followed by what stands there, and that of what the file
   * does not have.
   */
  markSame(list: Buffer, marks: Uint8Array): { differing: number[]; pairs: string; missing: string } {
    const view = new DataView(list.buffer, list.byteOffset, list.length);
    const differing: number[] = [];
    const pairs: Buffer[] = [];
    const missing: Buffer[] = [];
    let position = 0;
    for (let at = 0, end = 0; at < list.length; at = end + 1) {
      // A file is mostly in the order of its codes, as the list is: what comes next is tried before it is looked for.
      const next = this.#chosen[position] ?? this.rows;
      end = at + this.#get(next, fields.length);
      if (this.#isEnd(list, end) && this.#isItem(next, view, at, end)) {
        marks[position++] = 1;
        continue;
      }
      end = itemEnd(list, at);
      const head = this.#findCode(list, view, at);
      if (head === undefined) missing.push(list.subarray(at, end + 1));
      const found = head === undefined ? -1 : this.#positionOf(head);
      const row = this.#chosen[found];
      if (row === undefined) continue;
      position = found + 1;
      if (this.#isItem(row, view, at, end)) marks[found] = 1;
      else {
        differing.push(found);
        pairs.push(this.json(found, 1), comma, list.subarray(at, end + 1));
      }
    }
    return { differing, pairs: joinItems(pairs), missing: joinItems(missing) };
  }

  /** Returns the row with the code of the product that begins there. */
  #findCode(list: Buffer, view: DataView, at: number): number | undefined {
    const end = textEnd(list, at + codeAt);
    return this.#findText(view, at, end + 1, hashJson(list, at + codeAt, end));
  }

  /** Returns the first row whose text begins with these bytes, which go up to the end of a code with this hash. */
  #findText(view: DataView, at: number, end: number, hash: number): number | undefined {
    const table = this.#table;
    for (let place = placeOf(hash, table); table[place + 1] !== 0; place = placeBehind(place, table)) {
      const row = (table[place + 1] ?? 0) - 1;
      if (table[place] === hash && this.#begins(row, view, at, end)) return row;
    }
    return undefined;
  }

  /** Returns the position among the products of the first row with a code, or of another with the same; -1 if none is sent. */
  #positionOf(head: number): number {
    if (this.#chosen[head] === head) return head;
    const row = this.listTwins(head).find((each) => this.isSent(each));
    return row === undefined ? -1 : findSorted(this.#chosen, row);
  }

  #isItem(row: number, list: DataView, at: number, end: number): boolean {
    return end - at === this.#get(row, fields.length) && this.#begins(row, list, at, end);
  }

  #isEnd(list: Buffer, end: number): boolean {
    return end === list.length || list[end] === commaByte;
  }

  /** Returns whether the text of a row begins with these bytes, of which there are at least four. */
  #begins(row: number, list: DataView, at: number, end: number): boolean {
    const address = this.#get(row, fields.address);
    const view = this.#views[address >>> blockBits];
    const shift = (address & (maxBlockBytes - 1)) - at;
    if (view === undefined || end - at > this.#get(row, fields.length)) return false;
    const last = end - 4;
    for (let next = at; next < last; next += 4)
      if (view.getUint32(next + shift) !== list.getUint32(next)) return false;
    return view.getUint32(last + shift) === list.getUint32(last);
  }

  #growTable(): void {
    const before = this.#table;
    const table = new Uint32Array(before.length * tableGrowth);
    // Starting behind a free place keeps the order of codes with one hash.
    let from = 0;
    while (before[from + 1] !== 0) from += 2;
    for (let next = placeBehind(from, before); next !== from; next = placeBehind(next, before)) {
      const [hash = 0, row = 0] = [before[next], before[next + 1]];
      if (row === 0) continue;
      let place = placeOf(hash, table);
      while (table[place + 1] !== 0) place = placeBehind(place, table);
      table[place] = hash;
      table[place + 1] = row;
    }
    this.#table = table;
  }

  listTwins(head: number): number[] {
    const rows = [head];
    for (let at = this.#get(head, fields.twin); at > 0; at = this.#get(at - 1, fields.twin))
      rows.push(at - 1);
    return rows.sort((a, b) => a - b);
  }

  *groups(): Generator<number[]> {
    for (const head of this.#heads) yield this.listTwins(head);
  }

  drop(row: number): void {
    this.#set(row, fields.fate, fates.leftOut);
  }

  reject(row: number): void {
    this.#set(row, fields.fate, fates.rejected);
  }

  isSent(row: number): boolean {
    const fate = this.#get(row, fields.fate);
    return fate !== fates.rejected && fate !== fates.leftOut;
  }

  isRejected(row: number): boolean {
    return this.#get(row, fields.fate) === fates.rejected;
  }

  /** Settles which products are sent; returns the rejected rows in the order of the file. */
  settle(): Uint32Array {
    const counts = new Uint32Array(fateCount);
    this.#eachFate((fate) => {
      counts[fate] = (counts[fate] ?? 0) + 1;
    });
    const count = (fate: number): number => counts[fate] ?? 0;
    const rejected = new Uint32Array(count(fates.rejected));
    this.unpriced = count(fates.unpriced);
    this.unlisted = count(fates.unlisted);
    this.#free = new Uint32Array(count(fates.free));
    this.#chosen = new Uint32Array(this.rows - rejected.length - count(fates.leftOut));
    let [sentCount, freeCount, rejectedCount] = [0, 0, 0];
    this.#eachFate((fate, row) => {
      if (fate === fates.rejected) rejected[rejectedCount++] = row;
      else if (fate !== fates.leftOut) this.#chosen[sentCount++] = row;
      if (fate === fates.free) this.#free[freeCount++] = row;
    });
    return rejected;
  }

  #eachFate(take: (fate: number, row: number) => void): void {
    let row = 0;
    for (const block of this.#numbers)
      for (let at = fields.fate; at < block.length && row < this.rows; at += fieldCount, row++)
        take(block[at] ?? 0, row);
  }

  jsonAt(row: number): Buffer {
    const address = this.#get(row, fields.address);
    return this.#bytes(address, address + this.#get(row, fields.length));
  }

  itemAt(row: number): CatalogItem {
    return JSON.parse(this.jsonAt(row).toString()) as CatalogItem;
  }

  #bytes(from: number, to: number): Buffer {
    const start = from & (maxBlockBytes - 1);
    return this.#blocks[from >>> blockBits]?.subarray(start, start + to - from) ?? Buffer.alloc(0);
  }

  /** The products that are sent with the price 0. */
  get free(): { length: number; item: (position: number) => CatalogItem } {
    const rows = this.#free;
    return { length: rows.length, item: (position) => this.itemAt(rows[position] ?? 0) };
  }

  get length(): number {
    return this.#chosen.length;
  }

  /** Returns some products as the inside of a JSON array, which must not be changed. */
  json(first: number, count: number): Buffer {
    const rows = this.#chosen.subarray(first, first + count);
    const runs: Buffer[] = [];
    let [from, to] = [-1, -1];
    for (const row of rows) {
      const block = this.#numbers[row >>> rowsBits];
      const at = (row % rowsPerBlock) * fieldCount;
      const [address = 0, length = 0] = [block?.[at + fields.address], block?.[at + fields.length]];
      if (address !== to + 1 || address >>> blockBits !== from >>> blockBits) {
        // The comma behind a run goes with it, except behind the last one.
        if (from >= 0) runs.push(this.#bytes(from, to + 1));
        from = address;
      }
      to = address + length;
    }
    if (from >= 0) runs.push(this.#bytes(from, to));
    return runs.length === 1 && runs[0] !== undefined ? runs[0] : Buffer.concat(runs);
  }

  item(position: number): CatalogItem {
    return this.itemAt(this.#chosen[position] ?? 0);
  }

  line(position: number): number {
    return this.placeAt(this.#chosen[position] ?? 0).line;
  }

  cells(position: number): readonly string[] {
    return this.#cellsOf(this.placeAt(this.#chosen[position] ?? 0));
  }
}
