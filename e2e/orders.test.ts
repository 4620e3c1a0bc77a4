import { describe, expect, it } from "vitest";
import type { Order } from "../src/contract/order.ts";
import type { Running } from "../test/support/binary.ts";
import { type Mock, startMock, tabTo } from "./support/console.ts";

/** Places orders with the command; their numbers. */
async function place(mock: Mock, ...flags: string[]): Promise<number[]> {
  const { stdout } = await mock.bpos("mock", "order", "--json", ...flags);
  return (JSON.parse(stdout) as { orders: { order_id: number }[] }).orders.map(({ order_id }) => order_id);
}

const printedBy = (watch: Running): Order[] =>
  watch
    .out()
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { order: Order }).order);

const column = (state: string) => `#state-${state}`;
const card = (id: number | undefined) => `#order-${id ?? ""}`;

describe("the board", () => {
  it("gives the orders that are placed on it at random to a watch that runs", async () => {
    const mock = await startMock("--scenario", "empty");
    const tab = await mock.open();
    const watch = mock.start("orders", "watch", "-o", "ndjson", "--interval", "1s", "--force");
    await tab.getByLabel("Random orders").fill("3");
    await tab.getByRole("button", { name: "Place" }).click();
    await tab.getByText("Orders placed: 3").waitFor();
    const cards = tab.locator(`${column("pendiente")} .card`);
    await cards.nth(2).waitFor();
    const ids = await cards.evaluateAll((all) => all.map(({ dataset }) => Number(dataset["order"])));
    for (const id of ids) await watch.said(`"order_id":${id}`);
    expect(printedBy(watch).map(({ order_id }) => order_id)).toEqual(ids);
  });

  it("composes an order of the pushed catalog, which a watch that runs prints, and opens its ticket", async () => {
    const mock = await startMock();
    const tab = await mock.open();
    const watch = mock.start("orders", "watch", "-o", "ndjson", "--interval", "1s", "--force");
    await tab.getByRole("link", { name: "New order" }).click();
    const form = tab.getByRole("dialog");
    await form.getByLabel("Product").fill("PIZ-003");
    await form.getByLabel("Quantity").fill("2");
    await form.getByRole("button", { name: "Add a line" }).click();
    await form.getByLabel("Product").nth(1).fill("BEB-001");
    await form.getByLabel("Option or note").nth(1).fill("bien fría");
    await form.getByLabel("Name").fill("Zoe Ñandú");
    await form.getByLabel("Street").fill("Av. Mitre");
    await form.getByRole("button", { name: "Place order" }).click();
    await tab.locator(`${column("pendiente")} .card`, { hasText: "Zoe Ñandú" }).click();
    await watch.said("Zoe Ñandú");
    const [order] = printedBy(watch).filter(({ cliente }) => cliente.nombre === "Zoe Ñandú");
    expect(order).toMatchObject({
      domicilio: { calle: "Av. Mitre" },
      lineas: [
        {
          codigo: "PIZ-003",
          nombre: "Pizza fugazzeta",
          cantidad: 2,
          precio_unitario: 11900.5,
          subtotal: 23801,
        },
        { codigo: "BEB-001", cantidad: 1, opciones: [{ nombre: "bien fría" }] },
      ],
    });
    const ticket = tab.getByRole("dialog");
    await ticket.getByRole("heading", { name: `Order ${order?.order_id ?? ""}` }).waitFor();
    expect(await ticket.textContent()).toContain("$\u00a023.801,00");
  });

  it("shows an order as a printer prints it, at both widths, and again when its state is another", async () => {
    const mock = await startMock("--scenario", "empty");
    const [id] = await place(mock);
    const tab = await mock.open(`/console/orders/${id ?? ""}`);
    await tab.getByText("Printed receipt").click();
    const pictures = tab.locator("#ticket-paper img");
    const widths = (): Promise<number[]> =>
      pictures.evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth));
    await expect.poll(widths).toEqual([384, 576]);
    await mock.bpos("mock", "orders", "set", String(id), "cancelado");
    await tab.locator('#ticket-paper img[src$="state=cancelado"]').first().waitFor();
    await expect.poll(widths).toEqual([384, 576]);
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
    await tabTo(tab, tab.locator(card(older)));
    await tab.keyboard.press("ArrowDown");
    expect(await focused()).toBe(`order-${newer ?? ""}`);
    await tab.keyboard.press("5");
    await tab.locator(column("en_camino")).locator(card(newer)).waitFor();
    await expect.poll(focused).toBe(`order-${newer ?? ""}`);
    await tab.keyboard.press("ArrowLeft");
    expect(await focused()).toBe(`order-${older ?? ""}`);
  });
});
