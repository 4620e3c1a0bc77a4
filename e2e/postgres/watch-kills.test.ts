import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { type Running, startBinary } from "../../test/support/binary.ts";
import { temporaryFolder } from "../../test/support/run.ts";
import { service } from "../../test/support/service.ts";
import { isSoak, randomOf, sized } from "../../test/support/soak.ts";
import { type Database, database, server } from "../support/postgres.ts";

const killsALane = sized(3, 30);
const takeOverMs = 5_000;
const patient = { timeout: 40_000, interval: 30 };

/** Machines that share a journal and a folder, and what their commands wrote: a line of number and `repeated` for each delivery. */
async function shop(shared: Database) {
  const { mock, env } = await service({ scenario: "empty" });
  const folder = temporaryFolder();
  const log = join(temporaryFolder(), "log");
  const exec = `echo "$BPOS_ORDER_ID $BPOS_REPEATED" >>'${log}'; sleep 0.1`;
  const outputs = ["--exec", exec, "--out-dir", folder, "-o", "ndjson"];
  const placed: string[] = [];
  const lines = (): string[] => (existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(0, -1) : []);
  const holder =
    "SELECT pid::int FROM bpos.claim JOIN bpos.holder ON holder.id = claim.holder WHERE expires_at > now()";
  return {
    lines,
    watch: (...flags: string[]): Running =>
      startBinary(["orders", "watch", "--force", ...outputs, ...flags], {
        env: { ...env, BPOS_HOME: temporaryFolder(), BPOS_JOURNAL: shared.url },
      }),
    place: async (count: number): Promise<void> => {
      for (const { order_id } of await mock.control.placeOrders({ count })) placed.push(String(order_id));
    },
    /** The one of the machines that has the branch, once one has. */
    active: (machines: readonly Running[]): Promise<Running> =>
      vi.waitFor(async () => {
        const pids = (await shared.psql(holder)).map(({ pid }) => pid);
        return machines.find(({ child }) => pids.includes(child.pid)) ?? expect.fail("none has it");
      }, patient),
    /** Waits until all is delivered, and judges how. @param unmarked how many may have come again without a word. */
    judge: async (unmarked: number, said: string): Promise<void> => {
      const ids = () => new Set(lines().map((line) => line.split(" ")[0]));
      await vi.waitFor(() => expect(ids(), said).toEqual(new Set(placed)), patient);
      const files = placed.map((id) => `${id}.json`).sort();
      await vi.waitFor(() => expect(readdirSync(folder).sort(), said).toEqual(files), patient);
      for (const name of files)
        expect(JSON.parse(readFileSync(join(folder, name), "utf8"))).toMatchObject({
          order_id: Number.parseInt(name, 10),
        });
      const seen = new Set<string>();
      const again = lines().filter((line) => {
        const [id = "", repeated] = line.split(" ");
        const isUnmarked = seen.has(id) && repeated !== "true";
        seen.add(id);
        return isUnmarked;
      });
      expect(again.length, `${said}\n${lines().join("\n")}`).toBeLessThanOrEqual(unmarked);
    },
  };
}

type Blow = "kill" | "stop" | "terminate" | "restart";

/** Chooses an accident of the machine at work, or of the database: kills mostly, in `npm test:e2e` nothing else. */
const blowOf = (dice: number): Blow =>
  !isSoak || dice < 0.7 ? "kill" : dice < 0.8 ? "stop" : dice < 0.95 ? "terminate" : "restart";

async function survive(lane: number): Promise<void> {
  const random = randomOf(`watches ${lane}`);
  const own = await server();
  const shared = await own.database();
  const { lines, watch, place, active, judge } = await shop(shared);
  const start = () => watch("--standby", "--interval", "1s");
  let machines = [start()];
  await active(machines);
  machines.push(start());
  const moments: string[] = [];
  const times: number[] = [];
  let stops = 0;
  for (let kills = 0; kills < killsALane; ) {
    const one = await active(machines);
    await machines.find((each) => each !== one)!.said("watch.standby");
    const before = lines().length;
    await place(6);
    // In the middle of their deliveries.
    await vi.waitFor(() => expect(lines().length).toBeGreaterThan(before), patient);
    const [blow, ms] = [blowOf(random()), Math.round(random() * 700)];
    moments.push(`${blow}+${ms}`);
    await pause(ms);
    if (blow === "terminate") await shared.terminateBackends();
    else if (blow === "restart") await own.restart(random() < 0.5 ? "fast" : "immediate");
    else {
      machines = machines.filter((each) => each !== one);
      one.child.kill(blow === "stop" ? "SIGSTOP" : "SIGKILL");
      const began = performance.now();
      await active(machines);
      times.push(performance.now() - began);
      if (blow === "stop") {
        one.child.kill("SIGCONT");
        stops += 1;
        machines.push(one);
      } else {
        kills += 1;
        machines.push(start());
      }
    }
  }
  const said = `${moments.join(" ")}, taken over in ${times.map(Math.round).join(" ")} ms`;
  await judge(stops, said);
  expect(Math.max(...times), said).toBeLessThan(takeOverMs);
  // One may have been started a moment ago.
  for (const each of machines) expect([130, "SIGTERM"], each.err()).toContain(await each.stop("SIGTERM"));
}

it("two watches that stand by for each other lose no order, whatever befalls the one at work or the database", {
  timeout: 1_200_000,
}, async () => {
  await Promise.all(Array.from({ length: sized(1, 2) }, (_, lane) => survive(lane)));
});

it("a watch that another one took over from writes nothing to the journal any more", async () => {
  const shared = await database();
  const { watch, place, active, judge } = await shop(shared);
  const one = watch("--interval", "1s");
  await active([one]);
  await place(30);
  await one.said("order.new");
  one.child.kill("SIGSTOP");
  const two = watch("--standby", "--interval", "1h");
  await active([two]);
  await judge(0, "");
  const tables = ["watch", "watch_order", "watch_event", "watch_delivery", "claim"];
  const journal = () =>
    Promise.all(tables.map((name) => shared.psql(`SELECT * FROM bpos.${name} AS t ORDER BY t::text`)));
  await expect.poll(async () => (await journal())[2], patient).toEqual([]);
  const before = await journal();
  one.child.kill("SIGCONT");
  expect(await one.exited, one.err()).toBe(9);
  expect(await journal()).toEqual(before);
  await judge(1, "");
});
