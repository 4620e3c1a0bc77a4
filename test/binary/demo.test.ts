import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { runBinary } from "../support/binary.ts";
import { temporaryFolder } from "../support/run.ts";

it("tours the whole service without a question, a key or a trace", async () => {
  const home = temporaryFolder();
  const folder = temporaryFolder();
  const run = await runBinary(["demo"], { env: { HOME: home }, cwd: folder });
  expect(run.code, run.stderr).toBe(0);
  // What its watches say, the outage included; the key of the branch is in nothing.
  expect(run.stderr).toMatch(
    /^Watching demo[^\n]*\nNo answer: [^\n]*503[^\n]*\nThe service answers again[^\n]*\nWatching demo[^\n]*\n$/,
  );
  expect(run.stdout + run.stderr).not.toContain("bpk_");
  for (const sign of ["MOCK · Catalog push", "MOCK · Orders", "MOCK · Campaign", "REPLAYED"])
    expect(run.stdout).toContain(sign);
  expect(run.stdout).toMatch(/MOCK · Order \d+/);
  expect(readdirSync(folder)).toEqual([]);
  const left = readdirSync(home, { recursive: true }).map(String).sort();
  expect(left).toEqual([".local", ".local/state", ".local/state/bpos"]);
});
