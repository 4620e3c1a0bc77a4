import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { StartMockOptions } from "../../src/mock/index.ts";
import { temporaryFolder } from "../support/run.ts";
import { untold } from "../support/service.ts";
import { sized } from "../support/soak.ts";
import { allOrders, campaign, frozen, push, type start, startKept, statusOf } from "./support.ts";

type Mock = Awaited<ReturnType<typeof start>>;

const newFile = (): string => join(temporaryFolder(), "world.db");
const second = 1_000;

/** Everything that can be seen of a world. */
async function seen(mock: Mock): Promise<unknown> {
  const { control } = mock;
  const branches = mock.keys.map(({ branch }) => branch);
  return {
    orders: await Promise.all(mock.keys.map(({ key }) => allOrders(mock, "pendiente", key))),
    ready: await allOrders(mock, "listo"),
    catalogs: await Promise.all(branches.map((branch) => control.catalog(branch))),
    pushes: await control.pushes(),
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

  test("is for its owner only, and its folder is made", async () => {
    const data = join(temporaryFolder(), "a", "b", "world.db");
    await startKept({ data });
    expect(statSync(data).mode & 0o777).toBe(0o600);
    expect(statSync(join(data, "..")).mode & 0o777).toBe(0o700);
  });

  test("starts again by a reset, and is another world then, for those who open it later too", async () => {
    const data = newFile();
    const mock = await startKept({ data, scenario: "demo", seed: 3, clock: frozen });
    const { worldId } = mock;
    expect(worldId).toMatch(/^[0-9a-f]{32}$/);
    await campaign(mock, { idempotency_key: "k" });
    const size = readFileSync(data).length;
    for (let round = 0; round < sized(10, 20); round++) {
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
    // A world that is gone makes room: many worlds of 500 orders take the room of a few.
    expect(readFileSync(data).length - size).toBeLessThan(sized(2_000_000, 4_000_000));
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
      message: `${data} holds a world of another ${named}: omit that option, empty the world with \`bpos mock reset\`, or use another file`,
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
    const [one, other] = await pair({ scenario: untold, clock: frozen });
    await push(one, [{ codigo: "A", nombre: "a", precio: 1 }]);
    expect(await seen(other)).toEqual(await seen(one));
    await other.control.placeOrders({ count: 3 });
    await one.control.placeOrders({ count: 3, branch: "norte" });
    const { campaign_id } = await campaign(other);
    expect((await statusOf(one, campaign_id)).campaign_id).toBe(campaign_id);
    await one.control.moveClock({ advance_ms: 100 * second });
    expect(await seen(other)).toEqual(await seen(one));
    const before = [await seen(one), one.worldId];
    await other.control.importWorld(await one.control.exportWorld());
    expect(await seen(one)).toEqual(before[0]);
    expect(await seen(other)).toEqual(before[0]);
    expect([one.worldId === other.worldId, one.worldId === before[1]]).toEqual([true, false]);
    await other.control.reset({ seed: 9 });
    expect(await one.control.campaigns()).toEqual([]);
    expect(one.worldId).toBe(other.worldId);
    expect(await seen(one)).toEqual(await seen(other));
  });
});
