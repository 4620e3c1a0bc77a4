import { isInteger, parse } from "lossless-json";

function parseNumber(digits: string): number | bigint {
  const number = Number(digits);
  return isInteger(digits) && !Number.isSafeInteger(number) ? BigInt(digits) : number;
}

/**
 * Reads JSON and keeps every digit of an integer: one beyond 2^53 becomes a bigint, all other numbers are numbers.
 * Throws SyntaxError when the text is not JSON.
 *
 * @example
 * parseJson('{"order_id":9007199254740993}'); // { order_id: 9007199254740993n }
 */
export function parseJson(text: string): unknown {
  // Every integer beyond 2^53 has 16 digits or more, and the platform's parser is many times faster.
  if (!/\d{16}/.test(text)) return JSON.parse(text) as unknown;
  return parse(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}
