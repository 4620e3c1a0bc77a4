import { describe, expect, it } from "vitest";
import { fakeClock } from "../../support/fake-clock.ts";
import { type Answer, fixedServer, orderOf, pageOf } from "../../support/peers.ts";
import { shell } from "../../support/run.ts";
import { pointedAt, service } from "../../support/service.ts";
import { sized } from "../../support/soak.ts";
import { newIds, orderBook, watchOnce, watchPolls } from "../../support/watch.ts";

const minute = 60_000;
const frozen = { clock: "2026-01-01T12:00:00-03:00", scenario: "empty" } as const;
/** The middle of every range that chance may choose from. */
const world = { random: () => 0.5 };
const count = (text: string, part: string): number => text.split(part).length - 1;

describe("a service that cannot answer", () => {
  it("for ten minutes is one line when it begins and one when it ends, and costs no order", async () => {
    const clock = fakeClock();
    const from = clock.now() + 5 * minute;
    const orders = [orderOf(1)];
    const { answer } = orderBook(orders);
    const isDown = (): boolean => clock.now() >= from && clock.now() < from + 10 * minute;
    const run = shell({
      env: pointedAt(await fixedServer((url) => (isDown() ? { status: 503, body: "" } : answer(url)))),
    });
    let cameWhileDown = false;
    const result = await watchPolls(run, {
      polls: 40,
      clock,
      world,
      after: () => {
        if (!isDown() || cameWhileDown) return;
        cameWhileDown = true;
        orders.push(orderOf(2), orderOf(3, { status: "listo", created_at: Date.now() + 10 * minute }));
      },
    });
    expect(result.code).toBe(130);
    expect(newIds(result)).toEqual([1, 2, 3]);
    expect(count(result.stderr, "No response")).toBe(1);
    expect(result.stderr.match(/again after (9|10) min/g)).toHaveLength(1);
  });

  const faults = [
    "status=500",
    "status=403",
    "status=404",
    "drop",
    "html",
    "garbage",
    "truncate",
    "retry-after=120",
  ];
  it.each(faults)(
    "%s: is asked again, and the order that came meanwhile is handed on once",
    async (fault) => {
      const { mock, env } = await service(frozen);
      const placed: unknown[] = [];
      const place = async (): Promise<void> => {
        for (const { order_id } of await mock.control.placeOrders()) placed.push(order_id);
      };
      await place();
      const result = await watchPolls(shell({ env }), {
        polls: 5,
        world,
        after: async (poll) => {
          if (poll > 2) return;
          await place();
          await mock.control.addFault(`GET /v1/orders ${fault} times=1`);
        },
      });
      expect(result.code).toBe(130);
      expect(newIds(result)).toEqual(placed);
      expect(count(result.stderr, fault === "status=403" ? "Refused:" : "No response:")).toBe(1);
      expect(count(result.stderr, "is responding again")).toBe(1);
    },
  );

  it.each(sized([1, 3, 5, 9], [1, 2, 3, 4, 5, 6, 7, 8, 9]))(
    "to request %i of the first run loses no order, and makes none of the old ones new",
    async (broken) => {
      const now = Date.now();
      const orders = [
        orderOf(1, { created_at: now - 2 * minute }),
        orderOf(2, { status: "listo", created_at: now - 3 * minute }),
        orderOf(3, { status: "cancelado", created_at: now - 4 * minute }),
      ];
      const { answer } = orderBook(orders);
      let requests = 0;
      const flaky: Answer = (url) => {
        requests += 1;
        return requests === broken ? { status: 500, body: "" } : answer(url);
      };
      const run = shell({ env: pointedAt(await fixedServer(flaky)) });
      const first = await watchOnce(run);
      expect(first.code).toBe(broken === 9 ? 0 : 6);
      // It left pendiente before anything was read a second time.
      if (broken > 1) orders[0]!["status"] = "en_preparacion";
      orders.push(orderOf(4, { status: "entregado", created_at: now + minute }));
      const rest = await watchPolls(run, { polls: 12 });
      expect([...newIds(first), ...newIds(rest)]).toEqual([1, 4]);
      expect(rest.code).toBe(130);
    },
  );
});

describe("a watch that was down for days", () => {
  it("finds what came meanwhile although its first look fails halfway and it is started anew", async () => {
    const hour = 60 * minute;
    const made = Date.UTC(2026, 0, 1, 11);
    const orders = [orderOf(1, { created_at: made })];
    const { answer } = orderBook(orders);
    let broken = false;
    const run = shell({
      env: pointedAt(
        await fixedServer((url) =>
          broken && url.searchParams.get("status") === "listo" ? { status: 500, body: "" } : answer(url),
        ),
      ),
    });
    await watchOnce(run);
    orders.push(orderOf(2, { status: "listo", created_at: made + 12 * hour }));
    orders.push(orderOf(3, { created_at: made + 72 * hour }));
    broken = true;
    const halfway = await watchOnce(run);
    expect(halfway.code).toBe(6);
    expect(newIds(halfway)).toEqual([3]);
    broken = false;
    expect(newIds(await watchOnce(run))).toEqual([2]);
  });
});

describe("Retry-After", () => {
  it.each([
    [30, 0],
    [120, 4],
    [120, 0],
  ])("of %i s is waited for, with %i retries, and the next poll works", async (seconds, retries) => {
    const { mock, env } = await service(frozen);
    await mock.control.placeOrders();
    await mock.control.addFault(`GET /v1/orders retry-after=${seconds} times=1`);
    const clock = fakeClock();
    const argv = ["--retries", String(retries)];
    const result = await watchPolls(shell({ env }), { polls: 2, clock, world, argv });
    expect(newIds(result)).toHaveLength(1);
    expect(clock.slept[0]).toBeGreaterThanOrEqual(seconds * 1_000);
    expect(clock.slept[0]).toBeLessThan(seconds * 1_000 + minute);
    expect(count(result.stderr, "is responding again")).toBe(1);
  });

  it.each([
    ["3.5", 4_000],
    ["3, 3", 3_000],
    ["1.5 seconds", 2_000],
    ["soon", 1_000],
  ])("%s is waited for between polls and between retries", async (header, waitMs) => {
    let requests = 0;
    const answer: Answer = () =>
      ++requests <= 2 ? { status: 503, headers: { "retry-after": header }, body: "" } : { body: pageOf([]) };
    const run = shell({ env: pointedAt(await fixedServer(answer)) });
    const clock = fakeClock();
    // The least that chance may choose.
    const least = { random: () => 0 };
    const result = await watchPolls(run, { polls: 3, clock, world: least, argv: ["--retries", "1"] });
    expect(clock.slept.slice(0, 2)).toEqual([waitMs, waitMs]);
    expect(count(result.stderr, "is responding again")).toBe(1);
  });
});
