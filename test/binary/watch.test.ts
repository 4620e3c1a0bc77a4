import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { orderStates } from "../../src/contract/order-states.ts";
import type { RunningMock } from "../../src/mock/index.ts";
import { answerOf, meetingPoint } from "../support/programs.ts";
import { root, runBinary, temporaryFolder } from "../support/run.ts";
import { on, scriptedServer, silence } from "../support/scripted-server.ts";
import { pointedAt, service } from "../support/service.ts";

const bin = join(root, "bin/bpos.js");
const frozen = { clock: "2026-01-01T12:00:00-03:00" } as const;
type Env = Record<string, string>;
/** A home of its own for the journal. */
const homed = (env: Env): Env => ({ PATH: process.env["PATH"] ?? "", BPOS_HOME: temporaryFolder(), ...env });

interface Line {
  event: string;
  order: { order_id: number };
  repeated: boolean;
}

/** What the ndjson of a watch says of new orders; a last line without its end is none. */
const newOrders = (text: string): Line[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)
    .filter(({ event }) => event === "order.new");

const idsOf = (lines: readonly Line[]): number[] => lines.map(({ order }) => order.order_id);

/** A real watch under way. */
interface Watch {
  child: ChildProcess;
  out: () => string;
  err: () => string;
  /** Resolves when it says that it watches, or ends. */
  watching: Promise<unknown>;
  /** Exit code and signal. */
  ended: Promise<unknown[]>;
}

function startWatch(env: Env, ...flags: string[]): Watch {
  const argv = [bin, "orders", "watch", "--interval", "1s", "--force", ...flags];
  const child = spawn(process.execPath, argv, { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const written = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written.out += text;
  });
  const ended = once(child, "close");
  const watching = new Promise<void>((resolve) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      written.err += text;
      if (written.err.includes("Watching")) resolve();
    });
    child.once("close", () => resolve());
  });
  return { child, out: () => written.out, err: () => written.err, watching, ended };
}

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

/**
 * Kills watches of one consumer one after another, at random moments: some before they have said a word, some while they
 * poll, some while they hand on. Returns the moments, for a run that fails.
 */
async function killWatches(
  count: number,
  start: () => Watch,
  afterEach: (watch: Watch) => void,
): Promise<string[]> {
  const moments: string[] = [];
  for (let n = 0; n < count; n++) {
    const [event, longest] = (
      [
        ["start", 150],
        ["word", 100],
        ["order", 10],
      ] as const
    )[n % 3]!;
    const ms = Math.round(Math.random() * longest);
    moments.push(`${event}+${ms}`);
    const watch = start();
    if (event !== "start") await watch.watching;
    // Perhaps there is none.
    if (event === "order") await Promise.race([once(watch.child.stdout!, "data"), pause(100)]);
    await pause(ms);
    watch.child.kill("SIGKILL");
    await watch.ended;
    afterEach(watch);
  }
  return moments;
}

/** What a busy branch's watch that was killed `kills` times came to. */
interface Survived {
  /** Whole lines of standard output of all runs. */
  lines: Line[];
  /** Ids of the orders that were to be handed on. */
  expected: number[];
  /** Of a failing run. */
  moments: string;
}

async function surviveKills(
  kills: { first: number; later: number },
  { env, mock }: { env: Env; mock: RunningMock },
  { flags, afterEach }: { flags: string[]; afterEach: () => void },
): Promise<Survived> {
  let out = "";
  const start = (): Watch => startWatch(env, ...flags);
  const note = (watch: Watch): void => {
    // The rest of a line that was cut off never comes.
    out += watch.out().replace(/[^\n]*$/, "");
    afterEach();
  };
  const finish = async (): Promise<void> => {
    const { code, stdout, stderr } = await runBinary(["orders", "watch", "--once", ...flags], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    out += stdout;
    afterEach();
  };
  // Time stands still until the first run is over: so it is known which orders had left pendiente when it began.
  const before = await ordersOf(mock);
  const moments = await killWatches(kills.first, start, note);
  await finish();
  // Time moves between two runs, so that each finds something, and under their hands.
  const timer = setInterval(() => void mock.control.moveClock({ advance_ms: 1_000 }), 20);
  const begin = (): Watch => {
    void mock.control.moveClock({ advance_ms: 30_000 });
    return start();
  };
  try {
    moments.push(...(await killWatches(kills.later, begin, note)));
  } finally {
    clearInterval(timer);
  }
  await finish();
  const expected = [...(await ordersOf(mock)).keys()].filter(
    (id) => before.get(id) === undefined || before.get(id) === "pendiente",
  );
  const lines = newOrders(out);
  return { lines, expected: expected.sort((a, b) => a - b), moments: moments.join(" ") };
}

describe("orders watch that is killed at any moment", () => {
  it("leaves each order in one whole file, and none out", { timeout: 120_000 }, async () => {
    const { mock, env } = await service({ ...frozen, scenario: "busy" });
    const folder = temporaryFolder();
    const seen = new Map<string, string>();
    const changed: string[] = [];
    const look = (): void => {
      for (const name of readdirSync(folder).filter((each) => each.endsWith(".json"))) {
        const file = join(folder, name);
        const { ino, mtimeMs } = statSync(file);
        const now = `${ino} ${mtimeMs} ${readFileSync(file, "utf8")}`;
        if ((seen.get(name) ?? now) !== now) changed.push(name);
        seen.set(name, now);
      }
    };
    const world = { mock, env: homed(env) };
    const flags = ["--out-dir", folder, "-o", "ndjson"];
    const { expected, lines, moments } = await surviveKills({ first: 12, later: 48 }, world, {
      flags,
      afterEach: look,
    });
    expect(expected.length, moments).toBeGreaterThan(60);
    expect(readdirSync(folder).sort(), moments).toEqual(expected.map((id) => `${id}.json`).sort());
    expect(changed, moments).toEqual([]);
    for (const name of readdirSync(folder)) {
      const order = JSON.parse(readFileSync(join(folder, name), "utf8")) as Line["order"];
      expect(`${order.order_id}.json`, moments).toBe(name);
    }
    checkLines(lines, { expected, moments });
    expect(readdirSync(join(world.env["BPOS_HOME"]!, "state", "locks"))).toEqual([]);
  });
});

/** Every order is there, and no order again without a word that it is. */
function checkLines(lines: readonly Line[], { expected, moments }: Omit<Survived, "lines">): void {
  const ids = idsOf(lines);
  expect(
    [...new Set(ids)].sort((a, b) => a - b),
    moments,
  ).toEqual(expected);
  const again = lines.filter(({ order }, index) => ids.indexOf(order.order_id) < index);
  for (const line of again) expect(line, moments).toMatchObject({ repeated: true });
}

describe("two watches at once", () => {
  it("is one too many for a consumer, until the first one is killed; another consumer goes beside it", async () => {
    const { mock, env } = await service({ ...frozen, scenario: "empty" });
    const home = homed(env);
    const [order] = await mock.control.placeOrders({ count: 1 });
    const first = startWatch(home, "-o", "ndjson");
    await first.watching;
    const once = ["orders", "watch", "--once", "-o", "ndjson"];

    const second = await runBinary(once, { env: home });
    expect(second).toMatchObject({ code: 9, stdout: "" });
    expect(second.stderr).toContain(String(first.child.pid));
    const beside = await runBinary([...once, "--consumer", "screen"], { env: home });
    expect(beside.code).toBe(0);
    expect(idsOf(newOrders(beside.stdout))).toEqual([order!.order_id]);

    await vi.waitFor(() => expect(first.out()).toContain("order.new"));
    first.child.kill("SIGKILL");
    await first.ended;
    const [late] = await mock.control.placeOrders({ count: 1 });
    const third = await runBinary(once, { env: home });
    expect(third.code).toBe(0);
    expect(idsOf(newOrders(third.stdout))).toContain(late!.order_id);
  });
});

/** Resolves when a watch has handed on something and writes its journal no more: the pipe is full. */
async function standingStill(home: string, { child }: Watch): Promise<void> {
  await vi.waitFor(() => expect(child.stdout!.readableLength).toBeGreaterThan(0), { timeout: 10_000 });
  const written = (): number =>
    readdirSync(home, { recursive: true, encoding: "utf8" })
      .filter((name) => name.includes("journal.db"))
      .reduce((sum, name) => sum + statSync(join(home, name)).size, 0);
  const before = { size: 0 };
  await vi.waitFor(
    () => {
      const still = written() === before.size;
      before.size = written();
      expect(still).toBe(true);
    },
    { interval: 250, timeout: 10_000 },
  );
}

describe("orders watch that is stopped", () => {
  const ends = async (watch: Watch, name: NodeJS.Signals): Promise<void> => {
    const began = performance.now();
    watch.child.kill(name);
    expect(await watch.ended).toEqual([130, null]);
    // A second is promised; the machine that tests may be busy.
    expect(performance.now() - began).toBeLessThan(1_500);
  };

  it.each(["SIGINT", "SIGTERM"] as const)("ends at once by %s while it sleeps", async (name) => {
    const { mock, env } = await service({ ...frozen, scenario: "empty" });
    const watch = startWatch(homed(env), "-o", "ndjson", "--interval", "60s");
    // The first poll asks for each of the eight states.
    await vi.waitFor(async () => expect(await mock.control.requests()).toHaveLength(8), { timeout: 10_000 });
    await ends(watch, name);
  });

  it("ends at once while a request hangs", async () => {
    const server = await scriptedServer(on("GET /v1/orders", silence()));
    const watch = startWatch(homed(pointedAt(server.url)));
    await vi.waitFor(() => expect(server.requests).toHaveLength(1), { timeout: 10_000 });
    await ends(watch, "SIGINT");
  });

  it("ends at once while the reader of its pipe has stopped reading, and hands what it did not take on again", async () => {
    const { mock, env } = await service({ ...frozen, scenario: "empty" });
    const home = homed(env);
    const orders = await mock.control.placeOrders({ count: 1_000 });
    const watch = startWatch(home, "-o", "ndjson");
    watch.child.stdout!.pause();
    await standingStill(home["BPOS_HOME"]!, watch);
    await ends(watch, "SIGTERM");

    const again = await runBinary(["orders", "watch", "--once", "-q", "-o", "ndjson"], { env: home });
    const events = again.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { repeated: boolean });
    expect(again.code).toBe(0);
    expect(events.filter(({ repeated }) => repeated)).toHaveLength(1);
    expect(events.length).toBeLessThan(orders.length);
  });

  it("ends at once while --exec runs, and says which order it did not finish", async () => {
    const { mock, env } = await service({ ...frozen, scenario: "empty" });
    const home = homed(env);
    const orders = await mock.control.placeOrders({ count: 2 });
    const [at] = orders;
    const { come, comer } = await meetingPoint();
    const watch = startWatch(home, "--exec", comer());
    const [command] = await come(1);
    const spoken = answerOf(command!);
    await ends(watch, "SIGINT");
    expect(watch.err()).toMatch(new RegExp(`Order ${at!.order_id} was at --exec.* marked as repeated`));
    // It does not outlive the watch.
    expect(await spoken).toBe("");

    const again = await runBinary(
      [
        "orders",
        "watch",
        "--once",
        "-q",
        "--exec",
        `echo $BPOS_ORDER_ID $BPOS_REPEATED >> "$BPOS_HOME/said"`,
      ],
      { env: home },
    );
    expect(again.code).toBe(0);
    expect(readFileSync(join(home["BPOS_HOME"]!, "said"), "utf8")).toBe(
      `${at!.order_id} true\n${orders[1]!.order_id} false\n`,
    );
  });
});

it("ends with 0 when `head` has read enough, though no other order comes, and loses none", async () => {
  const { mock, env } = await service({ ...frozen, scenario: "empty" });
  const home = homed(env);
  const [first] = await mock.control.placeOrders({ count: 1 });
  const argv = "orders watch --interval 60s -o ndjson -q";
  const script = `"${process.execPath}" "${bin}" ${argv} | head -1; echo "codes: \${PIPESTATUS[*]}" >&2`;
  const child = spawn("bash", ["--norc", "-c", script], { env: home });
  const written = { out: "", err: "" };
  child.stderr.on("data", (text: Buffer) => {
    written.err += String(text);
  });
  child.stdout.on("data", (text: Buffer) => {
    written.out += String(text);
  });
  await once(child, "close");
  expect(idsOf(newOrders(written.out))).toEqual([first!.order_id]);
  expect(written.err).toBe("codes: 0 0\n");
  const [second] = await mock.control.placeOrders({ count: 1 });
  const next = await runBinary(["orders", "watch", "--once", "-o", "ndjson"], { env: home });
  expect(newOrders(next.stdout)).toMatchObject([{ order: { order_id: second!.order_id }, repeated: false }]);
});
