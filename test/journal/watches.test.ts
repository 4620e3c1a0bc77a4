import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Journal, openJournal } from "../../src/journal/open.ts";
import {
  beginDelivery,
  dropDelivered,
  knownOrder,
  nextPending,
  openWatch,
  recordChange,
  recordDelivered,
  recordFound,
  recordLook,
  recordNotDelivered,
} from "../../src/journal/watches.ts";
import { fixture, shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { eventsOf, watchOnce } from "../support/watch.ts";

const found = (orderId: string) => ({
  orderId,
  createdAt: "1767265200000",
  status: "pendiente",
  body: `{"order_id":${orderId}}`,
});

const both = ["exec", "stdout"];

/** What an output is to get, in its sequence, as `id` or `id from` of a change. */
function pending(journal: Journal, watchId: number, output: string): string[] {
  const all: string[] = [];
  for (let after = 0; ; ) {
    const event = nextPending(journal, { watchId, output, after });
    if (event === undefined) return all;
    after = event;
    const row = journal.prepare("SELECT order_id, from_status FROM watch_event WHERE event = ?").get(event);
    const { order_id: id, from_status: from } = row as { order_id: string; from_status: string | null };
    all.push(from === null ? id : `${id} ${from}`);
  }
}

/** Delivers the first event that is pending for an output. */
function deliver(journal: Journal, watchId: number, output: string, outputs = both): void {
  const event = nextPending(journal, { watchId, output, after: 0 })!;
  beginDelivery(journal, event, output);
  recordDelivered(journal, { event, output, outputs });
}

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
    recordFound(journal, watchId, [], { beganAt: 1_000, firstPage: { total: 57, end: 900 } });
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
    expect(pending(journal, watchId, "stdout")).toEqual([]);
  });

  it("knows nothing of another's orders", () => {
    const { journal, watchId } = memory();
    const other = openWatch(journal, "b", "printer").watchId;
    recordFound(journal, watchId, [found("1")]);
    expect(knownOrder(journal, other, "1")).toBeUndefined();
    expect(pending(journal, other, "stdout")).toEqual([]);
  });
});

describe("an order", () => {
  it("is pending for each output, in the sequence in which it was found, until that has it, and then never again", () => {
    const { journal, watchId } = memory();
    recordFound(journal, watchId, [found("10"), found("9"), found("100")]);
    deliver(journal, watchId, "exec");
    expect(pending(journal, watchId, "exec")).toEqual(["9", "100"]);
    expect(pending(journal, watchId, "stdout")).toEqual(["10", "9", "100"]);
    recordFound(journal, watchId, [found("10")]);
    expect(pending(journal, watchId, "exec")).toEqual(["9", "100"]);
    expect(knownOrder(journal, watchId, "10")).toMatchObject({
      status: "pendiente",
      state: "found",
    });
  });

  it("that every output has leaves neither its text nor its deliveries behind", () => {
    const { journal, watchId } = memory();
    recordFound(journal, watchId, [found("1")]);
    for (const output of both) deliver(journal, watchId, output);
    for (const table of ["watch_delivery", "watch_event"])
      expect(journal.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toMatchObject({ n: 0 });
  });

  it("that an output which is there no more has not got is done with when all others have it", () => {
    const { journal, watchId } = memory();
    recordFound(journal, watchId, [found("1"), found("2")]);
    deliver(journal, watchId, "exec");
    dropDelivered(journal, watchId, ["exec"]);
    expect(pending(journal, watchId, "exec")).toEqual(["2"]);
    expect(pending(journal, watchId, "stdout")).toEqual(["2"]);
  });

  it("that was begun says so, until it is known not to have been taken", () => {
    const { journal, watchId } = memory();
    recordFound(journal, watchId, [found("1")]);
    const event = nextPending(journal, { watchId, output: "exec", after: 0 })!;
    const first = { orderId: "1", body: '{"order_id":1}', from: null, wasBegun: false };
    expect(beginDelivery(journal, event, "exec")).toMatchObject(first);
    expect(beginDelivery(journal, event, "exec")).toMatchObject({ ...first, wasBegun: true });
    expect(beginDelivery(journal, event, "stdout")).toMatchObject(first);
    recordNotDelivered(journal, event, "exec");
    expect(beginDelivery(journal, event, "exec")).toMatchObject(first);
  });

  it("is followed by its changes, to no output before the order itself", () => {
    const { journal, watchId } = memory();
    const change = { orderId: "1", from: "pendiente", to: "listo", body: '{"order_id":1}' };
    recordFound(journal, watchId, [found("1"), found("2")]);
    recordChange(journal, watchId, change);
    recordChange(journal, watchId, { ...change, from: "listo", to: "entregado", body: null });
    expect(knownOrder(journal, watchId, "1")).toMatchObject({ status: "entregado" });
    expect(pending(journal, watchId, "exec")).toEqual(["1", "2"]);
    deliver(journal, watchId, "exec");
    expect(pending(journal, watchId, "exec")).toEqual(["2", "1 pendiente"]);
    expect(pending(journal, watchId, "stdout")).toEqual(["1", "2"]);
  });

  it("of a page is written down with all others of it, or none is", () => {
    const { journal, watchId } = memory();
    const broken = { ...found("2"), status: null as unknown as string };
    expect(() => recordFound(journal, watchId, [found("1"), broken])).toThrow();
    expect(pending(journal, watchId, "stdout")).toEqual([]);
  });
});

it("an order that a killed watch had begun with comes again as repeated, to the output that may have it", async () => {
  const { mock, env } = await service({ scenario: "empty", clock: "2026-01-01T12:00:00-03:00" });
  const home = temporaryFolder();
  const run = shell({ env: { ...env, BPOS_HOME: home } });
  await watchOnce(run);
  const orders = await mock.control.placeOrders({ count: 3 });
  const [, torn, untouched] = orders.map((order) => String(order.order_id));
  // As a process leaves it that is killed between its intent and its done.
  const journal = openJournal(join(home, "state", "journal.db"));
  const { watch_id: watchId } = journal.prepare("SELECT watch_id FROM watch").get() as { watch_id: number };
  const bodies = orders.map((order) => ({
    ...found(String(order.order_id)),
    createdAt: String(order.created_at),
    body: JSON.stringify(order),
  }));
  recordFound(journal, watchId, bodies);
  const outputs = ["out-dir", "stdout"];
  for (const output of outputs) deliver(journal, watchId, output, outputs);
  deliver(journal, watchId, "out-dir", outputs);
  const event = nextPending(journal, { watchId, output: "stdout", after: 0 })!;
  expect(beginDelivery(journal, event, "stdout").orderId).toBe(torn);
  journal.close();
  const folder = temporaryFolder();
  const result = await watchOnce(run, "--out-dir", folder);
  expect(eventsOf(result)).toMatchObject([
    { order: { order_id: Number(torn) }, repeated: true },
    { order: { order_id: Number(untouched) }, repeated: false },
  ]);
  expect(readdirSync(folder)).toEqual([`${untouched}.json`]);
});

it("a journal of 0.1 knows when an order was created where it still has the order, and otherwise that it does not", () => {
  const file = join(temporaryFolder(), "journal.db");
  copyFileSync(fixture("journal-0.1/journal.db"), file);
  const journal = openJournal(file);
  onTestFinished(() => void journal.close());
  const rows = journal
    .prepare("SELECT * FROM watch_order LEFT JOIN watch_event USING (watch_id, order_id) ORDER BY order_id")
    .all() as {
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

it("a journal of 0.1 knows what each output has not got, and what was begun", () => {
  const file = join(temporaryFolder(), "journal.db");
  copyFileSync(fixture("journal-0.1/journal.db"), file);
  const journal = openJournal(file);
  onTestFinished(() => void journal.close());
  const rows = journal
    .prepare(
      `SELECT consumer, order_id AS id, output, d.state FROM watch_event JOIN watch USING (watch_id)
         LEFT JOIN watch_delivery AS d USING (event) ORDER BY id, consumer`,
    )
    .all() as Record<string, string>[];
  expect(
    rows.map(({ consumer, id, output, state }) => [consumer, id, output, state].join(" ").trim()),
  ).toEqual([
    "kitchen 1001 exec begun",
    "default 1002 stdout done",
    "default 1003 stdout done",
    "kitchen 1003",
    "default 1004 stdout done",
    "default 1005 stdout done",
    "kitchen 1005",
  ]);
});
