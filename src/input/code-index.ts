/** FNV-1a over the code units of a text, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The same of a text whose code units are these bytes. */
function hashOfAscii(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash >>> 0;
}

const empty = 0;

/**
 * Which row has a code, in eight bytes a row: a Map of a million strings would take as much as the file. The texts stay where
 * they are; `codeOf` fetches one to be compared.
 */
export class CodeIndex {
  readonly #codeOf: (row: number) => string;
  #rows = new Uint32Array(1024);
  #hashes = new Uint32Array(1024);
  #count = 0;

  constructor(codeOf: (row: number) => string) {
    this.#codeOf = codeOf;
  }

  /** The row that has this code already, or undefined after it was put down for `row`. */
  claim(code: string, row: number): number | undefined {
    return this.#claim(hashOf(code), row, () => code);
  }

  /** The same for a code that is ASCII, of which no text was made. */
  claimAscii(bytes: Buffer, start: number, end: number, row: number): number | undefined {
    return this.#claim(hashOfAscii(bytes, start, end), row, () => bytes.toString("latin1", start, end));
  }

  /** The row that has this code, if any. */
  find(code: string): number | undefined {
    const slot = this.#slotOf(hashOf(code), () => code);
    return this.#rows[slot] === empty ? undefined : (this.#rows[slot] ?? 1) - 1;
  }

  /** Where a code stands, or belongs. */
  #slotOf(hash: number, codeText: () => string): number {
    const mask = this.#rows.length - 1;
    let slot = hash & mask;
    for (; this.#rows[slot] !== empty; slot = (slot + 1) & mask)
      if (this.#hashes[slot] === hash && this.#codeOf((this.#rows[slot] ?? 1) - 1) === codeText()) break;
    return slot;
  }

  #claim(hash: number, row: number, codeText: () => string): number | undefined {
    const slot = this.#slotOf(hash, codeText);
    if (this.#rows[slot] !== empty) return (this.#rows[slot] ?? 1) - 1;
    this.#rows[slot] = row + 1;
    this.#hashes[slot] = hash;
    this.#count += 1;
    if (this.#count * 2 > this.#rows.length) this.#grow();
    return undefined;
  }

  #grow(): void {
    const [rows, hashes] = [this.#rows, this.#hashes];
    this.#rows = new Uint32Array(rows.length * 2);
    this.#hashes = new Uint32Array(rows.length * 2);
    const mask = this.#rows.length - 1;
    for (let from = 0; from < rows.length; from++) {
      const row = rows[from] ?? empty;
      if (row === empty) continue;
      const hash = hashes[from] ?? 0;
      let slot = hash & mask;
      while (this.#rows[slot] !== empty) slot = (slot + 1) & mask;
      this.#rows[slot] = row;
      this.#hashes[slot] = hash;
    }
  }
}
