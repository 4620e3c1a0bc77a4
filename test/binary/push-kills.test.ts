import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { openJournal } from "../../src/journal/open.ts";
import type { RunningMock } from "../../src/mock/index.ts";
import { parse } from "../support/push.ts";
import { type Run, root, runBinary, shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";

const rows = 2_500;
const perBatch = 50;
const killsALane = 30;
const faults = [
  "POST /v1/catalog/items commit-drop rate=0.04",
  "POST /v1/catalog/items status=502 rate=0.04",
];

const codeOf = (row: number): string => `K${String(row).padStart(5, "0")}`;
/** Written as text: a sum of doubles such as 1.8599999999999999 is refused, and rightly. */
const priceOf = (row: number, version: number): number =>
  Number(`${row}.${String(version).padStart(2, "0")}`);

/** The price list of a version; each differs from the others in every row. */
function writeVersion(file: string, version: number): void {
  const lines = Array.from({ length: rows }, (_, n) => `${codeOf(n)},Pan ${n},${priceOf(n, version)}`);
  writeFileSync(file, `codigo,nombre,precio\n${lines.join("\n")}\n`);
}

/** Which events the mock applied, each once, in the order of its own log. */
class Applied {
  readonly ids: string[] = [];
  readonly #mock: RunningMock;
  #lastId = 0;

  constructor(mock: RunningMock) {
    this.#mock = mock;
  }

  /** Hears of what is new; the log is short, so this is done after each run. */
  async hear(): Promise<void> {
    const log = await this.#mock.control.requests(1_000);
    expect(log[0]!.id).toBeLessThanOrEqual(this.#lastId + 1);
    for (const { id, event_id, status, fault } of log) {
      const isApplied = status === 200 || fault === "commit-drop";
      if (id > this.#lastId && event_id !== undefined && isApplied && !this.ids.includes(event_id))
        this.ids.push(event_id);
    }
    this.#lastId = log.at(-1)!.id;
  }
}

interface KeptEvent {
  event_id: string;
  stamp: number;
  answer: string | null;
  seq: number;
}

function keptEvents(home: string): Map<string, KeptEvent> {
  const journal = openJournal(join(home, "state", "journal.db"));
  const sql = "SELECT event_id, stamp, answer, seq FROM push_event JOIN push USING (push_id)";
  const events = journal.prepare(sql).all() as KeptEvent[];
  journal.close();
  return new Map(events.map((event) => [event.event_id, event]));
}

/** Kills pushes of one branch at random moments, some of a changed file, then lets one end; checks what the mock has. */
async function surviveKills(moments: string[]): Promise<void> {
  const { mock, env } = await service({ scenario: "empty" });
  const home = temporaryFolder();
  const world = { env: { BPOS_HOME: home, ...env } };
  const file = join(home, "prices.csv");
  const argv = ["catalog", "push", file, "--batch-size", String(perBatch), "--json", "--retries"];
  const applied = new Applied(mock);
  let version = 1;
  writeVersion(file, version);
  const began = performance.now();
  expect((await runBinary([...argv, "0"], world)).code).toBe(0);
  const wholeMs = performance.now() - began;
  await applied.hear();
  for (const fault of faults) await mock.control.addFault(fault);

  let finished = true;
  for (let kills = 0; kills < killsALane; ) {
    if (finished || Math.random() < 0.2) writeVersion(file, ++version);
    const ms = Math.round(Math.random() * wholeMs);
    const retries = Math.random() < 0.7 ? "1" : "0";
    const child = spawn(process.execPath, [join(root, "bin/bpos.js"), ...argv, retries], {
      env: { PATH: process.env["PATH"], ...world.env },
      stdio: "ignore",
    });
    const ended = once(child, "close");
    await Promise.race([ended, pause(ms)]);
    child.kill("SIGKILL");
    const [code, signal] = (await ended) as [number | null, string | null];
    if (signal !== null) kills += 1;
    finished = code === 0;
    moments.push(`v${version}+${ms}/${wholeMs.toFixed(0)}ms,retries=${retries}:${signal ?? code}`);
    if (signal === null) expect([0, 7], moments.join(" ")).toContain(code);
    await applied.hear();
  }
  // Nobody kills the last ones: they need no process of their own.
  const run = shell(world);
  await finishAndCheck({ mock, home, applied, moments, version }, () => run([...argv, "1"]));
}

async function finishAndCheck(
  lane: { mock: RunningMock; home: string; applied: Applied; moments: string[]; version: number },
  push: () => Promise<Run>,
): Promise<void> {
  const { mock, home, applied, version } = lane;
  const moments = lane.moments.join(" ");
  let last = await push();
  for (let runs = 1; last.code === 7 && runs < 40; runs++) last = await push();
  expect([0, 3], `${moments} ${last.stderr}`).toContain(last.code);
  expect(parse(last.stdout), moments).toMatchObject({
    accepted: rows,
    skipped_stale: 0,
    outcome: "complete",
  });
  await applied.hear();

  const catalog = await mock.control.catalog();
  const prices = catalog.map(({ codigo, precio }) => [codigo, precio] as const).sort();
  const expected = Array.from({ length: rows }, (_, n) => [codeOf(n), priceOf(n, version)]);
  expect(prices, moments).toEqual(expected);

  const events = keptEvents(home);
  const stale = [...events.values()].filter(
    ({ answer }) => answer !== null && (JSON.parse(answer) as { skipped_stale: number }).skipped_stale > 0,
  );
  expect(stale, moments).toEqual([]);
  const order = applied.ids.map((id) => events.get(id)!);
  const inOrder = [...order].sort((a, b) => a.seq - b.seq || a.stamp - b.stamp);
  expect(order, moments).toEqual(inOrder);
  const stamps = order.map(({ stamp }) => stamp);
  expect(stamps, moments).toEqual([...new Set(stamps)].sort((a, b) => a - b));
}

it("leaves the catalog of the last file, however often and whenever pushes are killed", {
  timeout: 120_000,
}, async () => {
  // Two shops side by side: most of the time is the start of a process.
  await Promise.all([surviveKills([]), surviveKills([])]);
});
