import { stringify } from "lossless-json";

// JSON leaves these as they are inside a string; on a terminal they act or hide. Escaped, they read back the same.
const UNSAFE = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A value as JSON, one line or indented for people, without a newline at its end. A number is
 * written as its digits, however many there are.
 *
 * @example
 * toJson({ order_id: 9007199254740993n }); // '{"order_id":9007199254740993}'
 */
export function toJson(value: unknown, { pretty = false }: { pretty?: boolean } = {}): string {
  const text = stringify(value, null, pretty ? 2 : undefined) ?? "null";
  return text.replace(UNSAFE, (unsafe) => `\\u${unsafe.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
