import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RunningMock } from "../../src/mock/index.ts";
import { runAndKill, runBinary } from "../support/binary.ts";
import { parse } from "../support/push.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { randomOf, sized } from "../support/soak.ts";

const rows = sized(1_000, 2_500);
const killsALane = sized(1, 30);
const faults = [
  "POST /v1/catalog/items commit-drop rate=0.04",
  "POST /v1/catalog/items status=502 rate=0.04",
];

/** Written as text: a sum of doubles such as 1.8599999999999999 is refused, and rightly. */
const priceOf = (row: number, version: number): number =>
  Number(`${row}.${String(version).padStart(2, "0")}`);

/** The price list of a version; each differs from the others in every row. */
function writeVersion(file: string, version: number): void {
  const lines = Array.from({ length: rows }, (_, n) => `K${n},Pan ${n},${priceOf(n, version)}`);
  writeFileSync(file, `codigo,nombre,precio\n${lines.join("\n")}\n`);
}

/** The version of each row's price that the service has. */
async function versionsOf(mock: RunningMock): Promise<number[]> {
  const versions: number[] = [];
  for (const { codigo, precio } of await mock.control.catalog()) {
    const row = Number(codigo.slice(1));
    versions[row] = Math.round((precio - row) * 100);
  }
  return versions;
}

/** Kills pushes of one branch at random moments, some of a changed file, then lets one end; no price ever goes back. */
async function surviveKills(lane: string): Promise<void> {
  const random = randomOf(lane);
  const { mock, env } = await service({ scenario: "empty" });
  const home = temporaryFolder();
  const world = { BPOS_HOME: home, ...env };
  const file = join(home, "prices.csv");
  const argv = ["catalog", "push", file, "--batch-size", "50", "--json", "--retries"];
  const moments: string[] = [];
  let version = 1;
  writeVersion(file, version);
  const began = performance.now();
  expect((await runBinary([...argv, "0"], { env: world })).code).toBe(0);
  const wholeMs = performance.now() - began;
  let versions = await versionsOf(mock);
  for (const fault of faults) await mock.control.addFault(fault);

  let finished = true;
  for (let kills = 0; kills < killsALane; ) {
    if (finished || random() < 0.2) writeVersion(file, ++version);
    const ms = Math.round(random() * wholeMs);
    const retries = random() < 0.7 ? "1" : "0";
    const end = await runAndKill([...argv, retries], world, ms);
    moments.push(`v${version}+${ms}/${wholeMs.toFixed(0)}ms,retries=${retries}:${end}`);
    expect([0, 7, "SIGKILL"], moments.join(" ")).toContain(end);
    if (end === "SIGKILL") kills += 1;
    finished = end === 0;
    const now = await versionsOf(mock);
    expect(
      now.filter((each, row) => each < versions[row]!),
      moments.join(" "),
    ).toEqual([]);
    versions = now;
  }
  // Nobody kills the last ones: they need no process of their own.
  const run = shell({ env: world });
  let last = await run([...argv, "1"]);
  for (let runs = 1; last.code === 7 && runs < 40; runs++) last = await run([...argv, "1"]);
  expect(parse(last.stdout), `${moments.join(" ")} ${last.stderr}`).toMatchObject({
    ...{ accepted: rows, skipped_stale: 0, rejected: [], outcome: "complete" },
  });
  expect(new Set(await versionsOf(mock)), moments.join(" ")).toEqual(new Set([version]));
}

it("leaves the catalog of the last file, and no price ever goes back, whenever pushes are killed", {
  timeout: 120_000,
}, async () => {
  // Two shops side by side: most of the time is the start of a process.
  await Promise.all(["centro", "norte"].slice(0, sized(1, 2)).map(surviveKills));
});
