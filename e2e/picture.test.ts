import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../test/support/run.ts";
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
