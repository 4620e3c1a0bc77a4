import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { startMock } from "./support/console.ts";
import { clock, furnish, viewsOf } from "./support/demo-world.ts";

/** Returns what axe-core finds, as `rule: the element`. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"] }),
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

const widths = [1440, 1024, 390] as const;

/** The same at each width, with the width in front. */
async function violationsAtWidths(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    found.push(...(await violations(page)).map((each) => `${width}: ${each}`));
  }
  return found;
}

// A language has its words, a colour scheme its contrasts: each is looked at once.
it.each([
  ["en", "light"],
  ["es", "dark"],
] as const)("axe-core finds nothing on any view or in its dialogs: %s, %s", async (locale, colorScheme) => {
  const mock = await startMock("--clock", clock);
  await furnish(mock.url);
  const tab = await mock.open("/", { locale, colorScheme });
  const found: Record<string, string[]> = {};
  const dialogs: string[] = [];
  for (const [name, path] of Object.entries(await viewsOf(mock.url))) {
    await tab.goto(mock.url + path);
    found[name] = await violationsAtWidths(tab);
    await tab.setViewportSize({ width: 1440, height: 844 });
    // One of each kind: order 1, order 2 and so on open alike.
    const links = await tab
      .locator("main a[data-dialog]")
      .evaluateAll((all: HTMLAnchorElement[]) =>
        all.map(({ href, pathname }) => ({ href, kind: pathname.split("/")[2] ?? "" })),
      );
    for (const { href, kind } of links) {
      if (dialogs.includes(kind)) continue;
      dialogs.push(kind);
      await tab
        .locator(`main a[data-dialog][href="${href.slice(mock.url.length)}"]`)
        .first()
        .click();
      await tab.locator("#dialog-title").waitFor();
      found[kind] = await violationsAtWidths(tab);
      await tab.setViewportSize({ width: 1440, height: 844 });
      await tab.keyboard.press("Escape");
    }
  }
  expect(Object.fromEntries(Object.entries(found).filter(([, all]) => all.length > 0))).toEqual({});
  expect(dialogs.toSorted()).toEqual(["new-order", "orders", "pushes", "requests"]);
});

it("axe-core finds nothing while orders rush in, and with the products of a new order open", async () => {
  const mock = await startMock("--scenario", "rush");
  const tab = await mock.open("/", { locale: "es" });
  const found = await violationsAtWidths(tab);
  await tab.goto(`${mock.url}/console/new-order`);
  await tab.locator("[data-product]").click();
  await tab.getByRole("listbox").getByRole("option").first().waitFor();
  expect([...found, ...(await violationsAtWidths(tab))]).toEqual([]);
});
