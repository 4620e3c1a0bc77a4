import { GrowingNumbers } from "./growing-numbers.ts";

/** The rows of each code that stands more than once, in twelve bytes a row: lists of a million pairs would take a hundred. */
export class CodeGroups {
  /** Of each row, the next with its code, the first and the last one, each plus one. */
  readonly #next = new GrowingNumbers();
  readonly #first = new GrowingNumbers();
  readonly #last = new GrowingNumbers();

  /** Puts a row behind the first one with its code. */
  add(first: number, row: number): void {
    while (this.#next.length <= Math.max(first, row))
      for (const numbers of [this.#next, this.#first, this.#last]) numbers.push(0);
    const last = this.#last.at(first) === 0 ? first : this.#last.at(first) - 1;
    this.#first.set(first, first + 1);
    this.#next.set(last, row + 1);
    this.#last.set(first, row + 1);
    this.#first.set(row, first + 1);
  }

  /** The rows that have the code of this one, in the order of the file. */
  of(row: number): number[] {
    const rows: number[] = [];
    for (let at = this.#first.at(row); at > 0; at = this.#next.at(at - 1)) rows.push(at - 1);
    return rows.sort((a, b) => a - b);
  }

  /** Each such list, one at a time. */
  *[Symbol.iterator](): Generator<number[]> {
    for (let row = 0; row < this.#next.length; row++) if (this.#first.at(row) === row + 1) yield this.of(row);
  }
}
