import { expect, it } from "vitest";
import type { Journal } from "../../../src/journal/journal.ts";

const order = { branch: "b", orderId: "1 1000", mark: "m", state: "pendiente", edited: null, body: "{}" };
const shown = { branch: "b", orderId: "1 1000", mark: "m", state: "pendiente", edited: null };

/** What holds of the orders of a screen, whatever the engine. */
export function screenContract(open: () => Promise<Journal>): void {
  it("ring until they are touched, and again for something else only", async () => {
    const { screen } = await open();
    await screen.ring([{ ...order, rangAt: 1 }]);
    await screen.ring([{ ...order, rangAt: 2 }]);
    expect(await screen.list(["b", "c"])).toEqual([{ ...shown, rangAt: 1, acknowledgedAt: null }]);
    expect(await screen.list(["c"])).toEqual([]);
    expect(await screen.acknowledge({ ...order, mark: "other" }, 5)).toBe(false);
    expect(await screen.acknowledge(order, 5)).toBe(true);
    expect(await screen.acknowledge(order, 6)).toBe(false);
    await screen.ring([{ ...order, rangAt: 7 }]);
    expect(await screen.list(["b"])).toEqual([{ ...shown, rangAt: 1, acknowledgedAt: 5 }]);
    expect([await screen.undo(order, 60_006), await screen.undo(order, 60_005)]).toEqual([false, true]);
    await screen.acknowledge(order, 8);
    await screen.ring([{ ...order, mark: "off", state: "cancelado", rangAt: 9, edited: null }]);
    const off = { ...shown, mark: "off", state: "cancelado", rangAt: 9, acknowledgedAt: null };
    expect(await screen.list(["b"])).toEqual([off]);
    // It is over at the service, and not for who has not seen it.
    await screen.settle("b", [], 1e9);
    expect(await screen.list(["b"])).toEqual([off]);
  });

  it("are forgotten a minute after the touch once they wait no more, and the touch is not", async () => {
    const { screen } = await open();
    const other = { ...order, orderId: "2 1000" };
    await screen.keep([
      { ...order, rangAt: 1 },
      { ...other, rangAt: 1 },
    ]);
    await screen.acknowledge(order, 5);
    await screen.settle("b", ["1 1000", "2 1000"], 1e6);
    expect(await screen.list(["b"])).toHaveLength(2);
    await screen.settle("b", [], 60_000);
    expect((await screen.list(["b"])).map(({ state }) => state)).toEqual(["", ""]);
    await screen.settle("b", [], 1e6);
    // Nobody has touched the other.
    expect((await screen.list(["b"])).map(({ orderId }) => orderId)).toEqual(["2 1000"]);
    expect(await screen.body(order)).toBe("");
    await screen.ring([{ ...order, rangAt: 1e6 }]);
    expect(await screen.list(["b"])).toHaveLength(1);
    // It waits again.
    await screen.keep([{ ...order, rangAt: 1e6 }]);
    expect(await screen.list(["b"])).toHaveLength(2);
    await screen.moved(other, "listo", "{}");
    expect(await screen.list(["b"])).toEqual([{ ...shown, rangAt: 1, acknowledgedAt: 5 }]);
  });

  it("are brought back only where they are known, and pruned once they wait no more", async () => {
    const journal = await open();
    const { screen } = journal;
    const [gone, old] = [
      { ...order, orderId: "2 1000" },
      { ...order, orderId: "3 1000" },
    ];
    await screen.ring([
      { ...order, rangAt: 1 },
      { ...gone, rangAt: 1 },
    ]);
    await screen.acknowledge(order, 5);
    await screen.settle("b", [], 1e6);
    const ids = async () => (await screen.list(["b"])).map(({ orderId, state }) => `${orderId} ${state}`);
    await screen.bringBack([
      { ...order, rangAt: 9 },
      { ...old, rangAt: 9 },
    ]);
    expect((await ids()).sort()).toEqual(["1 1000 pendiente", "2 1000 "]);
    await (await journal.upkeep()).prune(1e7, "postgres", () => Promise.resolve());
    expect(await screen.list(["b"])).toEqual([{ ...shown, rangAt: 1, acknowledgedAt: 5 }]);
  });

  it("count as not acknowledged where a watch has a screen", async () => {
    const { screen, orders } = await open();
    await screen.ring([
      { ...order, rangAt: 3 },
      { ...order, orderId: "2 1000", rangAt: 4 },
    ]);
    expect(await screen.unacknowledged()).toEqual([]);
    const { watchId } = await orders.open("b", "default");
    await orders.join(watchId, [{ name: "screen", changes: "all" }]);
    expect(await screen.unacknowledged()).toEqual([{ branch: "b", orders: 2, oldestAt: 3 }]);
    await screen.acknowledge(order, 5);
    expect(await screen.unacknowledged()).toEqual([{ branch: "b", orders: 1, oldestAt: 4 }]);
    expect(await screen.polls(["b"])).toEqual(new Map());
    expect(await screen.secret()).toMatch(/^[0-9a-f]{32}$/);
    await orders.join(watchId, []);
    expect(await screen.unacknowledged()).toEqual([]);
  });
}
