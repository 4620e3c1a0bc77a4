import { expect, it } from "vitest";
import { type Behind, Pace } from "../../../src/orders/watch/pace.ts";
import { fairShare } from "../../../src/orders/watch/shares.ts";

const intervalMs = 60_000;

/** Time that goes on from one thing that waits for it to the next. */
function eventClock() {
  let now = 0;
  const waiting: { at: number; work: () => void }[] = [];
  const later = (ms: number, work: () => void) => {
    const entry = { at: now + ms, work };
    waiting.push(entry);
    return () => void waiting.splice(waiting.indexOf(entry) >>> 0, 1);
  };
  return {
    now: () => now,
    later,
    sleep: (ms: number) => new Promise<void>((resolve) => void later(ms, resolve)),
    async until(end: number): Promise<void> {
      while (now < end) {
        for (let n = 0; n < 20; n++) await Promise.resolve();
        waiting.sort((a, b) => a.at - b.at);
        const next = waiting.shift();
        now = Math.max(now, Math.min(next?.at ?? end, end));
        if (next !== undefined && next.at > end) waiting.unshift(next);
        else next?.work();
      }
    },
  };
}

/** Branches that are polled for so long at a service that takes `callMs` for a call and `limit` a second. */
async function polls({
  branches,
  callMs = 20,
  limit = Infinity,
  ms = 15 * 60_000,
}: Record<string, number> & { branches: number }) {
  const clock = eventClock();
  const told: (Behind | undefined)[] = [];
  const { signal } = new AbortController();
  const lagged = (): void => undefined;
  const pace = new Pace({ clock, intervalMs, signal, lagged, tell: (change) => told.push(change) });
  const second = { at: 0, requests: 0 };
  const times = new Map<string, number[]>();
  let [atOnce, most] = [0, 0];
  const poll = async (branch: string): Promise<void> => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    for (let attempt = 1; ; attempt++) {
      await pace.request();
      await clock.sleep(callMs);
      const now = clock.now();
      if (now - second.at >= 1_000) Object.assign(second, { at: now, requests: 0 });
      second.requests += 1;
      const isRefused = second.requests > limit;
      const about = { endpoint: "", url: "", attempt, ms: callMs, status: isRefused ? 429 : 200 };
      pace.hear(branch, isRefused ? { ...about, waitMs: 1_000 } : about);
      if (!isRefused) break;
      await clock.sleep(1_000);
    }
    atOnce -= 1;
    times.get(branch)?.push(clock.now());
  };
  const watch = async (branch: string, firstMs: number): Promise<void> => {
    times.set(branch, []);
    pace.join();
    await clock.sleep(firstMs);
    for (;;) {
      await pace.turn(branch, () => poll(branch));
      await clock.sleep(intervalMs);
    }
  };
  for (let n = 0; n < branches; n++) void watch(`b${n}`, (n * intervalMs) / branches);
  await clock.until(ms);
  const late = [...times.values()].map((each) => each.filter((at) => at > ms / 2));
  const gaps = late
    .flatMap((each) => each.slice(1).map((at, n) => at - (each[n] ?? 0)))
    .sort((a, b) => a - b);
  return { told, gaps, most };
}

it("keeps the interval of all branches where the service lets it", async () => {
  const { told, gaps, most } = await polls({ branches: 1_000 });
  expect(told).toEqual([]);
  expect(gaps.at(-1)).toBeLessThan(intervalMs + 1_000);
  expect(most).toBeLessThanOrEqual(32);
});

it("polls all branches less often, none before another, where each call takes 2 s, and says why", async () => {
  const { told, gaps, most } = await polls({ branches: 2_000, callMs: 2_000 });
  expect(most).toBeLessThanOrEqual(32);
  expect(told[0]).toMatchObject({ branches: 2_000, atOnce: { needed: 67, made: 32 } });
  expect(told[0]?.everyMs).toBeGreaterThan(100_000);
  expect(gaps[0]).toBeGreaterThanOrEqual(intervalMs);
  expect(gaps.at(-1)! / gaps[0]!).toBeLessThan(1.2);
});

it("settles below a limit on requests, and starves no branch", async () => {
  const { told, gaps } = await polls({ branches: 1_000, limit: 10 });
  expect(told[0]).toMatchObject({ atOnce: undefined });
  expect(told[0]?.perSecond).toBeLessThan(13);
  // Nothing is polled more often to catch up.
  expect(gaps[0]).toBeGreaterThanOrEqual(intervalMs);
  expect(gaps.at(-1)! / gaps[0]!).toBeLessThan(1.5);
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  // A thousand at ten a second are a hundred seconds.
  expect(mean).toBeLessThan(130_000);
});

it("gives each process an equal share, and takes nothing from one for another that has enough", () => {
  expect(fairShare({ all: 10_000, own: 10_000, others: [0] })).toEqual({ takes: 0, gives: 5_000 });
  expect(fairShare({ all: 10_000, own: 0, others: [10_000] })).toEqual({ takes: 5_000, gives: 0 });
  expect(fairShare({ all: 10, own: 4, others: [3, 3] })).toEqual({ takes: 0, gives: 0 });
  expect(fairShare({ all: 10, own: 5, others: [5, 0] })).toEqual({ takes: 0, gives: 1 });
  expect(fairShare({ all: 1, own: 1, others: [0] })).toEqual({ takes: 0, gives: 0 });
  expect(fairShare({ all: 7, own: 3, others: [] })).toEqual({ takes: 4, gives: 0 });
});
