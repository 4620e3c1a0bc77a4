import { describe, expect, test } from "vitest";
import { pushCatalog, sendCampaign } from "../../src/mock/app.ts";
import { createControl } from "../../src/mock/control.ts";
import { startMock } from "../../src/mock/index.ts";
import { LiveWorld } from "../../src/mock/live-world.ts";
import { RequestLog } from "../../src/mock/request-log.ts";
import { apply, startWorld, type World, type WorldEvent } from "../../src/mock/world.ts";
import { campaign, frozen, listOrders, norte, push, recordingLog, start } from "./support.ts";

const now = Date.parse(frozen);
const demoKey = { branch: "demo", store_id: "1", key: "bpk_demo_centro" };
describe("the world is what its events make of it", () => {
  test("the recorded events, written as JSON and read again, make the same world", () => {
    let real = now;
    const events: string[] = [];
    const live = new LiveWorld({
      scenario: "demo",
      seed: 3,
      speed: 1,
      frozenAt: null,
      now: () => real,
      log: recordingLog((event) => events.push(JSON.stringify(event))),
    });
    const control = createControl(live, new RequestLog());
    const item = { codigo: "N", nombre: "Nuevo", precio: 10 };
    const event = { occurred_at: frozen, action: "upsert" };
    const steps = [
      () => live.look(),
      () => pushCatalog(live, demoKey, { ...event, event_id: "1", items: [item, { codigo: "bad" }] }),
      () => control.placeOrders({ count: 2, branch: "norte" }),
      () => control.placeOrders({ order: { order_id: 1030 } }),
      () => control.setOrderStatus(live.look().world.book.nextId - 1, "listo"),
      () =>
        sendCampaign(live, demoKey, {
          idempotency_key: "k",
          template_name: "aviso_simple",
          recipients: [{ phone: "+5491155551234", params: [] }],
        }),
      () => control.moveClock({ advance_ms: 3_000_000 }),
      () => control.moveClock({ now: "2025-01-01T00:00:00Z" }),
      () =>
        pushCatalog(live, demoKey, { ...event, event_id: "2", action: "delete", items: [{ codigo: "N" }] }),
    ];
    for (const step of steps) {
      real += 90_001;
      void step();
    }
    const { world, age } = live.look();
    let again: World | undefined;
    for (const text of events) {
      const each = JSON.parse(text) as WorldEvent;
      if (each.type === "world_started") again = startWorld(each.scenario, each.seed, each.clock);
      else if (again) again = apply(again, each);
    }
    expect(events).toHaveLength(steps.length);
    const last = { type: "clock_moved", age, clock: world.clock } as const;
    const shown = (one: World): unknown => ({ ...apply(one, last), book: { ...one.book, version: 0 } });
    expect(again && shown(again)).toEqual(shown(world));
  });

  test("what cannot be recorded is not applied", async () => {
    const live = new LiveWorld({
      scenario: "empty",
      seed: 1,
      speed: 0,
      frozenAt: now,
      now: () => now,
      log: recordingLog((event) => {
        if (event.type !== "world_started") throw new Error("disk full");
      }),
    });
    await expect(createControl(live, new RequestLog()).placeOrders()).rejects.toThrow("disk full");
    expect(live.look().world.book.byId.size).toBe(0);
  });
});

describe("startMock", () => {
  test("several at once share nothing", async () => {
    const mocks = await Promise.all([start(), start(), start()]);
    const [first, second, third] = mocks;
    expect(new Set(mocks.map((mock) => mock.baseUrl)).size).toBe(3);
    await campaign(first);
    await push(second, [{ codigo: "A", nombre: "x", precio: 1 }]);
    await third.control.placeOrders({ branch: "norte" });
    expect(await second.control.messages()).toEqual([]);
    expect(await third.control.catalog()).toEqual([]);
    expect((await listOrders(first, "", norte)).total).toBe(0);
    expect((await first.control.requests()).length).toBe(2);
  });

  test("close ends open keep-alive connections at once, and the port is free again", async () => {
    const mock = await startMock({ scenario: "empty" });
    await listOrders(mock);
    await mock.close();
    const port = Number(new URL(mock.baseUrl).port);
    const next = await startMock({ scenario: "empty", port });
    expect(next.baseUrl).toBe(mock.baseUrl);
    await next.close();
  });

  test.each([
    [{ clock: "noon" }],
    [{ clock: "2026-01-01" }],
    [{ speed: -1 }],
    [{ speed: NaN }],
    [{ seed: 1.5 }],
  ])("refuses %j", async (options) => {
    await expect(startMock(options)).rejects.toThrow(/is required/);
  });
});
