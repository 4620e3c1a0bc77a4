import { describe, expect, it } from "vitest";
import { type Mock, startMock } from "./support/console.ts";

/** Places orders with the command; their numbers. */
async function place(mock: Mock, ...flags: string[]): Promise<number[]> {
  const { stdout } = await mock.bpos("mock", "order", "--json", ...flags);
  return (JSON.parse(stdout) as { orders: { order_id: number }[] }).orders.map(({ order_id }) => order_id);
}

const column = (state: string) => `#state-${state}`;
const card = (id: number | undefined) => `#order-${id ?? ""}`;

describe("the board", () => {
  it("gives what is ordered on it to a watch that runs", async () => {
    const mock = await startMock("--scenario", "empty");
    const tab = await mock.open();
    const watch = mock.start("orders", "watch", "-o", "ndjson", "--interval", "1s", "--force");
    await tab.getByLabel("Random orders").fill("3");
    await tab.getByRole("button", { name: "Place" }).click();
    await tab.getByText("The orders are placed.").waitFor();
    const cards = tab.locator(`${column("pendiente")} .card`);
    await cards.nth(2).waitFor();
    const ids = await cards.evaluateAll((all) => all.map(({ dataset }) => Number(dataset["order"])));
    for (const id of ids) await watch.said(`"order_id":${id}`);
    const printed = watch.out().trim().split("\n");
    expect(
      printed.map((line) => (JSON.parse(line) as { order: { order_id: number } }).order.order_id),
    ).toEqual(ids.toReversed());
  });

  it("moves an order that is dragged to another state", async () => {
    const mock = await startMock("--scenario", "empty");
    const [first, second] = await place(mock, "--count", "2");
    const tab = await mock.open();
    await tab.locator(card(first)).dragTo(tab.locator(column("listo")));
    await tab.locator(column("listo")).locator(card(first)).waitFor();
    expect(await tab.locator(column("pendiente")).locator(card(second)).count()).toBe(1);
    const { stdout } = await mock.bpos("orders", "list", "--status", "listo", "-o", "ndjson");
    expect(JSON.parse(stdout)).toMatchObject({ order_id: first });
  });

  it("moves orders by keys alone, and the focus stays with the order", async () => {
    const mock = await startMock("--scenario", "empty");
    const [older, newer] = await place(mock, "--count", "2");
    const tab = await mock.open();
    const focused = () => tab.evaluate(() => document.activeElement?.id);
    while ((await focused()) !== `order-${newer ?? ""}`) await tab.keyboard.press("Tab");
    await tab.keyboard.press("ArrowDown");
    expect(await focused()).toBe(`order-${older ?? ""}`);
    await tab.keyboard.press("5");
    await tab.locator(column("en_camino")).locator(card(older)).waitFor();
    await expect.poll(focused).toBe(`order-${older ?? ""}`);
    await tab.keyboard.press("ArrowLeft");
    expect(await focused()).toBe(`order-${newer ?? ""}`);
  });
});
