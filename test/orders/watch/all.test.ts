import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type RunningMock, readScenarioDefinition } from "../../../src/mock/index.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { fixedServer } from "../../support/peers.ts";
import { shell, temporaryFolder, type World } from "../../support/run.ts";
import { service } from "../../support/service.ts";
import { withoutTimes } from "../../support/watch.ts";

const all = ["orders", "watch", "--all-profiles", "-o", "ndjson"];

interface Profile {
  base_url?: string;
  api_key?: string;
}

/** A home whose config.json holds these profiles. */
function home(profiles: Record<string, Profile>): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
  return folder;
}

/** Runs a command line with these profiles. */
const run = (profiles: Record<string, Profile>, argv: string[], world: World = {}) =>
  shell()(argv, { ...world, env: { ...world.env, BPOS_HOME: home(profiles) } });

/** A mock of two branches, the first one with two keys, each with that many orders. */
async function chain(orders = 1): Promise<{ mock: RunningMock; at: (key: string) => Profile }> {
  const scenario = readScenarioDefinition({
    branches: [
      { branch: "b1", store_id: "1", keys: ["key-one", "key-two"], orders },
      { branch: "b2", store_id: "2", keys: ["key-three"], orders },
    ],
  });
  const { mock } = await service({ scenario, clock: "2026-01-01T12:00:00-03:00" });
  return { mock, at: (api_key) => ({ base_url: mock.baseUrl, api_key }) };
}

/** The branch and order of each line. */
const handed = (stdout: string): string[] =>
  stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { event: string; branch: string; order: { order_id: number } })
    .filter(({ event }) => event === "order.new")
    .map(({ branch, order }) => `${branch} ${order.order_id}`);

const stopAtOrder: NonNullable<World["onOutput"]> = (text, stop) => {
  if (handed(text).length > 0) stop();
};

async function idsOf(profile: Profile): Promise<number[]> {
  const headers = { "x-api-key": profile.api_key! };
  const page = await fetch(`${profile.base_url}/v1/orders`, { headers });
  return ((await page.json()) as { orders: { order_id: number }[] }).orders.map(({ order_id }) => order_id);
}

describe("orders watch --all-profiles", () => {
  it("hands on what each profile's branch has, under its name and in a folder of its own", async () => {
    const { at } = await chain(2);
    const profiles = { centro: at("key-one"), "con.norte/2.": at("key-three"), "..": at("key-two") };
    const folder = temporaryFolder();
    const result = await run(profiles, [...all, "--once", "--out-dir", folder]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const [centro, norte] = [await idsOf(at("key-one")), await idsOf(at("key-three"))];
    expect(handed(result.stdout).sort()).toEqual(
      [
        ...centro.map((id) => `centro ${id}`),
        ...norte.map((id) => `con.norte/2. ${id}`),
        ...centro.map((id) => `.. ${id}`),
      ].sort(),
    );
    expect(readdirSync(folder).sort()).toEqual(["_", "centro", "con_.norte_2_"]);
    expect(readdirSync(join(folder, "con_.norte_2_")).sort()).toEqual(norte.map((id) => `${id}.json`).sort());
  });

  it("watches two profiles of one key once, and says so", async () => {
    const { at } = await chain();
    const result = await run({ one: at("key-one"), twin: at("key-one") }, [...all, "--once"]);
    expect(result.code).toBe(0);
    expect(handed(result.stdout)).toEqual([`one ${(await idsOf(at("key-one")))[0]}`]);
    expect(result.stderr).toMatch(/^twin: .*address as one: watched once\.\n$/);
  });

  it("gives a branch up whose key is refused, and goes on with the others", async () => {
    const { mock, at } = await chain(0);
    const clock = fakeClock();
    const sleep = clock.sleep.bind(clock);
    let placed = 0;
    const world: World = {
      clock: {
        now: () => clock.now(),
        async sleep(ms, signal) {
          const refused = (await mock.control.requests(1_000)).filter(({ status }) => status === 403);
          expect(refused.length).toBeLessThanOrEqual(1);
          if (refused.length === 1 && placed === 0)
            placed = (await mock.control.placeOrders({ branch: "b2" }))[0]!.order_id;
          await sleep(ms, signal);
        },
      },
      onOutput: stopAtOrder,
    };
    const result = await run({ wrong: at("key-nobody"), right: at("key-three") }, all, world);
    expect(result.code).toBe(130);
    expect(handed(result.stdout)).toEqual([`right ${placed}`]);
    expect(withoutTimes(result.stderr)).toMatch(/^wrong: .*does not accept this key/m);
  });

  it("ends with 9 when standard output takes no more: it is that of all branches", async () => {
    const { at } = await chain();
    const profiles = { one: at("key-one"), two: at("key-three") };
    const full = { code: "ENOSPC", syscall: "write" };
    const result = await run(profiles, [...all, "--interval", "1h"], {
      onOutput: () => {
        throw Object.assign(new Error("ENOSPC: no space left on device"), full);
      },
    });
    expect(result.code).toBe(9);
    expect(result.stderr).toContain("no space left");
  });

  it("gets the orders of a branch while another one fails again and again", async () => {
    const { mock, at } = await chain(0);
    let failures = 0;
    let placed = 0;
    const failing = await fixedServer(() => {
      failures += 1;
      if (failures === 3)
        void mock.control.placeOrders({ branch: "b1" }).then(([order]) => {
          placed = order!.order_id;
        });
      return { status: 503, body: {} };
    });
    const profiles = { down: { base_url: failing, api_key: "key-down" }, up: at("key-one") };
    const result = await run(profiles, [...all, "--retries", "0"], {
      clock: fakeClock(),
      onOutput: stopAtOrder,
    });
    expect(result.code).toBe(130);
    expect(handed(result.stdout)).toEqual([`up ${placed}`]);
    expect(withoutTimes(result.stderr).match(/^down: /gm)).toHaveLength(1);
  });

  it("leaves out the branch that another process watches, and goes on with the others", async () => {
    const { at } = await chain();
    const bpos = shell({ env: { BPOS_HOME: home({ one: at("key-one"), three: at("key-three") }) } });
    let beside: ReturnType<typeof bpos> | undefined;
    const single = await bpos(["orders", "watch", "-p", "one", "-o", "ndjson"], {
      onOutput: (_text, stop) => {
        beside = bpos([...all, "--once"]);
        void beside.finally(stop);
      },
    });
    expect(single.code).toBe(130);
    const result = await beside!;
    expect(result.code).toBe(0);
    expect(handed(result.stdout)).toEqual([`three ${(await idsOf(at("key-three")))[0]}`]);
    expect(result.stderr).toMatch(/^one: .*Process 4711/m);
  });

  it("spreads the first polls over the interval", async () => {
    const { at } = await chain();
    const { base_url } = at("");
    const names = ["a", "b", "c", "d"];
    const slept: number[] = [];
    const result = await run(
      Object.fromEntries(
        names.map((name) => [name, { base_url: base_url!, api_key: name === "a" ? "key-one" : name }]),
      ),
      [...all, "--interval", "40s"],
      {
        clock: {
          now: () => Date.UTC(2026, 0, 1),
          // Nobody wakes before the end.
          sleep: (ms, signal) => {
            slept.push(ms);
            return new Promise((resolve) => {
              if (signal?.aborted !== false) resolve();
              signal?.addEventListener("abort", () => resolve(), { once: true });
            });
          },
        },
        onOutput: (_text, stop) => stop(),
      },
    );
    expect(result.code).toBe(130);
    expect(slept.slice(0, 3)).toEqual([10_000, 20_000, 30_000]);
  });
});

describe("orders watch --all-profiles that cannot begin", () => {
  it("ends with 9 without any profile, and with 2 with -p", async () => {
    expect(await run({}, all)).toMatchObject({ code: 9, stdout: "" });
    const folder = temporaryFolder();
    mkdirSync(join(folder, "empty"));
    const none = await shell({ env: { BPOS_HOME: join(folder, "empty") } })(all);
    expect(none.code).toBe(9);
    expect(none.stderr).toContain("found no profile");
    const both = await run({ one: { base_url: "http://127.0.0.1:9", api_key: "k" } }, [...all, "-p", "one"]);
    expect(both.code).toBe(2);
    expect(both.stderr).toContain("-p");
  });

  it("goes on without a profile that has no key or no address, and names it", async () => {
    const { mock, at } = await chain();
    const broken = { keyless: { base_url: mock.baseUrl }, homeless: { api_key: "k" } };
    const { code, stderr } = await run({ one: at("key-one"), ...broken }, [...all, "--once"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^keyless: .*Stopped watching this branch.*key/m);
    expect(stderr).toMatch(/^homeless: .*Stopped watching this branch.*address/m);
    expect(await mock.control.requests()).not.toEqual([]);
    const none = await run(broken, [...all, "--once"]);
    expect(none.code).toBe(4);
    expect(JSON.parse(none.stderr)).toMatchObject({ error: { reason: "key_missing", profile: "keyless" } });
  });
});
