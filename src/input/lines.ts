const newline = 0x0a;
const carriageReturn = 0x0d;

/** The byte that ends a line: a carriage return only in a file without any newline (old Macintosh). */
export function lineEnd(utf8: Buffer): number {
  return utf8.includes(newline) || !utf8.includes(carriageReturn) ? newline : carriageReturn;
}

/** The offset just behind the physical line that holds `from`. */
export function nextLine(utf8: Buffer, from: number, end: number): number {
  const at = utf8.indexOf(end, from);
  return at < 0 ? utf8.length : at + 1;
}

/** Tells the physical line of byte offsets that never go back. */
export class LineCounter {
  #line = 1;
  #newline: number;
  readonly #utf8: Buffer;
  readonly #end: number;

  constructor(utf8: Buffer, end = lineEnd(utf8)) {
    this.#utf8 = utf8;
    this.#end = end;
    this.#newline = utf8.indexOf(end);
  }

  /** The line of an offset, counted from 1. */
  at(offset: number): number {
    while (this.#newline >= 0 && this.#newline < offset) {
      this.#line += 1;
      this.#newline = this.#utf8.indexOf(this.#end, this.#newline + 1);
    }
    return this.#line;
  }

  /** Goes on to `offset`, the beginning of a line, over lines that were counted elsewhere. */
  skipTo(offset: number, lines: number): void {
    this.#line += lines;
    this.#newline = this.#utf8.indexOf(this.#end, offset);
  }
}
