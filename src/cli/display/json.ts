import { isLosslessNumber, stringify } from "lossless-json";

// JSON leaves these as they are inside a string; on a terminal they act or hide. Escaped, they read back the same.
const UNSAFE = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
export const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Returns the name of a fact as a key. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns a JSON text in which no character acts on a terminal or hides. */
export const safeInJson = (json: string): string => json.replace(UNSAFE, escapeUnit);

/** The platform's own JSON text, which is faster than walking objects; undefined if a number would lose digits. */
function platformJson(value: unknown, space: number | undefined): string | undefined {
  try {
    const text = JSON.stringify(value, null, space) as string | undefined;
    return text === undefined || text.includes('"isLosslessNumber":') ? undefined : text;
  } catch {
    // A bigint.
    return undefined;
  }
}

/** Returns JSON without a newline at its end; a number keeps all its digits. */
export function toJson(value: unknown, pretty = false): string {
  const space = pretty ? 2 : undefined;
  return safeInJson(platformJson(value, space) ?? stringify(value, null, space) ?? "null");
}

/** A JSON list whose elements are made one at a time: a million of them would take several times the memory of their text. */
export class JsonList<T, Element = unknown> {
  readonly #of: Iterable<T>;
  readonly #element: (each: T) => Element;

  constructor(of: Iterable<T>, element: (each: T) => Element) {
    this.#of = of;
    this.#element = element;
  }

  *[Symbol.iterator](): Generator<Element> {
    for (const each of this.#of) yield this.#element(each);
  }

  toJSON(): Element[] {
    return [...this];
  }
}

/** A document whose lists may be made one element at a time. */
export type Listed<Document> = {
  [Name in keyof Document]: Document[Name] extends readonly (infer Element)[] | undefined
    ? Document[Name] | readonly Element[] | Pick<JsonList<never, Element>, "toJSON">
    : Document[Name];
};

/** The number of elements written at once; one at a time takes several times as long. */
const elementsAtOnce = 100;

/** The elements of a list that is a value of the document, as they stand between its brackets. */
function* elementTexts(elements: Iterable<unknown>, pretty: boolean): Generator<string> {
  // In a list of a list they stand as deep.
  const [open, close] = pretty ? ["[\n  [", "\n  ]\n]"] : ["[[", "]]"];
  const write = (some: unknown[]): string => toJson([some], pretty).slice(open.length, -close.length);
  let some: unknown[] = [];
  for (const element of elements) {
    some.push(element);
    if (some.length < elementsAtOnce) continue;
    yield write(some);
    some = [];
  }
  if (some.length > 0) yield write(some);
}

export function* jsonParts(value: unknown, pretty: boolean): Generator<string> {
  if (typeof value !== "object" || value === null || Array.isArray(value) || isLosslessNumber(value)) {
    yield toJson(value, pretty);
    return;
  }
  const gap = (depth: number): string => (pretty ? `\n${"  ".repeat(depth)}` : "");
  let open = "{";
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue;
    yield `${open}${gap(1)}${toJson(key)}:${pretty ? " " : ""}`;
    open = ",";
    if (!Array.isArray(each) && !(each instanceof JsonList)) {
      yield toJson(each, pretty).replaceAll("\n", gap(1));
      continue;
    }
    let before = "[";
    for (const text of elementTexts(each as Iterable<unknown>, pretty)) {
      yield before + text;
      before = ",";
    }
    yield before === "[" ? "[]" : `${gap(1)}]`;
  }
  yield open === "{" ? "{}" : `${gap(0)}}`;
}
