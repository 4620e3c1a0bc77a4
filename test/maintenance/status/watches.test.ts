import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Journal, openJournal } from "../../../src/journal/journal.ts";
import { lockNamed } from "../../../src/journal/locks/locks.ts";
import { readScenarioDefinition } from "../../../src/mock/index.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { realService, service } from "../../support/service.ts";
import { type StatusReport, statusOf } from "../../support/status.ts";
import { watchOnce, watchPolls } from "../../support/watch.ts";

const minute = 60_000;
const branches = ["centro", "norte"].map((branch, n) => ({
  branch,
  store_id: `${n}`,
  keys: [`key-of-${branch}`],
}));
const twoBranches = readScenarioDefinition({ branches });

/** A home whose profile file has these branches, the first being the default. */
function homeWith(profiles: Record<string, object>): string {
  const home = temporaryFolder();
  writeFileSync(join(home, "config.json"), JSON.stringify({ profiles, default: Object.keys(profiles)[0] }), {
    mode: 0o600,
  });
  return home;
}

/** A real service, and a shell that knows its two branches as profiles. */
async function shop() {
  const { mock, env } = await realService({ scenario: twoBranches });
  const [centro, norte] = mock.keys.map(({ key }) => ({ api_key: key, base_url: env["BPOS_BASE_URL"] }));
  const clock = fakeClock();
  const home = homeWith({ centro: centro!, norte: norte! });
  const run = shell({ env: { BPOS_HOME: home, NO_COLOR: "1" }, clock });
  return { mock, clock, run, home };
}

describe("status of watches", () => {
  it("without a journal says so, is well, and makes none", async () => {
    const home = temporaryFolder();
    const run = shell({ env: { BPOS_HOME: home } });
    const { code, stdout } = await run(["status"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^No journal yet: .*bpos orders watch/)]);
    expect((await run(["status", "--lang", "es"])).stdout).toContain("Todavía no hay registro");
    const place = join(home, "state", "journal.db");
    expect(await statusOf(run, {}, "--max-age", "1m")).toEqual({
      code: 0,
      ok: true,
      journal: { engine: "sqlite", place },
      branches: [],
    });
    expect(existsSync(join(home, "state"))).toBe(false);
  });

  it("names the process that watches a branch, and its last complete poll; nobody once it has ended", async () => {
    const { clock, run } = await shop();
    const during: StatusReport[] = [];
    const look = async (): Promise<void> => {
      clock.advance(20_000);
      during.push(await statusOf(run));
    };
    await watchPolls(run, { polls: 2, clock, after: look });
    const [first] = during;
    expect(first).toMatchObject({ ok: true, journal: { engine: "sqlite" } });
    expect(first!.branches).toMatchObject([
      {
        branch: "centro",
        watch: {
          state: "ok",
          machine: "caja-1",
          pid: 4711,
          age_s: 20,
        },
        outputs: [{ output: "stdout", undelivered: 0, oldest_at: null }],
      },
      {
        branch: "norte",
        watch: { state: "none", machine: null, pid: null, since: null, last_poll_at: null, age_s: null },
        outputs: [],
        unfinished_sends: [],
        last_push: null,
        waiting_replies: 0,
      },
    ]);
    expect(first!.branches[0]!.watch.since).toMatch(/^20/);
    expect(Date.parse(String(first!.branches[0]!.watch.last_poll_at))).toBe(Date.UTC(2026, 0, 1, 12));

    const after = await statusOf(run);
    expect(after.branches[0]!.watch).toMatchObject({ state: "none", machine: null, pid: null, since: null });
  });

  it("names who stands by, and says standby while nobody polls", async () => {
    const { clock, run, home } = await shop();
    const file = join(home, "state", "journal.db");
    const own = { id: "two", pid: 4712, host: "caja-1" };
    let waits: Journal | undefined;
    onTestFinished(() => waits?.close());
    const seen: unknown[] = [];
    const shown: string[] = [];
    let mailed = "";
    const look = async (): Promise<void> => {
      const {
        code,
        ok,
        branches: [centro],
      } = await statusOf(run, {}, "--max-age", "15m");
      const { state, pid, standby } = centro!.watch;
      seen.push([code, ok, state, pid, standby.map((each) => each.pid)]);
      shown.push((await run(["status", "-p", "centro"], { terminal: 200 })).stdout);
    };
    const during = async (): Promise<void> => {
      if (waits !== undefined) return;
      waits = await openJournal(file, { holder: own, env: {} });
      const [held] = await waits.held();
      await waits.standBy([lockNamed(held!.name)]);
      await look();
      // It hangs, and keeps its lock.
      clock.advance(16 * minute);
      await look();
      mailed = (await run(["status"])).stderr;
    };
    await watchPolls(run, { polls: 2, clock, after: during });
    await look();
    clock.advance(16 * minute);
    await look();
    await waits?.close();
    await look();
    expect(seen).toEqual([
      [0, true, "ok", 4711, [4712]],
      [6, false, "standby", 4711, [4712]],
      [0, true, "standby", null, [4712]],
      [6, false, "standby", null, [4712]],
      [6, false, "none", null, []],
    ]);
    expect(shown[0]).toMatch(/centro +ok .* caja-1:4711 .* caja-1:4712/);
    expect(shown[1]).toMatch(/centro +standing by .* caja-1:4711 .* caja-1:4712/);
    expect(shown[1]).toContain("Process caja-1:4711 holds its lock, but completes no poll.");
    expect(shown[1]).toContain("\n  kill -9 4711\n");
    expect(shown[3]).toContain("No process watches it.");
    expect(mailed).toContain("centro: caja-1:4712 standing by · Process caja-1:4711 holds its lock");
  });

  it("is not well once nobody has watched a branch for 3 minutes, and names the command; --max-age is 6 then", async () => {
    const { clock, run } = await shop();
    await watchOnce(run, "--consumer", "cocina", "--interval", "10s");
    clock.advance(2 * minute);
    expect(await statusOf(run, {}, "--max-age", "150s")).toMatchObject({ code: 0, ok: true });
    expect(await statusOf(run, {}, "--max-age", "119s")).toMatchObject({ code: 6, ok: false });
    expect(await run(["status", "-q"])).toEqual({ code: 0, stdout: "", stderr: "" });

    clock.advance(minute + 1);
    expect(await statusOf(run)).toMatchObject({ code: 0, ok: false });
    const { stdout } = await run(["status"], { terminal: 80 });
    expect(stdout).toContain("centro: No process watches it. The last complete poll was 3 min ago.");
    expect(stdout).toContain("  bpos orders watch --consumer cocina -p centro\n");
    expect(stdout).toContain("1 other branch is well.");
    expect((await run(["status", "-q", "--max-age", "1h"])).stdout).toBe("");
    const other = await statusOf(run, {}, "-p", "norte", "--max-age", "1m");
    expect(other).toMatchObject({ code: 0, ok: true, branches: [{ branch: "norte" }] });
  });

  it("is not well, and late, where the last poll lies ahead: the clock was set back", async () => {
    const { clock, run } = await shop();
    await watchOnce(run);
    clock.advance(-2 * minute);
    expect(await statusOf(run, {}, "--max-age", "3m")).toMatchObject({ code: 0, ok: true });
    clock.advance(-60 * minute);
    expect(await statusOf(run, {}, "--max-age", "3m")).toMatchObject({ code: 6, ok: false });
    expect((await statusOf(run)).branches[0]!.watch).toMatchObject({ age_s: 0 });
  });

  it("no longer counts a watch of which every output was given up", async () => {
    const { clock, run } = await shop();
    await watchOnce(run);
    clock.advance(minute * 5);
    expect((await statusOf(run)).ok).toBe(false);
    await run(["orders", "forget", "--output", "stdout", "--yes"]);
    expect(await statusOf(run, {}, "--max-age", "1m")).toMatchObject({ code: 0, ok: true });
  });

  it("shows an outage at once, and is late once it has lasted --max-age", async () => {
    const { mock, clock, run } = await shop();
    const during: (StatusReport & { code: number; text: string })[] = [];
    const look = async (poll: number): Promise<void> => {
      if (poll === 1) await mock.control.addFault("GET /v1/orders status=503");
      clock.advance(minute);
      const { stdout: text } = await run(["status"], { terminal: 80 });
      during.push({ ...(await statusOf(run, {}, "--max-age", "200s")), text });
    };
    await watchPolls(run, { polls: 3, clock, after: look });
    expect(during.map(({ code, ok, branches: [centro] }) => [code, ok, centro!.watch.state])).toEqual([
      [0, true, "ok"],
      [0, false, "outage"],
      [6, false, "outage"],
    ]);
    expect(during[1]!.text).toMatch(/centro: Outage for (59 s|1 min): .*\n {2}bpos doctor -p centro\n/);
  });

  it("says that a watch was stopped which the service refused", async () => {
    const { mock, clock, run } = await shop();
    await mock.control.addFault("GET /v1/orders status=401");
    expect((await run(["orders", "watch", "-q", "--retries", "0"])).code).toBe(4);
    clock.advance(2 * minute);
    const { ok, branches } = await statusOf(run);
    expect([ok, branches[0]!.watch.state]).toEqual([false, "stopped"]);
    const { stdout } = await run(["status", "--lang", "es"], { terminal: 200 });
    expect(stdout).toMatch(/^Sucursal +Vigilancia [\s\S]*centro +detenida/m);
    expect(stdout).toContain(
      "centro: Se dejó de vigilar hace 2 min porque el servicio rechaza la sucursal.\n  bpos doctor -p centro\n",
    );
  });

  it("of several consumers shows the one that fares worst, and tells their outputs apart", async () => {
    const { mock, clock, run } = await shop();
    const fails = "exit 1";
    await watchOnce(run, "-q", "--exec", fails);
    clock.advance(10 * minute);
    await mock.control.placeOrders({ count: 2, branch: "centro" });
    await watchOnce(run, "-q", "--exec", fails, "--consumer", "web");
    const { branches } = await statusOf(run);
    expect(branches[0]!.watch.age_s).toBe(600);
    expect(branches[0]!.outputs.map(({ output }) => output)).toEqual(["exec default", "exec web"]);
    const { stdout } = await run(["status"], { terminal: 120 });
    expect(stdout).toContain("bpos orders watch --exec <command> -p centro\n");
    expect(stdout).toContain("bpos orders watch --exec <command> --consumer web -p centro\n");
  });

  it("counts one branch whose key is another one now, by its new key", async () => {
    const { clock, run } = await shop();
    const home = temporaryFolder();
    const write = (profiles: object): void =>
      writeFileSync(join(home, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
    const { mock, env } = await realService({ scenario: twoBranches });
    const [before, now] = mock.keys.map(({ key }) => ({ api_key: key, base_url: env["BPOS_BASE_URL"] }));
    const world = { env: { BPOS_HOME: home } };
    write({ centro: before });
    await run(["orders", "watch", "--once", "-q", "-p", "centro"], world);
    clock.advance(30 * minute);
    write({ centro: now });
    expect((await statusOf(run, world)).ok).toBe(false);
    await run(["orders", "watch", "--once", "-q", "-p", "centro"], world);
    expect(await statusOf(run, world)).toMatchObject({ ok: true, branches: [{ branch: "centro" }] });
  });

  it("names a branch without a profile by its address or by the mock's name", async () => {
    const { env } = await realService({ scenario: "empty" });
    const clock = fakeClock();
    const run = shell({ env: { ...env, NO_COLOR: "1" }, clock });
    await watchOnce(run);
    const { host } = new URL(env["BPOS_BASE_URL"]!);
    expect((await statusOf(run)).branches).toMatchObject([{ branch: host, watch: { age_s: 0 } }]);
    clock.advance(5 * minute);
    expect((await run(["status"], { terminal: 80 })).stdout).toContain("\n  bpos orders watch\n");

    const { mock } = await service({ scenario: "empty" });
    const rehearse = shell({ env: { BPOS_MOCK: mock.baseUrl } });
    await watchOnce(rehearse);
    expect((await statusOf(rehearse)).branches).toMatchObject([{ branch: mock.keys[0]!.branch }]);
  });
});
