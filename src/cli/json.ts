import { stringify } from "lossless-json";

// JSON leaves these as they are inside a string; on a terminal they act or hide. Escaped, they read back the same.
const UNSAFE = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export const escapedUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Without a newline at its end; a number is written as its digits, however many there are. */
export function toJson(value: unknown, { pretty = false }: { pretty?: boolean } = {}): string {
  const text = stringify(value, null, pretty ? 2 : undefined) ?? "null";
  return text.replace(UNSAFE, escapedUnit);
}

/** A list in JSON whose elements are made one at a time: a million of them at once would take several times their text. */
export class JsonList<T> {
  readonly #of: Iterable<T>;
  readonly #element: (each: T) => unknown;

  constructor(of: Iterable<T>, element: (each: T) => unknown) {
    this.#of = of;
    this.#element = element;
  }

  *[Symbol.iterator](): Generator {
    for (const each of this.#of) yield this.#element(each);
  }

  toJSON(): unknown[] {
    return [...this];
  }
}

function* listParts(list: Iterable<unknown>, pretty: boolean): Generator<string> {
  const gap = pretty ? "\n    " : "";
  let before = "[";
  for (const each of list) {
    yield before + gap + toJson(each, { pretty }).replaceAll("\n", gap);
    before = ",";
  }
  yield before === "[" ? "[]" : `${pretty ? "\n  " : ""}]`;
}

/** The text that `toJson` makes of a value, in parts where it is an object with lists made one element at a time. */
export function* jsonParts(value: unknown, { pretty = false }: { pretty?: boolean } = {}): Generator<string> {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  if (!entries.some(([, each]) => each instanceof JsonList)) {
    yield toJson(value, { pretty });
    return;
  }
  const gap = pretty ? "\n  " : "";
  let before = "{";
  for (const [key, each] of entries) {
    if (each === undefined) continue;
    yield `${before}${gap}${toJson(key)}:${pretty ? " " : ""}`;
    if (each instanceof JsonList) yield* listParts(each, pretty);
    else yield toJson(each, { pretty }).replaceAll("\n", gap);
    before = ",";
  }
  yield pretty ? "\n}" : "}";
}
