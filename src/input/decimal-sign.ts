import type { RowProblem } from "../errors/row-problem.ts";
import { unusable } from "./file.ts";
import { bothReadings, type Decimal, decimalHint, plainJsonAmount } from "./numbers.ts";
import type { TableHead } from "./table.ts";

interface PriceSample {
  line: number;
  text: string;
}

/** The decimal sign of the price column, found out while it is read: a guess could be off by a thousand. */
export class DecimalSign {
  readonly #file: TableHead["file"];
  readonly #column: string;
  readonly #samples: { ","?: PriceSample; "."?: PriceSample; ambiguous?: PriceSample } = {};
  #found: Decimal | undefined;

  constructor(file: TableHead["file"], column: string, given: Decimal | undefined) {
    this.#file = file;
    this.#column = column;
    this.#found = given;
    this.isGiven = given !== undefined;
  }

  readonly isGiven: boolean;

  get found(): Decimal | undefined {
    return this.#found;
  }

  /** Takes a price as evidence; true when it cannot be read before the sign is known. Throws where both signs are there. */
  mustWait(sample: PriceSample): boolean {
    const { text } = sample;
    if (this.isGiven || text === "") return false;
    // It cannot be evidence against the sign that is known.
    if (this.#found !== undefined && plainJsonAmount(text, this.#found) !== null) return false;
    const hint = decimalHint(text);
    if (hint === "none") return false;
    this.#samples[hint] ??= sample;
    const { ",": comma, ".": dot } = this.#samples;
    if (comma && dot)
      throw unusable(this.#file, { kind: "decimals_mixed", column: this.#column, comma, dot });
    if (hint !== "ambiguous") this.#found = hint;
    return this.#found === undefined;
  }

  /**
   * What is wrong with an amount that has three digits behind the decimal sign of its column, when nobody named that sign:
   * beside `1.450,50` a `1,600` is rather a thousand and six hundred than 1.6.
   */
  doubt(text: string): RowProblem | null {
    const decimal = this.#found;
    if (this.isGiven || decimal === undefined || !text.includes(decimal)) return null;
    if (decimalHint(text) !== "ambiguous") return null;
    const { asComma, asDot } = bothReadings(text);
    const [asDecimals, asThousands] = decimal === "," ? [asComma, asDot] : [asDot, asComma];
    return { kind: "price_ambiguous", column: this.#column, text, decimal, asDecimals, asThousands };
  }

  /** Refuses a column whose every price can be read in two ways. */
  refuseAmbiguous(): void {
    const { ambiguous } = this.#samples;
    if (this.#found !== undefined || ambiguous === undefined) return;
    const { text, line } = ambiguous;
    const problem = {
      kind: "decimals_ambiguous",
      column: this.#column,
      sample: text,
      ...bothReadings(text),
    } as const;
    throw unusable(this.#file, problem, line);
  }
}
