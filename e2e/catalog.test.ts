import { expect, it } from "vitest";
import { fixture } from "../test/support/run.ts";
import { startMock } from "./support/console.ts";
import { call, clock } from "./support/demo-world.ts";

it("shows what bpos pushes: the products, what was rejected, what was stale", async () => {
  const mock = await startMock("--scenario", "empty");
  const tab = await mock.open("/console/catalog");
  await tab.getByText("No pushes yet.").waitFor();
  const { code } = await mock.bpos("catalog", "push", fixture("catalog.csv"));
  expect(code).toBe(3);
  await tab.getByText("Products: 291.").waitFor();
  const products = tab.getByRole("region", { name: "Products" });
  await tab.getByLabel("Code, name or category").fill("provolone");
  const row = products.getByRole("row", { name: /00112 Pizza Provolone grande/ });
  await row.waitFor();
  expect(await row.getByRole("cell").allTextContents()).toEqual(
    expect.arrayContaining(["Pizza Provolone grande", "Pizzas", "$\u00a012.300,00", "active"]),
  );
  const pushes = tab.getByRole("group", { name: "Recent pushes" });
  await pushes.getByText("rejected 2").click();
  const dialog = tab.getByRole("dialog");
  await dialog.getByText("Rejected", { exact: true }).waitFor();
  expect(await dialog.getByRole("row").count()).toBe(3);
  await tab.keyboard.press("Escape");
  const old = { event_id: "old", occurred_at: "2020-01-01T00:00:00Z", action: "upsert" };
  await call(mock.url, "POST", "/v1/catalog/items", { ...old, items: [{ codigo: "00112", precio: 1 }] });
  await pushes.getByText("stale 1").click();
  await dialog.getByText("Stale", { exact: true }).waitFor();
  expect(await dialog.getByRole("listitem").allTextContents()).toEqual(["00112"]);
  await tab.keyboard.press("Escape");
  expect(await row.textContent()).toContain("12.300,00");
});

it("marks a price that a push changed while the page is open, beside the old one", async () => {
  const mock = await startMock("--clock", clock);
  const tab = await mock.open("/console/catalog");
  const price = tab.locator("[data-code=MIL-001] .price");
  expect(await price.textContent()).toBe("$\u00a012.600,00");
  const push = { event_id: "new-price", occurred_at: clock, action: "upsert" };
  await call(mock.url, "POST", "/v1/catalog/items", {
    ...push,
    items: [{ codigo: "MIL-001", precio: 12_900.5 }],
  });
  await tab.locator("[data-code=MIL-001].changed").waitFor();
  expect(await price.textContent()).toBe("before: $\u00a012.600,00 → $\u00a012.900,50");
  expect(await tab.locator("#products :is(button, input, select)").count()).toBe(0);
});

it("keeps words whole beside the pushes, and the price on a phone", async () => {
  const mock = await startMock("--scenario", "empty");
  const items = [
    { codigo: "PAN-0001", nombre: "Medialunas de manteca", categoria: "Panadería", precio: 123_456.5 },
    { codigo: "7791234567890", nombre: "Supercalifragilisticoespialidoso", categoria: null, precio: 1 },
  ];
  const push = {
    event_id: "first-of-march",
    occurred_at: "2026-03-01T09:00:00-03:00",
    action: "upsert",
    items,
  };
  await call(mock.url, "POST", "/v1/catalog/items", push);
  for (const width of [1024, 1120, 1280]) {
    const tab = await mock.open("/console/catalog", { viewport: { width, height: 720 }, locale: "es" });
    const category = tab.getByRole("cell", { name: "Panadería", exact: true }).locator("bdi");
    // The page may swap the cell at that very moment.
    const lines = () => category.evaluate((each) => each.getClientRects().length);
    await expect.poll(lines, { message: String(width) }).toBe(1);
  }
  const tab = await mock.open("/console/catalog", { viewport: { width: 390, height: 844 }, locale: "es" });
  const price = tab.getByRole("cell", { name: "123.456,50" });
  const right = async () => {
    const box = await price.boundingBox();
    return (box?.x ?? Infinity) + (box?.width ?? Infinity);
  };
  await expect.poll(right).toBeLessThanOrEqual(390);
});
