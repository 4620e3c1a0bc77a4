import { copyFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readScenarioDefinition, type StartMockOptions } from "../../src/mock/index.ts";
import { temporaryFolder } from "../support/run.ts";
import {
  allOrders,
  campaign,
  centro,
  frozen,
  norte,
  push,
  type start,
  startKept,
  statusOf,
} from "./support.ts";

type Mock = Awaited<ReturnType<typeof start>>;

const newFile = (): string => join(temporaryFolder(), "world.db");
const origin = Date.parse(frozen);
const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

/** Everything that can be seen of a world. */
async function seen(mock: Mock): Promise<unknown> {
  const { control } = mock;
  const branches = mock.keys.map(({ branch }) => branch);
  return {
    orders: await Promise.all(mock.keys.map(({ key }) => allOrders(mock, "pendiente", key))),
    ready: await allOrders(mock, "listo"),
    catalogs: await Promise.all(branches.map((branch) => control.catalog(branch))),
    campaigns: await control.campaigns(),
    messages: await control.messages(),
    replies: await control.replies(),
    templates: await control.templates(),
    faults: await control.faults(),
    clock: (await control.moveClock({ advance_ms: 0 })).now,
  };
}

describe("a world in a file", () => {
  test("holds all that was answered when it is opened again, and gives the same answers to the same keys", async () => {
    const data = newFile();
    const first = await startKept({ data, scenario: "demo", seed: 7, clock: frozen });
    const pushed = await push(
      first,
      [{ codigo: "A", nombre: "a\u0000ñ\ud800", precio: 1.5 }, { codigo: "" }],
      { event_id: "e" },
    );
    const sent = await campaign(first, { idempotency_key: "k", external_ref: "r" });
    const [placed] = await first.control.placeOrders({ branch: "norte", count: 2 });
    await first.control.setOrderStatus(placed!.order_id, "listo");
    const [template] = await first.control.templates();
    await first.control.putTemplate("nueva", { ...template!, id: "tpl_99" });
    await first.control.moveClock({ advance_ms: 200 * second });
    await first.control.moveClock({ now: "2025-06-01T00:00:00Z" });
    await first.control.reply({ phone: "+5491161234567", text: "sí" });
    const before = await seen(first);
    await first.close();

    const again = await startKept({ data });
    expect(await seen(again)).toEqual(before);
    const repeatedPush = await push(again, [{ codigo: "other" }], { event_id: "e" });
    expect(repeatedPush.answer.body).toEqual({ ...(pushed.answer.body as object), duplicate: true });
    const repeatedSend = await campaign(again, { idempotency_key: "k" });
    expect(repeatedSend.answer.body).toEqual({ ...(sent.answer.body as object), replayed: true });
    expect(await seen(again)).toEqual(before);
  });

  test("goes on by the time that passed while nobody ran it, at its own speed", async () => {
    const data = newFile();
    let now = origin;
    const options = { data, scenario: "demo", speed: 10, now: () => now } as const;
    const first = await startKept(options);
    const { campaign_id } = await campaign(first, { recipients: [{ phone: "+5491161230002", params: [] }] });
    expect((await statusOf(first, campaign_id)).counts).toMatchObject({ pending: 1, delivered: 0 });
    await first.close();
    now += 60 * second;
    const again = await startKept(options);
    expect((await statusOf(again, campaign_id)).counts).toMatchObject({ pending: 0, delivered: 1, read: 0 });
    expect((await again.control.moveClock({ advance_ms: 0 })).now).toBe("2026-01-01T12:10:00.000-03:00");
    // One order about every 40 s.
    expect((await allOrders(again)).length).toBeGreaterThan(4 + 12);
  });

  test("that is frozen stays frozen", async () => {
    const data = newFile();
    let now = origin;
    const options = { data, scenario: "demo", clock: frozen, now: () => now } as const;
    const before = await seen(await startKept(options));
    now += 30 * day;
    expect(await seen(await startKept(options))).toEqual(before);
  });

  test("that nobody opened for a year brings one day's orders, and keeps those that were shown", async () => {
    const data = newFile();
    let now = origin;
    const scenario = readScenarioDefinition({
      branches: [{ branch: "b", store_id: "1", keys: [centro] }],
      order_every: "10m",
    });
    const options = { data, scenario, now: () => now };
    const first = await startKept(options);
    const shown = [];
    for (let days = 0; days < 3; days += 0.25) {
      now += day / 4;
      shown.push(...(await allOrders(first)).slice(shown.length));
    }
    expect(shown.length).toBeGreaterThan(400);
    await first.close();
    now += 365 * day;
    const after = await allOrders(await startKept(options));
    expect(after.slice(0, shown.length)).toEqual(shown);
    const rest = after.slice(shown.length);
    expect(rest.filter((order) => order.created_at >= now - day).length).toBeGreaterThan(130);
    expect(rest.length).toBeLessThan(300);
    // Once more, a moment later: nothing that was shown has changed.
    now += second;
    expect((await allOrders(await startKept(options))).slice(0, after.length)).toEqual(after);
  });

  test("is for its owner only, and its folder is made", async () => {
    const data = join(temporaryFolder(), "a", "b", "world.db");
    await startKept({ data });
    expect(statSync(data).mode & 0o777).toBe(0o600);
    expect(statSync(join(data, "..")).mode & 0o777).toBe(0o700);
  });

  test("in memory there is none: no file, no identity", async () => {
    const mock = await startKept({});
    expect(mock.worldId).toBeNull();
  });

  test("starts again by a reset, and is another world then, for those who open it later too", async () => {
    const data = newFile();
    const mock = await startKept({ data, scenario: "demo", seed: 3, clock: frozen });
    const { worldId } = mock;
    expect(worldId).toMatch(/^[0-9a-f]{32}$/);
    await campaign(mock, { idempotency_key: "k" });
    const size = readFileSync(data).length;
    for (let round = 0; round < 20; round++) {
      await mock.control.placeOrders({ count: 500 });
      await mock.control.reset({ scenario: "empty", seed: 4 });
    }
    expect(mock.worldId).not.toBe(worldId);
    const reset = mock.worldId;
    const before = await seen(mock);
    await mock.close();
    const again = await startKept({ data, scenario: "empty", seed: 4, clock: frozen });
    expect(again.worldId).toBe(reset);
    expect(await seen(again)).toEqual(before);
    expect((await campaign(again, { idempotency_key: "k" })).replayed).toBe(false);
    // What is gone makes room: twenty worlds of 500 orders take the room of a few.
    expect(readFileSync(data).length - size).toBeLessThan(4_000_000);
  });
});

describe("a file with a world in it decides what it is", () => {
  const started = { scenario: "demo", seed: 3, clock: frozen } as const;

  test.each<[string, StartMockOptions, string]>([
    ["scenario", { scenario: "empty" }, "scenario"],
    ["seed", { seed: 4 }, "seed"],
    ["clock", { clock: "2026-01-02T00:00:00Z" }, "clock"],
    ["speed", { speed: 2 }, "speed"],
    [
      "all of them",
      { scenario: "empty", seed: 4, clock: "2026-01-02T00:00:00Z" },
      "scenario and seed and clock",
    ],
  ])("another %s is refused, and how to go on is said", async (_name, options, named) => {
    const data = newFile();
    await (await startKept({ data, ...started })).close();
    const before = readFileSync(data, "latin1");
    await expect(startKept({ data, ...options })).rejects.toMatchObject({
      code: "MOCK_DATA_REFUSED",
      message: `${data} holds a world of another ${named}: leave that out, empty the world with \`bpos mock reset\`, or name another file`,
    });
    expect(readFileSync(data, "latin1") === before).toBe(true);
  });

  test("the same, or none, is taken up, whatever has happened since", async () => {
    const data = newFile();
    const mock = await startKept({ data, ...started });
    await mock.control.moveClock({ advance_ms: 1_000 * second });
    const before = await seen(mock);
    await mock.close();
    expect(await seen(await startKept({ data, ...started }))).toEqual(before);
    expect(await seen(await startKept({ data }))).toEqual(before);
  });
});

describe("several mocks on one file", () => {
  async function pair(options: StartMockOptions = {}): Promise<[Mock, Mock]> {
    const data = newFile();
    return [await startKept({ data, ...options }), await startKept({ data, ...options })];
  }

  test("see at once what the other one did", async () => {
    const [one, other] = await pair({ scenario: "demo", clock: frozen });
    await push(one, [{ codigo: "A", nombre: "a", precio: 1 }]);
    expect(await seen(other)).toEqual(await seen(one));
    await other.control.placeOrders({ count: 3 });
    await one.control.placeOrders({ count: 3, branch: "norte" });
    const { campaign_id } = await campaign(other);
    expect((await statusOf(one, campaign_id)).campaign_id).toBe(campaign_id);
    await one.control.moveClock({ advance_ms: 100 * second });
    expect(await seen(other)).toEqual(await seen(one));
    await other.control.reset({ seed: 9 });
    expect(await one.control.campaigns()).toEqual([]);
    expect(one.worldId).toBe(other.worldId);
    expect(await seen(one)).toEqual(await seen(other));
  });

  test("send each key once, and number orders and campaigns once", async () => {
    const both = await pair({ scenario: "empty" });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        campaign(both[n % 2]!, { idempotency_key: `k${n >> 2}`, external_ref: String(n) }),
      ),
    );
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(15);
    expect(new Set(answers.map(({ campaign_id }) => campaign_id)).size).toBe(15);
    expect(await both[0].control.messages()).toHaveLength(15);
    const placed = await Promise.all(
      Array.from({ length: 20 }, (_, n) => both[n % 2]!.control.placeOrders({ count: 3 })),
    );
    expect(new Set(placed.flat().map(({ order_id }) => order_id)).size).toBe(60);
  });

  test("agree on the orders that time brings, though one looked ahead of what the other then did", async () => {
    const data = newFile();
    const at = { one: origin, other: origin };
    const one = await startKept({ data, scenario: "rush", now: () => at.one });
    const other = await startKept({ data, scenario: "rush", now: () => at.other });
    at.other += 30 * second;
    const early = await allOrders(other);
    at.one += 10 * second;
    await push(one, [{ codigo: "ONLY", nombre: "x", precio: 1 }]);
    await one.control.placeOrders({ count: 5 });
    at.one = at.other;
    const orders = await Promise.all([allOrders(one), allOrders(other)]);
    expect(orders[1]).toEqual(orders[0]);
    expect(orders[1]).not.toEqual(early);
    const ids = [...orders[0], ...(await allOrders(other, "pendiente", norte))].map(
      ({ order_id }) => order_id,
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test("the file alone is the whole world once its mock has ended", async () => {
  const data = newFile();
  const mock = await startKept({ data });
  await push(mock, [{ codigo: "0", nombre: "a", precio: 1 }]);
  await mock.close();
  const copy = newFile();
  copyFileSync(data, copy);
  const products = await (await startKept({ data: copy })).control.catalog();
  expect(products.map(({ codigo }) => codigo)).toContain("0");
});
