import { describe, expect, it } from "vitest";
import type { OrderState } from "../../../../src/contract/limits.ts";
import { askJournal } from "../../../support/journal.ts";
import { fixedServer, orderOf } from "../../../support/peers.ts";
import { shell, temporaryFolder } from "../../../support/run.ts";
import { pointedAt, service } from "../../../support/service.ts";
import { eventsOf, newIds, orderBook, type Polling, watchOnce, watchPolls } from "../../../support/watch.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const made = Date.UTC(2026, 0, 1, 11);
const orders = (count: number, from: number, more: (n: number) => Record<string, unknown>) =>
  Array.from({ length: count }, (_, n) => orderOf(from + n, more(n)));

/** A branch that lists these orders, and for each poll what it was asked for: state and `since`. */
async function branch(listed: Record<string, unknown>[], refuse?: (asked: URL) => number | undefined) {
  const { answer, asked } = orderBook(listed);
  const url = await fixedServer((request) => {
    const status = refuse?.(request);
    return status === undefined ? answer(request) : { status, body: {} };
  });
  const home = temporaryFolder();
  const run = shell({ env: { ...pointedAt(url), BPOS_HOME: home } });
  const polls: string[][] = [];
  const heard = (): void => {
    const query = ({ searchParams: of }: URL): string => {
      const since = of.get("since");
      return [of.get("status"), since === null ? [] : Date.parse(since) - made].flat().join(" ");
    };
    polls.push(asked.splice(0).map(query));
  };
  const watch = async ({ after, ...polling }: Polling) => {
    const result = await watchPolls(run, {
      ...polling,
      after: (poll) => {
        heard();
        return after?.(poll);
      },
    });
    return { result, changes: eventsOf(result).filter(({ event }) => event === "order.changed") };
  };
  return { run, home, polls, watch, heard };
}

describe("an order that left pendiente between two polls", () => {
  it.each<[OrderState, OrderState[]]>([
    ["cancelado", ["pendiente", "cancelado"]],
    ["rechazado", ["pendiente", "cancelado", "rechazado"]],
    ["en_preparacion", ["pendiente", "cancelado", "rechazado", "en_preparacion"]],
  ])("as %s is announced by the second, which asks for no more than it must", async (status, states) => {
    const { mock, env } = await service({ scenario: "empty", clock: "2026-01-01T12:00:00-03:00" });
    const [, order] = await mock.control.placeOrders({ count: 3 });
    let before = 0;
    const result = await watchPolls(shell({ env }), {
      polls: 2,
      after: async (poll) => {
        if (poll > 1) return;
        before = (await mock.control.requests()).length;
        await mock.control.setOrderStatus(order!.order_id, status);
      },
    });
    expect(eventsOf(result).at(-1)).toMatchObject({
      ...{ event: "order.changed", order_id: order!.order_id, from: "pendiente", to: status },
    });
    const requests = (await mock.control.requests())
      .slice(before)
      .map(({ query }) => new URLSearchParams(query));
    expect(requests.map((query) => query.get("status"))).toEqual(states);
    for (const query of requests.slice(1))
      expect(Date.parse(query.get("since")!)).toBe(order!.created_at - 1_000);
  });

  it("is found days back, where nothing else that is as old is taken for new", async () => {
    const listed = [
      ...orders(60, 100, (n) => ({ status: "cancelado", created_at: made - 10 * day + n * hour })),
      orderOf(1, { created_at: made - 10 * day + 30_000 }),
      orderOf(2, { created_at: made }),
    ];
    const { watch, polls } = await branch(listed);
    const { result, changes } = await watch({
      polls: 2,
      after: () => {
        for (const order of listed.slice(-2)) order["status"] = "cancelado";
      },
    });
    expect(newIds(result)).toEqual([1, 2]);
    expect(changes).toMatchObject([{ order_id: 1 }, { order_id: 2 }]);
    // Pages between the two are not read.
    expect(polls[1]).toEqual(["pendiente", `cancelado ${-10 * day + 29_000}`, "cancelado -1000"]);
  });

  it("is found among many that left with it, in as many pages as they fill", async () => {
    const listed = orders(190, 1, (n) => ({ created_at: made + Math.floor(n / 50) * 1_000 }));
    const { watch, polls } = await branch(listed);
    const { changes } = await watch({
      polls: 3,
      after: () => {
        for (const order of listed) order["status"] = "entregado";
      },
    });
    expect(changes).toHaveLength(190);
    expect(polls[1]!.filter((asked) => asked.startsWith("entregado")).length).toBeLessThan(12);
    expect(polls[2]).toEqual(["pendiente"]);
  });

  it("is announced at the next poll in a backlog of which a poll reads only what is recent", async () => {
    const listed = orders(230, 1, (n) => ({ created_at: made - (230 - n) * hour }));
    const { watch } = await branch(listed);
    const { changes } = await watch({
      polls: 3,
      after: (poll) => {
        if (poll === 2) listed.at(-3)!["status"] = "cancelado";
      },
    });
    expect(changes).toMatchObject([{ order_id: 228, to: "cancelado" }]);
  });

  it("while nothing watched is announced by the next start, however old it is", async () => {
    const listed = [orderOf(1, { created_at: made - 5 * day }), orderOf(2)];
    const { run } = await branch(listed);
    await watchOnce(run);
    listed[0]!["status"] = "rechazado";
    expect(eventsOf(await watchOnce(run))).toMatchObject([{ event: "order.changed", order_id: 1 }]);
    expect((await watchOnce(run)).stdout).toBe("");
  });

  it.each([502, 404])("is still looked up after a lookup that ended with %i", async (status) => {
    const listed = [orderOf(1), orderOf(2)];
    let isDown = true;
    const { watch } = await branch(listed, ({ searchParams: of }) =>
      isDown && of.get("status") === "rechazado" && Date.parse(of.get("since") ?? "") === made - 1_000
        ? status
        : undefined,
    );
    const { result, changes } = await watch({
      polls: 4,
      after: (poll) => {
        if (poll === 1) listed[0]!["status"] = "en_preparacion";
        if (poll === 3) isDown = false;
      },
    });
    expect(result.stderr).toContain("No response");
    expect(changes).toMatchObject([{ order_id: 1, to: "en_preparacion" }]);
  });
});

describe("an order that is in no state", () => {
  it("is looked up at three polls, in another process too, and again once it was listed", async () => {
    const [one, two] = [orderOf(1), orderOf(2)];
    const listed = [one, two];
    const { run, polls, watch, heard } = await branch(listed);
    await watch({ polls: 2, after: (poll) => poll === 1 && listed.splice(0, 1) });
    await watchOnce(run);
    heard();
    await watch({ polls: 4 });
    const lookups = polls.map((asked) => asked.filter((each) => each.endsWith(" -1000")).length);
    expect(lookups).toEqual([0, 9, 9, 9, 0, 0, 0]);
    listed.push(one);
    const back = await watch({ polls: 2, after: () => Object.assign(one, { status: "cancelado" }) });
    expect(back.changes).toMatchObject([{ order_id: 1, to: "cancelado" }]);
  });

  it("costs a bounded number of requests however many there are", async () => {
    const listed = [
      ...orders(300, 1, (n) => ({ created_at: made - n * hour })),
      ...orders(300, 1_000, (n) => ({ created_at: made - n * hour + 1, status: "cancelado" })),
    ];
    const { watch, polls } = await branch(listed);
    const { changes } = await watch({
      polls: 6,
      after: (poll) => {
        if (poll === 1) listed.splice(0, 150);
      },
    });
    expect(changes).toEqual([]);
    for (const asked of polls.slice(1))
      expect(asked.filter((each) => !each.startsWith("pend")).length).toBeLessThan(21);
    expect(polls[5]!.every((each) => each.startsWith("pend"))).toBe(true);
  });
});

describe("nothing is looked up", () => {
  it.each([
    ["that was skipped", orderOf(1), ["--skip-existing"]],
    ["that says no created_at: it is left to the tenth poll", orderOf(1, { created_at: null }), []],
    ["whose created_at no request can say", orderOf(1, { created_at: 9e15 }), []],
  ])("for an order %s", async (_which, order, argv) => {
    const { watch, polls } = await branch([order]);
    await watch({ polls: 3, argv, after: () => Object.assign(order, { status: "cancelado" }) });
    expect(polls.slice(1)).toEqual([["pendiente"], ["pendiente"]]);
  });

  it("for what an earlier version delivered, until it is listed again", async () => {
    const listed = [...orders(2, 1, () => ({ created_at: made - 5 * day })), orderOf(3)];
    const { run, home } = await branch(listed);
    await watchOnce(run);
    await askJournal(home, "UPDATE watch_order SET lookups = 0");
    listed[0]!["status"] = "cancelado";
    expect((await watchOnce(run)).stdout).toBe("");
    listed[1]!["status"] = "cancelado";
    expect(eventsOf(await watchOnce(run))).toMatchObject([{ order_id: 2, to: "cancelado" }]);
  });
});

it("a state that the service refuses is said once, and the others are read", async () => {
  const listed = [orderOf(1), orderOf(2)];
  const { watch } = await branch(listed, ({ searchParams: of }) =>
    of.get("status") === "rechazado" ? 400 : undefined,
  );
  const { result, changes } = await watch({
    polls: 3,
    after: () => Object.assign(listed[0]!, { status: "en_preparacion" }),
  });
  expect(changes).toHaveLength(1);
  expect(result.stderr.match(/Cannot list orders in rechazado/g)).toHaveLength(1);
});
