import { join } from "node:path";
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../test/support/run.ts";
import { type Mock, startMock } from "./support/console.ts";
import { clock } from "./support/demo-world.ts";

const ordersOf = async (mock: Mock): Promise<string> =>
  (await mock.bpos("orders", "list", "-o", "ndjson")).stdout;

const nowOf = async ({ url }: Mock): Promise<number> => {
  const { now } = (await (await fetch(`${url}/_mock/world`)).json()) as { now: string };
  return Date.parse(now);
};

describe("the world", () => {
  it("breaks the service for bpos while a fault is switched on", async () => {
    const mock = await startMock();
    const tab = await mock.open();
    await tab.getByRole("link", { name: "SANDBOX" }).click();
    await tab.getByRole("link", { name: "Faults", exact: true }).click();
    const fault = tab.getByRole("switch", { name: "Service unavailable" });
    await fault.click();
    await tab.locator("[role=switch][aria-checked=true]").waitFor();
    const broken = await mock.bpos("orders", "list", "--retries", "0");
    expect(broken.code).toBe(6);
    expect(broken.stderr).toContain("503");
    // It leads here from every view, and what is armed is above what could be.
    await tab.getByRole("link", { name: "Orders" }).click();
    await tab.getByRole("link", { name: /SANDBOX .* · 1 fault/ }).click();
    const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? 0;
    expect(await topOf(tab.getByRole("button", { name: "Remove all" }))).toBeLessThan(await topOf(fault));
    expect(await tab.getByRole("button", { name: "Freeze" }).isVisible()).toBe(false);
    await fault.click();
    await tab.getByText("No active faults").waitFor();
    expect((await mock.bpos("orders", "list", "--retries", "0")).code).toBe(0);
  });

  it("stops the clock, moves it and lets it go on", async () => {
    const mock = await startMock();
    const tab = await mock.open("/console/world");
    await tab.getByRole("button", { name: "Freeze" }).click();
    await tab.getByText("frozen: no time passes").waitFor();
    const frozen = await nowOf(mock);
    await tab.getByRole("button", { name: "5 min" }).click();
    await expect.poll(() => nowOf(mock)).toBe(frozen + 300_000);
    await tab.getByRole("button", { name: "×60" }).click();
    await tab.getByText("running at 60 times normal speed").waitFor();
    await expect.poll(() => nowOf(mock)).toBeGreaterThan(frozen + 310_000);
  });

  it("is reset only after a question, and comes back from its export", async () => {
    const mock = await startMock("--clock", clock);
    const before = await ordersOf(mock);
    const tab = await mock.open("/console/world#data");
    const download = tab.waitForEvent("download");
    await tab.getByRole("link", { name: "Export" }).click();
    const file = join(temporaryFolder(), "world.json");
    await (await download).saveAs(file);

    await tab.getByRole("combobox", { name: "Scenario" }).selectOption("empty");
    const asked = tab.waitForEvent("dialog");
    tab.answer = false;
    await tab.getByRole("button", { name: "Reset" }).click();
    await asked;
    expect(await ordersOf(mock)).toBe(before);
    tab.answer = true;
    await tab.getByRole("button", { name: "Reset" }).click();
    await tab.getByText("The mock was reset.").waitFor();
    expect(await ordersOf(mock)).toBe("");

    await tab.getByLabel("Import").setInputFiles(file);
    await tab.getByText("The world was imported.").waitFor();
    expect(await ordersOf(mock)).toBe(before);
  });
});
