import type { CatalogItem } from "../contract/catalog.ts";
import { GrowingNumbers } from "./growing-numbers.ts";
import { ItemStore } from "./item-store.ts";
import type { RowPlace } from "./rejected-rows.ts";

/** The products of a catalog file, in its order, and where each of them stands in it. */
export class CatalogItems {
  readonly store = new ItemStore();
  readonly #lines = new GrowingNumbers();
  readonly #starts = new GrowingNumbers();
  readonly #ends = new GrowingNumbers();
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

  /** Settles which products are sent: all that were filled in, without those that are 1 in `dropped`. */
  choose(dropped: Uint8Array): void {
    const filled = this.store.filled();
    let count = 0;
    // In its place: a filter would make a list of numbers first.
    for (const index of filled) if (dropped[index] !== 1) filled[count++] = index;
    this.#chosen = filled.subarray(0, count);
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
