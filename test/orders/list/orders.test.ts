import { describe, expect, it } from "vitest";
import { fakeClock } from "../../support/fake-clock.ts";
import { type Run, shell, type World } from "../../support/run.ts";
import { on, reply, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt, service } from "../../support/service.ts";
import { sized } from "../../support/soak.ts";

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
    const listed = await run(["--mock", "orders", "list"], { terminal: 120 });
    expect(listed.code).toBe(0);
    expect(listed.stdout.split("\n")[0]).toContain("MOCK");
    expect(listed.stdout).toContain("pendiente");
    await run(["--mock", "mock", "reset", "--scenario", "empty"]);
    const none = await run(["--mock", "orders", "list", "--json"]);
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

  it("reads every page with --all from a service that is too busy for several at once", async () => {
    const { mock, env } = await service(frozen);
    const placed = await mock.control.placeOrders({ count: sized(160, 400) });
    const run = shell({ env, clock: fakeClock() });
    for (const fault of ["retry-after=2", "status=503", "truncate", "drop"]) {
      await mock.control.addFault(`GET /v1/orders ${fault} rate=0.2 times=20`);
      const { code, stdout } = await run(["orders", "list", "--all", "-o", "ndjson", "--retries", "10"]);
      const ids = stdout
        .split("\n")
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as { order_id: number }).order_id);
      expect([fault, code, ids]).toEqual([fault, 0, placed.map(({ order_id }) => order_id)]);
    }
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

  it("counts each order once when orders shift between pages, and fills --limit with others", async () => {
    const page = (from: number, more: boolean): object => ({
      orders: Array.from({ length: 20 }, (_, n) => ({ order_id: from + n })),
      page: 1,
      per_page: 20,
      total: 60,
      has_more: more,
    });
    const server = await scriptedServer(
      on("GET /v1/orders", reply(page(1, true))),
      on("GET /v1/orders", reply(page(16, true))),
    );
    const result = await shell({ env: pointedAt(server.url) })(["orders", "list", "--limit", "25", "--json"]);
    expect(parse(result.stdout).orders.map((order) => order.order_id)).toEqual(
      Array.from({ length: 25 }, (_, n) => n + 1),
    );
    expect(parse(result.stdout).has_more).toBe(true);
  });

  it("writes one object a line as ndjson and a header with csv", async () => {
    const { mock, env } = await service(frozen);
    await mock.control.placeOrders({ count: 45 });
    const run = shell({ env });
    const lines = (await run(["orders", "list", "--all", "-o", "ndjson", "--retries", "10"])).stdout
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(45);
    expect(
      lines.every((line) => typeof (JSON.parse(line) as { order_id: unknown }).order_id === "number"),
    ).toBe(true);
    const csv = (await run(["orders", "list", "-o", "csv"])).stdout;
    expect(csv.split(/\r?\n/)[0]).toMatch(/^order_id,created_at_iso,status,/);
  });

  describe("--since", () => {
    const noon = new Date(2026, 10, 22, 12).getTime();
    /** The run, and the epoch milliseconds that the service was asked for. */
    async function asked(since: string, world: World = {}): Promise<Run & { since: number }> {
      let sent = Number.NaN;
      const server = await scriptedServer(
        on("GET /v1/orders", (response, request) => {
          sent = Date.parse(new URL(request.url, "http://x").searchParams.get("since") ?? "");
          reply({ orders: [], page: 1, per_page: 20, total: 0, has_more: false })(response, request);
        }),
      );
      const run = shell({ env: pointedAt(server.url), clock: fakeClock(noon) });
      return { ...(await run(["orders", "list", "--since", since], world)), since: sent };
    }

    it.each([
      ["hoy", new Date(2026, 10, 22)],
      ["Today", new Date(2026, 10, 22)],
      ["ayer", new Date(2026, 10, 21)],
      ["yesterday", new Date(2026, 10, 21)],
      ["22/11/2026", new Date(2026, 10, 22)],
      ["22/11/2026 08:30", new Date(2026, 10, 22, 8, 30)],
      ["5/5/2026", new Date(2026, 4, 5)],
      ["13/01/2026", new Date(2026, 0, 13)],
      ["2026-11-22T08:00:00+09:00", new Date("2026-11-21T23:00:00Z")],
    ])("takes %s", async (text, at) => {
      expect(await asked(text)).toMatchObject({ code: 0, stderr: "", since: at.getTime() });
    });

    it.each([
      ["en", "Note: --since 5/6/2026 was read as day/month: 2026-06-05.\n"],
      ["es", "Nota: --since 5/6/2026 se leyó como día/mes: 2026-06-05.\n"],
    ])(
      "says on a terminal how it read a date whose day and month could be swapped (%s)",
      async (lang, note) => {
        const world = { terminal: 80, env: { BPOS_LANG: lang } };
        const june = new Date(2026, 5, 5).getTime();
        expect(await asked("5/6/2026", world)).toMatchObject({ code: 0, stderr: note, since: june });
      },
    );
  });

  it.each([
    [["--status", "pendientes"], /pendientes.*pendiente, en_preparacion/s],
    [["--since", "anteayer"], /anteayer/],
    [["--since", "5/6/2026"], /could be 2026-06-05 or 2026-05-06[\s\S]*Next: {2}Write --since 2026-06-05/],
    [["--since", "31/2/2026"], /31.2.2026/],
    [["--since", "11/22/2026"], /11.22.2026/],
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

  it("ends with 11 for an order that does not exist, and with 2 for a name", async () => {
    const { env } = await service(frozen);
    const run = shell({ env });
    const missing = await run(["orders", "show", "999999"]);
    expect(missing.code).toBe(11);
    expect(missing.stderr).toContain("999999");
    expect((await run(["orders", "show", "../7"])).code).toBe(2);
  });
});
