import { setImmediate as turn } from "node:timers/promises";

async function settleAll(): Promise<void> {
  for (let n = 0; n < 4; n++) await turn();
}

/**
 * Time that goes from one thing that waits for it to the next, once all that was woken came to rest.
 *
 * @param settle waits for that; without streams, a few microtasks do.
 */
export function eventClock(start = 0, settle: () => Promise<void> = settleAll) {
  let now = start;
  /** The last one first. */
  const waiting: { at: number; work: () => void }[] = [];
  const later = (ms: number, work: () => void) => {
    const entry = { at: now + Math.max(0, ms), work };
    let [low, high] = [0, waiting.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (waiting[middle]!.at > entry.at) low = middle + 1;
      else high = middle;
    }
    waiting.splice(low, 0, entry);
    return () => {
      const at = waiting.indexOf(entry);
      if (at >= 0) waiting.splice(at, 1);
    };
  };
  return {
    now: () => now,
    later,
    async sleep(ms: number, signal?: AbortSignal): Promise<void> {
      if (signal?.aborted === true) return;
      await new Promise<void>((resolve) => {
        const end = (): void => {
          stop();
          signal?.removeEventListener("abort", end);
          resolve();
        };
        const stop = later(ms, end);
        signal?.addEventListener("abort", end);
      });
    },
    async until(end: number): Promise<void> {
      for (;;) {
        await settle();
        const next = waiting.at(-1);
        if (next === undefined || next.at > end) break;
        waiting.pop();
        now = Math.max(now, next.at);
        next.work();
      }
      now = end;
    },
  };
}
