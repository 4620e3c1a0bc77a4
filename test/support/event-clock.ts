import { setImmediate as turn } from "node:timers/promises";

/** Time that goes from one thing that waits for it to the next, once all that was woken came to rest. */
export function eventClock(start = 0) {
  let now = start;
  let waiting: { at: number; work: () => void }[] = [];
  const later = (ms: number, work: () => void) => {
    const entry = { at: now + Math.max(0, ms), work };
    waiting.push(entry);
    return () => {
      waiting = waiting.filter((each) => each !== entry);
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
        for (let n = 0; n < 4; n++) await turn();
        const next = waiting.reduce<(typeof waiting)[number] | undefined>(
          (first, each) => (first === undefined || each.at < first.at ? each : first),
          undefined,
        );
        if (next === undefined || next.at > end) break;
        now = Math.max(now, next.at);
        waiting = waiting.filter((each) => each !== next);
        next.work();
      }
      now = end;
    },
  };
}
