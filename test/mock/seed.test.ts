import { describe, expect, test } from "vitest";
import { orderStates } from "../../src/contract/limits.ts";
import type { RunningMock } from "../../src/mock/index.ts";
import { sized } from "../support/soak.ts";
import { allOrders, campaign, frozen, norte, start, startKept, statusOf } from "./support.ts";

const another = "2027-08-09T01:02:03.456Z";

/** Returns what a world of two branches contains, with each time as it is from the world's beginning. */
async function contents(mock: RunningMock, beginning: string): Promise<unknown[]> {
  const began = Date.parse(beginning);
  const orders = [];
  for (const key of [undefined, norte])
    for (const state of orderStates) orders.push(...(await allOrders(mock, state, key)));
  return orders.map(({ order_id: _, created_at, created_at_iso: __, ...order }) => ({
    ...order,
    after: created_at - began,
  }));
}

/** The world half an hour later, with orders that were placed meanwhile; one has a number of its own. */
async function halfAnHour(mock: RunningMock): Promise<void> {
  const { control } = mock;
  await control.placeOrders({ count: 3 });
  await control.placeOrders({ branch: "norte", order: { order_id: 7, lineas: [] } });
  await control.moveClock({ advance_ms: 1_800_000 });
  await control.placeOrders({});
}

describe("the seed alone decides what a world contains", () => {
  test.each((["demo", "busy", "rush"] as const).slice(0, sized(2, 3)))(
    "in %s, whenever it began",
    async (scenario) => {
      const mocks = [
        [await start({ scenario, seed: 7 }), frozen],
        [await start({ scenario, seed: 7, clock: another }), another],
      ] as const;
      for (const [mock] of mocks) await halfAnHour(mock);
      const [one, other] = await Promise.all(mocks.map(([mock, clock]) => contents(mock, clock)));
      expect(other).toEqual(one);
      expect(one?.length).toBeGreaterThan(60);
      const [first] = await allOrders(mocks[0][0]);
      expect((await allOrders(mocks[1][0])).map(({ order_id }) => order_id)).not.toContain(first?.order_id);
    },
  );

  test("after a reset too, and at any start", async () => {
    const mock = await startKept({ scenario: "rush", seed: 7 });
    const plain = async () =>
      (await contents(mock, frozen)).slice(0, 50).map((order) => ({ ...(order as object), after: 0 }));
    const before = await plain();
    await mock.control.reset({ seed: 8 });
    expect(await plain()).not.toEqual(before);
    await mock.control.reset({ seed: 7 });
    expect(await plain()).toEqual(before);
  });

  test("and what becomes of a campaign's messages", async () => {
    const recipients = Array.from({ length: 200 }, (_, n) => ({
      phone: `+54911${50_000_000 + n}`,
      params: [],
    }));
    const courses = await Promise.all(
      [frozen, another].map(async (clock) => {
        const mock = await start({ seed: 7, clock });
        const { campaign_id } = await campaign(mock, { recipients });
        await mock.control.moveClock({ advance_ms: 120_000 });
        const { recipients: reached, ...status } = await statusOf(mock, campaign_id);
        const replies = (await mock.control.replies()).map(({ phone, text }) => ({ phone, text }));
        return {
          campaign_id,
          counts: status.counts,
          reached: (reached ?? []).map(({ phone, status }) => [phone, status]),
          replies,
        };
      }),
    );
    const [one, other] = courses;
    expect(other?.campaign_id).not.toBe(one?.campaign_id);
    expect({ ...other, campaign_id: "" }).toEqual({ ...one, campaign_id: "" });
    expect(one?.replies.length).toBeGreaterThan(0);
  });
});
