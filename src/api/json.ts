import { compareNumber, isInteger, LosslessNumber, parse } from "lossless-json";

/**
 * A number that a double may not give back: sixteen digits or more, or an exponent of three. Any other has at most fifteen
 * significant digits, and a size at which a double keeps all of them.
 */
const LONG_NUMBER = /(?:^|[:,[\s])-?(?:\d{16}|[\d.]{17}|[\d.]+[eE][+-]?\d{3})/;
// What every text with a long number has, and few others. Two quick searches: as one, or with the digit that begins a number
// told from its point, they take twice the time.
const LONG_RUN = /[\d.]\d[\d.]{14}/;
const LONG_EXPONENT = /\d[eE][-+\d]\d\d/;

function parseNumber(digits: string): number | bigint | LosslessNumber {
  const number = Number(digits);
  if (isInteger(digits)) return Number.isSafeInteger(number) ? number : BigInt(digits);
  const isKept = Number.isFinite(number) && compareNumber(digits, String(number)) === 0;
  return isKept ? number : new LosslessNumber(digits);
}

/**
 * Reads JSON and keeps every digit: an integer beyond 2^53 becomes a bigint, any other number that a double does not give
 * back as the same value a LosslessNumber, whose text is as it came; all others are numbers.
 * Throws SyntaxError when the text is not JSON.
 *
 * @example
 * parseJson('{"order_id":9007199254740993}'); // { order_id: 9007199254740993n }
 */
export function parseJson(text: string): unknown {
  // The platform's parser is many times faster.
  const mayBeLong = LONG_RUN.test(text) || LONG_EXPONENT.test(text);
  if (!mayBeLong || !LONG_NUMBER.test(text)) return JSON.parse(text) as unknown;
  return parse(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}
