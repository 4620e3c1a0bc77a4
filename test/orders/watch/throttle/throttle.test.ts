import { expect, it } from "vitest";
import { fairShare } from "../../../../src/orders/watch/standby/shares.ts";
import type { Behind } from "../../../../src/orders/watch/throttle/lateness.ts";
import { Throttle } from "../../../../src/orders/watch/throttle/throttle.ts";
import { eventClock } from "../../../support/event-clock.ts";
import { sized } from "../../../support/soak.ts";

const intervalMs = 60_000;
const some = sized(200, 1_000);
const never = (): AbortSignal => new AbortController().signal;
const settle = async (): Promise<void> => {
  for (let n = 0; n < 20; n++) await Promise.resolve();
};

/** Branches that are polled for so long at a service that takes `callMs` for a call and `limit` a second. */
async function polls({
  branches,
  callMs = 20,
  limit = Infinity,
  ms = 15 * 60_000,
}: Record<string, number> & { branches: number }) {
  const clock = eventClock(0, settle);
  const told: (Behind | undefined)[] = [];
  const { signal } = new AbortController();
  const lagged = (): void => undefined;
  const throttle = new Throttle({ clock, intervalMs, signal, lagged, tell: (change) => told.push(change) });
  const second = { at: 0, requests: 0 };
  const times = new Map<string, number[]>();
  let [atOnce, most] = [0, 0];
  const poll = async (branch: string): Promise<void> => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    for (let attempt = 1; ; attempt++) {
      await throttle.request();
      await clock.sleep(callMs);
      const now = clock.now();
      if (now - second.at >= 1_000) Object.assign(second, { at: now, requests: 0 });
      second.requests += 1;
      const isRefused = second.requests > limit;
      const about = { endpoint: "", url: "", attempt, ms: callMs, status: isRefused ? 429 : 200 };
      throttle.hear(branch, isRefused ? { ...about, waitMs: 1_000 } : about);
      if (!isRefused) break;
      await clock.sleep(1_000);
    }
    atOnce -= 1;
    times.get(branch)?.push(clock.now());
  };
  const watch = async (branch: string, firstMs: number): Promise<void> => {
    times.set(branch, []);
    const { signal: own } = new AbortController();
    throttle.join();
    await clock.sleep(firstMs);
    for (;;) {
      await throttle.turn(branch, () => poll(branch), own);
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
  const { told, gaps, most } = await polls({ branches: some });
  expect(told).toEqual([]);
  expect(gaps.at(-1)).toBeLessThan(intervalMs + 1_000);
  expect(most).toBeLessThanOrEqual(32);
});

it("polls all branches less often, none before another, where each call takes seconds, and says why", async () => {
  const { told, gaps, most } = await polls({ branches: 2 * some, callMs: 2_000_000 / some });
  expect(most).toBeLessThanOrEqual(32);
  expect(told[0]).toMatchObject({ branches: 2 * some, atOnce: { needed: 67, made: 32 } });
  expect(told[0]?.everyMs).toBeGreaterThan(100_000);
  expect(gaps[0]).toBeGreaterThanOrEqual(intervalMs);
  expect(gaps.at(-1)! / gaps[0]!).toBeLessThan(1.2);
});

it("settles below a limit on requests, and starves no branch", async () => {
  const { told, gaps } = await polls({ branches: some, limit: some / 100 });
  expect(told[0]).toMatchObject({ atOnce: undefined });
  expect(told[0]?.perSecond).toBeLessThan(Math.max(8, some / 77));
  // Nothing is polled more often to catch up.
  expect(gaps[0]).toBeGreaterThanOrEqual(intervalMs);
  expect(gaps.at(-1)! / gaps[0]!).toBeLessThan(1.5);
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  // They take a hundred seconds.
  expect(mean).toBeLessThan(130_000);
});

it("lets requests go on after the clock was set back", async () => {
  const events = eventClock(0, settle);
  let backMs = 0;
  const clock = { ...events, now: () => events.now() - backMs };
  const { signal } = new AbortController();
  const none = (): void => undefined;
  const throttle = new Throttle({ clock, intervalMs, signal, lagged: none, tell: none });
  for (const branch of ["norte", "sur"]) {
    throttle.join();
    throttle.hear(branch, { endpoint: "", url: "", attempt: 1, ms: 20, status: 429, waitMs: 1_000 });
  }
  backMs = 6 * 60 * intervalMs;
  let left = 0;
  for (let n = 0; n < 10; n++) void throttle.request().then(() => (left += 1));
  await events.until(2 * intervalMs);
  expect(left).toBe(10);
});

it("gives a slot back where the work fails, and lets go of what leaves before its turn", async () => {
  const clock = eventClock(0, settle);
  const { signal } = new AbortController();
  const quiet = { lagged: () => undefined, tell: () => undefined };
  const throttle = new Throttle({ clock, intervalMs, signal, ...quiet });
  const leaving = new AbortController();
  let fail = (): void => undefined;
  const failing = new Promise<never>((_, reject) => {
    fail = () => reject(new Error("down"));
  });
  const first = Array.from({ length: 32 }, (_, n) => throttle.turn(`b${n}`, () => failing, never()));
  const left = throttle.turn("left", () => Promise.resolve("polled"), leaving.signal);
  const stayed = throttle.turn("stayed", () => Promise.resolve("polled"), never());
  leaving.abort();
  expect(await left).toBeUndefined();
  fail();
  expect((await Promise.allSettled(first)).every(({ status }) => status === "rejected")).toBe(true);
  expect(await stayed).toBe("polled");
  const again = Array.from({ length: 64 }, (_, n) =>
    throttle.turn(`b${n}`, () => Promise.resolve(n), never()),
  );
  expect(await Promise.all(again)).toHaveLength(64);
});

it("gives each process an equal share, and takes nothing from one for another that has enough", () => {
  expect(fairShare({ all: 10_000, own: 10_000, others: [0] })).toMatchObject({ takes: 0, gives: 5_000 });
  expect(fairShare({ all: 10_000, own: 0, others: [10_000] })).toMatchObject({ takes: 5_000, gives: 0 });
  expect(fairShare({ all: 10, own: 4, others: [3, 3] })).toMatchObject({ takes: 0, gives: 0 });
  expect(fairShare({ all: 10, own: 5, others: [5, 0] })).toMatchObject({ takes: 0, gives: 1 });
  expect(fairShare({ all: 1, own: 1, others: [0] })).toMatchObject({ takes: 0, gives: 0 });
  expect(fairShare({ all: 7, own: 3, others: [] })).toMatchObject({ takes: 4, gives: 0 });
  // The first has its share, and the second takes one.
  expect(fairShare({ all: 12, own: 2, others: [3, 2, 1], before: 2 })).toMatchObject({ takes: 1, skips: 1 });
});
