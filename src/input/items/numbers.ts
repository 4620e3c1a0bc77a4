import type { RowProblem } from "../../errors/problems.ts";
import { unusable } from "../files/file.ts";
import type { TableHead } from "../files/table.ts";

export type Decimal = "," | ".";

/** A double represents every decimal with this many digits exactly. */
export const safeDigits = 15;

/** Signs of money as they stand before an amount; not US$, which is rarely the money of the list. */
const affixes = /^(-?)\s*(?:(?:AR|MX|R)?\$U?|S\/\.?|(?:Gs|Bs)\.?|[₲€])?\s*(-?)(\d.*?)(?:\s*[$€])?$/i;
const grammars = {
  ",": /^(\d+|[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+)(?:,(\d+))?$/,
  ".": /^(\d+|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+)(?:\.(\d+))?$/,
} as const;

/** An amount without signs of money, which may have a point of their own: `S/. 12`. */
const bare = (text: string): string => affixes.exec(text.trim())?.[3] ?? text;

function parseAmount(text: string, decimal: Decimal): number | null {
  const [, sign = "", innerSign = "", digits = ""] = affixes.exec(text.trim()) ?? [];
  const [, whole = "", fraction = ""] = grammars[decimal].exec(digits) ?? [];
  if (whole === "" || sign + innerSign === "--") return null;
  const amount = Number(`${whole.replace(/\D/g, "")}.${fraction}`);
  return sign + innerSign === "" ? amount : -amount;
}

export function parsePrice(text: string, decimal: Decimal): number | null {
  const amount = parseAmount(text, decimal);
  const digits = text.replace(/\D/g, "").replace(/^0+/, "").replace(/0+$/, "");
  return amount === null || amount < 0 || digits.length > safeDigits ? null : Math.abs(amount);
}

/** Reads a price that is a number in JSON, where an exponent is valid, since no spreadsheet wrote it. */
export function parseJsonPrice(source: string): number | null {
  const value = Number(source);
  const digits = source.replace(/e.*$/i, "").replace(/[.-]/g, "").replace(/^0+/, "").replace(/0+$/, "");
  return value >= 0 && Number.isFinite(value) && digits.length <= safeDigits ? value : null;
}

/** Matches an amount with a decimal sign: without three digits behind it, a sign separates no thousands. */
const plainDecimals = /^\d+([.,])(?:\d\d?|\d{4,})$/;

export function decimalHint(text: string): "none" | "ambiguous" | Decimal {
  if (!/[.,]/.test(bare(text))) return "none";
  const plain = plainDecimals.exec(text)?.[1];
  if (plain !== undefined) return plain as Decimal;
  const asComma = parseAmount(text, ",");
  const asDot = parseAmount(text, ".");
  // A negative number is no price with either sign.
  if (asComma !== null && asDot !== null) return asDot < 0 ? "none" : "ambiguous";
  return asComma !== null ? "," : asDot !== null ? "." : "none";
}

const reading = (text: string, decimal: Decimal): string => String(parsePrice(text, decimal) ?? text);

/** Writes an amount so that it can be read in one way only: `1.250` becomes `1.250,00`. */
export function plainAmount(text: string, decimal: Decimal): string {
  if (decimalHint(text) !== "ambiguous") return text;
  const more = bare(text).includes(decimal) ? "0" : `${decimal}00`;
  return text.replace(/(\d)(\D*)$/, `$1${more}$2`);
}

/** Returns a number of a JSON file as a cell of a CSV, where three decimals alone could be taken for thousands. */
export const numberCell = (source: string): string =>
  decimalHint(source) === "ambiguous" ? `${source}0` : source;

/** A column cannot have both decimal signs. */
export const jsonNumberCell = (cell: string, decimal: Decimal): string =>
  decimal === "," && decimalHint(cell) === "." ? cell.replace(".", ",") : cell;

type PriceSample = { line: number; text: string };

/** Finds the decimal sign of the price column while it is read: a guess could be off by a thousand. */
export class DecimalSign {
  readonly #file: TableHead["file"];
  readonly #column: string;
  readonly #samples: { ","?: PriceSample; "."?: PriceSample; ambiguous?: PriceSample } = {};
  readonly isGiven: boolean;
  found: Decimal | undefined;

  constructor(file: TableHead["file"], column: string, given: Decimal | undefined) {
    this.#file = file;
    this.#column = column;
    this.found = given;
    this.isGiven = given !== undefined;
  }

  /** Takes a price as evidence; returns true if it cannot be read before the sign is known. Throws if the column has both signs. */
  mustWait(sample: PriceSample): boolean {
    const { text } = sample;
    if (this.isGiven || text === "") return false;
    const hint = decimalHint(text);
    if (hint === "none") return false;
    this.#samples[hint] ??= sample;
    const { ",": comma, ".": dot } = this.#samples;
    if (comma && dot)
      throw unusable(this.#file, { kind: "decimals_mixed", column: this.#column, comma, dot });
    if (hint !== "ambiguous") this.found = hint;
    return this.found === undefined;
  }

  /** Beside `1.450,50` a `1,600` is rather a thousand and six hundred than 1.6, unless somebody named the sign. */
  doubt(text: string): RowProblem | null {
    const decimal = this.found;
    if (this.isGiven || decimal === undefined || !bare(text).includes(decimal)) return null;
    if (decimalHint(text) !== "ambiguous") return null;
    const asThousands = reading(text, decimal === "," ? "." : ",");
    const asDecimals = reading(text, decimal);
    return { kind: "price_ambiguous", column: this.#column, text, decimal, asDecimals, asThousands };
  }

  refuseAmbiguous(): void {
    const { ambiguous } = this.#samples;
    if (this.found !== undefined || ambiguous === undefined) return;
    const { text: sample, line } = ambiguous;
    const readings = { column: this.#column, asComma: reading(sample, ","), asDot: reading(sample, ".") };
    throw unusable(this.#file, { kind: "decimals_ambiguous", sample, ...readings }, line);
  }
}

const yes = new Set(["verdadero", "verdadeiro", "true", "si", "sí", "sim", "yes", "s", "y", "x", "1"]);
const no = new Set(["falso", "false", "no", "não", "nao", "n", "0"]);

function parseBoolean(text: string): boolean | null {
  const word = text.normalize("NFC").toLowerCase();
  if (yes.has(word)) return true;
  return no.has(word) ? false : null;
}

/** The names of the status of a product that is for sale, and of one that is not; `-1` is WooCommerce's draft. */
const onSale = new Set(
  "activo,activa,ativo,ativa,active,publicado,publicada,published,publish,habilitado,habilitada,enabled,disponible,disponivel,available,visible,visivel".split(
    ",",
  ),
);
const offSale = new Set(
  "inactivo,inactiva,inativo,inativa,inactive,borrador,rascunho,draft,-1,archivado,archivada,arquivado,archived,pausado,pausada,paused,oculto,oculta,hidden,unlisted,unpublished,deshabilitado,deshabilitada,disabled,no disponible,indisponivel,unavailable".split(
    ",",
  ),
);

/** Returns whether a cell says that its product is disabled; a column that was taken by guess says plain yes or no. */
export function parseDisabled(
  text: string,
  { inverse, tentative }: { inverse: boolean; tentative: boolean },
): boolean | null {
  const said = parseBoolean(text);
  if (said !== null) return said !== inverse;
  if (tentative || !inverse) return null;
  const word = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return onSale.has(word) ? false : offSale.has(word) ? true : null;
}
