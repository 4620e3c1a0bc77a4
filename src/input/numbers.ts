/** The sign between whole and fraction. */
export type Decimal = "," | ".";

/** An amount, or why the text is none. */
export type Amount =
  | { ok: true; value: number }
  | { ok: false; kind: "price_not_number" | "price_negative" | "price_too_long" };

/** A double holds every decimal of this many digits exactly; beyond them it would round. */
const safeDigits = 15;

const affixes = /^(-?)\s*(?:(?:AR|R)?\$|€)?\s*(-?)(\d.*?)(?:\s*[$€])?$/i;
const grammars = {
  ",": /^(\d+|[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+)(?:,(\d+))?$/,
  ".": /^(\d+|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+)(?:\.(\d+))?$/,
} as const;

const zero = 0x30;
const nine = 0x39;

/** A decimal sign as a byte, and whether a person said it; otherwise the cells of its column did. */
interface ByteSign {
  sign: number;
  isGiven: boolean;
}

/**
 * What nearly every price looks like: digits with at most that decimal sign, of which a double keeps each. Its JSON text is its own
 * bytes, up to `end` and with a point at `point`. In the full grammar it means the same; to make a number of it and a text again
 * would take longer than the rest of its row.
 */
export class PlainAmount {
  /** The offset of its decimal sign, or of its end. */
  point = 0;
  /** The offset behind the last digit that counts. */
  end = 0;

  /**
   * False for anything else, for what a number would not be written like, and unless `isGiven` for what may be thousands: the sign
   * of the column then does not settle it.
   */
  find(bytes: Uint8Array, from: number, to: number, { sign, isGiven }: ByteSign): boolean {
    let point = to;
    let end = from;
    for (let at = from; at < to; at++) {
      const code = bytes[at];
      if (code === sign && point === to && at > from) point = at;
      else if (code === undefined || code < zero || code > nine) return false;
      else if (code !== zero || at < point) end = at + 1;
    }
    if (to === from || to - from > safeDigits || point === to - 1) return false;
    // 007 is written 7, and 0.0000001 with an exponent.
    if (bytes[from] === zero && (point > from + 1 || (to > from + 2 && bytes[from + 2] === zero)))
      return false;
    if (!isGiven && to - point === 4 && point - from <= 3 && bytes[from] !== zero) return false;
    this.point = point;
    this.end = Math.max(point, end);
    return true;
  }
}

/** The JSON text of a `PlainAmount`, null for anything else. */
export function plainJsonAmount(text: string, decimal: Decimal): string | null {
  const bytes = Buffer.from(text);
  const amount = new PlainAmount();
  if (!amount.find(bytes, 0, bytes.length, { sign: decimal.charCodeAt(0), isGiven: true })) return null;
  const { point, end } = amount;
  return end === point ? text.slice(0, point) : `${text.slice(0, point)}.${text.slice(point + 1, end)}`;
}

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

/** What one amount says about the decimal sign of its column. */
export type DecimalHint = "none" | "ambiguous" | Decimal;

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

/** What an amount is with either decimal sign. */
export function bothReadings(text: string): { asComma: string; asDot: string } {
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
