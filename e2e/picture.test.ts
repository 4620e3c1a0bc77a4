import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../test/support/run.ts";
import { startMock } from "./support/console.ts";
import { clock, furnish } from "./support/demo-world.ts";

const file = join(root, "docs/images/console.png");
const maxBytes = 300 * 1024;

it("takes the picture for the README, of at most 300 KB; `npm run docs:picture` keeps it", async () => {
  const mock = await startMock("--clock", clock);
  await furnish(mock.url);
  const tab = await mock.open();
  const picture = await tab.screenshot();
  expect(picture.length).toBeLessThan(maxBytes);
  if (process.env["BPOS_PICTURE"] === "1") {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, picture);
  }
  const kept = readFileSync(file);
  expect(kept.length).toBeLessThan(maxBytes);
  expect([kept.readUInt32BE(16), kept.readUInt32BE(20)]).toEqual([1280, 720]);
});
