import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { root } from "../test/support/run.ts";
import { startMock } from "./support/console.ts";
import { clock, furnish } from "./support/demo-world.ts";

const maxBytes = 64 * 1024;

/** Takes a picture, which the package carries: as WebP it has less than half the size of a PNG. `npm run docs:picture` keeps it. */
async function keep(tab: Page, name: string, options: object): Promise<void> {
  const session = await tab.context().newCDPSession(tab);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", ...options });
  const picture = Buffer.from(data, "base64");
  const file = join(root, "docs/images", name);
  expect(picture.length).toBeLessThan(maxBytes);
  if (process.env["BPOS_PICTURE"] === "1") writeFileSync(file, picture);
  expect(readFileSync(file).length).toBeLessThan(maxBytes);
}

it("takes the pictures for the README, light and dark", async () => {
  const mock = await startMock("--clock", clock);
  await furnish(mock.url);
  const tab = await mock.open();
  await keep(tab, "console.webp", { quality: 25 });
  await tab.emulateMedia({ colorScheme: "dark" });
  await keep(tab, "console-dark.webp", { quality: 25 });
});
