import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { branchId } from "../../../src/journal/branches.ts";
import { askJournal, databaseIn, journalIn, journalOf } from "../../support/journal.ts";
import { program } from "../../support/programs.ts";
import { fixture, shell, temporaryFolder } from "../../support/run.ts";
import { service } from "../../support/service.ts";
import { eventsOf, watchOnce } from "../../support/watch.ts";

it("an order that a killed watch had begun with comes again as repeated, to the output that may have it", async () => {
  const { mock, env } = await service({ scenario: "empty", clock: "2026-01-01T12:00:00-03:00" });
  const home = temporaryFolder();
  const run = shell({ env: { ...env, BPOS_HOME: home } });
  await watchOnce(run);
  const orders = await mock.control.placeOrders({ count: 3 });
  const [, torn, untouched] = orders.map((order) => String(order.order_id));
  // As a process leaves it that is killed between its intent and its done.
  const journal = await journalOf(home);
  const { orders: kept } = journal;
  const branch = branchId({
    address: mock.baseUrl,
    world: (await mock.control.world()).world_id,
    apiKey: env["BPOS_API_KEY"]!,
  });
  const { watchId } = await kept.open(branch, "default");
  const bodies = orders.map((order) => ({
    orderId: String(order.order_id),
    status: "pendiente",
    createdAt: String(order.created_at),
    body: JSON.stringify(order),
  }));
  const outputs = ["out-dir", "stdout"];
  await kept.join(
    watchId,
    outputs.map((name) => ({ name, changes: "none" })),
  );
  await kept.found(watchId, bodies);
  for (const output of [...outputs, "out-dir"]) {
    const event = (await kept.next(watchId, output, 0))!;
    await kept.begin(event, output);
    await kept.delivered(event, output);
  }
  expect((await kept.begin((await kept.next(watchId, "stdout", 0))!, "stdout")).orderId).toBe(torn);
  await journal.close();
  const folder = temporaryFolder();
  const result = await watchOnce(run, "--out-dir", folder);
  expect(eventsOf(result)).toMatchObject([
    { order: { order_id: Number(torn) }, repeated: true },
    { order: { order_id: Number(untouched) }, repeated: false },
  ]);
  expect(readdirSync(folder)).toEqual([`${untouched}.json`]);
});

it("a journal that names no outputs owes each output of its next run what that has not got", async () => {
  const { mock, env } = await service({ scenario: "empty", clock: "2026-01-01T12:00:00-03:00" });
  const home = temporaryFolder();
  const folder = temporaryFolder();
  const run = shell({ env: { ...env, BPOS_HOME: home } });
  const orders = await mock.control.placeOrders({ count: 3 });
  const fails = program("process.exit(1)");
  expect((await watchOnce(run, "-q", "--exec", fails, "--out-dir", folder)).code).toBe(3);
  // As the version before it left them: an output that failed had no row.
  await askJournal(home, "DELETE FROM watch_delivery WHERE state <> 'done'");
  await askJournal(home, "DELETE FROM watch_output");
  const file = join(temporaryFolder(), "kept");
  const keep = program(
    `require("node:fs").appendFileSync(${JSON.stringify(file)}, process.env.BPOS_ORDER_ID + " " + process.env.BPOS_REPEATED + "\\n")`,
  );
  const names = readdirSync(folder);
  expect((await watchOnce(run, "-q", "--exec", keep, "--out-dir", folder)).code).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(orders.map(({ order_id: id }) => `${id} false\n`).join(""));
  expect(readdirSync(folder)).toEqual(names);
});

it("a journal of 0.1 knows when its orders were created, and what each output has not got", async () => {
  const file = join(temporaryFolder(), "journal.db");
  copyFileSync(fixture("journal-0.1/journal.db"), file);
  const journal = journalIn(file);
  const { orders } = journal;
  const database = databaseIn(file);
  const rows = database
    .prepare("SELECT * FROM watch_order LEFT JOIN watch_event USING (watch_id, order_id) ORDER BY order_id")
    .all() as { watch_id: number; order_id: string; body: string | null }[];
  expect(rows.length).toBeGreaterThan(3);
  // Where it still has the order; otherwise nobody knows.
  for (const { watch_id: watchId, order_id: id, body } of rows) {
    const made = body === null ? null : String((JSON.parse(body) as { created_at: number }).created_at);
    expect((await orders.known(watchId, [id])).get(id)?.createdAt).toBe(made);
  }
  expect(new Set(rows.map(({ body }) => body === null)).size).toBe(2);
  const deliveries = database
    .prepare(
      `SELECT consumer, order_id AS id, output, d.state FROM watch_event JOIN watch USING (watch_id)
         LEFT JOIN watch_delivery AS d USING (event) ORDER BY id, consumer`,
    )
    .all() as Record<string, string>[];
  expect(
    deliveries.map(({ consumer, id, output, state }) => [consumer, id, output, state].join(" ").trim()),
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
