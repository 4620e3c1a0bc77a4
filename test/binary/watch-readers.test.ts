import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { answerOf, meetingPoint } from "../support/programs.ts";
import { type Run, root, runBinary, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { eventsOf, newIds } from "../support/watch.ts";

const bin = join(root, "bin/bpos.js");
const frozen = { clock: "2026-01-01T12:00:00-03:00", scenario: "empty" } as const;
const watchOnce = ["orders", "watch", "--once", "-q", "-o", "ndjson"];
const within10s = { timeout: 10_000 };

async function stage() {
  const { mock, env } = await service(frozen);
  const home = { PATH: process.env["PATH"] ?? "", BPOS_HOME: temporaryFolder(), ...env };
  return {
    folder: temporaryFolder(),
    home,
    requests: () => mock.control.requests(),
    run: (argv: string[]): Promise<Run> => runBinary(argv, { env: home }),
    place: async (count: number) => (await mock.control.placeOrders({ count })).map(({ order_id: id }) => id),
  };
}

/** Runs a line of bash in which `$BPOS` is the real binary. */
async function inShell(line: string, env: Record<string, string>): Promise<{ code: number; stderr: string }> {
  const bpos = `"${process.execPath}" "${bin}"`;
  const child = spawn("bash", ["--norc", "-c", line.replaceAll("$BPOS", bpos)], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, "close")) as [number];
  return { code, stderr };
}

/** A watch under way whose standard output nobody reads. */
function startUnread(env: Record<string, string>, ...flags: string[]) {
  const argv = [bin, "orders", "watch", "--interval", "1s", "--force", "-o", "ndjson", ...flags];
  const child = spawn(process.execPath, argv, { env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const ended = once(child, "exit");
  const endsBy = async (name: NodeJS.Signals): Promise<void> => {
    const began = performance.now();
    child.kill(name);
    expect(await ended).toEqual([130, null]);
    expect(performance.now() - began).toBeLessThan(2_500);
  };
  return { child, err: () => err, ended, endsBy };
}

describe("a file that takes no more", () => {
  it.each([["orders watch --once -o ndjson"], ["orders watch -o ndjson"], ["orders watch"]])(
    "ends `%s` with 9, and its orders come next time",
    async (command) => {
      const { home, run, place } = await stage();
      const ids = await place(3);
      const { code, stderr } = await inShell(`$BPOS ${command} > /dev/full`, home);
      expect(code).toBe(9);
      expect(stderr).toMatch(/no space left/i);
      const next = await run(watchOnce);
      expect(newIds(next)).toEqual(ids);
      expect(eventsOf(next).map(({ repeated }) => repeated)).toEqual([false, false, false]);
    },
  );

  it("ends every other command with 9 too", async () => {
    const { home, place } = await stage();
    await place(1);
    for (const command of ["orders list --json", "orders list", "openapi", "--version"])
      expect(await inShell(`$BPOS ${command} > /dev/full`, home), command).toMatchObject({ code: 9 });
  });

  it("in the middle of a line keeps the order pending, and the next delivery begins a line of its own", async () => {
    const { home, run, place, folder } = await stage();
    const ids = await place(3);
    const file = join(folder, "orders.ndjson");
    writeFileSync(file, "");
    // Room for half an order below the limit.
    truncateSync(file, 8_000 * 1024 - 300);
    const argv = watchOnce.join(" ");
    const first = await inShell(`ulimit -f 8000; $BPOS ${argv} >> "${file}"`, home);
    expect(first).toMatchObject({ code: 9, stderr: expect.stringMatching(/too large|EFBIG/i) as string });
    expect(readFileSync(file, "utf8")).toHaveLength(8_000 * 1024);
    const second = await inShell(`$BPOS ${argv} >> "${file}"`, home);
    expect(second).toEqual({ code: 0, stderr: "" });
    const [zeros, half, ...lines] = readFileSync(file, "utf8").split("\n");
    expect(zeros).toMatch(/^\0+$/);
    expect(half).toMatch(/^\{"event":"order.new"/);
    expect(newIds({ stdout: lines.join("\n") })).toEqual(ids);
    expect((await run(watchOnce)).stdout).toBe("");
  });
});

describe("a standard output that nobody reads", () => {
  it("holds up neither polls nor other outputs, is said once, and keeps what it did not take", async () => {
    const { home, run, place, folder } = await stage();
    const [file, orders] = [join(folder, "ids"), join(folder, "orders")];
    const outputs = ["--out-dir", orders, "--exec", `echo $BPOS_ORDER_ID >> "${file}"`];
    const early = await place(400);
    const watch = startUnread(home, ...outputs);
    watch.child.stdout.pause();
    const got = (): string[] => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
    await vi.waitFor(() => expect(watch.err()).toMatch(/Nobody reads standard output/), within10s);
    const [late] = await place(1);
    await vi.waitFor(() => expect(readdirSync(orders)).toContain(`${late}.json`), within10s);
    await vi.waitFor(() => expect(got()).toHaveLength(early.length + 1), { timeout: 40_000 });
    expect(got()).toEqual([...early, late].map(String));
    expect(watch.err().match(/Nobody reads/g)).toHaveLength(1);
    await watch.endsBy("SIGTERM");
    const next = eventsOf(await run(["orders", "watch", "--once", "-o", "ndjson", ...outputs]));
    expect(next.at(-1)).toMatchObject({ order: { order_id: late }, repeated: false });
    expect(next.filter(({ repeated }) => repeated === true)).toHaveLength(1);
    expect(got()).toHaveLength(early.length + 1);
  }, 60_000);

  it.each(["SIGINT", "SIGHUP"] as const)("does not keep %s from ending the watch", async (name) => {
    const { home, place } = await stage();
    await place(400);
    const watch = startUnread(home);
    watch.child.stdout.pause();
    await vi.waitFor(() => expect(watch.err()).toMatch(/Nobody reads standard output/), within10s);
    await watch.endsBy(name);
  });

  it("ends by a signal though nobody reads standard error either", async () => {
    const { home, place, requests } = await stage();
    await place(400);
    const watch = startUnread(home, "-vv");
    watch.child.stdout.pause();
    watch.child.stderr.pause();
    // The answers of two polls are more than both pipes take.
    await vi.waitFor(async () => expect((await requests()).length).toBeGreaterThan(80), { timeout: 20_000 });
    await watch.endsBy("SIGTERM");
  });
});

describe("a reader that is gone", () => {
  it("ends the watch with 0 before any other order comes", async () => {
    const { home, run, place } = await stage();
    const [first] = await place(1);
    const watch = startUnread(home);
    const [line] = (await once(watch.child.stdout, "data")) as [Buffer];
    expect(newIds({ stdout: String(line) })).toEqual([first]);
    watch.child.stdout.destroy();
    expect(await watch.ended).toEqual([0, null]);
    const [second] = await place(1);
    expect(eventsOf(await run(watchOnce))).toMatchObject([{ order: { order_id: second }, repeated: false }]);
  });
});

describe("a closed terminal", () => {
  it("ends a running --exec with its group, however often it is told, and then gives the lock back", async () => {
    const { home, run, place } = await stage();
    const [id] = await place(1);
    const { come, comer } = await meetingPoint();
    const watch = startUnread(home, "--exec", comer({ stubborn: true }));
    const [command] = await come(1);
    const spoken = answerOf(command!);
    watch.child.kill("SIGHUP");
    setTimeout(() => watch.child.kill("SIGHUP"), 100);
    await watch.endsBy("SIGHUP");
    expect(await spoken).toBe("");
    const next = await run([
      ...watchOnce,
      "--exec",
      `echo "$BPOS_ORDER_ID $BPOS_REPEATED" > "$BPOS_HOME/said"`,
    ]);
    expect(next.code).toBe(0);
    expect(readFileSync(join(home.BPOS_HOME, "said"), "utf8")).toBe(`${id} true\n`);
  });

  it("ends a running --exec with its group at a second Ctrl-C too", async () => {
    const { home, place } = await stage();
    await place(1);
    const { come, comer } = await meetingPoint();
    const watch = startUnread(home, "--exec", comer({ stubborn: true }));
    const [command] = await come(1);
    const spoken = answerOf(command!);
    watch.child.kill("SIGINT");
    await vi.waitFor(() => {
      watch.child.kill("SIGINT");
      expect(watch.child.signalCode).toBe("SIGINT");
    });
    expect(await spoken).toBe("");
  });
});

const hasScript = spawnSync("script", ["--version"]).status === 0;

describe.skipIf(!hasScript)("a terminal", () => {
  /** A watch on a terminal of its own; its exit code gets into a file. */
  async function onTerminal(home: Record<string, string>, folder: string, flags: string) {
    const [pid, code] = [join(folder, "pid"), join(folder, "code")];
    // The shell that leads the terminal dies with it; the one that notes the exit code does not.
    const command = `( trap '' HUP; ( echo $BASHPID > "${pid}"; exec "${process.execPath}" "${bin}" orders watch --interval 1s --force ${flags} ); echo $? > "${code}" ); :`;
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      env: { ...home, SHELL: "/bin/bash", TERM: "xterm" },
      stdio: ["pipe", "pipe", "ignore"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    await vi.waitFor(() => expect(out).toContain("Watching"), within10s);
    const ended = (): Promise<string> =>
      vi.waitFor(() => {
        expect(existsSync(code) && readFileSync(code, "utf8")).toBeTruthy();
        return readFileSync(code, "utf8").trim();
      }, within10s);
    return { child, out: () => out, pid: () => Number(readFileSync(pid, "utf8")), ended };
  }

  it("under Ctrl-S holds up nothing but itself, and SIGTERM ends the watch", async () => {
    const { home, place, folder } = await stage();
    const orders = join(folder, "orders");
    const terminal = await onTerminal(home, folder, `--out-dir "${orders}"`);
    terminal.child.stdin.write("\u0013");
    const [first, second] = [await place(1), await place(1)].flat();
    await vi.waitFor(
      () => expect(readdirSync(orders).toSorted()).toEqual([`${first}.json`, `${second}.json`].toSorted()),
      within10s,
    );
    expect(terminal.out()).not.toContain(String(first));
    const began = performance.now();
    process.kill(terminal.pid(), "SIGTERM");
    expect(await terminal.ended()).toBe("130");
    expect(performance.now() - began).toBeLessThan(2_500);
  });

  it("that is closed ends the watch with 130", async () => {
    const { home, folder } = await stage();
    const terminal = await onTerminal(home, folder, "");
    terminal.child.kill("SIGKILL");
    expect(await terminal.ended()).toBe("130");
  });
});
