import { writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import type { CatalogEvent } from "../../src/contract/catalog.ts";
import type { RunningMock } from "../../src/mock/index.ts";
import { realClock } from "../../src/system.ts";
import { type Running, startBinary } from "../../test/support/binary.ts";
import { errorOf } from "../../test/support/campaigns.ts";
import { parse } from "../../test/support/push.ts";
import { shell, temporaryFolder } from "../../test/support/run.ts";
import { service } from "../../test/support/service.ts";
import { randomOf, sized } from "../../test/support/soak.ts";
import { type Database, database, stopBetweenSteps } from "../support/postgres.ts";

const killsALane = sized(1, 30);
const products = 2_000;

const patient = { timeout: 20_000, interval: 20 };

/** A price list in which every price ends in its version. */
function writeVersion(version: number): string {
  const file = join(temporaryFolder(), `v${version}.csv`);
  const cents = String(version).padStart(2, "0");
  const lines = Array.from({ length: products }, (_, n) => `K${n},Pan ${n},${n}.${cents}`);
  writeFileSync(file, `codigo,nombre,precio\n${lines.join("\n")}\n`);
  return file;
}
const versionOf = ({ codigo, precio }: { codigo: string; precio?: unknown }): number =>
  Math.round((Number(precio) - Number(codigo.slice(1))) * 100);

/** Reads the pushes in the service's own log: the stamps of each version, and what it has in the end. */
function judge(mock: RunningMock) {
  let seen = 0;
  const stamps = new Map<number, Set<number>>();
  let versions: number[] = [];
  return {
    stamps,
    /** Throws when a price went back since the last look. */
    async look(): Promise<number[]> {
      for (const { id, path, method } of await mock.control.requests(1_000)) {
        if (id <= seen) continue;
        seen = id;
        if (method !== "POST" || path !== "/v1/catalog/items") continue;
        const body = (await mock.control.request(id)).request_body;
        // A request that was cut off has none.
        if (!body) continue;
        const { items, occurred_at: stamp } = JSON.parse(body) as CatalogEvent;
        const version = versionOf(items[0]!);
        stamps.set(version, (stamps.get(version) ?? new Set()).add(Date.parse(stamp)));
      }
      const before = versions;
      versions = [];
      for (const product of await mock.control.catalog())
        versions[Number(product.codigo.slice(1))] = versionOf(product);
      expect(versions.filter((version, n) => version < (before[n] ?? 0))).toEqual([]);
      return versions;
    },
    /** Throws unless each version, in the sequence in which they had the branch, has later stamps than the one before. */
    sequence(order: readonly number[]): void {
      const ranges = order.flatMap((version) => {
        const all = [...(stamps.get(version) ?? [])];
        return all.length === 0 ? [] : [Math.min(...all), Math.max(...all)];
      });
      expect(ranges.toSorted((a, b) => a - b)).toEqual(ranges);
    },
  };
}

/** Resolves when a process has the branch, or ended. */
async function holds({ psql }: Database, { child, exited }: Running): Promise<void> {
  const gone = exited.then(() => true);
  const pids = "SELECT pid::int FROM bpos.claim JOIN bpos.holder ON holder.id = claim.holder";
  for (;;) {
    if ((await psql(pids)).some(({ pid }) => pid === child.pid)) return;
    if (await Promise.race([gone, pause(30)])) return;
  }
}

/** Two machines with one journal, and a push of a new version from one of them. */
async function shop(faults: readonly string[], batches = 40) {
  const { mock, env } = await service({ scenario: "empty" });
  const shared = await database();
  const homes = [0, 1].map(() => ({ ...env, BPOS_JOURNAL: shared.url, BPOS_HOME: temporaryFolder() }));
  const argv = (file: string, ...more: string[]): string[] => [
    ...["catalog", "push", file, "--batch-size", `${products / batches}`, "--json", ...more],
  ];
  let version = 0;
  const next = (): string => writeVersion(++version);
  expect((await shell({ env: homes[0]! })(argv(next()))).code).toBe(0);
  for (const fault of faults) await mock.control.addFault(fault);
  return {
    ...{ mock, shared, homes, argv, next, judge: judge(mock) },
    version: () => version,
    start: (home: number, ...flags: string[]): Running =>
      startBinary(argv(next(), ...flags), { env: homes[home]! }),
  };
}

async function surviveKills(lane: number): Promise<void> {
  const random = randomOf(`pushes ${lane}`);
  const faults = ["commit-drop rate=0.04", "status=502 rate=0.04"].map(
    (each) => `POST /v1/catalog/items ${each}`,
  );
  const { shared, homes, start, argv, next, version, judge } = await shop(faults);
  const waiting = ["--lock-wait", "60s", "--retries", "1"];
  const ends: string[] = [];
  let active = start(0, ...waiting);
  for (let kills = 0, home = 1; kills < killsALane; home = 1 - home) {
    await holds(shared, active);
    // It waits for its turn: so the newer file has it later.
    const waits = start(home, ...waiting);
    await pause(200 + random() * 1_800);
    const end = await active.stop("SIGKILL");
    ends.push(`v${version() - 1}:${end}`);
    expect([0, 7, "SIGKILL"], `${ends.join(" ")} ${active.err()}`).toContain(end);
    if (end === "SIGKILL") kills += 1;
    await judge.look();
    active = waits;
  }
  expect([0, 7], active.err()).toContain(await active.exited);
  const file = next();
  for (let tries = 0, code = 7; code !== 0; tries++) {
    ({ code } = await shell({ env: homes[tries % 2]! })(argv(file, "--retries", "2")));
    expect([0, 7]).toContain(code);
    expect(tries, ends.join(" ")).toBeLessThan(20);
  }
  expect(new Set(await judge.look()), ends.join(" ")).toEqual(new Set([version()]));
  judge.sequence(Array.from({ length: version() }, (_, n) => n + 1));
}

describe("two machines that push one branch", () => {
  it("take turns, and no price goes back, whenever the one at work is killed", {
    timeout: 900_000,
  }, async () => {
    await Promise.all([0, 1].map(surviveKills));
  });

  it("one that is stopped for longer than its lock lasts writes nothing more, and its prices do not come back", async () => {
    const { mock, shared, start, version, judge } = await shop(["POST /v1/catalog/items delay=200ms"], 10);
    const stopped = start(0);
    await vi.waitFor(async () => {
      await judge.look();
      expect(judge.stamps.get(2)?.size).toBeGreaterThan(3);
    }, patient);
    await stopBetweenSteps(shared, stopped.child);
    const other = start(1, "--lock-wait", "60s");
    expect(await other.exited, other.err()).toBe(0);
    const tables = ["push", "push_event", "branch_stamp", "catalog_item", "claim"];
    const journal = () =>
      Promise.all(tables.map((name) => shared.psql(`SELECT * FROM bpos.${name} AS t ORDER BY t::text`)));
    const before = await journal();
    stopped.child.kill("SIGCONT");
    expect([7, 9], stopped.err()).toContain(await stopped.exited);
    expect(await journal()).toEqual(before);
    expect(new Set(await judge.look())).toEqual(new Set([version()]));
    expect(await mock.control.catalog()).toHaveLength(products);
    judge.sequence([1, 2, 3]);
  });

  it("the second waits for its turn, or ends with 9 naming machine and process of the first", async () => {
    const { homes, start, argv, next, version, judge, shared } = await shop(
      ["POST /v1/catalog/items delay=200ms"],
      10,
    );
    const first = start(0);
    await holds(shared, first);
    const file = next();
    const refused = await shell({ env: homes[1]! })(argv(file, "--lock-wait", "0"));
    expect(refused.code).toBe(9);
    const facts = { reason: "locked", pid: first.child.pid, host: hostname() };
    expect(errorOf(refused.stderr)).toMatchObject(facts);
    expect(errorOf(refused.stderr)["message"]).toContain(hostname());
    const waited = await shell({ env: homes[1]! })(argv(file, "--lock-wait", "60s"));
    expect([waited.code, parse(waited.stdout)]).toMatchObject([0, { accepted: products }]);
    expect(await first.exited).toBe(0);
    expect(new Set(await judge.look())).toEqual(new Set([version()]));
    judge.sequence([1, 2, 3]);
  });

  it("never give an older stamp to a newer push, whichever clock is behind", async () => {
    const { homes, argv, next, version, judge } = await shop([]);
    const behind = [-50, 0, 50, -50, 0].map((minutes) => minutes * 60_000);
    for (const [n, ms] of behind.entries()) {
      const clock = { ...realClock, now: () => realClock.now() + ms };
      const { code, stdout } = await shell({ env: homes[n % 2]!, clock })(argv(next()));
      expect([code, parse(stdout)]).toMatchObject([0, { accepted: products, skipped_stale: 0 }]);
      expect(new Set(await judge.look())).toEqual(new Set([version()]));
    }
    judge.sequence([1, 2, 3, 4, 5, 6]);
  });
});
