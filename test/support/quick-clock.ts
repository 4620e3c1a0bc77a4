import { setTimeout as delay } from "node:timers/promises";
import { realClock, type System } from "../../src/system.ts";

/** How many times faster a quick clock goes than a real one. */
export const speed = 20;

/** A clock on which a day at the shop does not take long. */
export function quickClock(): System["clock"] {
  const began = performance.now();
  const start = Date.now();
  return {
    now: () => Math.round(start + (performance.now() - began) * speed),
    sleep: (ms, signal) => delay(ms / speed, undefined, { signal }).catch(() => undefined),
    later: (ms, work) => realClock.later(ms / speed, work),
  };
}
