import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../scripts/release/about.ts";
import { startMock } from "../../src/mock/index.ts";
import { folderForAll, node24, unpack } from "./support.ts";

const folder = folderForAll();

/** Milliseconds of a run, which must succeed. */
async function timeOf([command = "", ...line]: readonly string[], env: Record<string, string>) {
  const start = performance.now();
  const child = spawn(command, line, { env, stdio: "ignore" });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  expect(code).toBe(0);
  return performance.now() - start;
}

const middle = (times: number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

// The promise is 1.0 and 1.2: the limits leave room for a machine that is busy.
const limit = 1.5;

it("starts as soon as the package of npm, on the same Node", async () => {
  const bpos = [join(await unpack("linux-x64", folder), "bpos")];
  const npm = [node24, join(root, "bin/bpos.js")];
  const mock = await startMock();
  const env = { BPOS_HOME: join(folder, "home"), BPOS_MOCK: mock.baseUrl, PATH: "/usr/bin:/bin" };
  for (const line of [["--version"], ["--help"], ["orders", "list", "--json"]]) {
    const times: [number[], number[]] = [[], []];
    for (let n = 0; n < 15; n++)
      for (const [which, command] of [bpos, npm].entries()) {
        const time = await timeOf([...command, ...line], env);
        // The first two find nothing kept yet.
        if (n > 1) times[which]?.push(time);
      }
    const ratio = middle(times[0]) / middle(times[1]);
    const shown = times.map((each) => middle(each).toFixed(0)).join(" ms, package of npm ");
    process.stdout.write(`bpos ${line.join(" ")}: executable ${shown} ms: ${ratio.toFixed(2)} ×\n`);
    expect(ratio).toBeLessThan(limit);
  }
  await mock.close();
});

it("starts the first time after it was unpacked as it does later", async () => {
  const ratios: number[] = [];
  for (let n = 0; n < 3; n++) {
    const place = join(folder, "again");
    mkdirSync(place);
    const bpos = join(await unpack("linux-x64", place), "bpos");
    const env = { BPOS_HOME: join(place, "home") };
    const [first, second] = [await timeOf([bpos, "--help"], env), await timeOf([bpos, "--help"], env)];
    ratios.push(first / second);
    rmSync(place, { recursive: true });
  }
  process.stdout.write(`the first run after unpacking: ${middle(ratios).toFixed(2)} × the second\n`);
  expect(middle(ratios)).toBeLessThan(3);
});
