import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readScenarioDefinition } from "../../src/mock/index.ts";
import { type Running, startBinary } from "../../test/support/binary.ts";
import { temporaryFolder } from "../../test/support/run.ts";
import { service } from "../../test/support/service.ts";
import { sized } from "../../test/support/soak.ts";
import { eventsOf } from "../../test/support/watch.ts";
import { database, server } from "../support/postgres.ts";
import { patient, shop } from "../support/shop.ts";

/** From the end of one process until another works in its place. */
const takeOverMs = 5_000;
const long = { timeout: sized(60_000, 240_000) };

/** Returns the whole lines that a process has written. */
const events = (watch: Running) => eventsOf({ stdout: watch.out().replace(/[^\n]*$/, "") });
const turns = (watch: Running) =>
  events(watch).flatMap(({ event, branch, holder }) =>
    event.startsWith("watch.") ? [[event, branch, ...(holder === undefined ? [] : [holder])]] : [],
  );
const delivers = (watch: Running) => events(watch).filter(({ event }) => event === "order.new").length;
const nameOf = ({ child }: Running): string => `${hostname()}:${child.pid}`;

/** Waits for the nth time that a process takes a branch; how long that took, in milliseconds. */
async function active(watch: Running, times = 1): Promise<number> {
  const began = performance.now();
  const taken = () => turns(watch).filter(([event]) => event === "watch.active").length;
  await vi.waitFor(() => expect(taken(), watch.err()).toBeGreaterThanOrEqual(times), patient);
  return performance.now() - began;
}

const count = (text: string, part: string): number => text.split(part).length - 1;

describe("a watch that stands by", () => {
  it("takes over within 5 s of the other's SIGKILL, and marks what it delivers again", async () => {
    const { place, watch, exec, lines, delivered } = await shop((await database()).url);
    const one = watch("--standby", ...exec);
    await active(one);
    const two = watch("--standby", ...exec);
    await two.said("watch.standby");
    await place(6);
    await vi.waitFor(() => expect(lines()).toHaveLength(3), patient);
    one.child.kill("SIGKILL");
    expect(await active(two)).toBeLessThan(takeOverMs);
    await place(1);
    await delivered();
    // The one in the middle of which the other was killed.
    expect(lines().filter((line) => line.endsWith(" true"))).toHaveLength(1);
    expect(await two.stop("SIGTERM")).toBe(130);
    const [[, branch] = []] = turns(one);
    expect(turns(two)).toEqual([
      ["watch.standby", branch, nameOf(one)],
      ["watch.active", branch],
    ]);
    expect(two.err()).toContain(`${nameOf(one)} is watching`);
  });

  it.each([
    ["stands by again", ["--standby"]],
    ["ends with 9", []],
  ])("takes over from one that is stopped, which delivers nothing more and %s", async (_end, flags) => {
    const { place, watch, exec, lines, delivered } = await shop((await database()).url);
    const one = watch(...flags, ...exec);
    await one.said("Watching");
    const two = watch("--standby", ...exec);
    await two.said("watch.standby");
    await place(3);
    await vi.waitFor(() => expect(lines()).toHaveLength(1), patient);
    one.child.kill("SIGSTOP");
    expect(await active(two)).toBeLessThan(takeOverMs);
    await delivered();
    const [before, all] = [delivers(one), lines()];
    one.child.kill("SIGCONT");
    if (flags.length > 0) await one.said("watch.standby");
    else expect(await one.exited).toBe(9);
    await place(2);
    await delivered();
    expect(lines().slice(0, all.length)).toEqual(all);
    // At most the one that was past the check.
    expect(delivers(one)).toBeLessThanOrEqual(before + 1);
    if (flags.length === 0) {
      const { error } = JSON.parse(one.err().trim().split("\n").at(-1)!) as { error: object };
      expect(error).toMatchObject({ reason: "lock_lost", pid: two.child.pid, host: hostname() });
      return;
    }
    expect(turns(one).at(-1)).toEqual(["watch.standby", turns(two)[0]?.[1], nameOf(two)]);
    // One that ends by itself leaves its lock at once.
    await two.stop("SIGTERM");
    expect(await active(one, 2)).toBeLessThan(takeOverMs / 2);
  });

  it("with --all-profiles shares the branches with another, and takes over the other's", async () => {
    const names = Array.from({ length: 80 }, (_, n) => `b${n}`);
    const branches = names.map((branch, n) => ({ branch, store_id: `${n}`, keys: [`key-${branch}`] }));
    const { mock } = await service({ scenario: readScenarioDefinition({ branches }) });
    const { url } = await database();
    const machine = (): Running => {
      const home = temporaryFolder();
      const profiles = names.map((name) => [name, { base_url: mock.baseUrl, api_key: `key-${name}` }]);
      const config = JSON.stringify({ profiles: Object.fromEntries(profiles) as object });
      writeFileSync(join(home, "config.json"), config, { mode: 0o600 });
      const flags = ["--all-profiles", "--standby", "--interval", "1s", "--force", "-o", "ndjson"];
      return startBinary(["orders", "watch", ...flags], { env: { BPOS_HOME: home, BPOS_JOURNAL: url } });
    };
    const [one, two] = [machine(), machine()];
    const has = (watch: Running) => {
      const last = new Map(turns(watch).map(([event, branch]) => [branch, event]));
      return [...last].flatMap(([branch, event]) => (event === "watch.active" ? [branch] : []));
    };
    const half = names.length / 2;
    await vi.waitFor(
      () => expect([has(one), has(two)].map(({ length }) => length)).toEqual([half, half]),
      patient,
    );
    expect([...has(one), ...has(two)].sort()).toEqual(names.toSorted());
    await two.said(`${half} branches here`);
    one.child.kill("SIGKILL");
    const killedAt = performance.now();
    await vi.waitFor(() => expect(has(two)).toHaveLength(names.length), patient);
    // For each branch a transaction comes to that.
    expect(performance.now() - killedAt).toBeLessThan(takeOverMs + 1_000);
    await Promise.all(names.map((branch) => mock.control.placeOrders({ branch })));
    await vi.waitFor(() => expect(delivers(two)).toBe(names.length), patient);
    await two.said(`${names.length} branches here.`);
    expect(await two.stop("SIGTERM")).toBe(130);
  });
});

describe("a watch whose database goes away", () => {
  it("goes on where it was when its sessions are ended, again and again", long, async () => {
    const { url, terminateBackends } = await database();
    const { place, watch, exec, delivered } = await shop(url);
    const one = watch(...exec);
    await one.said("Watching");
    for (let n = 0; n < sized(4, 40); n++) {
      await place(2);
      await pause((n % 6) * 130);
      expect(await terminateBackends()).toBeGreaterThan(0);
      await delivered();
    }
    expect(await one.stop("SIGTERM")).toBe(130);
  });

  it("says so once, delivers nothing meanwhile, and goes on when the server is back", long, async () => {
    const own = await server();
    const { place, watch, exec, lines, delivered } = await shop((await own.database()).url);
    const one = watch("--standby", ...exec);
    await active(one);
    const two = watch("--standby");
    await two.said("watch.standby");
    for (const mode of ["fast", "immediate"] as const) {
      await place(2);
      await own.restart(mode);
      await delivered();
    }
    // Until both know that it is back: else the next outage is the same one to who pauses between two questions.
    const outages = (each: Running) => count(each.err(), "cannot be reached");
    await vi.waitFor(() => {
      for (const each of [one, two]) expect(count(each.err(), "again after")).toBe(outages(each));
    }, patient);
    const said = [one, two].map(outages);
    const before = lines();
    await own.stop();
    await place(3);
    await pause(sized(10_000, 60_000));
    expect(lines()).toEqual(before);
    for (const [n, each] of [one, two].entries()) expect(outages(each), each.err()).toBe(said[n]! + 1);
    await own.start();
    await delivered();
    await vi.waitFor(() => {
      for (const [n, each] of [one, two].entries())
        expect(count(each.err(), "again after")).toBe(said[n]! + 1);
    }, patient);
    await one.stop("SIGTERM");
    expect(await active(two)).toBeLessThan(takeOverMs);
  });

  it.each(sized([0], [0, 7_000]))(
    "ends soon by a signal after the server has said nothing for %i ms",
    async (ms) => {
      const own = await server();
      const { watch } = await shop((await own.database()).url);
      const one = watch();
      await one.said("Watching");
      const pids = (await own.psql("SELECT pid FROM pg_stat_activity")).map(({ pid }) => Number(pid));
      const [postmaster] = readFileSync(join(own.folder, "data/postmaster.pid"), "utf8").split("\n");
      const signal = (name: NodeJS.Signals): void => {
        for (const pid of [Number(postmaster), ...pids])
          try {
            process.kill(pid, name);
          } catch {
            // The one that was asked is gone.
          }
      };
      onTestFinished(() => signal("SIGCONT"));
      signal("SIGSTOP");
      await pause(ms);
      const began = performance.now();
      expect(await one.stop("SIGTERM")).toBe(130);
      // Work that is under way waits a second for an answer, and the rest for none.
      expect(performance.now() - began).toBeLessThan(4_000);
    },
  );

  it("ends with 9 when it cannot reach it at its start", async () => {
    const own = await server();
    const { url } = await own.database();
    await own.stop();
    const { watch } = await shop(url);
    for (const flags of [[], ["--standby"], ["--once"]]) {
      const { code, stderr } = await watch(...flags).ended;
      expect(code).toBe(9);
      expect(JSON.parse(stderr)).toMatchObject({ error: { reason: "journal_unreadable" } });
    }
  });
});
