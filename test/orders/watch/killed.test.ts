import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { branchId } from "../../../src/journal/records/branches.ts";
import { journalOf } from "../../support/journal.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
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
    orderKey: String(order.order_id),
    status: "pendiente",
    createdAt: String(order.created_at),
    at: 0,
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
  expect((await kept.begin((await kept.next(watchId, "stdout", 0))!, "stdout"))!.orderKey).toBe(torn);
  await journal.close();
  const folder = temporaryFolder();
  const result = await watchOnce(run, "--out-dir", folder);
  expect(eventsOf(result)).toMatchObject([
    { order: { order_id: Number(torn) }, repeated: true },
    { order: { order_id: Number(untouched) }, repeated: false },
  ]);
  expect(readdirSync(folder)).toEqual([`${untouched}.json`]);
});
