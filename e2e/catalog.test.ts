import { expect, it } from "vitest";
import { fixture } from "../test/support/run.ts";
import { startMock } from "./support/console.ts";
import { call } from "./support/demo-world.ts";

it("shows what bpos pushes: the products, what was rejected, what was stale", async () => {
  const mock = await startMock("--scenario", "empty");
  const tab = await mock.open("/console/catalog");
  await tab.getByText("Nothing has been pushed yet.").waitFor();
  const { code } = await mock.bpos("catalog", "push", fixture("catalog.csv"));
  expect(code).toBe(3);
  await tab.getByText("Products: 291.").waitFor();
  const products = tab.getByRole("region", { name: "Products" });
  await tab.getByLabel("Search").fill("provolone");
  const row = products.getByRole("row", { name: /00112 Pizza Provolone grande/ });
  await row.waitFor();
  expect(await row.getByRole("cell").allTextContents()).toEqual(
    expect.arrayContaining(["Pizza Provolone grande", "Pizzas", "$\u00a012.300,00", "active"]),
  );
  const pushes = tab.getByRole("group", { name: "Last pushes" });
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

it("changes a product in place, as a push of its branch; a new price flashes beside the old one", async () => {
  const mock = await startMock("--clock", "2026-03-06T12:00:00-03:00");
  const tab = await mock.open("/console/catalog?branch=norte");
  const row = tab.locator("[data-code=H01]");
  await row.getByTitle("Change the price of Hamburguesa simple").click();
  const input = row.getByRole("spinbutton", { name: "Change the price" });
  // Who writes is not disturbed by what is pushed meanwhile.
  const other = { event_id: "other", occurred_at: "2026-03-06T12:00:00-03:00", action: "upsert" };
  await mock.bpos("mock", "advance", "1m");
  await input.fill("8100.5");
  await tab.keyboard.press("Enter");
  await tab.getByText("Pushed.").waitFor();
  await row.getByText("$\u00a08.100,50").waitFor();
  expect(await row.locator(".price").textContent()).toBe("before: $\u00a07.900,00 → $\u00a08.100,50");
  await expect.poll(() => row.getAttribute("class")).toContain("changed");
  await row.getByRole("button", { name: "active" }).click();
  await row.getByRole("button", { name: "disabled" }).waitFor();
  await row.getByTitle("Change the name of Hamburguesa simple").click();
  await tab.keyboard.type("Otra");
  await tab.keyboard.press("Escape");
  await row.getByText("Hamburguesa simple").waitFor();
  const headers = { "content-type": "application/json", "x-api-key": "bpk_demo_norte" };
  const items = [{ codigo: "H01", precio: 1 }];
  await fetch(`${mock.url}/v1/catalog/items`, {
    method: "POST",
    headers,
    body: JSON.stringify({ ...other, items }),
  });
  await tab.getByRole("group", { name: "Last pushes" }).getByText("stale 1").waitFor();
  expect(await row.locator(".price").textContent()).toContain("8.100,50");
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
