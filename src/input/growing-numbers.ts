const firstRows = 1024;

/** A list of whole numbers below 2^32, in four bytes each. */
export class GrowingNumbers {
  #values = new Uint32Array(firstRows);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Uint32Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  get length(): number {
    return this.#length;
  }
}
