import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openJournal } from "../../../src/journal/journal.ts";
import type { Lock } from "../../../src/journal/locks/locks.ts";
import { branchId } from "../../../src/journal/records/branches.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { sized, soakIt } from "../../support/soak.ts";
import { statusOf } from "../../support/status.ts";

const minute = 60_000;
/** More than people read. */
const size = sized(303, 10_000);
const address = "https://pos.example.com";
const names = Array.from({ length: size }, (_, n) => `b${String(n).padStart(5, "0")}`);
const keyOf = (name: string): string => `key-of-${name}`;

const lockOf = (name: string): Lock => ({
  work: "watch",
  branch: branchId({ address, world: undefined, apiKey: keyOf(name) }),
  consumer: "default",
});

/** A process that holds the locks of all branches, and what it says of them; the first three were not polled for a quarter of an hour. */
async function fleet() {
  const clock = fakeClock();
  const home = temporaryFolder();
  const run = shell({ env: { BPOS_HOME: home, NO_COLOR: "1" }, clock });
  const of = (name: string) => ({ base_url: address, api_key: keyOf(name) });
  const profiles = Object.fromEntries(names.map((name) => [name, of(name)]));
  writeFileSync(join(home, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
  const holder = { id: "one", pid: 4711, host: "caja-1" };
  const journal = await openJournal(join(home, "state", "journal.db"), { holder, env: {} });
  onTestFinished(() => journal.close());
  await journal.underFree(names.map(lockOf), () => Promise.resolve());

  async function note(slowed?: { since: number; intervalMs: number; everyMs: number }): Promise<void> {
    const watches = await journal.transaction(async ({ orders }) => {
      const ids: number[] = [];
      for (const name of names) ids.push((await orders.open(lockOf(name).branch, "default")).watchId);
      return ids;
    });
    const polledAt = (n: number): number => clock.now() - (n < 3 ? 15 * minute : 0);
    const about = { state: "ok", since: clock.now() - 60 * minute, slowed } as const;
    await journal.watches.noteAll(
      watches.map((watchId, n) => ({ ...about, watchId, name: names[n]!, polledAt: polledAt(n) })),
    );
  }
  return { clock, run, note };
}

it("shows on a terminal what is not well and the sum of the rest, and elsewhere every branch", async () => {
  const { run, note } = await fleet();
  await note();
  const { stdout } = await run(["status"], { terminal: 120 });
  expect(stdout.match(/^b\d{5} /gm)).toEqual(["b00000 ", "b00001 ", "b00002 "]);
  expect(stdout).toContain("b00002: Process caja-1:4711 watches it, but completes no poll.");
  expect(stdout).toMatch(
    /\n300 other branches are well\.\n300 branches are not in the table: `bpos status -o csv` lists all\.\n$|\n9\.997 other/,
  );
  expect((await run(["status"])).stdout.trimEnd().split("\n")).toHaveLength(size + 1);
  expect((await run(["status", "-o", "csv"])).stdout.trimEnd().split("\r\n")).toHaveLength(size + 1);
  expect((await run(["status", "-o", "ndjson"])).stdout.trimEnd().split("\n")).toHaveLength(size);
  const { ok, branches } = await statusOf(run);
  expect([ok, branches.length, branches[0]!.watch.behind]).toEqual([false, size, null]);
});

it("warns once of a process that polls all of them less often than it should, in both languages", async () => {
  const { run, note, clock } = await fleet();
  const since = clock.now() - 20 * minute;
  await note({ since, intervalMs: minute, everyMs: 10 * minute });
  const { ok, branches } = await statusOf(run);
  expect(ok).toBe(false);
  expect(branches.map(({ watch }) => [watch.state, watch.behind?.interval_s, watch.behind?.every_s])).toEqual(
    names.map(() => ["ok", 60, 600]),
  );
  expect(branches[0]!.watch.behind!.since).toMatch(/^2026-01-01T/);

  const { stdout, stderr } = await run(["status"], { terminal: 200 });
  const warning = /caja-1:4711 polls [\d.]+ branches about every 10 min instead of every 1 min, since 2026-/;
  expect(stdout.match(new RegExp(warning, "g"))).toHaveLength(1);
  expect(stdout + stderr).not.toMatch(/well|completes no poll/);
  expect((await run(["status", "-q"])).stderr.match(new RegExp(warning, "g"))).toHaveLength(1);
  const spanish = await run(["status", "--lang", "es"], { terminal: 200 });
  expect(spanish.stdout).toMatch(/caja-1:4711 consulta [\d.]+ sucursales más o menos cada 10 min en vez de/);
  // A poll of two such intervals ago is too old.
  clock.advance(6 * minute);
  expect((await run(["status"])).stderr).toContain(
    "b00000: ok · Process caja-1:4711 watches it, but completes no poll",
  );

  await note();
  expect((await statusOf(run)).branches[3]!.watch.behind).toBeNull();
});

it("tells a hundred problems of many, and how many more there are", async () => {
  const { run, note, clock } = await fleet();
  await note();
  clock.advance(30 * minute);
  const { stdout } = await run(["status"], { terminal: 200 });
  expect(stdout.match(/^b\d{5} /gm)).toHaveLength(100);
  expect(stdout.match(/completes no poll/g)).toHaveLength(100);
  expect(stdout).toMatch(
    /\n(203|9\.900) more problems: `bpos status -p <profile>` shows those of one branch\.\n/,
  );
  const { stderr } = await run(["status"]);
  expect(stderr.match(/completes no poll/g)).toHaveLength(100);
  expect(stderr).toContain("more problems");
});

soakIt("reads and writes ten thousand profiles and branches in two seconds of CPU each", async () => {
  const { run, note } = await fleet();
  await note();
  const commands = [
    ["status"],
    ["status", "-o", "json"],
    ["profile", "list"],
    ["profile", "list", "-o", "json"],
    ["__complete", "bash", "--", "orders", "list", "-p", ""],
    ["profile", "use", "b00007"],
  ];
  for (const argv of commands) {
    const before = process.cpuUsage();
    await run(argv);
    const { user, system } = process.cpuUsage(before);
    expect([argv, (user + system) / 1e6 < 2]).toEqual([argv, true]);
  }
});
