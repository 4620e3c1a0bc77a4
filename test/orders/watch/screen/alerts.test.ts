import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../../support/fake-clock.ts";
import { shell, temporaryFolder, type World } from "../../../support/run.ts";
import { service } from "../../../support/service.ts";
import { watchPolls, withoutTimes } from "../../../support/watch.ts";

/** A service without orders on a clock of its own. */
async function stage() {
  const clock = fakeClock();
  const { mock } = await service({ scenario: "empty", now: () => clock.now() });
  return { mock, clock, env: { BPOS_MOCK: mock.baseUrl } };
}

interface Call {
  args: string[];
  env: Record<string, string>;
}

/** A desktop whose program of that name keeps how it was called, and then runs `more`. */
function desktop(name: string, more = ""): { env: { PATH: string }; calls: () => Call[] } {
  const PATH = temporaryFolder();
  const kept = join(PATH, "calls");
  const code = `#!${process.execPath}
    const call = JSON.stringify({ args: process.argv.slice(2), env: process.env });
    require("node:fs").appendFileSync(${JSON.stringify(kept)}, call + "\\n");
    ${more}`;
  writeFileSync(join(PATH, name), code);
  chmodSync(join(PATH, name), 0o755);
  const lines = (): string[] => (existsSync(kept) ? readFileSync(kept, "utf8").trimEnd().split("\n") : []);
  return { env: { PATH }, calls: () => lines().map((line) => JSON.parse(line) as Call) };
}

/** Runs `orders watch --once --notify` where these customers have ordered. */
async function notified(names: string[], world: World, ...flags: string[]) {
  const { mock, env } = await stage();
  const ids: number[] = [];
  for (const nombre of names) {
    const [order] = await mock.control.placeOrders({ order: { cliente: { nombre }, total: 8900 } });
    ids.push(order!.order_id);
  }
  const argv = ["orders", "watch", "--once", "--notify", ...flags];
  const run = await shell()(argv, { ...world, env: { ...env, ...world.env } });
  return { run, ids };
}

const hostile = `-e '"; $(touch x) \`id\` %PATH% & <b>bold</b> \\074i\\076 \u001b[2J`;

describe("--notify", () => {
  it("shows branch, number, customer and total, and no text of a customer is markup or an option (Linux)", async () => {
    const { env, calls } = desktop("notify-send");
    const { run, ids } = await notified([hostile], { env });
    expect(run.code).toBe(0);
    // The body holds markup, and notify-send itself reads octal numbers behind backslashes.
    const safe = `-e '"; $(touch x) \`id\` %PATH% &amp; &lt;b&gt;bold&lt;/b&gt; \\\\074i\\\\076 ␛[2J`;
    expect(calls().map(({ args }) => args)).toEqual([
      ["--app-name=bpos", "--", `Order ${ids[0]} · demo`, `${safe} · $ 8.900,00`],
    ]);
  });

  it("passes the texts as arguments of the script (macOS), in the environment (Windows)", async () => {
    const body = `${hostile.replace("\u001b", "␛")} · $ 8.900,00`;
    const mac = desktop("osascript");
    const one = await notified([hostile], { env: mac.env, platform: "darwin" });
    const [{ args }] = mac.calls() as [Call];
    expect(args.slice(-2)).toEqual([`Order ${one.ids[0]} · demo`, body]);
    expect(args.slice(0, -2).join(" ")).toBe(
      "-e on run argv -e display notification (item 2 of argv) with title (item 1 of argv) -e end run",
    );
    // By its absolute path; here that is a file with backslashes in its name.
    const windows = desktop(String.raw`WINNT\System32\WindowsPowerShell\v1.0\powershell.exe`);
    const SystemRoot = join(windows.env.PATH, "WINNT");
    const two = await notified([hostile], { env: { PATH: "", SystemRoot }, platform: "win32" });
    const [call] = windows.calls() as [Call];
    expect(call.env).toMatchObject({ BPOS_NOTE_TITLE: `Order ${two.ids[0]} · demo`, BPOS_NOTE_BODY: body });
    const script = Buffer.from(call.args.at(-1) ?? "", "base64").toString("utf16le");
    expect(script).toContain("CreateTextNode($env:BPOS_NOTE_BODY)");
    expect(call.args.join(" ") + script).not.toContain("touch");
  });

  it("makes a burst one notification, with -q too", async () => {
    const { env, calls } = desktop("notify-send");
    const { mock, env: address } = await stage();
    await mock.control.placeOrders({ count: 12 });
    const folder = temporaryFolder();
    const argv = ["orders", "watch", "--once", "--notify", "-q", "--out-dir", folder, "--lang", "es"];
    expect(await shell()(argv, { env: { ...address, ...env } })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(calls().map(({ args }) => args.slice(2))).toEqual([["12 pedidos nuevos", "demo"]]);
  });

  it("says once what to install where the program is absent, or what it said; the orders are delivered", async () => {
    const absent = await notified(["Ana", "Luis"], { env: { PATH: temporaryFolder() } });
    expect(absent.run.code).toBe(0);
    expect(absent.run.stderr.match(/notify-send was not found.*apt install libnotify-bin/g)).toHaveLength(1);
    for (const id of absent.ids) expect(absent.run.stdout).toContain(`Order ${id}`);
    const quiet = await notified(["Ana"], { env: { PATH: temporaryFolder() } }, "-q");
    expect(quiet.run.stdout).toContain(`Order ${quiet.ids[0]}`);
    const { env } = desktop("notify-send", `process.stderr.write("no bus"); process.exitCode = 1;`);
    const failing = await notified(["Ana", "Luis"], { env });
    expect(failing.run.code).toBe(0);
    expect(failing.run.stderr.match(/notify-send failed \(no bus\)/g)).toHaveLength(1);
  });
});

describe("--late", () => {
  it("says once of each order that it has waited for too long, by the service's clock, and not once it has left", async () => {
    const { mock, clock, env } = await stage();
    const place = async (): Promise<number> => (await mock.control.placeOrders({}))[0]!.order_id;
    const first = await place();
    let second = 0;
    const { stderr } = await watchPolls(shell({ env }), {
      polls: 8,
      argv: ["--late", "10m"],
      // This machine's clock is a day behind.
      clock: fakeClock(Date.UTC(2025, 11, 31, 12)),
      after: async (poll) => {
        if (poll === 1) second = await place();
        if (poll === 4) await mock.control.setOrderStatus(second, "listo");
        clock.advance(5 * 60_000);
      },
    });
    const lines = withoutTimes(stderr).split("\n");
    expect(lines.filter((line) => line.includes("has been waiting"))).toEqual([
      `Order ${first} has been waiting for 10 min.`,
      `Order ${second} has been waiting for 10 min.`,
    ]);
  });

  it("says many at once in one sentence, and rings once, on a terminal, unless --no-bell", async () => {
    const { mock, clock, env } = await stage();
    const [oldest] = await mock.control.placeOrders({ count: 7 });
    const run = shell({ env });
    const watch = (...argv: string[]) =>
      run(["orders", "watch", "--once", ...argv], { terminal: 200, clock });
    await watch();
    clock.advance(14 * 60_000);
    const { stderr } = await watch("--late", "10m");
    expect(stderr).toContain(
      `7 orders have been waiting for more than 10 min. The oldest, order ${oldest!.order_id}, has been waiting for 14 min.`,
    );
    expect(stderr.split("\u0007")).toHaveLength(2);
    expect((await watch("--late", "10m", "--no-bell")).stderr).not.toContain("\u0007");
    expect((await watch("--late", "15m")).stderr).not.toMatch(/waiting for|\u0007/);
  });
});
