import { inject, it } from "vitest";

/** `npm run test:soak`: everything in full. `npm test` runs a small part of each heavy suite. */
export const isSoak = inject("soak");

/** Returns the size for `npm test`, or the one that the soak takes in its place. */
export const sized = <T>(small: T, full: T): T => (isSoak ? full : small);

/** A test that only the soak runs. */
export const soakIt = it.skipIf(!isSoak);

/** The seed of every random test. */
export const seed = inject("seed");

/** Random numbers from 0 up to 1 that the seed and a name decide. */
export function randomOf(name: string): () => number {
  let state = Buffer.from(name).reduce((sum, byte) => Math.imul(sum, 31) + byte, seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
