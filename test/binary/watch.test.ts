import { once } from "node:events";
import { cpSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { orderStates } from "../../src/contract/limits.ts";
import type { RunningMock } from "../../src/mock/index.ts";
import { inBash, isExecutable, type Running, runBinary, startBinary } from "../support/binary.ts";
import { locksLeft } from "../support/journal.ts";
import { answerOf, meetingPoint } from "../support/programs.ts";
import { root, shell, temporaryFolder } from "../support/run.ts";
import { on, scriptedServer, silence } from "../support/scripted-server.ts";
import { pointedAt, service } from "../support/service.ts";
import { randomOf, sized, soakIt } from "../support/soak.ts";
import { eventsOf, newIds, withoutTimes } from "../support/watch.ts";

const frozen = { clock: "2026-01-01T12:00:00-03:00" } as const;
type Env = Record<string, string>;
/** A home of its own for the journal. */
const homed = (env: Env) => ({ BPOS_HOME: temporaryFolder(), ...env });
const ndjson = ["-o", "ndjson"];
const watchOnce = ["orders", "watch", "--once", ...ndjson];
const startWatch = (env: Env, ...flags: string[]): Running =>
  startBinary(["orders", "watch", "--interval", "1s", "--force", ...flags], { env });
const patient = { timeout: 10_000 };

/** Every order of the first branch by its id, read through all eight states as anybody can. */
async function ordersOf(mock: RunningMock): Promise<Map<number, string>> {
  const orders = new Map<number, string>();
  for (const status of orderStates) {
    for (let page = 1, more = true; more; page++) {
      const response = await fetch(`${mock.baseUrl}/v1/orders?status=${status}&page=${page}`, {
        headers: { "x-api-key": mock.keys[0]!.key },
      });
      const body = (await response.json()) as { orders: { order_id: number }[]; has_more: boolean };
      for (const { order_id } of body.orders) orders.set(order_id, status);
      more = body.has_more;
    }
  }
  return orders;
}

describe("orders watch that is killed at any moment", () => {
  const random = randomOf("watch");

  /** Kills a watch before it says a word, while it polls, or while it hands on, and tells when. */
  async function killOne(n: number, watch: Running): Promise<string> {
    const [event, longest] = ([["start", 150], ["word", 100], ["order", 10]] as const)[n % 3]!; // biome-ignore format: a table
    const ms = Math.round(random() * longest);
    if (event !== "start") await watch.said("Watching");
    // Perhaps there is none.
    if (event === "order") await Promise.race([once(watch.child.stdout, "data"), pause(100)]);
    await pause(ms);
    watch.child.kill("SIGKILL");
    await watch.ended;
    return `${event}+${ms}`;
  }

  it("leaves each order in one whole file, and none out", { timeout: 120_000 }, async () => {
    const { mock, env } = await service({ ...frozen, scenario: "busy" });
    const folder = temporaryFolder();
    const world = homed(env);
    const flags = ["--out-dir", folder, ...ndjson];
    const moments: string[] = [];
    let out = "";
    const seen = new Map<string, string>();
    const changed: string[] = [];
    const note = (text: string): void => {
      // The rest of a line that was cut off never comes.
      out += text.replace(/[^\n]*$/, "");
      for (const name of readdirSync(folder).filter((each) => each.endsWith(".json"))) {
        const file = join(folder, name);
        const { ino, mtimeMs } = statSync(file);
        const now = `${ino} ${mtimeMs} ${readFileSync(file, "utf8")}`;
        if ((seen.get(name) ?? now) !== now) changed.push(name);
        seen.set(name, now);
      }
    };
    const kill = async (times: number): Promise<void> => {
      for (let n = 0; n < times; n++) {
        const watch = startWatch(world, ...flags);
        moments.push(await killOne(moments.length, watch));
        note(watch.out());
      }
    };
    const finish = async (): Promise<void> => {
      const { code, stdout, stderr } = await runBinary(["orders", "watch", "--once", ...flags], {
        env: world,
      });
      expect(code, stderr).toBe(0);
      // A kill in the first run can leave in doubt what moved on meanwhile, which is said once.
      expect(stderr).toMatch(/^(?:Orders that left pendiente [^\n]+\n)?$/);
      note(stdout);
    };

    // Time stands still until the first run is over: so it is known which orders had left pendiente when it began.
    const before = await ordersOf(mock);
    await kill(sized(1, 12));
    await finish();
    // Time moves between two runs, so that each finds something, and under their hands.
    await mock.control.moveClock({ advance_ms: 1_200_000 });
    const timer = setInterval(() => void mock.control.moveClock({ advance_ms: 1_000 }), 20);
    await kill(sized(2, 48)).finally(() => clearInterval(timer));
    await finish();

    const expected = [...(await ordersOf(mock)).keys()]
      .filter((id) => before.get(id) === undefined || before.get(id) === "pendiente")
      .sort((a, b) => a - b);
    const said = moments.join(" ");
    expect(expected.length, said).toBeGreaterThan(60);
    expect(readdirSync(folder).sort(), said).toEqual(expected.map((id) => `${id}.json`).sort());
    expect(changed, said).toEqual([]);
    for (const name of readdirSync(folder)) {
      const order = JSON.parse(readFileSync(join(folder, name), "utf8")) as { order_id: number };
      expect(`${order.order_id}.json`, said).toBe(name);
    }
    // Every order is there, and no order again without a word that it is.
    const ids = newIds({ stdout: out }).map(Number);
    expect([...new Set(ids)].sort((a, b) => a - b), said).toEqual(expected); // biome-ignore format: one line
    const lines = eventsOf({ stdout: out }).filter(({ event }) => event === "order.new");
    for (const line of lines.filter((_, n) => ids.indexOf(ids[n]!) < n))
      expect(line, said).toMatchObject({ repeated: true });
    expect(await locksLeft(world.BPOS_HOME)).toEqual([]);
  });
});

describe("two watches at once", () => {
  it("is one too many for a consumer, until the first one is killed; another consumer goes beside it", async () => {
    const { mock, env } = await service({ ...frozen, scenario: "empty" });
    const home = homed(env);
    const [at, next] = await mock.control.placeOrders({ count: 2 });
    const { come, comer } = await meetingPoint();
    const first = startWatch(home, "-q", "--exec", comer());
    await come(1);

    const exec = `echo $BPOS_ORDER_ID $BPOS_REPEATED >> "$BPOS_HOME/said"`;
    const third = startWatch(home, "--standby", ...ndjson, "--exec", exec);
    const run = shell({ env: home });
    const second = await run(watchOnce);
    expect(second).toMatchObject({ code: 9, stdout: "" });
    expect(second.stderr).toContain(String(first.child.pid));
    const beside = await run([...watchOnce, "--consumer", "screen"]);
    expect([beside.code, newIds(beside)]).toEqual([0, [at!.order_id, next!.order_id]]);

    await third.said("watch.standby");
    await first.stop("SIGKILL");
    // The one that stands by repeats what was under way, and delivers the rest.
    await vi.waitFor(() => {
      const said = readFileSync(join(home.BPOS_HOME, "said"), "utf8");
      expect(said).toBe(`${at!.order_id} true\n${next!.order_id} false\n`);
    }, patient);
    expect(await third.stop("SIGTERM")).toBe(130);
    expect(eventsOf({ stdout: third.out() }).slice(0, 2)).toMatchObject([
      { event: "watch.standby", holder: `${hostname()}:${first.child.pid}` },
      { event: "watch.active" },
    ]);
  });
});

// The time-out of the test shows that each of these ends: what they wait for would take longer, or for ever.
describe("orders watch that is stopped", () => {
  it.each((["SIGINT", "SIGTERM"] as const).slice(0, sized(1, 2)))(
    "ends at once by %s while it sleeps",
    async (signal) => {
      const { mock, env } = await service({ ...frozen, scenario: "empty" });
      const watch = startWatch(homed(env), ...ndjson, "--interval", "60s");
      // The first poll asks for each of the eight states.
      await vi.waitFor(async () => expect(await mock.control.requests()).toHaveLength(8), patient);
      expect(await watch.stop(signal)).toBe(130);
    },
  );

  soakIt("ends at once while a request hangs", async () => {
    const server = await scriptedServer(on("GET /v1/orders", silence()));
    const watch = startWatch(homed(pointedAt(server.url)));
    await vi.waitFor(() => expect(server.requests).toHaveLength(1), patient);
    expect(await watch.stop("SIGINT")).toBe(130);
  });

  it("ends at once while --exec runs, and says which order it did not finish", async () => {
    const { mock, env } = await service({ ...frozen, scenario: "empty" });
    const home = homed(env);
    const [at, next] = await mock.control.placeOrders({ count: 2 });
    const { come, comer } = await meetingPoint();
    const watch = startWatch(home, "--exec", comer());
    const [command] = await come(1);
    const spoken = answerOf(command!);
    expect(await watch.stop("SIGINT")).toBe(130);
    // It does not outlive the watch.
    expect(await spoken).toBe("");
    await watch.ended;
    expect(watch.err()).toMatch(
      new RegExp(`Order ${at!.order_id} was being delivered to --exec.* marked as repeated`),
    );

    const exec = `echo $BPOS_ORDER_ID $BPOS_REPEATED >> "${home.BPOS_HOME}/said"`;
    expect((await shell({ env: home })(["orders", "watch", "--once", "-q", "--exec", exec])).code).toBe(0);
    const said = readFileSync(join(home.BPOS_HOME, "said"), "utf8");
    expect(said).toBe(`${at!.order_id} true\n${next!.order_id} false\n`);
  });

  it("ends a stubborn --exec with its group when its terminal is closed, however often it is told, and gives the lock back", async () => {
    const { mock, env } = await service({ ...frozen, scenario: "empty" });
    const home = homed(env);
    await mock.control.placeOrders({ count: 1 });
    const { come, comer } = await meetingPoint();
    const watch = startWatch(home, ...ndjson, "--exec", comer({ stubborn: true }));
    const [command] = await come(1);
    const spoken = answerOf(command!);
    watch.child.kill("SIGHUP");
    setTimeout(() => watch.child.kill("SIGHUP"), 100);
    expect(await watch.stop("SIGHUP")).toBe(130);
    expect(await spoken).toBe("");
    const next = await shell({ env: home })([...watchOnce, "--exec", "exit 0"]);
    expect(next.code).toBe(0);
  });

  soakIt("ends a stubborn --exec with its group at a second Ctrl-C", async () => {
    const { mock, env } = await service({ ...frozen, scenario: "empty" });
    await mock.control.placeOrders({ count: 1 });
    const { come, comer } = await meetingPoint();
    const watch = startWatch(homed(env), "--exec", comer({ stubborn: true }));
    const [command] = await come(1);
    const spoken = answerOf(command!);
    watch.child.kill("SIGINT");
    await vi.waitFor(() => {
      watch.child.kill("SIGINT");
      expect(watch.child.signalCode).toBe("SIGINT");
    }, patient);
    expect(await spoken).toBe("");
  });
});

// An executable has no files.
describe.skipIf(isExecutable)("orders watch whose files an update of bpos takes away", () => {
  /** A watch of an installation of its own, and how often it has polled. */
  async function installed(...more: string[]) {
    const { mock, env } = await service({ ...frozen, scenario: "empty" });
    const from = temporaryFolder();
    for (const part of ["bin", "dist", "package.json"])
      cpSync(join(root, part), join(from, part), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(from, "node_modules"));
    const argv = ["orders", "watch", "--interval", "1s", "--force", ...ndjson, ...more];
    const watch = startBinary(argv, { env: homed(env), from });
    // The first poll asks for each of the eight states.
    const polled = (times: number) =>
      vi.waitFor(
        async () => expect((await mock.control.requests()).length).toBeGreaterThan(7 + times),
        patient,
      );
    return { mock, watch, polled, update: () => rmSync(join(from, "dist"), { recursive: true }) };
  }

  it("says what is wrong", async () => {
    const { mock, watch, polled, update } = await installed();
    // The fifth poll comes more than three seconds after the start.
    await polled(4);
    update();
    await mock.control.addFault("GET /v1/orders status=403");
    await watch.said("bpos retries");
    expect(watch.err()).toContain("The service does not accept this key.");
    expect(await watch.stop("SIGINT")).toBe(130);
    expect(watch.err()).toContain('"message":"Stopped by Ctrl-C or a signal.');
  });

  it("says in a sentence that it was stopped, also where they are gone at once", async () => {
    const { watch, polled, update } = await installed("--lang", "es", "-o", "table");
    await polled(0);
    update();
    expect(await watch.stop("SIGINT")).toBe(130);
    expect(withoutTimes(watch.err())).toMatch(
      /\nbpos: Interrumpido\. Los archivos del programa ya no están, .*\n$/,
    );
  });

  soakIt(
    "goes on though they are gone at once, and ends without a stack trace when it needs one",
    async () => {
      const { mock, watch, polled, update } = await installed();
      await polled(0);
      update();
      await polled(5);
      await mock.control.addFault("GET /v1/orders status=403");
      const { code, stderr } = await watch.ended;
      expect(code).toBe(1);
      expect(withoutTimes(stderr)).toMatch(
        /\nbpos: Unexpected error \(Cannot find module .*Start it again\.\n$/,
      );
    },
  );
});

it("ends with 0 when `head` has read enough, though no other order comes, and loses none", async () => {
  const { mock, env } = await service({ ...frozen, scenario: "empty" });
  const home = homed(env);
  const [first] = await mock.control.placeOrders({ count: 1 });
  const script = `bpos orders watch --interval 60s -o ndjson -q | head -1; echo codes: \${PIPESTATUS[*]} >&2`;
  const { stdout, stderr } = await inBash(script, { env: home });
  expect(newIds({ stdout })).toEqual([first!.order_id]);
  expect(stderr).toBe("codes: 0 0\n");
  const [second] = await mock.control.placeOrders({ count: 1 });
  const next = await shell({ env: home })(watchOnce);
  expect(eventsOf(next)).toMatchObject([{ order: { order_id: second!.order_id }, repeated: false }]);
});
