const quote = 0x22;
const backslash = 0x5c;
/** The offset of the code in the text of a product, in which it comes first. */
export const codeAt = '{"codigo":"'.length;

/** Returns the offset of the quote that ends a text of JSON. */
export function textEnd(json: Buffer, from: number): number {
  let at = from;
  for (; at < json.length && json[at] !== quote; at++) if (json[at] === backslash) at++;
  return at;
}

/** Begins the next product of a list. No text has this in it: a quote of its own has a backslash before it. */
const nextItem = ',{"codigo":';
/** Returns the offset of the comma behind a product in the inside of a JSON array, or its end. */
export function itemEnd(list: Buffer, at: number): number {
  const end = list.indexOf(nextItem, at);
  return end < 0 ? list.length : end;
}

/** Returns products, each with a comma behind it but for the last one, as a JSON array. */
export const joinItems = (items: readonly Buffer[]): string =>
  `[${Buffer.concat(items).toString().replace(/,$/, "")}]`;

/** Returns the place of a number among others in ascending order; -1 if it is not there. */
export function findSorted(numbers: Uint32Array, wanted: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((numbers[middle] ?? 0) < wanted) from = middle + 1;
    else to = middle;
  }
  return numbers[from] === wanted ? from : -1;
}
