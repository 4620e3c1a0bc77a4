import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { inBash, inShell, type Running, startBinary } from "../support/binary.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { sized, soakIt } from "../support/soak.ts";
import { eventsOf, newIds } from "../support/watch.ts";

const frozen = { clock: "2026-01-01T12:00:00-03:00", scenario: "empty" } as const;
const watchOnce = ["orders", "watch", "--once", "-q", "-o", "ndjson"];
const patient = { timeout: 10_000 };
/** Thirty of them are more than a pipe and its two ends hold. */
const lineas = Array.from({ length: 60 }, (_, n) => ({
  ...{ codigo: `C${n}`, nombre: "Empanada de carne cortada a cuchillo ".repeat(5) },
  ...{ cantidad: 1, precio_unitario: 1, opciones: [] },
}));
const many = 30;

async function stage() {
  const { mock, env } = await service(frozen);
  const home = { BPOS_HOME: temporaryFolder(), ...env };
  return {
    folder: temporaryFolder(),
    home,
    requests: () => mock.control.requests(),
    run: shell({ env: home }),
    place: async (count: number, order = {}) =>
      (await mock.control.placeOrders({ count, order })).map(({ order_id: id }) => id),
  };
}

/** A watch under way whose standard output nobody reads. */
function startUnread(env: Record<string, string>, ...flags: string[]): Running {
  const argv = ["orders", "watch", "--interval", "1s", "--force", "-o", "ndjson", ...flags];
  const watch = startBinary(argv, { env });
  watch.child.stdout.pause();
  return watch;
}

describe("a file that takes no more", () => {
  const watches = ["orders watch --once -o ndjson", "orders watch", "orders watch -o ndjson"];
  it.each(watches.slice(0, sized(1, 3)))(
    "ends `%s` with 9, and its orders come next time",
    async (command) => {
      const { home, run, place } = await stage();
      const ids = await place(3);
      const { code, stderr } = await inBash(`bpos ${command} > /dev/full`, { env: home });
      expect(code).toBe(9);
      expect(stderr).toMatch(/no space left/i);
      const next = await run(watchOnce);
      expect(newIds(next)).toEqual(ids);
      expect(eventsOf(next).map(({ repeated }) => repeated)).toEqual([false, false, false]);
    },
  );

  soakIt("ends every other command with 9 too, and says so", async () => {
    const { home, place } = await stage();
    await place(1);
    for (const command of ["orders list --json", "orders list", "openapi", "--version"]) {
      const { code, stderr } = await inBash(`bpos ${command} > /dev/full`, { env: home });
      expect([command, code]).toEqual([command, 9]);
      if (command !== "--version") expect(stderr).toContain("standard output");
    }
  });

  it("in the middle of a line keeps the order pending, and the next delivery begins a line of its own", async () => {
    const { home, run, place, folder } = await stage();
    const ids = await place(3);
    const file = join(folder, "orders.ndjson");
    writeFileSync(file, "");
    // Room for half an order below the limit.
    truncateSync(file, 8_000 * 1024 - 300);
    const watch = `bpos ${watchOnce.join(" ")} >> "${file}"`;
    const first = await inBash(`ulimit -f 8000; ${watch}`, { env: home });
    expect(first).toMatchObject({ code: 9, stderr: expect.stringMatching(/too large|EFBIG/i) as string });
    expect(readFileSync(file)).toHaveLength(8_000 * 1024);
    expect(await inBash(watch, { env: home })).toMatchObject({ code: 0, stderr: "" });
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
    const early = await place(sized(many, 200), { lineas });
    const watch = startUnread(home, ...outputs);
    const got = (): string[] => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
    await watch.said("Ctrl-Q");
    const [late] = await place(1);
    await vi.waitFor(() => expect(readdirSync(orders)).toContain(`${late}.json`), patient);
    await vi.waitFor(() => expect(got()).toEqual([...early, late].map(String)), { timeout: 40_000 });
    expect(watch.err().match(/Ctrl-Q/g)).toHaveLength(1);
    expect(await watch.stop("SIGTERM")).toBe(130);
    const next = eventsOf(await run(["orders", "watch", "--once", "-o", "ndjson", ...outputs]));
    expect(next.at(-1)).toMatchObject({ order: { order_id: late }, repeated: false });
    expect(next.filter(({ repeated }) => repeated === true)).toHaveLength(1);
    expect(got()).toHaveLength(early.length + 1);
  }, 60_000);

  soakIt.each(["SIGINT", "SIGHUP"] as const)("does not keep %s from ending the watch", async (signal) => {
    const { home, place } = await stage();
    await place(many, { lineas });
    const watch = startUnread(home);
    await watch.said("Ctrl-Q");
    expect(await watch.stop(signal)).toBe(130);
  });

  soakIt("ends by a signal though nobody reads standard error either", async () => {
    const { home, place, requests } = await stage();
    await place(many, { lineas });
    const watch = startUnread(home, "-vv");
    watch.child.stderr.pause();
    // The answers of a poll are more than both pipes take.
    await vi.waitFor(async () => expect((await requests()).length).toBeGreaterThan(8), { timeout: 20_000 });
    expect(await watch.stop("SIGTERM")).toBe(130);
  });
});

const hasScript = spawnSync("script", ["--version"]).status === 0;

describe.skipIf(!hasScript)("a terminal", () => {
  /** A watch on a terminal of its own; its exit code gets into a file. */
  async function onTerminal(home: Record<string, string>, folder: string, flags: string) {
    const [pid, code] = [join(folder, "pid"), join(folder, "code")];
    // The shell that leads the terminal dies with it; the one that notes the exit code does not.
    const command = `( trap '' HUP; ( echo $BASHPID > "${pid}"; exec ${inShell} orders watch --interval 1s --force ${flags} ); echo $? > "${code}" ); :`;
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      env: { PATH: process.env["PATH"], ...home, SHELL: "/bin/bash", TERM: "xterm" },
      stdio: ["pipe", "pipe", "ignore"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    await vi.waitFor(() => expect(out).toContain("Watching"), patient);
    const ended = (): Promise<string> =>
      vi.waitFor(() => {
        expect(existsSync(code) && readFileSync(code, "utf8")).toBeTruthy();
        return readFileSync(code, "utf8").trim();
      }, patient);
    return { child, out: () => out, pid: () => Number(readFileSync(pid, "utf8")), ended };
  }

  soakIt("under Ctrl-S holds up nothing but itself, and SIGTERM ends the watch", async () => {
    const { home, place, folder } = await stage();
    const orders = join(folder, "orders");
    const terminal = await onTerminal(home, folder, `--out-dir "${orders}"`);
    terminal.child.stdin.write("\u0013");
    const placed = [await place(1), await place(1)].flat();
    const files = placed.map((id) => `${id}.json`).toSorted();
    await vi.waitFor(() => expect(readdirSync(orders).toSorted()).toEqual(files), patient);
    expect(terminal.out()).not.toContain(String(placed[0]));
    process.kill(terminal.pid(), "SIGTERM");
    expect(await terminal.ended()).toBe("130");
  });

  it("that is closed ends the watch with 130", async () => {
    const { home, folder } = await stage();
    const terminal = await onTerminal(home, folder, "");
    terminal.child.kill("SIGKILL");
    expect(await terminal.ended()).toBe("130");
  });

  it("without a size is taken for one of 80 columns", () => {
    const command = `${inShell} orders list --bogus --no-color`;
    const env = { PATH: process.env["PATH"], BPOS_HOME: temporaryFolder() };
    const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], {
      ...{ env, stdio: ["ignore", "pipe", "ignore"], encoding: "utf8" },
    });
    expect(stdout.trimEnd().split("\n")).toHaveLength(2);
  });
});
