import { expect, it } from "vitest";
import { startMock } from "./support/console.ts";

it("tells why a request was refused, copies it as curl and sends it again", async () => {
  const mock = await startMock("--scenario", "empty");
  const tab = await mock.open("/console/requests", { permissions: ["clipboard-read", "clipboard-write"] });
  const asked = await fetch(`${mock.url}/v1/orders?status=listos`, {
    headers: { "x-api-key": "bpk_demo_centro" },
  });
  expect(asked.status).toBe(400);
  const rows = tab.locator("tbody tr", { hasText: "/v1/orders?status=listos" });
  await rows.first().getByRole("link").click();
  const dialog = tab.getByRole("dialog");
  await dialog.getByText("status must be one of pendiente").first().waitFor();
  await dialog.getByRole("button", { name: "curl" }).click();
  await tab.getByText("Copied.").waitFor();
  const copied = await tab.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^curl /);
  expect(copied).toContain(`${mock.url}/v1/orders?status=listos`);
  expect(copied).not.toContain("bpk_demo");
  await dialog.getByRole("button", { name: "Replay" }).click();
  await rows.nth(1).waitFor();
});

it("makes real requests from the API, with the key of the demo and what a person changed", async () => {
  const mock = await startMock("--clock", "2026-03-06T12:00:00-03:00");
  const tab = await mock.open("/docs");
  tab.expected.push("400 http", "ERR_");
  const form = (id: string) => tab.getByRole("form", { name: `Try it: ${id}` });
  const open = (id: string) => tab.locator(`#${id} summary`, { hasText: "Try it" }).click();
  await open("listOrders");
  await form("listOrders").getByRole("textbox", { name: "status" }).fill("listos");
  await form("listOrders").getByRole("button").click();
  const answer = form("listOrders").getByRole("status");
  await answer.getByText("400").waitFor();
  await answer.getByText("status must be one of pendiente").waitFor();
  await form("listOrders").getByRole("textbox", { name: "status" }).fill("");
  await form("listOrders").getByRole("button").click();
  await answer.getByText('"total": 4,').waitFor();
  await open("pushCatalog");
  const body = form("pushCatalog").getByLabel("Request body");
  const item = { codigo: "TRY-1", nombre: "Desde la página", precio: 10 };
  const event = {
    event_id: "try",
    occurred_at: "2026-03-06T12:00:00-03:00",
    action: "upsert",
    items: [item],
  };
  await body.fill(JSON.stringify(event));
  await form("pushCatalog").getByRole("button").click();
  await form("pushCatalog").getByText('"accepted": 1').waitFor();
  // More than once: a browser sends again what met a reset on a connection that it kept open.
  await mock.bpos("mock", "fault", "POST /v1/catalog drop times=9");
  await form("pushCatalog").getByRole("button").click();
  await form("pushCatalog").getByText("reset without an answer").waitFor();
  await form("pushCatalog").getByRole("link", { name: "Requests" }).click();
  await tab.locator("tbody tr", { hasText: "/v1/catalog/items" }).nth(1).waitFor();
});
