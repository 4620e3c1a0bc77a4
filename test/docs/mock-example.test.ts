import { type RunningMock, startMock } from "bpos/mock";
import { afterAll, beforeAll, expect, it } from "vitest";

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ scenario: "empty", clock: "2026-01-01T12:00:00-03:00" });
});
afterAll(() => mock.close());

it("prints each order that a customer places", async () => {
  const [order] = await mock.control.placeOrders({ branch: "demo" });
  const response = await fetch(`${mock.baseUrl}/v1/orders`, { headers: { "X-API-Key": mock.keys[0]!.key } });
  const { orders } = (await response.json()) as { orders: { order_id: number }[] };
  expect(orders.map((each) => each.order_id)).toEqual([order!.order_id]);
});
