import { describe, expect, it } from "vitest";
import type { Ui } from "../../../src/cli/display/ui.ts";
import { en } from "../../../src/i18n/en.ts";
import { type Journal, Transaction } from "../../../src/journal/journal.ts";
import { openSqlite } from "../../../src/journal/sqlite.ts";
import type { Board } from "../../../src/orders/watch/board.ts";
import type { OrderDelivery } from "../../../src/orders/watch/context.ts";
import { renderCard } from "../../../src/orders/watch/wall/page.tsx";
import { Wall } from "../../../src/orders/watch/wall/wall.ts";

/** A screen of one branch, whose polls and deliveries the test makes. */
function stage() {
  const time = { now: 1_700_000_000_000, polled: 1 as number | null };
  const sql = openSqlite(":memory:");
  const journal: unknown = Object.assign(new Transaction(sql), {
    transaction: (work: (within: Transaction) => Promise<void>) =>
      sql.transaction((within) => work(new Transaction(within))),
  });
  const timers: { inMs: number; isOn: boolean }[] = [];
  const later = (inMs: number) => {
    const timer = { inMs, isOn: true };
    timers.push(timer);
    return () => {
      timer.isOn = false;
    };
  };
  const clock = { now: () => time.now, later };
  const wall = new Wall({ clock, unseenMs: 300_000, unseen: () => undefined });
  const ui = { texts: en, locale: "en" } as unknown as Ui;
  wall.open({
    ...{ name: "n", ui, journal: journal as Journal, branchId: () => "B" },
    ...{ aheadMs: () => 0, polledAt: () => time.polled },
  });
  const output = wall.output("n");
  return {
    wall,
    time,
    order: { order_id: 5, created_at: time.now, status: "pendiente", total: 10 },
    alarms: () => timers.filter(({ inMs, isOn }) => isOn && inMs > 100_000).length,
    deliver: async (event: object, order: object) => {
      await output.deliver({ event, order } as OrderDelivery, new AbortController().signal);
      await wall.refresh();
    },
    poll: async (orders: object[], adds = true) => {
      const board = { isWhole: true, waiting: () => orders.map((order) => ({ order })) };
      await wall.polled("n", board as unknown as Board, adds);
      await wall.refresh();
    },
    touch: () => wall.touch("n", wall.orders[0]!, false),
    shown: () =>
      wall.orders.map(({ order, state, edited, acknowledgedAt }) =>
        [order["total"], state, edited, acknowledgedAt === null ? "rings" : "calm"].join(" "),
      ),
  };
}

describe("after a poll", () => {
  it("an order rings that was edited while nobody watched with a screen", async () => {
    const { order, poll, touch, shown } = stage();
    await poll([order]);
    await touch();
    const edited = { ...order, total: 50 };
    await poll([edited]);
    expect(shown()).toEqual(["10 pendiente  calm"]);
    await poll([edited]);
    expect(shown()).toEqual(["50 pendiente  rings"]);
    await touch();
    await poll([edited]);
    expect(shown()).toEqual(["50 pendiente  calm"]);
  });

  it("what was edited is named by the delivery that follows", async () => {
    const { order, poll, deliver, shown } = stage();
    await poll([order]);
    const edited = { ...order, total: 50 };
    await poll([edited]);
    await deliver({ event: "order.edited", changes: ["total"] }, edited);
    await poll([edited]);
    expect(shown()).toEqual(["50 pendiente total rings"]);
  });

  it("an order that waits again is shown with --skip-existing too, and none that was not", async () => {
    const { order, time, poll, deliver, touch, shown } = stage();
    const old = { ...order, order_id: 4 };
    await deliver({ event: "order.new" }, order);
    await poll([old, order], false);
    await touch();
    time.now += 120_000;
    await deliver({ event: "order.changed", from: "pendiente" }, { ...order, status: "listo" });
    await poll([old], false);
    expect(shown()).toEqual([]);
    await poll([old, order], false);
    expect(shown()).toEqual(["10 pendiente  calm"]);
  });

  it("an order that is gone without a word is not called new", async () => {
    const { wall, order, poll } = stage();
    await poll([order]);
    await poll([]);
    const card = renderCard(wall.orders[0]!, false);
    expect(card).toContain('class="card off"');
    expect(card).toContain("No longer waiting");
  });
});

it("tells of no order that nobody touched once another machine polls the branch", async () => {
  const { wall, time, order, poll, alarms } = stage();
  await poll([order]);
  expect(alarms()).toBe(1);
  time.polled = null;
  await wall.refresh();
  expect(alarms()).toBe(0);
  time.polled = 1;
  await wall.refresh();
  expect(alarms()).toBe(1);
});

it("goes on where one screen fails", async () => {
  const { wall } = stage();
  const heard: string[] = [];
  wall.listen(() => {
    throw new Error("a card");
  });
  wall.listen(() => heard.push("other"));
  await wall.refresh();
  expect(heard).toEqual(["other"]);
});
