import type { CatalogItem } from "../contract/catalog.ts";
import { GrowingNumbers } from "./growing-numbers.ts";
import { ItemStore } from "./item-store.ts";
import type { KeptOfRow, RowPlace } from "./rejected-rows.ts";

/** What becomes of a row beside being sent: it is left out, or rejected; from there on the number of what is kept of it. */
const leftOut = 1;
const rejected = 2;
const nothing: KeptOfRow = {};

/** The products of a catalog file, in its order, and where each of them stands in it. */
export class CatalogItems {
  readonly store = new ItemStore();
  readonly #lines = new GrowingNumbers();
  readonly #starts = new GrowingNumbers();
  readonly #ends = new GrowingNumbers();
  readonly #fates = new GrowingNumbers();
  readonly #kept: KeptOfRow[] = [nothing];
  readonly #cellsAt: (start: number, end: number) => readonly string[];
  #chosen: Uint32Array = new Uint32Array();

  constructor(cellsAt: (start: number, end: number) => readonly string[]) {
    this.#cellsAt = cellsAt;
  }

  /** Keeps a place for the product of a row; its index in `store`. */
  add(line: number, start: number, end: number): number {
    this.#lines.push(line);
    this.#starts.push(start);
    this.#ends.push(end);
    this.#fates.push(0);
    return this.store.add(null);
  }

  placeOf(index: number): RowPlace {
    return { line: this.#lines.at(index), start: this.#starts.at(index), end: this.#ends.at(index) };
  }

  lineOf(index: number): number {
    return this.#lines.at(index);
  }

  cellsOf(index: number): readonly string[] {
    return this.#cellsAt(this.#starts.at(index), this.#ends.at(index));
  }

  /** Leaves a row out without a word. */
  drop(index: number): void {
    this.#fates.set(index, leftOut);
  }

  /** Rejects a row; `kept` is what reading it again would not tell. */
  reject(index: number, kept = nothing): void {
    // Mostly what is kept of a row is that of the one before it.
    if (kept !== nothing && kept !== this.#kept.at(-1)) this.#kept.push(kept);
    this.#fates.set(index, rejected + (kept === nothing ? 0 : this.#kept.length - 1));
  }

  isRejected(index: number): boolean {
    return this.#fates.at(index) >= rejected;
  }

  keptOf(index: number): KeptOfRow {
    return this.#kept[this.#fates.at(index) - rejected] ?? nothing;
  }

  /** Settles which products are sent: all that were filled in and neither left out nor rejected. */
  settle(): void {
    this.#chosen = this.#where(this.store.filled(), (index) => this.#fates.at(index) === 0);
  }

  /** The rejected rows, in the order of the file. */
  rejected(): Uint32Array {
    return this.#where(
      Uint32Array.from({ length: this.store.length }, (_, n) => n),
      (index) => this.isRejected(index),
    );
  }

  /** In its place: a filter would make a list of numbers first. */
  #where(indexes: Uint32Array, isWanted: (index: number) => boolean): Uint32Array {
    let count = 0;
    for (const index of indexes) if (isWanted(index)) indexes[count++] = index;
    return indexes.slice(0, count);
  }

  /** Leaves out what is not `wanted`; how many that were. */
  keep(wanted: (item: CatalogItem) => boolean): number {
    const before = this.#chosen.length;
    this.#chosen = this.#chosen.filter((index) => wanted(this.store.item(index)));
    return before - this.#chosen.length;
  }

  /** How many are sent. */
  get length(): number {
    return this.#chosen.length;
  }

  #at(position: number): number {
    return this.#chosen[position] ?? 0;
  }

  /** Some products as the inside of a JSON array. */
  json(first: number, count: number): Buffer {
    return this.store.joined(this.#chosen.subarray(first, first + count));
  }

  /** One product, by its position among those that are sent. */
  item(position: number): CatalogItem {
    return this.store.item(this.#at(position));
  }

  /** Its physical line in the file. */
  line(position: number): number {
    return this.lineOf(this.#at(position));
  }

  /** Its row in the file as read. */
  cells(position: number): readonly string[] {
    return this.cellsOf(this.#at(position));
  }
}
