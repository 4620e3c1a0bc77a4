import { CodeIndex } from "./code-index.ts";
import { fold } from "./columns.ts";
import { GrowingNumbers } from "./growing-numbers.ts";

/** Two codes that look alike, and the lines on which they stand. */
export interface LookAlikes {
  line: number;
  code: string;
  otherLine: number;
  otherCode: string;
}

/** How many of them are named. */
const shownPairs = 3;
const ascii = /^[\x20-\x7e]*$/;
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** A code as it looks: composed, and without what has no width. */
const looksOf = (code: string): string => code.normalize("NFC").replace(unseen, "");

/** Finds codes that differ only in their Unicode form or in characters that nobody sees. */
export class CodeVariants {
  readonly #codeOf: (row: number) => string;
  /** Rows whose code is not as it looks: in most files none. */
  readonly #rows = new GrowingNumbers();

  constructor(codeOf: (row: number) => string) {
    this.#codeOf = codeOf;
  }

  see(code: string, row: number): void {
    if (!ascii.test(code) && looksOf(code) !== code) this.#rows.push(row);
  }

  /** The first pairs, and how many there are; `codes` has the rows of all codes. */
  find(codes: CodeIndex, lineOf: (row: number) => number): { pairs: LookAlikes[]; count: number } {
    const seen = new CodeIndex((row) => looksOf(this.#codeOf(row)));
    const pairs: LookAlikes[] = [];
    let count = 0;
    for (let n = 0; n < this.#rows.length; n++) {
      const row = this.#rows.at(n);
      const looks = looksOf(this.#codeOf(row));
      const twin = seen.claim(looks, row);
      const other = codes.find(looks) ?? twin;
      if (other === undefined) continue;
      count += 1;
      if (pairs.length === shownPairs) continue;
      const [first = row, second = row] = [row, other].sort((a, b) => lineOf(a) - lineOf(b));
      pairs.push({
        ...{ line: lineOf(first), code: this.#codeOf(first) },
        ...{ otherLine: lineOf(second), otherCode: this.#codeOf(second) },
      });
    }
    return { pairs, count };
  }
}

const total = /^(?:grand? )?(?:sub ?)?tota(?:l|ls|les|is)(?: genera(?:l|les)| geral)?$/;

/** The word that makes a row the sum of those above it: "TOTAL", "Subtotal:"; null for any other cells. */
export function totalWord(cells: readonly string[]): string | null {
  return cells.find((cell) => total.test(fold(cell)))?.trim() ?? null;
}
