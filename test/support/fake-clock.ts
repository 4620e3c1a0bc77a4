/** A clock that only moves when it is told to or slept on, and keeps the pauses it was asked for. */
export interface FakeClock {
  now(): number;
  /** Resolves at once, moves the clock on by `ms` and records it. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  advance(ms: number): void;
  readonly slept: number[];
}

/** A fake clock; `start` is epoch milliseconds, 2026-01-01T12:00:00Z by default. */
export function fakeClock(start = Date.UTC(2026, 0, 1, 12)): FakeClock {
  let now = start;
  const slept: number[] = [];
  return {
    now: () => now,
    sleep(ms, signal) {
      if (!signal?.aborted) {
        slept.push(ms);
        now += ms;
      }
      return Promise.resolve();
    },
    advance(ms) {
      now += ms;
    },
    slept,
  };
}
