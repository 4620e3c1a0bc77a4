/** Spreads 32 bits (murmur3's finalizer): near numbers become far ones, no two become one, and 0 stays 0. */
export function scatter(number: number): number {
  let state = number;
  state ^= state >>> 16;
  state = Math.imul(state, 0x85ebca6b);
  state ^= state >>> 13;
  state = Math.imul(state, 0xc2b2ae35);
  state ^= state >>> 16;
  return state >>> 0;
}

/** A 32-bit hash of the parts (FNV-1a, scattered): the same on every machine. */
export function hash(...parts: readonly (string | number)[]): number {
  let state = 0x811c9dc5;
  for (const part of parts) {
    const text = String(part);
    for (let index = 0; index < text.length; index++) {
      state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
    }
    // Keeps ("a", "bc") and ("ab", "c") apart.
    state = Math.imul(state ^ 0x1f, 0x01000193);
  }
  return scatter(state);
}

/** A stream of numbers (mulberry32) that depends on the parts alone. */
export function draw(...parts: readonly (string | number)[]) {
  let state = hash(...parts);
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number): number => low + Math.floor(fraction() * (high - low + 1));
  return {
    fraction,
    int,
    chance: (probability: number): boolean => fraction() < probability,
    pick: <T>(from: readonly T[]): T => from[int(0, from.length - 1)] as T,
  };
}

export type Draw = ReturnType<typeof draw>;
