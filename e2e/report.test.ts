import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { expect, it } from "vitest";
import { recipientsFile, rows } from "../test/support/campaigns.ts";
import { temporaryFolder } from "../test/support/run.ts";
import { openTab, startMock } from "./support/console.ts";

const clock = "2026-03-06T20:45:00-03:00";

it("the page of a campaign report loads nothing, fits a telephone, and has nothing that axe-core finds", async () => {
  const mock = await startMock("--clock", clock);
  const people = recipientsFile([...rows(80), "+5491155550000,<b>Leo</b>,1", "+525512340003,Sol,2"]);
  const send = ["campaign", "send", people, "--template", "pedido_listo", "--ref", "enero", "--yes"];
  await mock.bpos(...send);
  await mock.bpos("mock", "advance", "20m", "--url", mock.url);
  for (const language of ["en", "es"])
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [390, 1280]) {
        const file = join(temporaryFolder(), "report.html");
        await mock.bpos("campaign", "report", "enero", "--html", file, "--lang", language);
        const tab = await openTab("about:blank", {
          colorScheme,
          viewport: { width, height: 900 },
          bypassCSP: true,
        });
        const asked: string[] = [];
        tab.on("request", (request) => asked.push(request.url()));
        await tab.goto(pathToFileURL(file).href);
        expect(asked).toEqual([pathToFileURL(file).href]);
        await tab.getByText("Leo").first().waitFor({ state: "hidden" });
        expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        expect(await tab.getByRole("img").count()).toBe(4);

        await tab.evaluate(axe.source);
        const { violations } = await tab.evaluate(() =>
          (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"] }),
        );
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`)).toEqual([]);
      }
});
