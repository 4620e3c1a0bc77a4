/** A number and how it is written for the reader, with thousands separators. */
export interface Count {
  n: number;
  shown: string;
}

/** "1 order", "1,240 orders". */
export function plural(count: Count, one: string, many: string): string {
  return `${count.shown} ${count.n === 1 ? one : many}`;
}
