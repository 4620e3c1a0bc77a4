import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { receiptSvg } from "../test/support/printed.ts";
import { root, shell } from "../test/support/run.ts";
import { pointedAt } from "../test/support/service.ts";
import { virtualPrinter } from "../test/support/virtual-printer.ts";
import { startMock } from "./support/console.ts";
import { clock, furnish } from "./support/demo-world.ts";

const file = join(root, "docs/images/console.webp");
const maxBytes = 300 * 1024;

it("takes the picture for the README, of at most 300 KB; `npm run docs:picture` keeps it", async () => {
  const mock = await startMock("--clock", clock);
  await furnish(mock.url);
  const tab = await mock.open();
  // Less than half of a PNG: the package carries it.
  const session = await tab.context().newCDPSession(tab);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 70 });
  const picture = Buffer.from(data, "base64");
  expect(picture.length).toBeLessThan(maxBytes);
  if (process.env["BPOS_PICTURE"] === "1") writeFileSync(file, picture);
  expect(readFileSync(file).length).toBeLessThan(maxBytes);
});

it("takes the picture of a receipt as a printer draws it", async () => {
  const mock = await startMock("--clock", clock);
  const tab = await mock.open();
  const printer = await virtualPrinter({}, { columns: 32 });
  const bpos = shell({ env: pointedAt(mock.url, mock.url, "bpk_demo_centro") });
  const print = ["--print", "--printer", printer.url, "--paper", "58", "--lang", "es"];
  const { orders } = JSON.parse((await bpos(["orders", "list", "--json"])).stdout) as {
    orders: { order_id: number }[];
  };
  expect((await bpos(["orders", "show", String(orders[0]?.order_id), ...print])).code).toBe(0);
  const [receipt] = await printer.printed(1);
  if (receipt === undefined) throw new Error("nothing was printed");
  await tab.setContent(receiptSvg(receipt, 32));
  const picture = await tab.locator("svg").screenshot();
  expect(picture.length).toBeLessThan(maxBytes);
  if (process.env["BPOS_PICTURE"] === "1") writeFileSync(join(root, "docs/images/receipt.png"), picture);
});
