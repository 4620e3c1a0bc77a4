import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { startMock } from "./support/console.ts";
import { clock, furnish, viewsOf } from "./support/demo-world.ts";

/** Returns what axe-core finds serious or critical, as `rule: the element`. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"] }),
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

for (const locale of ["en", "es"])
  for (const colorScheme of ["light", "dark"] as const)
    it(`axe-core finds nothing serious on any view or in its dialogs: ${locale}, ${colorScheme}`, async () => {
      const mock = await startMock("--clock", clock);
      await furnish(mock.url);
      const tab = await mock.open("/", { locale, colorScheme });
      const found: Record<string, string[]> = {};
      const dialogs: string[] = [];
      for (const [name, path] of Object.entries(await viewsOf(mock.url))) {
        await tab.goto(mock.url + path);
        found[name] = await violations(tab);
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
          found[kind] = await violations(tab);
          await tab.keyboard.press("Escape");
        }
      }
      expect(Object.fromEntries(Object.entries(found).filter(([, all]) => all.length > 0))).toEqual({});
      expect(dialogs.toSorted()).toEqual(["new-order", "orders", "pushes", "requests"]);
    });
