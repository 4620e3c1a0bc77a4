import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { startMock } from "./support/console.ts";
import { clock, furnish } from "./support/demo-world.ts";

/** What axe-core finds serious or critical, as `rule: the element`. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run());
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

for (const locale of ["en", "es"])
  for (const colorScheme of ["light", "dark"] as const)
    it(`axe-core finds nothing serious in ${locale}, ${colorScheme}`, async () => {
      const mock = await startMock("--clock", clock);
      await furnish(mock.url);
      const tab = await mock.open("/", { locale, colorScheme });
      expect(await violations(tab)).toEqual([]);
    });
