import type { RowFaults } from "../errors/row-problem.ts";

/** A row that is left out, and why. */
export interface RejectedRow extends RowFaults {
  source: "file";
  line: number;
  codigo: string | null;
  cells: readonly string[];
}

/** Where a row stands in its file. */
export interface RowPlace {
  line: number;
  /** Byte offsets. */
  start: number;
  end: number;
}

/** What is kept of a rejected row because it cannot be read again. */
export type KeptOfRow = Partial<Pick<RejectedRow, "cells">> & { faults?: RowFaults };

/** A list whose elements may be made only when somebody asks: a million of them at once would take several times their file. */
export interface LazyList<T> extends Iterable<T> {
  readonly length: number;
  slice(first: number, end: number): T[];
}

/** Such a list of what `read` makes of each of these numbers. */
export class ListOf<T> implements LazyList<T> {
  readonly #numbers: Uint32Array;
  readonly #read: (index: number) => T;

  constructor(numbers: Uint32Array, read: (index: number) => T) {
    this.#numbers = numbers;
    this.#read = read;
  }

  get length(): number {
    return this.#numbers.length;
  }

  slice(first: number, end: number): T[] {
    return Array.from(this.#numbers.subarray(first, end), this.#read);
  }

  *[Symbol.iterator](): Generator<T> {
    for (const index of this.#numbers) yield this.#read(index);
  }
}
