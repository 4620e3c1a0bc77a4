const blockBits = 12;
const blockLength = 1 << blockBits;

/** A list of whole numbers below 2^32, in four bytes each; it grows without being copied. */
export class GrowingNumbers {
  readonly #blocks: Uint32Array[] = [];
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#blocks.length * blockLength) this.#blocks.push(new Uint32Array(blockLength));
    this.#length += 1;
    this.set(this.#length - 1, value);
  }

  at(index: number): number {
    return this.#blocks[index >>> blockBits]?.[index % blockLength] ?? 0;
  }

  set(index: number, value: number): void {
    const block = this.#blocks[index >>> blockBits];
    if (block !== undefined) block[index % blockLength] = value;
  }

  get length(): number {
    return this.#length;
  }
}
