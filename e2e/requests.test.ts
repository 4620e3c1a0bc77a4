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
