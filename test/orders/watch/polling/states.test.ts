import { describe, expect, it } from "vitest";
import { orderStates } from "../../../../src/contract/limits.ts";
import { fakeClock } from "../../../support/fake-clock.ts";
import { fixedServer, orderOf, pageOf } from "../../../support/peers.ts";
import { shell } from "../../../support/run.ts";
import { pointedAt, service } from "../../../support/service.ts";
import { sized } from "../../../support/soak.ts";
import {
  eventsOf,
  newIds,
  orderBook,
  type WatchEvent,
  watchOnce,
  watchPolls,
} from "../../../support/watch.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const made = Date.UTC(2026, 0, 1, 11);
const frozen = { clock: "2026-01-01T12:00:00-03:00", scenario: "empty" } as const;

/** Returns the requests: state, `since` in epoch milliseconds (0 when there is none) and page. */
const askedFor = (asked: readonly URL[]): [string, number, string][] =>
  asked.map(({ searchParams: query }) => [
    query.get("status") ?? "",
    Date.parse(query.get("since") ?? "1970-01-01T00:00:00Z"),
    query.get("page") ?? "",
  ]);

describe("what a poll reads", () => {
  it("is one page, and all eight states at the start and at every tenth poll", async () => {
    const { answer, asked } = orderBook([orderOf(1), orderOf(2, { created_at: made + hour })]);
    const run = shell({ env: pointedAt(await fixedServer(answer)) });
    const perPoll: number[] = [];
    await watchPolls(run, { polls: 21, after: () => perPoll.push(asked.length) });
    const counts = perPoll.map((total, index) => total - (perPoll[index - 1] ?? 0));
    const nine = Array.from({ length: 9 }, () => 1);
    expect(counts).toEqual([8, ...nine, 8, ...nine, 8]);
    const look = orderStates.map((state) => [state, state === "pendiente" ? 0 : made + hour - day, "1"]);
    expect(askedFor(asked.slice(0, 8))).toEqual(look);
    expect(askedFor(asked.slice(8, 17))).toEqual(nine.map(() => ["pendiente", 0, "1"]));
    expect(askedFor(asked.slice(17, 25))).toEqual(look);
  });

  it("goes back to a day before the newest order of the time before a watch that was down", async () => {
    const orders = [orderOf(1)];
    const { answer, asked } = orderBook(orders);
    const run = shell({ env: pointedAt(await fixedServer(answer)) });
    await watchOnce(run);
    orders.push(orderOf(2, { created_at: made + 3 * day }));
    asked.length = 0;
    await watchOnce(run);
    expect(askedFor(asked).map(([, since]) => since)).toEqual([
      0,
      ...Array.from({ length: 7 }, () => made - day),
    ]);
  });

  it("with more than ten pages is only what is recent, and all of it every 15 minutes", async () => {
    const { answer, asked } = orderBook(
      Array.from({ length: 230 }, (_, n) => orderOf(n + 1, { created_at: made - (230 - n) * hour })),
    );
    const run = shell({ env: pointedAt(await fixedServer(answer)) });
    const clock = fakeClock();
    const fullAt: number[] = [];
    const since = made - hour - day;
    const result = await watchPolls(run, {
      polls: sized(24, 60),
      clock,
      after: () => {
        const waiting = askedFor(asked.splice(0)).filter(([state]) => state === "pendiente");
        const full = waiting.filter(([, from]) => from === 0).length;
        if (full > 0) fullAt.push(clock.now());
        // Two passes of 12 pages, or two of the 23 orders of the last day.
        expect(waiting).toHaveLength(full > 0 ? 24 : 4);
        if (full === 0) for (const [, from] of waiting) expect(from).toBe(since);
      },
    });
    expect(newIds(result)).toHaveLength(230);
    expect(fullAt.length).toBeGreaterThan(sized(1, 3));
    expect(fullAt.length).toBeLessThan(sized(4, 7));
    for (const [index, at] of fullAt.slice(1).entries())
      expect(at - fullAt[index]!).toBeLessThanOrEqual(15 * minute);
  });
});

describe("an order that no poll saw as pendiente", () => {
  /** It has left that state already, and its created_at may be hours old. */
  const missed = { status: "listo", created_at: made - 20 * hour };
  const expected = [{ event: "order.new", repeated: false, order: { order_id: 9, status: "listo" } }];

  it("is handed on by the tenth poll after the look before", async () => {
    const orders = [orderOf(1)];
    const run = shell({ env: pointedAt(await fixedServer(orderBook(orders).answer)) });
    const found = async (polls: number): Promise<WatchEvent[]> => {
      const after = (poll: number): unknown => poll === 1 && orders.push(orderOf(9, missed));
      const argv = ["--consumer", `polls-${polls}`];
      const events = eventsOf(await watchPolls(run, { polls, argv, after }));
      orders.pop();
      return events.slice(1);
    };
    expect(await found(10)).toEqual([]);
    expect(await found(11)).toMatchObject(expected);
  });

  it("is handed on at the next start", async () => {
    const orders = [orderOf(1)];
    const run = shell({ env: pointedAt(await fixedServer(orderBook(orders).answer)) });
    await watchOnce(run);
    orders.push(orderOf(9, missed));
    expect(eventsOf(await watchOnce(run))).toMatchObject(expected);
  });

  it("is handed on after a gap of more than two intervals, and not after a shorter one", async () => {
    const orders = [orderOf(1)];
    const run = shell({ env: pointedAt(await fixedServer(orderBook(orders).answer)) });
    for (const [gap, found] of [
      [30_000, 0],
      [90_000, 1],
    ] as const) {
      const clock = fakeClock();
      const result = await watchPolls(run, {
        polls: 2,
        clock,
        argv: ["--consumer", `gap-${gap}`],
        after: (poll) => {
          if (poll > 1) return;
          orders.push(orderOf(9, missed));
          // A laptop that was asleep.
          clock.advance(gap);
        },
      });
      expect(newIds(result)).toEqual(found === 0 ? [1] : [1, 9]);
      orders.pop();
    }
  });
});

describe("an order that was handed on and has another state", () => {
  it("is one line of order.changed for each state that it is seen in", async () => {
    const { mock, env } = await service(frozen);
    const [order] = await mock.control.placeOrders();
    const id = order!.order_id;
    const run = shell({ env });
    await watchOnce(run);
    await mock.control.setOrderStatus(id, "en_preparacion");
    const first = await watchOnce(run);
    expect(first.stdout).toMatch(
      new RegExp(
        `^\\{"event":"order\\.changed","at":"[-0-9T:.]+[+-]\\d\\d:\\d\\d","branch":"[^"]+","order_id":${id},"from":"pendiente","to":"en_preparacion"\\}\\n$`,
      ),
    );
    expect((await watchOnce(run)).stdout).toBe("");
    await mock.control.setOrderStatus(id, "cancelado");
    expect(eventsOf(await watchOnce(run))).toMatchObject([{ from: "en_preparacion", to: "cancelado" }]);
  });

  it("is something new: on a terminal --once says otherwise only where it delivers nothing", async () => {
    const { mock, env } = await service(frozen);
    const [placed, other] = await mock.control.placeOrders({ count: 2 });
    const run = shell({ env, terminal: 100 });
    const once = ["orders", "watch", "--once"];
    expect((await run(once)).stderr).not.toContain("Nothing new");
    expect((await run(once)).stderr).toContain("Nothing new: the 2 orders in pendiente");
    await mock.control.setOrderStatus(placed!.order_id, "cancelado");
    const changed = await run(once);
    expect(changed.stdout).toContain("CANCELADO");
    expect(changed.stderr).not.toContain("Nothing new");
    await mock.control.setOrderStatus(other!.order_id, "listo");
    expect((await run(once)).stderr).not.toContain("Nothing new");
  });

  it("that is listed in two states in one look is handed on once", async () => {
    const run = shell({
      env: pointedAt(
        await fixedServer((url) => {
          const status = url.searchParams.get("status");
          const both = status === "pendiente" || status === "en_preparacion";
          return { body: pageOf(both ? [orderOf(1, { status })] : []) };
        }),
      ),
    });
    const result = await watchOnce(run);
    expect(newIds(result)).toEqual([1]);
  });

  it("of which a state is not listed goes on without it, and says so once", async () => {
    const { answer } = orderBook([orderOf(1)]);
    const run = shell({
      env: pointedAt(
        await fixedServer((url) =>
          url.searchParams.get("status") === "asignado"
            ? { status: 400, body: { code: "ERROR_CODE_INPUT_ERROR", message: "status", payload: "" } }
            : answer(url),
        ),
      ),
    });
    const result = await watchPolls(run, { polls: 12 });
    expect(newIds(result)).toEqual([1]);
    expect(result.stderr.match(/Cannot list orders in asignado/g)).toHaveLength(1);
    expect(result.stderr).not.toContain("No response");
  });

  it("is not lost to a gateway that answers 404 in the middle of a look", async () => {
    const orders = [orderOf(1)];
    const { answer } = orderBook(orders);
    let gone = true;
    const run = shell({
      env: pointedAt(
        await fixedServer((url) =>
          gone && url.searchParams.get("status") === "listo" ? { status: 404, body: {} } : answer(url),
        ),
      ),
    });
    const result = await watchPolls(run, {
      polls: 3,
      after: (poll) => {
        if (poll === 1) orders.push(orderOf(9, { status: "listo", created_at: Date.now() + hour }));
        if (poll === 2) gone = false;
      },
    });
    expect(newIds(result)).toEqual([1, 9]);
  });
});

describe("more than one page", () => {
  it("that shifts while it is read is read again until two passes agree", async () => {
    const { mock, env } = await service(frozen);
    const placed = await mock.control.placeOrders({ count: 45 });
    await mock.control.addFault("GET /v1/orders shift times=1");
    const result = await watchOnce(shell({ env }));
    expect(newIds(result).toSorted()).toEqual(placed.map((order) => order.order_id).toSorted());
    const pages = (await mock.control.requests()).filter(({ query }) => query.includes("status=pendiente"));
    expect(pages).toHaveLength(9);
  });

  it("that shifts all the time is read three times at most; the next poll gets the rest", async () => {
    const { mock, env } = await service(frozen);
    const placed = await mock.control.placeOrders({ count: 90 });
    await mock.control.addFault("GET /v1/orders shift times=20");
    const run = shell({ env });
    const first = await watchOnce(run);
    const waiting = (await mock.control.requests()).filter(({ query }) => query.includes("status=pendiente"));
    expect(waiting.length).toBeLessThanOrEqual(15);
    await mock.control.clearFaults();
    const second = await watchOnce(run);
    const all = [...newIds(first), ...newIds(second)];
    expect(all.toSorted()).toEqual(placed.map((order) => order.order_id).toSorted());
  });

  it("ends where pages repeat or bring nothing new, whatever has_more says", async () => {
    const endless = await fixedServer((url) => {
      const page = url.searchParams.get("page");
      const orders = url.searchParams.get("status") === "pendiente" && page === "1" ? [orderOf(1)] : [];
      return { body: pageOf(orders, { has_more: true, total: 99 }) };
    });
    const asked: string[] = [];
    const repeating = await fixedServer((url) => {
      asked.push(url.search);
      return { body: pageOf([orderOf(1), orderOf(2)], { has_more: true }) };
    });
    expect(newIds(await watchOnce(shell({ env: pointedAt(endless) })))).toEqual([1]);
    expect(newIds(await watchOnce(shell({ env: pointedAt(repeating) })))).toEqual([1, 2]);
    expect(asked.length).toBeLessThanOrEqual(8 * 2 * 2);
  });
});
