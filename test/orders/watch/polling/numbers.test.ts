import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Order } from "../../../../src/contract/order.ts";
import { fixedServer, orderOf, pageOf } from "../../../support/peers.ts";
import { shell, temporaryFolder } from "../../../support/run.ts";
import { pointedAt, realService, service } from "../../../support/service.ts";
import { eventsOf, newIds, orderBook, watchOnce, watchPolls } from "../../../support/watch.ts";

const at = Date.UTC(2026, 0, 1, 11);
const day = 24 * 60 * 60_000;

async function branch(orders: Record<string, unknown>[]) {
  const url = await fixedServer(orderBook(orders).answer);
  const home = temporaryFolder();
  const run = shell({ env: { ...pointedAt(url), BPOS_HOME: home } });
  return { run, home, folder: temporaryFolder() };
}

describe("the same order_id with another created_at", () => {
  it("is another order: delivered with a warning, live and after a restart, into a file of its own", async () => {
    const orders = [orderOf(7, { created_at: at })];
    const { run, folder } = await branch(orders);
    const live = await watchPolls(run, {
      polls: 3,
      argv: ["--out-dir", folder],
      after: () => {
        orders[0] = orderOf(7, { created_at: at + day });
      },
    });
    expect(newIds(live)).toEqual([7, 7]);
    const warning =
      "Order 7, created 2026-01-02 08:00:00, has the same number as an order created 2026-01-01 08:00:00.";
    expect(live.stderr.split(warning)).toHaveLength(2);
    orders.push(orderOf(7, { created_at: at + 2 * day }));
    const restarted = await watchOnce(run, "-q", "--out-dir", folder);
    expect(restarted.stderr).toContain("2026-01-03 08:00:00");
    expect(readdirSync(folder).sort()).toEqual(["7-2.json", "7-3.json", "7.json"]);
    const made = ["7.json", "7-2.json", "7-3.json"].map(
      (name) => (JSON.parse(readFileSync(join(folder, name), "utf8")) as { created_at: number }).created_at,
    );
    expect(made).toEqual([at, at + day, at + 2 * day]);
    expect((await watchOnce(run)).stdout).toBe("");
  });

  it.each([
    ["a text", String(at)],
    ["in ISO 8601", "2026-01-01T08:00:00-03:00"],
    ["not at all", undefined],
    ["null", null],
  ])("written %s the other time is the same order", async (_how, created_at) => {
    const orders = [orderOf(7, { created_at: at })];
    const run = shell({ env: pointedAt(await fixedServer(() => ({ body: pageOf(orders) }))) });
    expect(newIds(await watchOnce(run))).toEqual([7]);
    orders[0] = orderOf(7, { created_at });
    expect((await watchOnce(run)).stdout).toBe("");
    orders[0] = orderOf(7, { created_at: at + 1 });
    expect(newIds(await watchOnce(run))).toEqual([7]);
  });
});

it.each(["ayer\0 a las 9", "ayer \ud83d", "2026-01-01T\0"])(
  "a created_at that no database holds as it is, %j, tells an order from another, and no order from itself",
  async (created_at) => {
    const orders = [orderOf(7, { created_at })];
    const run = shell({ env: pointedAt(await fixedServer(() => ({ body: pageOf(orders) }))) });
    expect(newIds(await watchOnce(run))).toEqual([7]);
    expect((await watchOnce(run)).stdout).toBe("");
    orders[0] = orderOf(7, { created_at: `${created_at}, más tarde` });
    expect(newIds(await watchOnce(run))).toEqual([7]);
    expect((await watchOnce(run)).stdout).toBe("");
  },
);

it.each([
  ["total", { total: 1e30 }, at],
  ["total", { total: 2.5 }, at],
  ["created_at", { total: 3 }, 1e300],
])(
  "a %s that no database holds does not keep the first run from its orders: %j %d",
  async (_what, more, created_at) => {
    const pages = [[orderOf(7), orderOf(8, { created_at })], [orderOf(9)]];
    const url = await fixedServer(({ searchParams }) => {
      const page = Number(searchParams.get("page") ?? "1");
      const isPending = searchParams.get("status") === "pendiente";
      const orders = isPending ? (pages[page - 1] ?? []) : [];
      return {
        body: pageOf(orders, {
          page,
          per_page: 2,
          has_more: isPending && page === 1,
          ...(isPending && more),
        }),
      };
    });
    const run = shell({ env: pointedAt(url) });
    const { code, stdout, stderr } = await watchOnce(run);
    expect([code, newIds({ stdout })], stderr).toEqual([0, [7, 8, 9]]);
  },
);

describe("a service that begins anew, with the same numbers, while it is watched", () => {
  const frozen = { scenario: "empty", clock: "2026-01-01T12:00:00-03:00" } as const;
  it.each([
    ["a real branch", realService, 1],
    // Its answers name another world, of which nothing is known.
    ["a mock", service, 0],
  ] as const)("is heard of as %s, and its orders are delivered", async (_which, start, warnings) => {
    const { mock, env } = await start(frozen);
    const [before] = await mock.control.placeOrders();
    const placed: Order[] = [];
    const result = await watchPolls(shell({ env }), {
      polls: 4,
      after: async (poll) => {
        if (poll > 1) return;
        await mock.control.reset();
        await mock.control.moveClock({ advance_ms: day });
        placed.push(...(await mock.control.placeOrders({ count: 2 })));
      },
    });
    expect(placed[0]!.order_id).toBe(before!.order_id);
    expect(newIds(result)).toEqual([before, ...placed].map((order) => order!.order_id));
    expect(result.stderr.match(/has the same number as an order created/g) ?? []).toHaveLength(warnings);
    // Orders that are gone with the old world are no news of the new one.
    expect(eventsOf(result).every(({ event }) => event === "order.new")).toBe(true);
  });
});

it("an order that came without created_at takes the one that it is next seen with, and no other", async () => {
  const orders = [orderOf(7, { created_at: null })];
  const { run } = await branch(orders);
  await watchOnce(run);
  orders[0] = orderOf(7, { created_at: at });
  expect((await watchOnce(run)).stdout).toBe("");
  orders[0] = orderOf(7, { created_at: at + day });
  const result = await watchOnce(run);
  expect(newIds(result)).toEqual([7]);
  expect(result.stderr).toContain("has the same number as an order created");
});
