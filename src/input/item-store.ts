import type { CatalogItem } from "../contract/catalog.ts";
import { GrowingNumbers } from "./growing-numbers.ts";

/** Blocks grow from the one to the other: most files are small. */
const firstBlockBytes = 256 << 10;
const largestBlockBytes = 8 << 20;
/** UTF-8 needs at most three for a unit of the language's texts. */
const bytesAUnit = 3;
const comma = 0x2c;
const newline = 0x0a;
/** Characters that wait to be written. */
const mostWaiting = 1 << 14;

/** What JSON may have to escape; `JSON.stringify` decides. */
const unsafe = /["\\\u0000-\u001f\ud800-\udfff]/;

const quoted = (text: string): string => (unsafe.test(text) ? JSON.stringify(text) : `"${text}"`);

const unchecked = (text: string): string => `"${text}"`;

/** An item whose price is JSON text already. */
export type ItemTexts = Omit<CatalogItem, "precio"> & { precio?: string };

/**
 * An item as JSON text, the same as `JSON.stringify` writes it in a third of the time; `isPlain` when none of its texts holds a
 * character that JSON escapes.
 */
export function itemJson(item: ItemTexts, isPlain = false): string {
  const { codigo, nombre, categoria, precio, deshabilitado } = item;
  const quote = isPlain ? unchecked : quoted;
  let json = `{"codigo":${quote(codigo)}`;
  if (nombre !== undefined) json += `,"nombre":${quote(nombre)}`;
  if (categoria !== undefined) json += `,"categoria":${quote(categoria)}`;
  if (precio !== undefined) json += `,"precio":${precio}`;
  if (deshabilitado !== undefined) json += `,"deshabilitado":${deshabilitado}`;
  return `${json}}`;
}

/**
 * The items of a catalog as the JSON text that is sent, some tens of bytes each outside the language's heap: a million
 * objects with their strings would take several times the file. A comma stands behind each, so that neighbours are the inside
 * of an array as they lie.
 */
export class ItemStore {
  readonly #blocks: Buffer[] = [];
  #last: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #used = 0;
  /** Where the open item goes on. */
  #at = 0;
  readonly #block = new GrowingNumbers();
  readonly #from = new GrowingNumbers();
  readonly #to = new GrowingNumbers();
  /** Items that are not yet bytes, one a line: to write many at once takes a third of the time. */
  #waiting = "";
  #waitingIndexes: number[] = [];

  /** Adds an item behind the others; its index. Without a text its place is kept for `fill`. */
  add(json: string | null): number {
    this.#block.push(0);
    this.#from.push(0);
    this.#to.push(0);
    const index = this.#block.length - 1;
    if (json !== null) this.fill(index, json);
    return index;
  }

  fill(index: number, json: string): void {
    // No line break stands in JSON text as it is.
    this.#waiting += `${json}\n`;
    this.#waitingIndexes.push(index);
    if (this.#waiting.length > mostWaiting) this.#write();
  }

  /** Begins an item that is put together of bytes, at most so many; `close` ends it, and nothing comes between. */
  open(bytes: number): void {
    this.#write();
    this.#makeRoom(bytes);
    this.#at = this.#used;
  }

  /** Puts a stretch of bytes behind what the open item has; up to three bytes behind `to` are read, and written. */
  put(bytes: DataView, from: number, to: number): void {
    const view = this.#view;
    let at = this.#at;
    // So few bytes are copied quicker here than by a call; what is written too far, the next stretch writes over.
    for (let next = from; next < to; next += 4, at += 4) view.setUint32(at, bytes.getUint32(next));
    this.#at += to - from;
  }

  /** The open item, whose last byte is the comma behind it, is that of `index`. */
  close(index: number): void {
    this.#place(index, this.#used, this.#at - 1);
  }

  #place(index: number, from: number, to: number): void {
    this.#block.set(index, this.#blocks.length - 1);
    this.#from.set(index, from);
    this.#to.set(index, to);
    this.#used = to + 1;
  }

  #makeRoom(bytes: number): void {
    if (this.#used + bytes <= this.#last.length) return;
    const next = Math.min(largestBlockBytes, Math.max(firstBlockBytes, this.#last.length * 2));
    this.#last = Buffer.allocUnsafeSlow(Math.max(next, bytes));
    this.#blocks.push(this.#last);
    this.#view = new DataView(this.#last.buffer);
    this.#used = 0;
  }

  #write(): void {
    const text = this.#waiting;
    const indexes = this.#waitingIndexes;
    if (indexes.length === 0) return;
    this.#waiting = "";
    this.#waitingIndexes = [];
    this.#makeRoom(text.length * bytesAUnit);
    const block = this.#last;
    const end = this.#used + block.write(text, this.#used);
    for (const index of indexes) {
      const to = block.indexOf(newline, this.#used);
      block[to] = comma;
      this.#place(index, this.#used, to);
    }
    this.#used = end;
  }

  get length(): number {
    return this.#block.length;
  }

  /** The places that were filled, in their order. */
  filled(): Uint32Array {
    this.#write();
    const places = new Uint32Array(this.length);
    let count = 0;
    for (let index = 0; index < places.length; index++) if (this.#to.at(index) > 0) places[count++] = index;
    return places.subarray(0, count);
  }

  /** The JSON text of an item; empty for a place that was never filled. */
  json(index: number): Buffer {
    this.#write();
    return this.#bytes(this.#block.at(index), this.#from.at(index), this.#to.at(index));
  }

  #bytes(block: number, from: number, to: number): Buffer {
    return this.#blocks[block]?.subarray(from, to) ?? Buffer.alloc(0);
  }

  item(index: number): CatalogItem {
    return JSON.parse(this.json(index).toString()) as CatalogItem;
  }

  /** The JSON texts of some items with a comma between two, which is the inside of an array. Nothing may write to it. */
  joined(indexes: Uint32Array): Buffer {
    this.#write();
    const runs: Buffer[] = [];
    for (let n = 0; n < indexes.length; n++) {
      const first = indexes[n] ?? 0;
      const block = this.#block.at(first);
      let to = this.#to.at(first);
      for (; n + 1 < indexes.length; n++) {
        const next = indexes[n + 1] ?? 0;
        if (this.#block.at(next) !== block || this.#from.at(next) !== to + 1) break;
        to = this.#to.at(next);
      }
      // The comma behind a run goes with it, except behind the last one.
      runs.push(this.#bytes(block, this.#from.at(first), n + 1 < indexes.length ? to + 1 : to));
    }
    return runs.length === 1 && runs[0] !== undefined ? runs[0] : Buffer.concat(runs);
  }
}
