import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { Fleet, until } from "../../bench/machines.ts";
import { World } from "../../bench/support.ts";
import { soakIt } from "../../test/support/soak.ts";
import { database } from "../support/postgres.ts";

const intervalMs = 10_000;
/** A third of what all branches ask for. */
const limit = 60;

soakIt(
  "machines share a thousand branches, and lose no order as some are killed, stopped and refused",
  { timeout: 400_000 },
  async () => {
    const world = new World(false);
    onTestFinished(() => world.end());
    const { url: journal } = await database();
    const place = { host: "127.0.0.1", within: () => [], journal };
    const fleet = await Fleet.open(world, { branches: 1_000, keyOf: "bpk_fleet_", intervalMs, ...place });
    for (let n = 0; n < 2; n += 1) fleet.start();
    const all = async () => Object.keys((await fleet.stats()).last).length === fleet.branches;
    await until(all, 90);
    await until(fleet.isShared, 30);
    await fleet.stats("orders=5");

    fleet.start();
    await until(fleet.isShared, 60);
    const killedAt = Date.now();
    const lost = fleet.kill();
    expect(lost.length).toBeGreaterThan(0);
    await until(() => fleet.arePolled(lost, killedAt), 20);

    // Refused while one of them stands still, and comes back.
    await fleet.stats(`limit=${limit}`);
    const [stopped] = fleet.machines;
    stopped?.child.kill("SIGSTOP");
    const stoppedAt = Date.now();
    await until(() => fleet.arePolled([...(stopped?.here.keys() ?? [])], stoppedAt), 120);
    stopped?.child.kill("SIGCONT");
    await until(fleet.isShared, 60);

    await pause(4 * intervalMs);
    await fleet.stats("reset");
    await pause(6 * intervalMs);
    const { gaps, requests, refused, seconds } = await fleet.stats();
    expect(gaps[0]).toBeGreaterThanOrEqual(0.89 * intervalMs);
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    expect((gaps.at(-1) ?? 0) / mean).toBeLessThan(2.5);
    expect((requests - refused) / seconds).toBeGreaterThan(0.6 * limit);
    await fleet.stats("orders=0&limit=0");
    await until(async () => (await fleet.countLost()) === 0, 120);
  },
);
