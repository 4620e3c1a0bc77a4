import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { runBinary } from "../support/binary.ts";
import { temporaryFolder } from "../support/run.ts";

it("tours the whole service without a question, a key or a trace", async () => {
  const home = temporaryFolder();
  const folder = temporaryFolder();
  const run = await runBinary(["demo"], { env: { HOME: home }, cwd: folder });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  for (const sign of ["MOCK · Catalog push", "MOCK · Orders", "MOCK · Campaign", "REPLAYED", "291", "54"])
    expect(run.stdout).toContain(sign);
  expect(run.stdout).toMatch(/MOCK · Order \d+/);
  expect(readdirSync(folder)).toEqual([]);
  const left = readdirSync(home, { recursive: true }).map(String).sort();
  expect(left).toEqual([".local", ".local/state", ".local/state/bpos"]);
});
