import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runAndKill, runBinary } from "../support/binary.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { randomOf, seed, sized } from "../support/soak.ts";

const rows = 600;
const kills = sized(2, 60);

it(`ends at one of the two lists, never between, whenever an undo is killed (seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  const random = randomOf("undo-kills");
  const { mock, env } = await service({ scenario: "empty" });
  const home = temporaryFolder();
  const world = { BPOS_HOME: home, ...env };
  const run = shell({ env: world });
  const list = (version: number): string => {
    const file = join(home, `v${version}.csv`);
    const lines = Array.from({ length: rows }, (_, n) => `K${n},Pan ${n},${n * 10 + version}`);
    writeFileSync(file, `codigo,nombre,precio\n${lines.join("\n")}\n`);
    return file;
  };
  /** The versions of the prices that the service has. */
  const versions = async (): Promise<number[]> => {
    const products = await mock.control.catalog();
    return [...new Set(products.map(({ codigo, precio }) => precio - Number(codigo.slice(1)) * 10))].sort();
  };
  const undo = ["catalog", "undo", "--yes", "--json", "--batch-size", "20"];
  for (const version of [1, 2]) expect((await run(["catalog", "push", list(version)])).code).toBe(0);
  const began = performance.now();
  expect((await runBinary(undo, { env: world })).code).toBe(0);
  const wholeMs = performance.now() - began;
  let last = 1;
  expect(await versions()).toEqual([last]);
  await mock.control.addFault("POST /v1/catalog/items commit-drop rate=0.03");

  for (let n = 0, moments: string[] = []; n < kills; ) {
    const wanted = 3 - last;
    const ms = Math.round(random() * wholeMs);
    const end = await runAndKill([...undo, "--retries", "0"], world, ms);
    moments.push(`+${ms}/${wholeMs.toFixed(0)}ms:${end}`);
    expect([0, 7, "SIGKILL"], moments.join(" ")).toContain(end);
    if (end === "SIGKILL") n += 1;
    const then = await versions();
    if (end === 0) expect(then, moments.join(" ")).toHaveLength(1);
    // Killed before its first batch it did nothing, after its last one all of it.
    if (then.length === 1 && end !== 7) {
      [last = last] = then;
      continue;
    }
    let more = await run(undo);
    for (let tries = 0; more.code === 7 && tries < 20; tries++) more = await run(undo);
    expect(more.code, `${moments.join(" ")} ${more.stderr}`).toBe(0);
    expect(await versions(), moments.join(" ")).toEqual([wanted]);
    last = wanted;
    moments = [];
  }
});
