import { createHash } from "node:crypto";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { orderStates } from "../../src/contract/limits.ts";
import type { RunningMock, StartMockOptions } from "../../src/mock/index.ts";
import { temporaryFolder } from "../support/run.ts";
import { sized } from "../support/soak.ts";
import { allOrders, campaign, frozen, get, norte, push, send, start, startKept } from "./support.ts";
import { receiver, until } from "./webhook-receiver.ts";

/** Everything that can be seen of a world but its id. */
async function seen(mock: RunningMock): Promise<unknown> {
  const { control } = mock;
  return {
    orders: await Promise.all(orderStates.map((state) => allOrders(mock, state))),
    north: await allOrders(mock, "pendiente", norte),
    catalogs: [await control.catalog("demo"), await control.catalog("norte")],
    pushes: await control.pushes(),
    campaigns: await control.campaigns(),
    messages: await control.messages(),
    replies: await control.replies(),
    templates: await control.templates(),
    faults: await control.faults(),
    world: { ...(await control.world()), world_id: "" },
  };
}

const url = (mock: RunningMock, path: string): string => `${mock.baseUrl}/_mock/${path}`;
const exported = async (mock: RunningMock) =>
  (await get(url(mock, "export"))).body as Record<string, unknown>;

const phones = ["+5491155550001", "+5491155550003", "+5491161234567"];
const item = { codigo: "A", nombre: "a", precio: 1 };

/** Acts of people and time on a world. */
const steps: Record<string, (mock: RunningMock, n: number) => Promise<unknown>> = {
  push: (mock, n) => push(mock, [{ ...item, codigo: `A${n % 5}`, precio: n }, { codigo: "" }]),
  order: (mock, n) => mock.control.placeOrders({ branch: n % 2 ? "demo" : "norte", count: 1 + (n % 3) }),
  state: async (mock, n) => {
    const [order] = await allOrders(mock);
    const status = orderStates[n % orderStates.length] ?? "listo";
    if (order) await mock.control.setOrderStatus(Number(order.order_id), status);
  },
  send: (mock) => campaign(mock, { recipients: phones.map((phone) => ({ phone, params: [] })) }),
  reply: (mock, n) => mock.control.reply({ phone: phones[n % 3] ?? "", text: `${n}` }).catch(() => undefined),
  fault: (mock) => mock.control.addFault("GET /messaging status=503 rate=0.5"),
  template: async (mock, n) => {
    const [first] = await mock.control.templates();
    if (first) await mock.control.putTemplate("nueva", { ...first, id: "tpl_99", body: `${n}` });
  },
  clock: (mock, n) => mock.control.moveClock({ advance_ms: n * 10_000 }),
  back: (mock) => mock.control.moveClock({ now: "2025-06-01T00:00:00Z" }),
};

describe("export and import", () => {
  test("give the same world with the same future, between memory and files", async () => {
    const step = fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.nat(100));
    const kept = (): StartMockOptions => ({ data: join(temporaryFolder(), "world.db") });
    const kinds = fc.tuple(fc.boolean(), fc.boolean());
    const scenarios = fc.constantFrom("demo" as const, "busy" as const);
    await fc.assert(
      fc.asyncProperty(scenarios, fc.nat(9), fc.array(step, { maxLength: 12 }), kinds, async (...drawn) => {
        const [scenario, seed, walk, [isFile, toFile]] = drawn;
        const from = await start({ scenario, seed, ...(isFile ? kept() : {}) });
        for (const [name, n] of walk) await steps[name]?.(from, n);
        const to = await start({ scenario: "empty", ...(toFile ? kept() : {}) });
        await push(to, [item]);
        const answer = await send(url(to, "import"), await exported(from));
        expect([answer.status, answer.body]).toEqual([200, await to.control.world()]);
        expect(await seen(to)).toEqual(await seen(from));
        for (const mock of [from, to]) await mock.control.moveClock({ advance_ms: 3_600_000 });
        const event_id = `next-${seed}`;
        for (const mock of [from, to]) await push(mock, [item], { event_id });
        for (const mock of [from, to]) await campaign(mock, { idempotency_key: event_id });
        expect(await seen(to)).toEqual(await seen(from));
        await Promise.all([from.close(), to.close()]);
      }),
      { numRuns: sized(2, 40) },
    );
  }, 120_000);

  test("answer the keys of the world as it did, and go on from its date at its speed", async () => {
    let real = Date.parse(frozen);
    const now = () => real;
    const from = await startKept({ scenario: "empty", speed: 60, now });
    await push(from, [item], { event_id: "e" });
    const sent = await campaign(from, { idempotency_key: "k" });
    real += 1_000;
    const document = await exported(from);
    expect(document).toMatchObject({
      bpos_mock_world: 1,
      exported_at: "2026-01-01T12:01:00.000-03:00",
      scenario: "empty",
      seed: 1,
    });
    real += 86_400_000;
    const to = await startKept({ scenario: "rush", now });
    const before = await to.control.world();
    const after = await to.control.importWorld(document);
    expect(after).toMatchObject({ now: document["exported_at"], speed: 60, scenario: "empty" });
    expect(after.world_id).not.toBe(before.world_id);
    expect(await to.control.requests()).toEqual([]);
    real += 1_000;
    expect((await to.control.world()).now).toBe("2026-01-01T12:02:00.000-03:00");
    expect(await push(to, [], { event_id: "e" })).toMatchObject({ duplicate: true, accepted: 1 });
    const again = await campaign(to, { idempotency_key: "k" });
    expect(again).toMatchObject({ replayed: true, campaign_id: sent.campaign_id });
  });

  test("post no reply again that was due in the exported world, and the later ones once", async () => {
    const { url: webhookUrl, got } = await receiver();
    const from = await start();
    const [early, late] = ["+5491155551234", "+5491155550003"] as const;
    await campaign(from, { recipients: [early, late].map((phone) => ({ phone, params: [] })) });
    await from.control.reply({ phone: early, text: "sí" });
    const to = await start({ webhookUrl });
    await to.control.importWorld(await from.control.exportWorld());
    await to.control.moveClock({ advance_ms: 4_000 });
    await until(async () => expect(await to.control.webhooks()).toMatchObject([{ state: "delivered" }]));
    expect(got.map(({ body }) => body["phone"])).toEqual([late]);
  });
});

describe("an import is refused, and changes nothing,", () => {
  type Exported = Record<string, unknown> & { events: object[]; clock: object };
  /** As bpos would have written it. */
  const signed = ({ sha256: _, ...rest }: Record<string, unknown>): object => {
    const text = JSON.stringify(rest);
    return { ...rest, sha256: createHash("sha256").update(text).digest("hex") };
  };

  test.each<[string, (document: Exported) => unknown, string]>([
    ["of what is no export", () => ({ name: "sushi", branches: [] }), "bpos_mock_world is missing"],
    ["of no document", () => [], "bpos_mock_world is missing"],
    ["of a newer bpos's", (one) => ({ ...one, bpos_mock_world: 2 }), "newer bpos"],
    ["where a value was changed", (one) => ({ ...one, seed: 2 }), "sha256 does not match"],
    [
      "where an event is missing",
      (one) => ({ ...one, events: one.events.slice(1) }),
      "sha256 does not match",
    ],
    ["where a field is missing", ({ clock: _, ...one }) => signed(one), "clock"],
    ["where the clock is none", (one) => signed({ ...one, clock: { ...one.clock, origin: 9e15 } }), "clock"],
    ["without a start", (one) => signed({ ...one, events: one.events.slice(1) }), "cannot be applied"],
    [
      "with an unknown event",
      (one) => signed({ ...one, events: [...one.events, { type: "later" }] }),
      "cannot be applied",
    ],
    [
      "with half an event",
      (one) => signed({ ...one, events: [...one.events, { type: "orders_placed", age: 1 }] }),
      "cannot be applied",
    ],
  ])("%s", async (_name, change, why) => {
    const from = await start({ scenario: "demo" });
    await push(from, [item]);
    const document = (await exported(from)) as Exported;
    expect(signed(document)).toEqual(document);
    const before = [await seen(from), await from.control.world()];
    const answer = await send(url(from, "import"), change(document));
    expect(answer.status).toBe(400);
    expect((answer.body as { message: string }).message).toContain(why);
    expect([await seen(from), await from.control.world()]).toEqual(before);
  });
});

describe("an export is refused with what to do", () => {
  const big = (n: number) => Array.from({ length: 10 }, (_, at) => ({ ...item, codigo: `${n}-${at}` }));

  test("when more has changed than a world in memory keeps; after a reset it goes on", async () => {
    const mock = await start();
    const nombre = "n".repeat(1_000_000);
    for (let n = 0; n < 2; n++)
      await push(
        mock,
        big(n).map((one) => ({ ...one, nombre })),
      );
    const answer = await get(url(mock, "export"));
    expect(answer.status).toBe(409);
    expect((answer.body as { message: string }).message).toContain("--data FILE");
    await mock.control.reset();
    expect((await get(url(mock, "export"))).status).toBe(200);
  });

  test("when it could not be imported again", async () => {
    const mock = await startKept({ data: join(temporaryFolder(), "world.db"), scenario: "empty" });
    const nombre = "n".repeat(1_700_000);
    await push(
      mock,
      big(1).map((one) => ({ ...one, nombre })),
    );
    expect((await get(url(mock, "export"))).status).toBe(200);
    await push(
      mock,
      big(2).map((one) => ({ ...one, nombre })),
    );
    const answer = await get(url(mock, "export"));
    expect([answer.status, (answer.body as { message: string }).message]).toEqual([
      409,
      expect.stringContaining("--data FILE"),
    ]);
  });
});
