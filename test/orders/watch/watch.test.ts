import { describe, expect, it } from "vitest";
import { fakeClock } from "../../support/fake-clock.ts";
import { shell } from "../../support/run.ts";
import { on, reply, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt, service } from "../../support/service.ts";
import { watchOnce, watchPolls } from "../../support/watch.ts";

const frozen = { clock: "2026-01-01T12:00:00-03:00", scenario: "empty" } as const;
const empty = { orders: [], page: 1, per_page: 20, total: 0, has_more: false };
const denied = { code: "ERROR_CODE_ACCESS_DENIED", message: "Invalid API key.", payload: "" };
/** The seven states beside pendiente, which the first poll reads too. */
const otherStates = Array.from({ length: 7 }, () => reply(empty));
const polls = (...handlers: Parameters<typeof on>[1][]): Parameters<typeof scriptedServer> =>
  handlers.map((handler) => on("GET /v1/orders", handler));

describe("orders watch", () => {
  it("hands each waiting order on once with --once", async () => {
    const { mock, env } = await service(frozen);
    const placed = await mock.control.placeOrders({ count: 23 });
    const result = await shell({ env })(["orders", "watch", "--once", "-o", "ndjson"]);
    expect(result.code).toBe(0);
    const events = result.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events.map((event) => (event["order"] as { order_id: number }).order_id)).toEqual(
      placed.map((order) => order.order_id),
    );
    expect(events[0]).toMatchObject({ event: "order.new", repeated: false });
    expect(events[0]).toHaveProperty("branch");
    expect(events[0]!["at"]).toMatch(/[+-]\d\d:\d\d$/);
  });

  it("shows an order that arrives between two polls, no order twice, and ends with 130 on Ctrl-C", async () => {
    const { mock, env } = await service(frozen);
    const [early] = await mock.control.placeOrders({ count: 1 });
    const clock = fakeClock();
    let polls = 0;
    let late = 0;
    const sleep = clock.sleep.bind(clock);
    const ids = (text: string): number[] =>
      text
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { order: { order_id: number } }).order.order_id);
    const result = await shell({ env })(["orders", "watch", "-o", "ndjson", "--interval", "10s"], {
      clock: {
        now: () => clock.now(),
        sleep: async (ms, signal) => {
          polls += 1;
          if (polls === 3) late = (await mock.control.placeOrders({ count: 1 }))[0]!.order_id;
          await sleep(ms, signal);
        },
      },
      onOutput: (text, stop) => {
        if (late !== 0 && ids(text).includes(late)) stop();
      },
    });
    expect(result.code).toBe(130);
    expect(ids(result.stdout)).toEqual([early!.order_id, late]);
    for (const ms of clock.slept) expect(ms).toBeGreaterThanOrEqual(9_000);
  });

  it("keeps polling through an outage, says when it began and how long it lasted", async () => {
    const order = { order_id: 7, lineas: [] };
    const broken = reply("<html>bad gateway</html>", 502);
    const server = await scriptedServer(
      ...polls(reply(empty), ...otherStates, broken, broken, reply({ ...empty, orders: [order] })),
    );
    const result = await watchPolls(shell({ env: pointedAt(server.url) }), { polls: 4 });
    expect(result.code).toBe(130);
    expect(result.stderr.match(/No response/g)).toHaveLength(1);
    expect(result.stderr).toMatch(/again after \d+ s/);
    expect(result.stdout).toContain('"order_id":7');
  });

  it("polls every 3 s with a mock on this machine, and every 60 s otherwise", async () => {
    const { env } = await service({ scenario: "empty" });
    const { url } = await scriptedServer({ ...on("GET /v1/orders", reply(empty)), aside: true });
    const every = async (world: Record<string, string>, ...argv: string[]): Promise<string | undefined> =>
      /every (\S+ \S+) for/.exec((await watchPolls(shell({ env: world }), { polls: 1, argv })).stderr)?.[1];
    expect(await every({}, "--mock")).toBe("3 s");
    expect(await every({ BPOS_MOCK: env["BPOS_BASE_URL"]! })).toBe("3 s");
    expect(await every({}, "--mock", "--interval", "20s")).toBe("20 s");
    expect(await every(pointedAt(url))).toBe("1 min");
  });

  it("refuses an interval under 10 s that nobody insisted on", async () => {
    const server = await scriptedServer();
    const result = await shell({ env: pointedAt(server.url) })(["orders", "watch", "--interval", "1s"]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("--force");
  });

  it("hands on the orders of a page although the next page fails", async () => {
    const orders = Array.from({ length: 20 }, (_, n) => ({ order_id: n + 1 }));
    const server = await scriptedServer(
      ...polls(reply({ ...empty, orders, total: 21, has_more: true }), reply("<html>", 500)),
    );
    const result = await watchOnce(shell({ env: pointedAt(server.url) }));
    expect(result.code).toBe(6);
    expect(result.stdout.trimEnd().split("\n")).toHaveLength(20);
  });

  it("outlives one 403 and ends with 4 after five minutes of them", async () => {
    const refused = reply(denied, 403);
    const server = await scriptedServer(
      ...polls(reply(empty), ...otherStates, refused, reply(empty)),
      // Each 54 s after the other.
      ...polls(refused, refused, refused, refused, refused, refused, refused),
    );
    const clock = fakeClock();
    // Polls at 54 s: 60 s apart, more than two intervals may pass, and all states are read again.
    const world = { env: pointedAt(server.url), clock, random: () => 0 };
    const result = await shell(world)(["orders", "watch"]);
    expect(result.code).toBe(4);
    expect(server.requests).toHaveLength(17);
    // A gateway that refuses for a while is not asked more often than one that answers.
    for (const ms of clock.slept) expect(ms).toBeGreaterThanOrEqual(54_000);
  });
});
