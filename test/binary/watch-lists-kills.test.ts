import { spawnSync } from "node:child_process";
import { appendFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { RunningMock } from "../../src/mock/index.ts";
import { runAndKill, runBinary, startBinary } from "../support/binary.ts";
import { temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { isSoak, randomOf, sized, soakIt } from "../support/soak.ts";

const rows = 2_000;
const lanes = sized(["watch centro"], ["watch centro", "watch norte"]);
const killsALane = sized(1, 30);
/** In milliseconds; before it no list counts as whole. */
const wholeMs = 2_000;

const priceOf = (row: number, version: number): number =>
  Number(`${row + 1}.${String(version).padStart(2, "0")}`);

/** Saves a list whose rows all differ from those of other versions, as a spreadsheet does: a new file takes the name. */
function save(file: string, version: number): void {
  const lines = Array.from({ length: rows }, (_, n) => `K${n},Pan ${n},${priceOf(n, version)}`);
  writeFileSync(`${file}.tmp`, `codigo,nombre,precio\n${lines.join("\n")}\n`);
  renameSync(`${file}.tmp`, file);
}

/** The version of each row's price that the service has. */
async function versionsOf(mock: RunningMock): Promise<number[]> {
  const versions: number[] = [];
  for (const { codigo, precio } of await mock.control.catalog()) {
    const row = Number(codigo.slice(1));
    versions[row] = Math.round((precio - row - 1) * 100);
  }
  return versions;
}

async function surviveKills(lane: string): Promise<void> {
  const random = randomOf(lane);
  const { mock, env } = await service({ scenario: "empty" });
  const world = { BPOS_HOME: temporaryFolder(), ...env };
  const folder = temporaryFolder();
  const file = join(folder, "prices.csv");
  const argv = ["catalog", "watch", folder, "--batch-size", "40", "--retries", "1"];
  const posts = async () =>
    (await mock.control.requests(1000)).filter(({ method }) => method === "POST").length;
  const moments: string[] = [];
  let version = 1;
  save(file, version);
  const began = performance.now();
  // It takes seconds until a list is whole: what `npm test` takes has no time for it.
  if (isSoak) expect((await runBinary([...argv, "--once"], { env: world })).code).toBe(0);
  const onceMs = isSoak ? performance.now() - began : 3_500;
  let versions = await versionsOf(mock);
  await mock.control.addFault("POST /v1/catalog/items commit-drop rate=0.02");

  for (let kills = 0; kills < killsALane; kills++) {
    if (random() < 0.7) save(file, ++version);
    const ms = Math.round(wholeMs + random() * (onceMs - wholeMs));
    const saving = random() < 0.3 ? Math.round(random() * ms) : undefined;
    const killed = runAndKill(argv, world, ms);
    if (saving !== undefined) setTimeout(() => save(file, ++version), saving);
    moments.push(`v${version}+${ms}ms${saving === undefined ? "" : `,saved at ${saving}`}:${await killed}`);
    const now = await versionsOf(mock);
    expect(
      now.filter((each, row) => each < versions[row]!),
      moments.join(" "),
    ).toEqual([]);
    expect(new Set(now).size, moments.join(" ")).toBeLessThanOrEqual(version);
    versions = now;
  }

  let last = await runBinary([...argv, "--once", "-o", "ndjson"], { env: world });
  for (let runs = 1; last.code === 7 && runs < 40; runs++)
    last = await runBinary([...argv, "--once", "-o", "ndjson"], { env: world });
  expect(last.code, `${moments.join(" ")} ${last.stderr}`).toBe(0);
  expect(new Set(await versionsOf(mock)), moments.join(" ")).toEqual(new Set([version]));
  if (!isSoak) return;
  const before = await posts();
  const again = await runBinary([...argv, "--once", "-o", "ndjson"], { env: world });
  expect(again).toMatchObject({ code: 0, stdout: "" });
  expect(await posts()).toBe(before);
}

it("leaves the catalog of the last list that was saved, and no price ever goes back, whenever the watch is killed", {
  timeout: 300_000,
}, async () => {
  await Promise.all(lanes.map(surviveKills));
});

/** Writes until nothing more fits. */
function fill(file: string): void {
  try {
    for (;;) appendFileSync(file, Buffer.alloc(16_384));
  } catch {
    // It is full.
  }
}

soakIt(
  "goes on with the list that was saved once a disk that was full has room again",
  { timeout: 120_000 },
  async (context) => {
    const disk = temporaryFolder();
    // It needs root, and a system that has such disks.
    const mounted = spawnSync("/bin/sh", ["-c", `mount -t tmpfs -o size=4m tmpfs ${disk}`]);
    if (mounted.status !== 0) return context.skip();
    onTestFinished(() => void spawnSync("/bin/sh", ["-c", `umount -l ${disk}`]));
    const { mock, env } = await service({ scenario: "empty" });
    const file = join(temporaryFolder(), "prices.csv");
    save(file, 1);
    const watch = startBinary(["catalog", "watch", file, "-o", "ndjson"], {
      env: { BPOS_HOME: disk, ...env },
    });
    await watch.said("catalog.pushed");
    fill(join(disk, "full"));
    save(file, 2);
    await watch.said("watch.outage");
    rmSync(join(disk, "full"));
    await watch.said("watch.recovered");
    expect(await watch.stop("SIGINT"), watch.err()).toBe(130);
    expect(new Set(await versionsOf(mock))).toEqual(new Set([2]));
  },
);
