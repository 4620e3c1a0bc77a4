import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { orderStates } from "../../../../src/contract/limits.ts";
import { fixedServer, orderOf } from "../../../support/peers.ts";
import { shell, temporaryFolder } from "../../../support/run.ts";
import { pointedAt, service } from "../../../support/service.ts";
import { sized } from "../../../support/soak.ts";
import { eventsOf, newIds, orderBook, watchOnce, watchPolls } from "../../../support/watch.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Clocks of the mock: its Date header always tells the real time. */
const clocks: [string, { clock?: string }][] = [
  ["the service's Date and created_at agree", {}],
  ["created_at is months behind Date", { clock: "2026-01-01T12:00:00-03:00" }],
  ["created_at is years ahead of Date", { clock: "2036-01-01T12:00:00-03:00" }],
];

describe("what a consumer was given", () => {
  it("is not given to it again, and all of it to another one", async () => {
    const { mock, env } = await service({ scenario: "empty" });
    const placed = (await mock.control.placeOrders({ count: 3 })).map((order) => order.order_id);
    const run = shell({ env });
    expect(newIds(await watchOnce(run))).toEqual(placed);
    const [late] = await mock.control.placeOrders();
    expect(newIds(await watchOnce(run))).toEqual([late!.order_id]);
    expect(newIds(await watchOnce(run, "--consumer", "printer"))).toEqual([...placed, late!.order_id]);
    for (const consumer of ["default", "printer"])
      expect((await watchOnce(run, "--consumer", consumer)).stdout).toBe("");
  });

  it("belongs to the key: another one starts afresh, and two profiles with one key share it", async () => {
    const url = await fixedServer(orderBook([orderOf(1), orderOf(2)]).answer);
    const home = temporaryFolder();
    const keys = { a: "bpk_test_one", b: "bpk_test_one", c: "bpk_test_two" };
    const profiles = Object.fromEntries(
      Object.entries(keys).map(([name, api_key]) => [name, { api_key, base_url: url }]),
    );
    writeFileSync(join(home, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
    const run = shell({ env: { BPOS_HOME: home } });
    expect(newIds(await watchOnce(run, "-p", "a"))).toEqual([1, 2]);
    expect(newIds(await watchOnce(run, "-p", "b"))).toEqual([]);
    expect(newIds(await watchOnce(run, "-p", "c"))).toEqual([1, 2]);
  });

  it("with --skip-existing leaves out what waits at its first run, and only then", async () => {
    const { mock, env } = await service({ scenario: "empty" });
    const run = shell({ env });
    const created_at = Date.now() - hour;
    await mock.control.placeOrders({ count: 2, order: { created_at } });
    expect((await watchOnce(run, "--skip-existing")).stdout).toBe("");
    const [late] = await mock.control.placeOrders({ order: { created_at } });
    expect(newIds(await watchOnce(run, "--skip-existing"))).toEqual([late!.order_id]);
    expect((await watchOnce(run)).stdout).toBe("");
  });
});

describe("the first run, when its second page fails and an order moves on meanwhile", () => {
  const placed = Date.now() - hour;
  const orderAt = (id: number, more: Record<string, unknown> = {}): Record<string, unknown> =>
    orderOf(id, { created_at: placed + id * 1_000, ...more });
  /** 25 orders wait; page 2 fails until `recover` is called. */
  async function branch() {
    const orders = Array.from({ length: 25 }, (_, n) => orderAt(n + 1));
    let isBroken = true;
    const { answer } = orderBook(orders);
    const url = await fixedServer((asked) =>
      isBroken && asked.searchParams.get("page") === "2" ? { status: 502, body: {} } : answer(asked),
    );
    const home = temporaryFolder();
    const run = shell({ env: { ...pointedAt(url), BPOS_HOME: home } });
    const recover = (): void => {
      isBroken = false;
    };
    return { orders, run, recover };
  }
  const ids = (from: number, to: number): number[] =>
    Array.from({ length: to - from + 1 }, (_, n) => from + n);
  const lookUp = /bpos orders list --status all --all --since (\S+)/;

  it("delivers it: what page 1 counted and was never read can be no other", async () => {
    const { orders, run, recover } = await branch();
    // It was in another state all along.
    orders.push(orderAt(5.5, { order_id: 100, status: "listo" }));
    const result = await watchPolls(run, {
      polls: 3,
      after: (poll) => {
        if (poll > 1) return;
        Object.assign(orders[22]!, { status: "en_preparacion" });
        recover();
      },
    });
    expect(newIds(result).slice(0, 20)).toEqual(ids(1, 20));
    expect(newIds(result).toSorted((a, b) => Number(a) - Number(b))).toEqual(ids(1, 25));
    expect(result.stderr).not.toMatch(lookUp);
  });

  it("delivers it in another process too", async () => {
    const { orders, run, recover } = await branch();
    const first = await watchOnce(run);
    expect([first.code, newIds(first)]).toEqual([6, ids(1, 20)]);
    Object.assign(orders[22]!, { status: "en_preparacion" });
    recover();
    const second = await watchOnce(run);
    expect(newIds(second).toSorted((a, b) => Number(a) - Number(b))).toEqual(ids(21, 25));
  });

  it.each([
    ["es", "Puede que no se hayan"],
    ["en", "might not have been delivered"],
  ])("says how to look it up where another order looks the same (%s)", async (language, said) => {
    const { orders, run, recover } = await branch();
    orders.push(orderAt(26, { status: "listo" }));
    await watchOnce(run);
    Object.assign(orders[22]!, { status: "en_preparacion" });
    recover();
    const second = await watchOnce(run, "-q", "--lang", language);
    expect(newIds(second)).toEqual([21, 22, 24, 25]);
    expect(second.stderr).toContain(said);
    const [command = "", since = ""] = lookUp.exec(second.stderr) ?? [];
    const listed = await run([...command.split(" ").slice(1), "-o", "ndjson", "--fields", "order_id"]);
    expect(listed.stdout).toContain('{"order_id":23}');
    expect(Date.parse(since)).toBe(placed + 20_000 - 1);
    expect((await watchOnce(run)).stderr).toBe("");
  });

  it.each([1, 25])("says nothing where it ended after all %i in pendiente were read", async (waiting) => {
    const orders = Array.from({ length: waiting }, (_, n) => orderAt(n + 1));
    orders.push(orderAt(99, { status: "listo" }));
    const { answer } = orderBook(orders);
    let isBroken = true;
    const url = await fixedServer((asked) =>
      isBroken && asked.searchParams.get("status") === "listo" ? { status: 502, body: {} } : answer(asked),
    );
    const run = shell({ env: pointedAt(url) });
    expect(newIds(await watchOnce(run))).toEqual(ids(1, waiting));
    isBroken = false;
    const next = await watchOnce(run);
    expect([next.stdout, next.stderr]).toEqual(["", ""]);
  });

  it("says nothing where nothing moved on, and delivers nothing of before with --skip-existing", async () => {
    const quiet = await branch();
    quiet.orders.push(orderAt(5.5, { order_id: 100, status: "listo" }));
    await watchOnce(quiet.run);
    quiet.recover();
    expect((await watchOnce(quiet.run)).stderr).toBe("");
    const { orders, run, recover } = await branch();
    await watchOnce(run, "--skip-existing");
    Object.assign(orders[22]!, { status: "en_preparacion" });
    recover();
    const skipped = await watchOnce(run, "--skip-existing");
    expect([skipped.stdout, skipped.stderr]).toEqual(["", ""]);
  });
});

describe.each(clocks)("the first run, when %s", (_name, options) => {
  it.each(sized(options.clock ? [25] : [0, 1, 25], [0, 1, 25]))(
    "hands on nothing that had left pendiente, with %i waiting, neither then nor later",
    async (waiting) => {
      const { mock, env } = await service({ scenario: "empty", ...options });
      const { now } = await mock.control.moveClock({ advance_ms: 0 });
      const at = Date.parse(now);
      for (const [n, status] of orderStates.slice(1).entries())
        await mock.control.placeOrders({ count: 3, order: { status, created_at: at - (n + 1) * hour } });
      await mock.control.placeOrders({ count: 45, order: { status: "entregado", created_at: at - 5 * day } });
      if (waiting > 0)
        await mock.control.placeOrders({ count: waiting, order: { created_at: at - 2 * minute } });
      const run = shell({ env });
      expect(newIds(await watchOnce(run))).toHaveLength(waiting);
      const [next] = await mock.control.placeOrders();
      const later = await watchPolls(run, { polls: 12 });
      expect(newIds(later)).toEqual([next!.order_id]);
    },
  );

  it.each([[0], [1]])(
    "is the line: what comes after it in another state is handed on, with %i waiting then",
    async (waiting) => {
      const { mock, env } = await service({ scenario: "empty", ...options });
      await mock.control.placeOrders({ count: 30, order: { status: "entregado" } });
      if (waiting > 0) await mock.control.placeOrders({ count: waiting });
      const run = shell({ env });
      await watchOnce(run);
      await mock.control.moveClock({ advance_ms: hour });
      const [skipped] = await mock.control.placeOrders({ order: { status: "en_preparacion" } });
      const again = await watchOnce(run);
      expect(eventsOf(again)).toMatchObject([
        {
          event: "order.new",
          repeated: false,
          order: { order_id: skipped!.order_id, status: "en_preparacion" },
        },
      ]);
    },
  );
});
