import { describe, expect, it } from "vitest";
import { fakeClock } from "../../../support/fake-clock.ts";
import { fixedServer, orderOf } from "../../../support/peers.ts";
import { shell } from "../../../support/run.ts";
import { pointedAt } from "../../../support/service.ts";
import { newIds, orderBook, watchPolls } from "../../../support/watch.ts";

const day = 24 * 60 * 60_000;
const hour = 60 * 60_000;

/** A service whose clock, by which it stamps its orders and its answers, a test sets. */
async function stage() {
  const clock = fakeClock();
  const orders: Record<string, unknown>[] = [];
  const { answer } = orderBook(orders);
  const service = { aheadMs: 0 };
  const now = (): number => clock.now() + service.aheadMs;
  const url = await fixedServer((asked) => ({
    ...answer(asked),
    headers: { date: new Date(now()).toUTCString() },
  }));
  const run = shell({ env: pointedAt(url) });
  return {
    service,
    pass: (ms: number) => clock.sleep(ms),
    place: (id: number, status: string, createdAt = now()) =>
      orders.push(orderOf(id, { status, created_at: createdAt })),
    /** The new orders by their numbers. */
    polled: async (polls = 1, after: (poll: number) => void = () => undefined) =>
      newIds(await watchPolls(run, { polls, clock, after, world: { random: () => 0.5 } })).toSorted(),
  };
}

describe("a service whose clock was 40 days ahead for a while", () => {
  it("has its orders read again from where they were known, in the next run", async () => {
    const { service, pass, place, polled } = await stage();
    place(1, "pendiente");
    expect(await polled()).toEqual([1]);
    await pass(2 * day);
    service.aheadMs = 40 * day;
    place(2, "pendiente");
    expect(await polled()).toEqual([2]);
    service.aheadMs = 0;
    // Made and accepted while nothing watched, more than a day before the next run.
    await pass(hour);
    place(3, "listo");
    await pass(3 * day);
    place(4, "en_preparacion");
    expect(await polled()).toEqual([3, 4]);
    await pass(hour);
    place(5, "listo");
    expect(await polled()).toEqual([5]);
  });

  it("and in a watch that goes on", async () => {
    const { service, place, polled } = await stage();
    place(1, "pendiente");
    await polled();
    service.aheadMs = 40 * day;
    place(2, "pendiente");
    const back = (poll: number): void => {
      if (poll !== 1) return;
      service.aheadMs = 0;
      place(3, "listo");
    };
    expect(await polled(12, back)).toEqual([2, 3]);
  });

  it("has what comes after a first run under that clock delivered, and nothing from before the day", async () => {
    const { service, pass, place, polled } = await stage();
    place(1, "entregado");
    await pass(5 * day);
    service.aheadMs = 40 * day;
    expect(await polled()).toEqual([]);
    service.aheadMs = 0;
    place(2, "listo");
    expect(await polled()).toEqual([2]);
  });

  it("delivers nothing old for one answer whose time is behind", async () => {
    const { service, pass, place, polled } = await stage();
    await pass(60 * day);
    place(1, "entregado", Date.UTC(2020, 0, 1));
    place(2, "pendiente", Date.UTC(2020, 0, 2));
    place(3, "entregado");
    await pass(2 * day);
    expect(await polled()).toEqual([2]);
    service.aheadMs = -40 * day;
    expect(await polled()).toEqual([]);
    service.aheadMs = 0;
    expect(await polled()).toEqual([]);
  });
});
