import { stringify } from "lossless-json";
import { isoWithOffset, maxInstant } from "../../contract/limits.ts";
import { maskedKey } from "../../errors/mask-key.ts";
import type { Count } from "../../texts/message.ts";
import { type DecimalSign, sizeText, timeText } from "../../texts/phrases.ts";
import type { Ui } from "./ui.ts";

export const ABSENT = "—";

// Emoji sequences, none longer than ten, need their joiners, selectors and tags; anywhere else those are only there to deceive.
const HIDDEN =
  /(\p{Extended_Pictographic}(?:\p{EMod}|\ufe0f)?(?:\u200d\p{Extended_Pictographic}(?:\p{EMod}|\ufe0f)?){0,9}(?:[\u{e0020}-\u{e007e}]{1,30}\u{e007f})?|[0-9#*]\ufe0f\u20e3)|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;
/** The most accents on a letter in any script that our readers use. Hundreds of stacked accents would overlap the lines around them. */
const STACKED = /(\p{M}{4})(\p{M}+)/gu;
const PLAIN = /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027]*$/;

function showCodePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === "\n") return "⏎";
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "␡";
  return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
}

const signs = new Map<string, string>();

/** Each character is looked up once: a list may have a million of them. */
function show(character: string): string {
  const known = signs.get(character) ?? showCodePoint(character);
  signs.set(character, known);
  return known;
}

/** Returns a text without characters that act on a terminal or hide: they become visible symbols. Marks beyond the fourth become a number. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(STACKED, (_, kept: string, more: string) => `${kept}‹+${Array.from(more).length}›`)
    .replace(HIDDEN, (run: string, emoji: string | undefined) => emoji ?? Array.from(run, show).join(""));
}

/** Returns any value as one safe line: a text as it came, `—` when absent, anything else as JSON. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return ABSENT;
  if (typeof value === "string") return visible(value);
  return typeof value === "object" ? visible(stringify(value) ?? ABSENT) : (value as number).toString();
}

const currencySigns = new Map([
  ["", ""],
  ["ARS", "$ "],
  ["USD", "US$ "],
]);

/** An amount that needs no rounding, as Argentina writes it; undefined for any other. The first formatter of a process takes 14 ms. */
function plainly(value: number | bigint | DecimalText, locale: string, currency: string): string | undefined {
  const sign = locale === "es-AR" ? currencySigns.get(currency) : undefined;
  const [, minus = "", whole, given = ""] = /^(-?)(\d{1,21})(?:\.(\d\d?))?$/.exec(String(value)) ?? [];
  if (sign === undefined || whole === undefined) return undefined;
  const decimals = currency === "" ? given : given.padEnd(2, "0");
  return `${minus}${sign}${whole.replace(/\B(?=(?:\d{3})+$)/g, ".")}${decimals && `,${decimals}`}`;
}

// Making a formatter costs some 50 µs; a table asks for the same one thousands of times.
const formatters = new Map<string, Intl.NumberFormat>();

/** As many digits as a price has: none is rounded away. */
const exactly = { maximumFractionDigits: 20 };
type Decimals = Pick<Intl.NumberFormatOptions, "minimumFractionDigits" | "maximumFractionDigits">;

function numberFormat(locale: string, currency: string | null, decimals: Decimals): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(locale, {
      ...(currency !== null && { style: "currency", currency }),
      signDisplay: "negative",
      useGrouping: "always",
      ...decimals,
    });
  } catch {
    // An unknown locale or currency in a profile must not hide an order.
    return new Intl.NumberFormat("en");
  }
}

function formatAmount(
  value: number | bigint | DecimalText,
  { money: { locale } }: Pick<Ui, "money">,
  currency: string | null,
  decimals: Decimals = {},
): string {
  const { minimumFractionDigits: least, maximumFractionDigits: most } = decimals;
  const plain = (least ?? 2) === 2 ? plainly(value, locale, currency ?? "") : undefined;
  if (plain !== undefined) return plain;
  const name = `${locale} ${currency ?? ""} ${least} ${most}`;
  const format = formatters.get(name) ?? numberFormat(locale, currency, decimals);
  formatters.set(name, format);
  // grep and awk know only the plain space.
  return format
    .format(value)
    .replace(/[\u00a0\u202f]/g, " ")
    .replace(/[\u061c\u200e\u200f]/g, "");
}

const isNumber = (value: unknown): value is number | bigint =>
  typeof value === "bigint" || (typeof value === "number" && Number.isFinite(value));

export function money(value: unknown, ui: Pick<Ui, "money">): string {
  return isNumber(value) ? formatAmount(value, ui, ui.money.currency) : shown(value);
}

/** An amount, even one that no double can hold. */
type DecimalText = `${number}`;

export function price(value: number | undefined, ui: Pick<Ui, "money">): string {
  return value === undefined ? ABSENT : formatAmount(value, ui, ui.money.currency, exactly);
}

export function number(value: unknown, ui: Pick<Ui, "money">): string {
  return isNumber(value) ? formatAmount(value, ui, null) : shown(value);
}

export function count(n: number, ui: Pick<Ui, "money">): Count {
  return { n, shown: number(n, ui) };
}

/** Returns the decimal sign of the country; undefined for Argentina, and without a country: then it is that of the language. */
export function decimalSign(ui: Pick<Ui, "money">): DecimalSign | undefined {
  if (ui.money.locale === "es-AR") return undefined;
  return number(1.5, ui).includes(",") ? "," : ".";
}

/** Returns the reader's decimal sign: that of the country, else of the language. */
export const readerSign = (ui: Pick<Ui, "money" | "texts">): DecimalSign =>
  decimalSign(ui) ?? (ui.texts.language === "en" ? "." : ",");

/** Returns a number with one decimal, as the reader writes it: `1.4`. */
export const oneDecimal = (value: number, ui: Pick<Ui, "money" | "texts">): string =>
  value.toFixed(1).replace(".", readerSign(ui));

/** Returns a size in bytes with its unit and the reader's decimal sign: `1.4 GB`. */
export const byteSize = (bytes: number, ui: Pick<Ui, "money" | "texts">): string =>
  sizeText(bytes, readerSign(ui));

/** Returns a share in whole per cent. A share below that is `<1 %`, so that one failure in a thousand does not read as none. */
export function percent(part: unknown, whole: unknown): string {
  if (typeof part !== "number" || typeof whole !== "number" || !(whole > 0) || !Number.isFinite(part))
    return "";
  const share = (part / whole) * 100;
  if (share > 0 && share < 1) return "<1 %";
  if (share > 99 && share < 100) return ">99 %";
  return `${Math.round(share)} %`;
}

export function createdAt(order: { created_at?: unknown; created_at_iso?: unknown }): number {
  if (typeof order.created_at === "number") return order.created_at;
  return typeof order.created_at_iso === "string" ? Date.parse(order.created_at_iso) : Number.NaN;
}

function parseTime(iso: unknown): number {
  return typeof iso === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(iso) ? Date.parse(iso) : Number.NaN;
}

/** In 24 hours: a counter reads 21:05 faster than any "p. m.". (`toTimeString` would look up the zone's name.) */
function wallClock(instant: number, length = "21:05".length): string {
  const at = new Date(instant);
  const parts = [at.getHours(), at.getMinutes(), at.getSeconds()];
  return parts
    .map((part) => String(part).padStart(2, "0"))
    .join(":")
    .slice(0, length);
}

/** Returns undefined for a text that is not a time, or whose year does not have four digits. */
function formatDate(instant: number, { texts }: Pick<Ui, "texts">): string | undefined {
  const iso = Math.abs(instant) < maxInstant ? isoWithOffset(instant) : "";
  return /^\d{4}-/.test(iso) ? timeText(iso, texts.t) : undefined;
}

/** Returns epoch milliseconds as `isoTime` shows a time. */
export const dateTime = (instant: number, ui: Pick<Ui, "texts">): string => formatDate(instant, ui) ?? ABSENT;

export function createdTime(
  order: { created_at?: unknown; created_at_iso?: unknown },
  ui: Pick<Ui, "texts">,
): string {
  const { created_at_iso: iso, created_at: epoch } = order;
  const made = parseTime(iso);
  return formatDate(Number.isNaN(made) ? createdAt(order) : made, ui) ?? shown(iso ?? epoch);
}

/** An ISO 8601 time with its date, in this machine's zone: `2026-01-31 15:05`, in Spanish `31/01/2026 15:05`. Anything else as it came. */
export function isoTime(iso: unknown, ui: Pick<Ui, "texts">): string {
  return formatDate(parseTime(iso), ui) ?? shown(iso);
}

/** Returns a time with its seconds: `2026-01-31 15:05:09`. */
export function isoTimeToSecond(iso: unknown, ui: Pick<Ui, "texts">): string {
  const instant = parseTime(iso);
  const seconds = wallClock(instant, "21:05:09".length).slice("21:05".length);
  return formatDate(instant, ui)?.concat(seconds) ?? shown(iso);
}

export function timeOfDay(iso: string): string {
  const instant = parseTime(iso);
  return Number.isNaN(instant) ? shown(iso) : wallClock(instant);
}

/** Returns a time of the day with its seconds: `21:05:09`. */
export function timeToSecond(iso: unknown): string {
  const instant = parseTime(iso);
  return Number.isNaN(instant) ? shown(iso) : wallClock(instant, "21:05:09".length);
}

/** Returns the whole seconds that have passed, as `age` counts them. */
export const wholeSeconds = (ms: number): number => Math.max(0, Math.floor(ms / 1000));

/** Returns milliseconds as `40 s`, `3 min`, `2 h 05 min` or `3 d 4 h`; a negative span is `0 s`. */
export function age(ms: number): string {
  if (!Number.isFinite(ms)) return ABSENT;
  const seconds = wholeSeconds(ms);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) return `${seconds} s`;
  if (hours === 0) return `${minutes} min`;
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, "0")} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** `+54…4567` */
export function maskPhone(phone: string): string {
  return phone.length < 10 ? "…" : `${visible(phone.slice(0, 3))}…${visible(phone.slice(-4))}`;
}

export const maskKey = (key: string): string => visible(maskedKey(key));
