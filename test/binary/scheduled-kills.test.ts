import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runAndKill } from "../support/binary.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { randomOf, seed, sized } from "../support/soak.ts";

const rows = 600;
const kills = sized(1, 60);

it(`a push that waited is sent whole, and no older price wins, whenever its watch is killed (seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  const random = randomOf("scheduled-kills");
  const { mock, env } = await service({ scenario: "empty" });
  const home = temporaryFolder();
  const world = { BPOS_HOME: home, ...env };
  const run = shell({ env: world });
  const list = (version: number): string => {
    const file = join(home, "prices.csv");
    const lines = Array.from({ length: rows }, (_, n) => `K${n},Pan ${n},${n * 1000 + version}`);
    writeFileSync(file, `codigo,nombre,precio\n${lines.join("\n")}\n`);
    return file;
  };
  /** The versions of the prices that the service has, but for the one that somebody pushes by hand. */
  const versions = async (): Promise<number[]> => {
    const products = (await mock.control.catalog()).filter(({ codigo }) => codigo !== "K7");
    return [...new Set(products.map(({ codigo, precio }) => precio - Number(codigo.slice(1)) * 1000))].sort();
  };
  const push = async (file: string, ...flags: string[]) => {
    const ended = await run(["catalog", "push", file, "--json", ...flags]);
    expect(ended.code, ended.stderr).toBe(0);
  };
  const watch = ["orders", "watch", "--once", "-o", "ndjson", "--retries", "0"];
  await push(list(1), "--changed-only");
  await mock.control.addFault("POST /v1/catalog/items commit-drop rate=0.03");
  let wholeMs = 2_000;

  for (let n = 0, version = 2; n < kills; version++) {
    await push(list(version), "--at", "200ms", "--batch-size", "20");
    const byHand = join(home, "hand.csv");
    writeFileSync(byHand, `codigo,nombre,precio\nK7,Pan 7,${7000 + 900 + version}\n`);
    await run(["catalog", "push", byHand, "--retries", "9"]);
    const moments: string[] = [];
    for (let tries = 0; tries < 30; tries++) {
      const began = performance.now();
      const ms = tries < 2 ? Math.round(random() * wholeMs) : 60_000;
      const end = await runAndKill(watch, world, ms);
      moments.push(`+${ms}ms:${end}`);
      if (end === "SIGKILL") n += 1;
      else if (end === 0 || (end === 3 && tries >= 2)) {
        wholeMs = Math.min(wholeMs, performance.now() - began);
        const { stdout } = await run(["status", "--json"]);
        const { branches } = JSON.parse(stdout) as { branches: { waiting_pushes: unknown[] }[] };
        if (branches[0]!.waiting_pushes.length === 0) break;
      }
    }
    expect(await versions(), moments.join(" ")).toEqual([version]);
    const products = await mock.control.catalog();
    expect(products.find(({ codigo }) => codigo === "K7")!.precio, moments.join(" ")).toBe(7900 + version);
  }
});
