/** How many branches there are, and how many each of the processes that share them has. */
interface Counts {
  all: number;
  own: number;
  others: readonly number[];
  /** How many of those others come before this one. */
  before?: number;
}

/**
 * Returns how many of the free branches a process may take, after it skipped those that earlier processes take, and how many it is to
 * leave to others.
 */
export function fairShare({ all, own, others, before = 0 }: Counts) {
  const processes = others.length + 1;
  const most = Math.ceil(all / processes);
  const least = Math.floor(all / processes);
  const lacking = others.reduce((sum, count) => sum + Math.max(0, least - count), 0);
  const skips = others.slice(0, before).reduce((sum, count) => sum + Math.max(0, most - count), 0);
  return { takes: Math.max(0, most - own), skips, gives: Math.min(Math.max(0, own - most), lacking) };
}

/** Returns `count` items of a list from an index on, and on from its beginning. */
export function cut<T>(list: readonly T[], from: number, count: number): T[] {
  const first = from % list.length;
  return [...list.slice(first), ...list.slice(0, first)].slice(0, count);
}

/** Returns the list in a random sequence. */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const keyed = list.map((each) => [random(), each] as const);
  return keyed.sort(([a], [b]) => a - b).map(([, each]) => each);
}

export const byName = ([one]: readonly [string, number], [other]: readonly [string, number]): number =>
  one < other ? -1 : 1;
