import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openJournal } from "../../../../src/journal/journal.ts";
import type { Slowed } from "../../../../src/journal/records/watches.ts";
import { Health } from "../../../../src/orders/watch/health/health.ts";
import { Metrics } from "../../../../src/orders/watch/health/metrics.ts";
import { OutageAlarm } from "../../../../src/orders/watch/health/outage-alarm.ts";
import { buildReport, isRead } from "../../../../src/orders/watch/health/report.ts";
import { fakeClock } from "../../../support/fake-clock.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

const watched = () => {
  const clock = fakeClock();
  const later = () => () => undefined;
  const health = new Health({
    clock: { ...clock, later },
    isJournalAway: () => true,
    slowed: () => undefined,
  });
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

  it("is not well where an output owes what lies ahead and fails: the clock was set back", () => {
    const { clock, health, opened } = watched();
    opened();
    health.enter("centro", "ok");
    health.hear("centro", { event: "output.failed", output: "exec" } as Parameters<Health["hear"]>[1]);
    const owed = [{ watchId: 1, output: "exec", undelivered: 1, oldestAt: clock.now() }];
    const status = (): string =>
      buildReport({ branches: health.branches, owed, now: clock.now(), maxAgeMs: day }).status;
    expect(status()).toBe("ok");
    clock.advance(-60 * minute);
    expect(status()).toBe("failing");
  });
});

it("says of every branch at once that it is polled less often, in the journal and to Prometheus, until it is not", async () => {
  const clock = { ...fakeClock(), later: () => () => undefined };
  const journal = await openJournal(":memory:", { holder: { id: "one", pid: 1, host: "" }, env: {} });
  onTestFinished(() => journal.close());
  let slowed: Slowed | undefined;
  const health = new Health({ clock, isJournalAway: () => false, slowed: () => slowed });
  const metrics = new Metrics();
  const said = async () => {
    health.noteSlowed();
    await health.close();
    const text = await metrics.text({ branches: health.branches, owed: [] });
    const rows = await journal.watches.all();
    return [rows.map(({ everyMs }) => everyMs), /^bpos_branches_behind (\d+)$/m.exec(text)?.[1]];
  };
  for (const branch of ["centro", "norte"]) {
    health.open(branch, { journal, outputs: [] });
    const { watchId } = await journal.orders.open(branch, "default");
    health.hear(branch, { event: "opened", watchId });
  }
  health.begin("another's", "standby");
  expect(await said()).toEqual([[null, null], "0"]);
  clock.advance(minute);
  slowed = { since: clock.now(), intervalMs: minute, everyMs: 10 * minute };
  expect(await said()).toEqual([[10 * minute, 10 * minute], "2"]);
  clock.advance(minute);
  slowed = undefined;
  expect(await said()).toEqual([[null, null], "0"]);
});

describe("an outage that lasts", () => {
  /** An alarm after ten minutes, and the timers of its clock, which measure what passes. */
  const alarmed = () => {
    const clock = fakeClock();
    const timers: { ms: number; ring: () => void }[] = [];
    const later = (ms: number, ring: () => void) => {
      timers.push({ ms, ring });
      return () => undefined;
    };
    const due = vi.fn();
    const alarm = new OutageAlarm({ afterMs: 10 * minute, clock: { ...clock, later }, due });
    return { clock, timers, due, alarm };
  };

  it("is told of once, by the clock's timer or by a poll, whichever sees it first", () => {
    const { clock, timers, due, alarm } = alarmed();
    const since = clock.now();
    alarm.lasts("centro", since);
    clock.advance(4 * minute);
    alarm.lasts("norte", since);
    expect(timers.map(({ ms }) => ms)).toEqual([10 * minute, 6 * minute]);
    clock.advance(6 * minute);
    alarm.lasts("centro", since);
    timers[1]!.ring();
    alarm.lasts("norte", since);
    expect(due.mock.calls).toEqual([["centro"], ["norte"]]);
  });

  it("is told of in time where the clock was set back", () => {
    const { clock, timers, due, alarm } = alarmed();
    alarm.lasts("centro", clock.now());
    clock.advance(-60 * minute);
    timers[0]!.ring();
    expect(due).toHaveBeenCalledOnce();
  });
});
