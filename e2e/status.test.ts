import { expect, it } from "vitest";
import { program } from "../test/support/programs.ts";
import { openTab, startMock } from "./support/console.ts";

it("the page of bpos status follows the journal by itself, in the browser's language, and says when it is cut off", async () => {
  const mock = await startMock("--scenario", "empty");
  await fetch(`${mock.url}/_mock/orders`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ count: 2 }),
  });
  const page = mock.start("status", "--serve", "0");
  await page.said("http://");
  const address = /http:\S+/.exec(page.out())?.[0] ?? "";

  const tab = await openTab(address, { locale: "es-AR", viewport: { width: 420, height: 800 } });
  expect(await tab.getByRole("heading", { level: 1 }).textContent()).toBe("Estado");
  await tab.getByText("Todavía no hay registro").waitFor();
  await mock.bpos("orders", "watch", "--once", "-q", "--exec", program("process.exit(1)"));
  await tab.getByText("2 pedidos esperan a exec").waitFor();
  await tab.getByText("bpos orders watch --exec <command>", { exact: true }).first().waitFor();
  // Nothing is wider than a telephone but what scrolls by itself.
  expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(420);

  const english = await openTab(`${address}?lang=en`, { locale: "es-AR" });
  await english.getByRole("heading", { name: "Not well" }).waitFor();
  await mock.bpos("orders", "watch", "--once", "-q", "--exec", program("process.exit(0)"));
  await english.getByText("All is well: 1 branch.").waitFor();
  await tab.getByText("Está todo bien: 1 sucursal.").waitFor();
  expect(await english.locator("#disconnected").isVisible()).toBe(false);

  for (const each of [tab, english]) each.expected.push("ERR_CONNECTION", "htmx:");
  await page.stop("SIGINT");
  await english.getByText("bpos does not answer.").waitFor();
  await tab.getByText("bpos no responde.").waitFor();
});
