import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fixture, temporaryFolder } from "../support/run.ts";
import { campaign, listOrders, startKept } from "./support.ts";

const key = "bpk_live_fixture_of_0_1";

test("a world of 0.1 opens and keeps its numbers until it is reset", async () => {
  const data = join(temporaryFolder(), "world.db");
  copyFileSync(fixture("journal-0.1/world.db"), data);
  const version = (): number => readFileSync(data).readUInt32BE(60);
  const mock = await startKept({ data, now: () => Date.parse("2026-11-22T13:50:00Z") });
  const ids = async () => (await listOrders(mock, "", key)).orders.map(({ order_id }) => order_id);
  expect(mock.worldId).toBe("b242413aa9086d037d4164ecbdd05d5a");
  expect(await ids()).toEqual([1001, 1003, 1005]);
  const campaigns = await mock.control.campaigns();
  expect(campaigns.map(({ campaign_id: id }) => id)).toEqual([
    "cmp_d4796d8f00000001",
    "cmp_0002db0400000002",
    "cmp_413ee3e700000003",
  ]);
  expect(version()).toBe(1);
  await mock.control.reset();
  expect(Number((await ids())[0])).toBeGreaterThan(1_100);
  await mock.close();
  // An older bpos would give it the old numbers again.
  expect(version()).toBe(2);
});

test("a campaign in a world of 0.1 gets the next id of that world", async () => {
  const data = join(temporaryFolder(), "world.db");
  copyFileSync(fixture("journal-0.1/world.db"), data);
  const mock = await startKept({ data });
  const template = {
    template_name: "pedido_listo",
    recipients: [{ phone: "+5491155550001", params: ["a", "b"] }],
  };
  const { answer } = await campaign(mock, { ...template, idempotency_key: "k" });
  expect(answer.body).toMatchObject({ campaign_id: expect.stringMatching(/00000004$/) as string });
});
