/** The sign between whole and fraction. */
export type Decimal = "," | ".";

/** An amount, or why the text is none. */
export type Amount =
  | { ok: true; value: number }
  | { ok: false; kind: "price_not_number" | "price_negative" | "price_too_long" };

/** What a whole column of amounts says about its decimal sign; `none` when it does not matter. */
export type DecimalEvidence<S> =
  | { kind: "found"; decimal: Decimal }
  | { kind: "none" }
  | { kind: "ambiguous"; sample: S }
  | { kind: "mixed"; comma: S; dot: S };

/** A double holds every decimal of this many digits exactly; beyond them it would round. */
const safeDigits = 15;

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
  if (digits.length > safeDigits) return { ok: false, kind: "price_too_long" };
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

function isNumber(text: string, decimal: Decimal): boolean {
  const amount = parseAmount(text, decimal);
  return amount.ok || amount.kind !== "price_not_number";
}

/** Infers the decimal sign from a whole column, never from one cell: a guess could be off by a thousand. */
export function inferDecimal<S extends { text: string }>(samples: Iterable<S>): DecimalEvidence<S> {
  let comma: S | null = null;
  let dot: S | null = null;
  let ambiguous: S | null = null;
  for (const sample of samples) {
    if (!/[.,]/.test(sample.text)) continue;
    const asComma = isNumber(sample.text, ",");
    const asDot = isNumber(sample.text, ".");
    if (asComma && asDot) ambiguous ??= sample;
    else if (asComma) comma ??= sample;
    else if (asDot) dot ??= sample;
  }
  if (comma !== null && dot !== null) return { kind: "mixed", comma, dot };
  if (comma !== null) return { kind: "found", decimal: "," };
  if (dot !== null) return { kind: "found", decimal: "." };
  return ambiguous === null ? { kind: "none" } : { kind: "ambiguous", sample: ambiguous };
}
