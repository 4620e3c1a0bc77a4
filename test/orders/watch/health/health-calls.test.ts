import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type FakeClock, fakeClock } from "../../../support/fake-clock.ts";
import { type Answer, deadAddress, fixedServer, orderOf, pageOf } from "../../../support/peers.ts";
import { addUnchecked } from "../../../support/profiles.ts";
import { shell, temporaryFolder } from "../../../support/run.ts";
import { listening } from "../../../support/server.ts";
import { pointedAt } from "../../../support/service.ts";
import { newIds, watchOnce, watchPolls } from "../../../support/watch.ts";

const minute = 60_000;
const world = { random: () => 0.5 };

/** An address to ping, and what came there, when. */
async function pingTarget(clock: { now: () => number }, status = 200) {
  const pings: { at: number; path: string }[] = [];
  const server = createServer((request, response) => {
    pings.push({ at: clock.now(), path: `${request.method} ${request.url}` });
    response.writeHead(status).end("OK");
  });
  return { url: `http://127.0.0.1:${await listening(server)}/p/token`, pings };
}

/** A service that is down from an instant on, for so long, and has one order, or more later on. */
const failing = (
  clock: FakeClock,
  fromMs: number,
  forMs: number,
  orders: Answer = () => ({ body: pageOf([]) }),
) => {
  const start = clock.now();
  return fixedServer((url) => {
    const after = clock.now() - start;
    return after >= fromMs && after < fromMs + forMs ? { status: 503, body: {} } : orders(url);
  });
};

/** Whoever is called beside the polls gets their call before time moves on. */
const settle = async (): Promise<void> => {
  for (let n = 0; n < 60; n++) await turn();
};

describe("orders watch --ping", () => {
  it("is silent in an outage but for one /fail, and goes on after it", async () => {
    const clock = fakeClock();
    const start = clock.now();
    const { url, pings } = await pingTarget(clock);
    const service = await failing(clock, 2.5 * minute, 10 * minute);
    await watchPolls(shell({ env: pointedAt(service) }), {
      ...{ polls: 32, clock, world, argv: ["--ping", url, "--max-age", "4m"], after: settle },
    });
    const times = pings.map(({ at, path }) => [(at - start) / minute, path.replace("GET /p/token", "")]);
    expect(times.slice(0, 3)).toEqual([
      [0, ""],
      [1, ""],
      [2, ""],
    ]);
    const fails = times.filter(([, path]) => path === "/fail");
    expect(fails).toHaveLength(1);
    expect(fails[0]![0]).toBeGreaterThanOrEqual(7);
    expect(fails[0]![0]).toBeLessThan(9);
    const during = times.filter(([at, path]) => path === "" && Number(at) > 2 && Number(at) < 12.5);
    expect(during).toEqual([]);
    expect(Number(times.at(-1)![0])).toBeGreaterThan(12.5);
  });

  it("is silent while an output owes an order, and pings when it got it", async () => {
    const clock = fakeClock();
    const start = clock.now();
    const home = temporaryFolder();
    const { url, pings } = await pingTarget(clock);
    const orders: Answer = () => ({ body: pageOf(clock.now() - start < 1.5 * minute ? [] : [orderOf(1)]) });
    const service = await fixedServer(orders);
    // Fails until five minutes have passed.
    let isFixed = false;
    const argv = ["--ping", url, "--exec", `test -e ${join(home, "fixed")}`];
    await watchPolls(shell({ env: { ...pointedAt(service), BPOS_HOME: home } }), {
      ...{ polls: 16, clock, world, argv },
      after: async () => {
        await settle();
        if (!isFixed && clock.now() - start >= 5 * minute) {
          isFixed = true;
          writeFileSync(join(home, "fixed"), "");
        }
      },
    });
    const times = pings.map(({ at }) => (at - start) / minute);
    expect(times.filter((at) => at < 2)).toEqual([0, 1]);
    expect(times.filter((at) => at >= 2 && at <= 5)).toEqual([]);
    expect(times.filter((at) => at > 5).length).toBeGreaterThan(2);
  });

  it("goes on where the clock was set back", async () => {
    const clock = fakeClock();
    const { url, pings } = await pingTarget(clock);
    const service = await fixedServer(() => ({ body: pageOf([]) }));
    let polls = 0;
    await watchPolls(shell({ env: pointedAt(service) }), {
      ...{ polls: 8, clock, world, argv: ["--ping", url] },
      after: async () => {
        await settle();
        if (++polls === 3) clock.advance(-60 * minute);
      },
    });
    expect(pings.length).toBeGreaterThanOrEqual(7);
  });

  it("says once that it fails, and delivers all the same", async () => {
    const clock = fakeClock();
    const service = await fixedServer(() => ({ body: pageOf([orderOf(1)]) }));
    for (const url of [await deadAddress(), (await pingTarget(clock, 500)).url]) {
      const run = await watchPolls(shell({ env: pointedAt(service) }), {
        ...{ polls: 5, clock, world, argv: ["-q", "--exec", "true", "--ping", url], after: settle },
      });
      expect(run.stderr.match(/The ping to 127\.0\.0\.1:\d+ failed/g)).toHaveLength(1);
      const again = await watchOnce(shell({ env: pointedAt(service) }), "--ping", url);
      expect([again.code, newIds(again)]).toEqual([0, [1]]);
    }
  });

  it("of a single poll comes once all is delivered; of several branches only where all are well", async () => {
    const clock = fakeClock();
    const { url, pings } = await pingTarget(clock);
    const good = await fixedServer(() => ({ body: pageOf([orderOf(1)]) }));
    await watchOnce(shell({ env: pointedAt(good) }), "--ping", url);
    expect(pings.map(({ path }) => path)).toEqual(["GET /p/token"]);
    pings.length = 0;

    const run = shell();
    const bad = await failing(clock, 3 * minute, 60 * minute);
    for (const [name, address] of [
      ["centro", good],
      ["norte", bad],
    ] as const)
      await run(addUnchecked(name, "--base-url", address), { stdin: `bpk_test_secret_000000${name}` });
    const start = clock.now();
    await watchPolls(run, {
      ...{ polls: 30, clock, world, argv: ["--all-profiles", "--ping", url], after: settle },
    });
    const at = pings.filter(({ path }) => !path.endsWith("/fail")).map((ping) => ping.at - start);
    expect(at.length).toBeGreaterThan(0);
    expect(Math.max(...at)).toBeLessThan(5 * minute);
    expect(pings.filter(({ path }) => path.endsWith("/fail"))).toHaveLength(1);
  });
});

describe("orders watch --on-failure", () => {
  const note = (home: string): string => `echo "$BPOS_EVENT $BPOS_BRANCH" >> ${join(home, "events")}`;
  const eventsIn = (home: string): string[] => {
    try {
      return readFileSync(join(home, "events"), "utf8").trim().split("\n");
    } catch {
      return [];
    }
  };

  it("runs once an outage has lasted for so long, and when it is over", async () => {
    const clock = fakeClock();
    const home = temporaryFolder();
    const start = clock.now();
    const service = await failing(clock, 2 * minute, 9 * minute);
    const seen: [minutes: number, events: number][] = [];
    await watchPolls(shell({ env: { ...pointedAt(service), BPOS_HOME: home } }), {
      ...{ polls: 32, clock, world, argv: ["--on-failure", note(home), "--outage-after", "5m"] },
      after: () => seen.push([(clock.now() - start) / minute, eventsIn(home).length]),
    });
    const branch = new URL(service).host.replace(/[^\w.:-]/g, "_");
    expect(eventsIn(home)).toEqual([`outage ${branch}`, `recovered ${branch}`]);
    expect(seen.find(([, events]) => events === 1)![0]).toBeGreaterThanOrEqual(7);
  });

  it("does not run for an outage that ends sooner", async () => {
    const clock = fakeClock();
    const home = temporaryFolder();
    const service = await failing(clock, 2 * minute, 9 * minute);
    await watchPolls(shell({ env: { ...pointedAt(service), BPOS_HOME: home } }), {
      ...{ polls: 32, clock, world, argv: ["--on-failure", note(home)] },
    });
    expect(eventsIn(home)).toEqual([]);
  });

  it("names the branch that was stopped, at the end of a watch of one too", async () => {
    const refused = await fixedServer(() => ({ status: 403, body: {} }));
    const home = temporaryFolder();
    const one = shell({ env: { ...pointedAt(refused), BPOS_HOME: home } });
    expect((await one(["orders", "watch", "--on-failure", note(home)])).code).toBe(4);
    expect(eventsIn(home)).toEqual([`stopped ${new URL(refused).host}`]);

    const shared = temporaryFolder();
    const run = shell({ env: { BPOS_HOME: shared } });
    const good = await fixedServer(() => ({ body: pageOf([]) }));
    for (const [name, address] of [
      ["centro", good],
      ["norte", refused],
      ["sur", refused],
    ] as const)
      await run(addUnchecked(name, "--base-url", address), { stdin: `bpk_test_secret_000000${name}` });
    await watchPolls(run, { polls: 12, world, argv: ["--all-profiles", "--on-failure", note(shared)] });
    expect(eventsIn(shared).sort()).toEqual(["stopped norte", "stopped sur"]);
  });
});
