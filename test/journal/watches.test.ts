import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Journal, openJournal } from "../../src/journal/open.ts";
import {
  knownOrder,
  openOrder,
  openOrderIds,
  openWatch,
  recordBegan,
  recordDelivery,
  recordFound,
  recordHandedOn,
  recordLook,
  recordNotTaken,
  recordStatus,
} from "../../src/journal/watches.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { eventsOf, watchOnce } from "../support/watch.ts";

const found = (orderId: string) => ({
  orderId,
  createdAt: "1767265200000",
  status: "pendiente",
  body: `{"order_id":${orderId}}`,
});

function memory(): { journal: Journal; watchId: number } {
  const journal = openJournal(":memory:");
  onTestFinished(() => void journal.close());
  return { journal, watchId: openWatch(journal, "b", "default").watchId };
}

describe("a watch", () => {
  it("begins empty, and is the same one for the same branch and consumer", () => {
    const { journal, watchId } = memory();
    const fresh = { watchId, beganAt: null, firstRun: 1, sinceFloor: null };
    expect(openWatch(journal, "b", "default")).toMatchObject(fresh);
    expect(openWatch(journal, "b", "printer").watchId).not.toBe(watchId);
    expect(openWatch(journal, "c", "default").watchId).not.toBe(watchId);
  });

  it("keeps when its first run began, and that it has read everything", () => {
    const { journal, watchId } = memory();
    recordBegan(journal, watchId, { beganAt: 1_000, firstPage: { total: 57, end: 900 } });
    expect(openWatch(journal, "b", "default")).toMatchObject({
      beganAt: 1_000,
      firstRun: 1,
      firstPage: { total: 57, end: 900 },
    });
    const skipped = [{ orderId: "7", createdAt: null, status: "listo" }];
    recordLook(journal, watchId, { sinceFloor: 500, skipped });
    expect(openWatch(journal, "b", "default")).toMatchObject({
      watchId,
      beganAt: 1_000,
      firstRun: 0,
      sinceFloor: 500,
    });
    const known = { status: "listo", state: "skipped", createdAt: null };
    expect(knownOrder(journal, watchId, "7")).toMatchObject(known);
    expect(knownOrder(journal, watchId, "8")).toBeUndefined();
    expect(openOrderIds(journal, watchId)).toEqual([]);
  });

  it("knows nothing of another's orders", () => {
    const { journal, watchId } = memory();
    const other = openWatch(journal, "b", "printer").watchId;
    recordFound(journal, watchId, [found("1")]);
    expect(knownOrder(journal, other, "1")).toBeUndefined();
    expect(openOrderIds(journal, other)).toEqual([]);
    expect(openOrder(journal, other, "1")).toBeUndefined();
  });
});

describe("an order", () => {
  it("is open with its text until it is handed on, and then never again", () => {
    const { journal, watchId } = memory();
    recordFound(journal, watchId, [found("10"), found("9"), found("100")]);
    expect(openOrderIds(journal, watchId)).toEqual(["9", "10", "100"]);
    expect(openOrder(journal, watchId, "9")).toEqual({
      body: '{"order_id":9}',
      deliveries: new Map(),
    });
    recordHandedOn(journal, watchId, "9");
    expect(openOrder(journal, watchId, "9")).toBeUndefined();
    recordFound(journal, watchId, [found("9")]);
    expect(openOrderIds(journal, watchId)).toEqual(["10", "100"]);
    expect(knownOrder(journal, watchId, "9")).toMatchObject({
      status: "pendiente",
      state: "handed",
    });
  });

  it("that was handed on leaves neither its text nor its deliveries behind", () => {
    const { journal, watchId } = memory();
    recordFound(journal, watchId, [found("1")]);
    recordDelivery(journal, watchId, { orderId: "1", output: "stdout", state: "begun" });
    recordHandedOn(journal, watchId, "1");
    expect(journal.prepare("SELECT count(*) AS n FROM watch_delivery").get()).toMatchObject({ n: 0 });
    expect(journal.prepare("SELECT body FROM watch_order").get()).toMatchObject({ body: null });
  });

  it("keeps for each output whether it began, has it, or is known not to have it", () => {
    const { journal, watchId } = memory();
    const deliveries = () => Object.fromEntries(openOrder(journal, watchId, "1")!.deliveries);
    recordFound(journal, watchId, [found("1")]);
    recordDelivery(journal, watchId, { orderId: "1", output: "exec", state: "begun" });
    recordDelivery(journal, watchId, { orderId: "1", output: "stdout", state: "begun" });
    recordDelivery(journal, watchId, { orderId: "1", output: "exec", state: "done" });
    expect(deliveries()).toEqual({ exec: "done", stdout: "begun" });
    recordNotTaken(journal, watchId, "1", "stdout");
    expect(deliveries()).toEqual({ exec: "done" });
  });

  it("keeps the state that was told last", () => {
    const { journal, watchId } = memory();
    recordFound(journal, watchId, [found("1")]);
    recordHandedOn(journal, watchId, "1");
    recordStatus(journal, watchId, "1", "cancelado");
    expect(knownOrder(journal, watchId, "1")).toMatchObject({
      status: "cancelado",
      state: "handed",
    });
  });

  it("of a page is written down with all others of it, or none is", () => {
    const { journal, watchId } = memory();
    const broken = { ...found("2"), status: null as unknown as string };
    expect(() => recordFound(journal, watchId, [found("1"), broken])).toThrow();
    expect(openOrderIds(journal, watchId)).toEqual([]);
  });
});

it("a journal of 0.1 knows when an order was created where it still has the order, and otherwise that it does not", () => {
  const file = join(temporaryFolder(), "journal.db");
  copyFileSync(new URL("../../fixtures/journal-0.1/journal.db", import.meta.url), file);
  const journal = openJournal(file);
  onTestFinished(() => void journal.close());
  const rows = journal.prepare("SELECT * FROM watch_order ORDER BY order_id").all() as {
    watch_id: number;
    order_id: string;
    body: string | null;
  }[];
  expect(rows.length).toBeGreaterThan(3);
  for (const { watch_id: watchId, order_id: orderId, body } of rows) {
    const made = body === null ? null : String((JSON.parse(body) as { created_at: number }).created_at);
    expect(knownOrder(journal, watchId, orderId)?.createdAt).toBe(made);
  }
  expect(new Set(rows.map(({ body }) => body === null)).size).toBe(2);
});

it("an order that a killed watch had begun with comes again as repeated, to the output that may have it", async () => {
  const { mock, env } = await service({ scenario: "empty", clock: "2026-01-01T12:00:00-03:00" });
  const home = temporaryFolder();
  const run = shell({ env: { ...env, BPOS_HOME: home } });
  await watchOnce(run);
  const orders = await mock.control.placeOrders({ count: 3 });
  const [done, torn, untouched] = orders.map((order) => String(order.order_id));
  // As a process leaves it that is killed between its intent and its done.
  const journal = openJournal(join(home, "state", "journal.db"));
  const { watch_id: watchId } = journal.prepare("SELECT watch_id FROM watch").get() as { watch_id: number };
  const bodies = orders.map((order) => ({
    ...found(String(order.order_id)),
    createdAt: String(order.created_at),
    body: JSON.stringify(order),
  }));
  recordFound(journal, watchId, bodies);
  recordHandedOn(journal, watchId, done!);
  recordDelivery(journal, watchId, { orderId: torn!, output: "out-dir", state: "done" });
  recordDelivery(journal, watchId, { orderId: torn!, output: "stdout", state: "begun" });
  journal.close();
  const folder = temporaryFolder();
  const result = await watchOnce(run, "--out-dir", folder);
  expect(eventsOf(result)).toMatchObject([
    { order: { order_id: Number(torn) }, repeated: true },
    { order: { order_id: Number(untouched) }, repeated: false },
  ]);
  expect(readdirSync(folder)).toEqual([`${untouched}.json`]);
});
