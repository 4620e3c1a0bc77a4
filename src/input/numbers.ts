import type { RowProblem } from "../errors/problems.ts";
import { unusable } from "./file.ts";
import type { TableHead } from "./table.ts";

export type Decimal = "," | ".";

type Amount =
  | { ok: true; value: number }
  | { ok: false; kind: "price_not_number" | "price_negative" | "price_too_long" };

/** A double holds every decimal of this many digits exactly; beyond them it would round. */
export const safeDigits = 15;

const affixes = /^(-?)\s*(?:(?:AR|R)?\$|€)?\s*(-?)(\d.*?)(?:\s*[$€])?$/i;
const grammars = {
  ",": /^(\d+|[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+)(?:,(\d+))?$/,
  ".": /^(\d+|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+)(?:\.(\d+))?$/,
} as const;

function toAmount(whole: string, fraction: string, negative: boolean): Amount {
  const integer = whole.replace(/\D/g, "").replace(/^0+(?=\d)/, "");
  const decimals = fraction.replace(/0+$/, "");
  const digits = integer === "0" ? decimals.replace(/^0+/, "") : integer + decimals;
  if (negative && digits !== "") return { ok: false, kind: "price_negative" };
  if (digits.length > safeDigits && digits.replace(/0+$/, "").length > safeDigits)
    return { ok: false, kind: "price_too_long" };
  return { ok: true, value: Number(`${integer}.${decimals}`) };
}

/**
 * Reads an amount by a strict grammar: digits, thousands in groups of three, one decimal sign, a currency sign.
 *
 * @example
 * parseAmount("$ 1.250,50", ","); // { ok: true, value: 1250.5 }
 */
export function parseAmount(text: string, decimal: Decimal): Amount {
  const [, sign = "", innerSign = "", digits = ""] = affixes.exec(text.trim()) ?? [];
  const match = grammars[decimal].exec(digits);
  if (match === null || sign + innerSign === "--") return { ok: false, kind: "price_not_number" };
  return toAmount(match[1] ?? "", match[2] ?? "", sign + innerSign === "-");
}

/** Reads a number as JSON writes it; an exponent is plain there, since no spreadsheet put it in. */
export function parseJsonAmount(source: string): Amount {
  const value = Number(source);
  if (!Number.isFinite(value)) return { ok: false, kind: "price_not_number" };
  if (value < 0) return { ok: false, kind: "price_negative" };
  const digits = source.replace(/e.*$/i, "").replace(/[.-]/g, "").replace(/^0+/, "").replace(/0+$/, "");
  return digits.length > safeDigits ? { ok: false, kind: "price_too_long" } : { ok: true, value };
}

type DecimalHint = "none" | "ambiguous" | Decimal;

const isNumber = (amount: Amount): boolean => amount.ok || amount.kind !== "price_not_number";

/** One sign and not three digits behind it: it separates no thousands. */
const plainDecimals = /^\d+([.,])(?:\d\d?|\d{4,})$/;

/** Whether an amount can be read with one decimal sign only, with both, or is none. */
export function decimalHint(text: string): DecimalHint {
  if (!/[.,]/.test(text)) return "none";
  const plain = plainDecimals.exec(text)?.[1];
  if (plain !== undefined) return plain as Decimal;
  const asComma = isNumber(parseAmount(text, ","));
  const asDot = isNumber(parseAmount(text, "."));
  if (asComma && asDot) return "ambiguous";
  return asComma ? "," : asDot ? "." : "none";
}

function bothReadings(text: string): { asComma: string; asDot: string } {
  const shown = (decimal: Decimal): string => {
    const amount = parseAmount(text, decimal);
    return amount.ok ? String(amount.value) : text;
  };
  return { asComma: shown(","), asDot: shown(".") };
}

/** An amount whose decimal sign is known, written so that it can be read in no other way: `1.250` becomes `1.250,00`. */
export function plainAmount(text: string, decimal: Decimal): string {
  if (decimalHint(text) !== "ambiguous") return text;
  const more = text.includes(decimal) ? "0" : `${decimal}00`;
  return text.replace(/(\d)(\D*)$/, `$1${more}$2`);
}

/** A number of a JSON file as a cell of a CSV, where three decimals alone could be taken for thousands. */
export function numberCell(source: string): string {
  return decimalHint(source) === "ambiguous" ? `${source}0` : source;
}

/** The same beside texts that have another decimal sign: a column cannot have both. */
export function jsonNumberCell(cell: string, decimal: Decimal): string {
  return decimal === "," && decimalHint(cell) === "." ? cell.replace(".", ",") : cell;
}

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

const yes = new Set(["verdadero", "verdadeiro", "true", "si", "sí", "sim", "yes", "s", "y", "x", "1"]);
const no = new Set(["falso", "false", "no", "não", "nao", "n", "0"]);

/** Reads the words for yes and no that Spanish, Portuguese and English exports use; null for anything else. */
export function parseBoolean(text: string): boolean | null {
  if (yes.has(text)) return true;
  if (no.has(text)) return false;
  const word = text.normalize("NFC").toLowerCase();
  if (yes.has(word)) return true;
  return no.has(word) ? false : null;
}
