import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { receiptSvg } from "../test/support/printed.ts";
import { root, shell } from "../test/support/run.ts";
import { virtualPrinter } from "../test/support/virtual-printer.ts";
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

it("takes the picture of a receipt as a printer draws it", async () => {
  const mock = await startMock("--clock", clock);
  const tab = await mock.open();
  const printer = await virtualPrinter({}, { columns: 32 });
  const bpos = shell();
  const profile = ["profile", "add", "centro", "--base-url", mock.url, "--api-key-file", "-", "--no-check"];
  expect((await bpos(profile, { stdin: "bpk_demo_centro" })).code).toBe(0);
  const print = ["--print", "--printer", printer.url, "--paper", "58", "--lang", "es"];
  const { orders } = JSON.parse((await bpos(["orders", "list", "--json"])).stdout) as {
    orders: { order_id: number }[];
  };
  expect((await bpos(["orders", "show", String(orders[0]?.order_id), ...print])).code).toBe(0);
  const [receipt] = await printer.printed(1);
  if (receipt === undefined) throw new Error("nothing was printed");
  await tab.setContent(receiptSvg(receipt, 32));
  const box = await tab.locator("svg").boundingBox();
  if (box === null) throw new Error("nothing was drawn");
  await keep(tab, "receipt.webp", { quality: 60, clip: { ...box, scale: 1 }, captureBeyondViewport: true });
});
