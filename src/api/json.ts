import { createHash } from "node:crypto";
import {
  compareNumber,
  isInteger,
  isLosslessNumber,
  LosslessNumber as KeptNumber,
  parse,
  stringify,
} from "lossless-json";

/** Maximum depth of nested lists and objects; recursion over them never runs out of stack. */
export const maxJsonDepth = 100;

/** A number of an answer that no double holds; `value` has its digits as they came. */
export interface LosslessNumber {
  readonly value: string;
  valueOf(): number | bigint;
  toString(): string;
}

/** The class of those numbers, for `instanceof`; its type names no package that is bundled. */
export const LosslessNumber: new (digits: string) => LosslessNumber = KeptNumber;

class DeepJson extends KeptNumber {
  constructor(text: string) {
    super("0");
    this.value = text;
  }
}

export function isTooDeep(value: unknown): boolean {
  if (value instanceof DeepJson) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(isTooDeep);
}

/** Returns whether lists and objects are nested at most this deep. */
const isWithin = (value: unknown, depth: number): boolean =>
  typeof value !== "object" ||
  value === null ||
  (depth > 0 && Object.values(value).every((part) => isWithin(part, depth - 1)));

export function deepParts(text: string): [from: number, to: number][] {
  const deep: [number, number][] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
    } else if (sign === "{" || sign === "[") {
      if (depth === maxJsonDepth) from = at;
      depth++;
    } else if (sign === "}" || sign === "]") {
      depth--;
      if (depth === maxJsonDepth) deep.push([from, at + 1]);
    }
  }
  return deep;
}

const longNumber = /(?:^|[:,[\s])-?(?:\d{16}|[\d.]{17}|[\d.]+[eE][+-]?\d{3})/;
// Every text with a long number has these, and few others do. Two searches are twice as fast as one combined.
const longRun = /[\d.]\d[\d.]{14}/;
const longExponent = /\d[eE][-+\d]\d\d/;

function parseNumber(digits: string): number | bigint | KeptNumber {
  const number = Number(digits);
  if (isInteger(digits)) return Number.isSafeInteger(number) ? number : BigInt(digits);
  const isKept = Number.isFinite(number) && compareNumber(digits, String(number)) === 0;
  return isKept ? number : new KeptNumber(digits);
}

const parsing = { parseNumber, onDuplicateKey: ({ newValue }: { newValue: unknown }) => newValue };

function parseAround(deep: readonly [from: number, to: number][], text: string): unknown {
  // A text cannot hold its own hash.
  const mark = createHash("sha256").update(text).digest("hex");
  let shallow = "";
  let end = 0;
  for (const [from, to] of deep) {
    const part = text.slice(from, to);
    // The platform's parser has no depth limit; it only has to agree.
    JSON.parse(part);
    shallow += text.slice(end, from) + JSON.stringify(mark + part);
    end = to;
  }
  const restore = (_key: string, value: unknown): unknown => {
    if (typeof value !== "string" || !value.startsWith(mark)) return value;
    // JSON has line ends only between its values, and many readers take one object per line.
    return new DeepJson(value.slice(mark.length).replaceAll(/[\r\n]/g, " "));
  };
  return parse(shallow + text.slice(end), restore, parsing);
}

/** Parses JSON without losing digits: long numbers are bigints or LosslessNumbers. Values nested deeper than `maxJsonDepth` stay text. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  const mayBeLong = longRun.test(text) || longExponent.test(text);
  if (!mayBeLong || !longNumber.test(text)) {
    const value: unknown = JSON.parse(text);
    if (isWithin(value, maxJsonDepth)) return value;
  }
  const deep = deepParts(text);
  return deep.length > 0 ? parseAround(deep, text) : parse(text, null, parsing);
}

export const answerText = (answer: object): string => stringify(answer) ?? "{}";

export function toNumber(value: unknown): number | undefined {
  const isNumber = typeof value === "number" || typeof value === "bigint" || isLosslessNumber(value);
  if (!isNumber && (typeof value !== "string" || value.trim() === "")) return undefined;
  const number = Number(String(value));
  return Number.isFinite(number) ? number : undefined;
}

export function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : answerText(value);
}
