import { describe, expect, it, vi } from "vitest";
import { isRead } from "../../../src/cli/health/report.ts";
import { Health } from "../../../src/orders/watch/health.ts";
import { OutageAlarm } from "../../../src/orders/watch/outage-alarm.ts";
import { fakeClock } from "../../support/fake-clock.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

const watched = () => {
  const clock = fakeClock();
  const health = new Health({ clock, isJournalAway: () => true });
  return { clock, health, opened: () => health.hear("centro", { event: "opened", watchId: 1 }) };
};

describe("how a branch fares", () => {
  it("holds no failure against an output whose deliveries began anew", () => {
    const { health, opened } = watched();
    opened();
    health.hear("centro", { event: "output.failed", output: "exec" } as Parameters<Health["hear"]>[1]);
    const failingSince = () => health.branches.get("centro")?.outputs.get("exec")?.failingSince;
    expect(failingSince()).toEqual(expect.any(Number));
    health.enter("centro", "standby", false);
    opened();
    expect(failingSince()).toBeNull();
  });

  it("is not read where its last poll lies ahead: the clock was set back", () => {
    const { clock, health, opened } = watched();
    opened();
    health.enter("centro", "ok");
    const known = health.branches.get("centro")!;
    known.polledAt = clock.now();
    const facts = () => ({ now: clock.now(), maxAgeMs: 3 * minute });
    clock.advance(-2 * minute);
    expect(isRead(known, facts())).toBe(true);
    clock.advance(-60 * minute);
    expect(isRead(known, facts())).toBe(false);
  });
});

it("waits for an outage of weeks with a timer that Node can hold", () => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  const clock = fakeClock();
  const due = vi.fn();
  const alarm = new OutageAlarm({ afterMs: 30 * day, now: () => clock.now(), due });
  alarm.lasts("centro", clock.now());
  const [, ms] = timers.mock.calls.at(-1)!;
  alarm.close();
  timers.mockRestore();
  expect(ms).toBeLessThan(2 ** 31);
  expect(due).not.toHaveBeenCalled();
});
