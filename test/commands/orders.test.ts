import { describe, expect, it } from "vitest";
import { fakeClock } from "../support/fake-clock.ts";
import { shell } from "../support/run.ts";
import { on, reply, scriptedServer } from "../support/scripted-server.ts";
import { pointedAt, service } from "../support/service.ts";

interface Listing {
  orders: { order_id: number; status: string }[];
  page: number;
  per_page: number;
  total: number;
  has_more: boolean;
}
const parse = (text: string): Listing => JSON.parse(text) as Listing;
const frozen = { clock: "2026-01-01T12:00:00-03:00", scenario: "empty" } as const;

describe("orders list", () => {
  it("lists what is pendiente on the embedded mock, says MOCK, and is empty with 0", async () => {
    const run = shell();
    const listed = await run(["--mock", "orders", "list"]);
    expect(listed.code).toBe(0);
    expect(listed.stdout.split("\n")[0]).toContain("MOCK");
    expect(listed.stdout).toContain("pendiente");
    const none = await run(["--mock", "orders", "list", "--status", "entregado", "--json"]);
    expect(none.code).toBe(0);
    expect(parse(none.stdout).orders).toEqual([]);
  });

  it("prints the service's own page as JSON, one page of 20", async () => {
    const { mock, env } = await service(frozen);
    await mock.control.placeOrders({ count: 57 });
    const run = shell({ env });
    const first = parse((await run(["orders", "list", "--json"])).stdout);
    expect(first).toMatchObject({ page: 1, per_page: 20, total: 57, has_more: true });
    expect(first.orders).toHaveLength(20);
    const third = parse((await run(["orders", "list", "--page", "3", "--json"])).stdout);
    expect(third.orders).toHaveLength(17);
    expect(third.has_more).toBe(false);
  });

  it("reads every page with --all, and stops at --limit saying that more is left", async () => {
    const { mock, env } = await service(frozen);
    const placed = await mock.control.placeOrders({ count: 57 });
    const run = shell({ env });
    const all = parse((await run(["orders", "list", "--all", "--json"])).stdout);
    expect(all.orders.map((order) => order.order_id)).toEqual(placed.map((order) => order.order_id));
    expect(all).toMatchObject({ page: 1, per_page: 57, total: 57, has_more: false });
    const limited = parse((await run(["orders", "list", "--limit", "25", "--json"])).stdout);
    expect(limited.orders).toHaveLength(25);
    expect(limited).toMatchObject({ per_page: 25, total: 57, has_more: true });
  });

  it("reads several states into one listing and adds their totals", async () => {
    const { mock, env } = await service(frozen);
    const [first, second] = await mock.control.placeOrders({ count: 5 });
    await mock.control.setOrderStatus(first!.order_id, "listo");
    await mock.control.setOrderStatus(second!.order_id, "cancelado");
    const run = shell({ env });
    const listing = parse((await run(["orders", "list", "--status", "pendiente,listo", "--json"])).stdout);
    expect(listing).toMatchObject({ total: 4, per_page: 4, has_more: false });
    expect(listing.orders.map((order) => order.status)).toEqual([
      "pendiente",
      "pendiente",
      "pendiente",
      "listo",
    ]);
    expect(parse((await run(["orders", "list", "--status", "all", "--json"])).stdout).total).toBe(5);
  });

  it("writes one object a line as ndjson and a header with csv", async () => {
    const { mock, env } = await service(frozen);
    await mock.control.placeOrders({ count: 45 });
    const run = shell({ env });
    const lines = (await run(["orders", "list", "--all", "-o", "ndjson"])).stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(45);
    expect(
      lines.every((line) => typeof (JSON.parse(line) as { order_id: unknown }).order_id === "number"),
    ).toBe(true);
    const csv = (await run(["orders", "list", "-o", "csv"])).stdout;
    expect(csv.split(/\r?\n/)[0]).toMatch(/^order_id,created_at_iso,status,/);
  });

  it("sends --since with an offset", async () => {
    const server = await scriptedServer(
      on("GET /v1/orders", (response, request) => {
        const since = new URL(request.url, "http://x").searchParams.get("since") ?? "";
        expect(since).toMatch(/^2025-12-31T\d\d:00:00\.000[+-]\d\d:\d\d$/);
        expect(Date.parse(since)).toBe(Date.UTC(2026, 0, 1, 10) - 12 * 3_600_000);
        reply({ orders: [], page: 1, per_page: 20, total: 0, has_more: false })(response, request);
      }),
    );
    const run = shell({ env: pointedAt(server.url), clock: fakeClock(Date.UTC(2026, 0, 1, 10)) });
    expect((await run(["orders", "list", "--since", "12h"])).code).toBe(0);
  });

  it.each([
    [["--status", "pendientes"], /pendientes.*pendiente, en_preparacion/s],
    [["--since", "ayer"], /ayer/],
    [["--page", "0"], /--page.*whole number/s],
    [["--page", "2", "--all"], /--page/],
    [["-o", "xml"], /table, json, ndjson, csv/],
    [["--wat"], /--wat/],
  ])("refuses %j with 2 before anything is sent", async (flags, words) => {
    const server = await scriptedServer();
    const result = await shell({ env: pointedAt(server.url) })(["orders", "list", ...flags]);
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(words);
    expect(result.stdout).toBe("");
  });
});

describe("orders show", () => {
  it("finds an order in any state and shows a ticket", async () => {
    const { mock, env } = await service(frozen);
    const [order] = await mock.control.placeOrders({ count: 1 });
    await mock.control.setOrderStatus(order!.order_id, "cancelado");
    const run = shell({ env });
    const ticket = await run(["orders", "show", String(order!.order_id)]);
    expect(ticket.code).toBe(0);
    expect(ticket.stdout).toContain(String(order!.order_id));
    expect(ticket.stdout).toContain("cancelado");
    const json = await run(["orders", "show", String(order!.order_id), "--json"]);
    expect(JSON.parse(json.stdout)).toEqual({ ...order, status: "cancelado" });
  });

  it("ends with 2 for an order that does not exist, and for a name", async () => {
    const { env } = await service(frozen);
    const run = shell({ env });
    const missing = await run(["orders", "show", "999999"]);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain("999999");
    expect((await run(["orders", "show", "../7"])).code).toBe(2);
  });
});

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
    const empty = { orders: [], page: 1, per_page: 20, total: 0, has_more: false };
    const order = { order_id: 7, lineas: [] };
    const server = await scriptedServer(
      on("GET /v1/orders", reply(empty)),
      on("GET /v1/orders", reply("<html>bad gateway</html>", 502)),
      on("GET /v1/orders", reply("<html>bad gateway</html>", 502)),
      on("GET /v1/orders", reply({ ...empty, orders: [order] })),
    );
    const result = await shell({ env: pointedAt(server.url), clock: fakeClock() })(
      ["orders", "watch", "-o", "ndjson", "--retries", "0"],
      { onOutput: (_text, stop) => stop() },
    );
    expect(result.code).toBe(130);
    expect(result.stderr.match(/No answer/g)).toHaveLength(1);
    expect(result.stderr).toMatch(/answers again, after \d+ s/);
    expect(result.stdout).toContain('"order_id":7');
  });

  it("ends with 4 when the first poll is refused", async () => {
    const { env } = await service(frozen);
    const result = await shell({ env: { ...env, BPOS_API_KEY: "bpk_demo_inactive" } })(["orders", "watch"]);
    expect(result.code).toBe(4);
  });

  it("refuses an interval under 10 s that nobody insisted on", async () => {
    const server = await scriptedServer();
    const result = await shell({ env: pointedAt(server.url) })(["orders", "watch", "--interval", "1s"]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("--force");
  });
});
