import type { PlainForm } from "./table.ts";

const blank = 0x20;
const quote = 0x22;
const backslash = 0x5c;
const newline = 0x0a;
const carriageReturn = 0x0d;
const firstBeyondAscii = 0x80;
/** Begins the letters from À to ÿ. What else lies beyond ASCII may be a blank, such as U+00A0. */
const latinLead = 0xc3;

const ordinary = 0;
const cellEnd = 1;
const rowEnd = 2;
const unlike = 3;

/** What each byte means in a line. */
function meanings({ delimiter, lineEnd }: PlainForm): Uint8Array {
  const kinds = new Uint8Array(256).fill(unlike, 0, blank);
  kinds[quote] = unlike;
  kinds[backslash] = unlike;
  if (lineEnd === newline) kinds[carriageReturn] = rowEnd;
  kinds[lineEnd] = rowEnd;
  kinds[delimiter] = cellEnd;
  return kinds;
}

/**
 * Where the cells of a line lie, without the blanks around them, for lines of nothing but plain cells: no quote, nothing that JSON
 * escapes. No text is made of them, which is most of the work of reading a row.
 */
export class ByteCells {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** The offset behind the line. */
  next = 0;
  readonly #kinds: Uint8Array;
  readonly #lineEnd: number;

  constructor(form: PlainForm) {
    this.starts = new Int32Array(form.width);
    this.ends = new Int32Array(form.width);
    this.#kinds = meanings(form);
    this.#lineEnd = form.lineEnd;
  }

  /** Finds the cells of the line at `from`; false for one that is not as many plain cells as the header has. */
  find(utf8: Uint8Array, from: number, until: number): boolean {
    const kinds = this.#kinds;
    const last = this.starts.length - 1;
    let start = from;
    let cell = 0;
    for (let at = from; ; at++) {
      const kind = at < until ? kinds[utf8[at] ?? 0] : rowEnd;
      if (kind === ordinary) continue;
      if (kind === unlike || cell > last || !this.#keep(utf8, cell, start, at)) return false;
      if (kind === rowEnd) {
        const end = utf8[at] === this.#lineEnd || at >= until ? at : at + 1;
        // A carriage return is the end of a line only before its newline.
        if (end > at && utf8[end] !== this.#lineEnd) return false;
        this.next = Math.min(end + 1, until);
        return cell === last;
      }
      cell += 1;
      start = at + 1;
    }
  }

  #keep(utf8: Uint8Array, cell: number, from: number, to: number): boolean {
    let start = from;
    let end = to;
    while (start < end && utf8[start] === blank) start++;
    while (end > start && utf8[end - 1] === blank) end--;
    this.starts[cell] = start;
    this.ends[cell] = end;
    if (start === end) return true;
    const first = utf8[start] ?? 0;
    if (first >= firstBeyondAscii && first !== latinLead) return false;
    return (utf8[end - 1] ?? 0) < firstBeyondAscii || utf8[end - 2] === latinLead;
  }
}
