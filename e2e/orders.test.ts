import { expect, it } from "vitest";
import { startMock } from "./support/console.ts";

it("follows the orders that come", async () => {
  const mock = await startMock("--scenario", "empty");
  const tab = await mock.open();
  const { stdout } = await mock.bpos("mock", "order", "--json");
  const { orders } = JSON.parse(stdout) as { orders: { order_id: number }[] };
  await tab.locator(`#state-pendiente #order-${orders[0]!.order_id}`).waitFor();
  const count = await tab.locator(".count").allTextContents();
  expect(count).toEqual(["1", "0", "0", "0", "0", "0", "0", "0"]);
});
