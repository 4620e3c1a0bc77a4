import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fakeClock } from "../support/fake-clock.ts";
import { fixture, root, shell, temporaryFolder } from "../support/run.ts";

const layout = (name: string): string[] => ["--layout", fixture(`layouts/${name}.json`)];

// BPOS_PICTURE=1 writes them.
it.each([
  ["receipt", ["--paper", "58", "--lang", "es"]],
  ["receipt-shop", ["--paper", "80", ...layout("shop")]],
  ["receipt-kitchen", ["--paper", "58", ...layout("kitchen")]],
])("docs/images/%s.png is what bpos draws, and small", async (name, flags) => {
  const png = join(temporaryFolder(), "receipt.png");
  const bpos = shell({ clock: fakeClock() });
  const run = await bpos(["printer", "preview", ...flags, "--png", png, "-q"]);
  expect(run.code).toBe(0);
  const file = join(root, "docs/images", `${name}.png`);
  if (process.env["BPOS_PICTURE"] === "1") writeFileSync(file, readFileSync(png));
  expect(readFileSync(png).equals(readFileSync(file))).toBe(true);
  expect(readFileSync(file).length).toBeLessThan(20_000);
});
