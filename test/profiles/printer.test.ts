import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { en } from "../../src/i18n/en.ts";
import { home } from "../support/profiles.ts";
import { temporaryFolder } from "../support/run.ts";
import { virtualPrinter } from "../support/virtual-printer.ts";
import { windowsSpooler } from "../support/windows-spooler.ts";

const { setup } = en.printer;
const key = "bpk_live_S3cretPart0123456789";

afterEach(() => vi.unstubAllEnvs());

/** A machine whose `lpstat` is this script, or which has none. */
function withLpstat(script?: string): void {
  const folder = temporaryFolder();
  if (script !== undefined) writeFileSync(join(folder, "lpstat"), `#!/bin/sh\n${script}\n`);
  if (script !== undefined) chmodSync(join(folder, "lpstat"), 0o755);
  vi.stubEnv("PATH", folder);
}

/** As CUPS 2.4 writes it in the C locale. */
const queues = String.raw`[ "$LC_ALL" = C ] || exit 9
printf 'system default destination: kitchen\n'
printf 'printer bar disabled since Thu Nov 26 20:26:36 2026 -\n\tout of paper\n'
printf 'printer kitchen is idle.  enabled since Thu Nov 26 20:26:36 2026\n'
printf 'printer café is idle.  enabled since Thu Nov 26 20:26:36 2026\n'
printf 'device for bar: usb://EPSON/TM-T20?serial=1\n'
printf 'device for kitchen: socket://192.168.1.50:9100\n'`;

const row = (printer: string, more: object = {}) => ({
  ...{ printer, port: null, driver: null, state: null, default: false, profiles: [] },
  ...more,
});

/** A home with the profiles centro, the default, and norte. */
function twoProfiles(world: Parameters<typeof home>[0], centro: object, norte: object = {}) {
  const own = home({ ...world, env: { NO_COLOR: "1", ...world?.env } });
  own.write({ default: "centro", profiles: { centro: { api_key: key, n: 1.1, ...centro }, norte } });
  return own;
}

describe("bpos printer list", () => {
  it("lists the queues of CUPS, and what the profiles print on", async () => {
    withLpstat(queues);
    const { run } = twoProfiles({}, { printer: "lp:kitchen" }, { printer: "TCP://cocina.local" });
    const { code, stdout, stderr } = await run(["printer", "list", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      printers: [
        row("lp:bar", { port: "usb://EPSON/TM-T20?serial=1", state: "paused" }),
        row("lp:kitchen", {
          ...{ port: "socket://192.168.1.50:9100", state: "ready", default: true, profiles: ["centro"] },
        }),
        row("tcp://cocina.local", { profiles: ["norte"] }),
      ],
    });
    const table = await run(["printer", "ls"], { terminal: 200 });
    expect(table.stdout).toMatch(/lp:bar +paused +— +usb:/);
    expect(table.stdout).toMatch(/lp:kitchen +ready +centro +socket:/);
    const lines = await run(["printer", "list", "-o", "ndjson", "--fields", "printer,profiles"]);
    expect(lines.stdout.split("\n")[1]).toBe('{"printer":"lp:kitchen","profiles":["centro"]}');
    expect((await run(["printer", "list", "-o", "csv"])).stdout).toContain("lp:kitchen,socket:");
  });

  it("lists the printers of Windows, with their state", async () => {
    const windows = windowsSpooler({
      printers: {
        "Ñandú 80": { port: "USB001", driver: "Generic / Text Only" },
        "Micro, PDF": { status: 0x80 },
      },
      default: "Ñandú 80",
    });
    const { run } = twoProfiles(windows, { printer: "win:Ñandú 80" });
    const { stdout } = await run(["printer", "list", "--json"]);
    expect(JSON.parse(stdout)).toEqual({
      printers: [
        row("win:Ñandú 80", {
          ...{ port: "USB001", driver: "Generic / Text Only", state: "ready" },
          ...{ default: true, profiles: ["centro"] },
        }),
        row("win:Micro, PDF", { state: "offline" }),
      ],
    });
    const spanish = await run(["printer", "list", "--lang", "es"], { terminal: 120 });
    expect(spanish.stdout).toMatch(/win:Micro, PDF +sin conexión/);
  });

  it.each([
    ["linux", undefined, "CUPS: this machine has no `lp`. Install CUPS"],
    [
      "linux",
      "echo 'no system default destination'; echo 'lpstat: Scheduler is not running.' >&2; exit 1",
      "CUPS: it does not answer: lpstat: Sche",
    ],
    ["win32", 1722, "Windows: the print spooler of Windows is not running. Start it"],
  ] as const)(
    "lists those of the profiles on %s all the same, and says why there are no others",
    async (platform, how, said) => {
      const windows = windowsSpooler({ printers: {}, ...(typeof how === "number" && { code: how }) });
      if (typeof how !== "number") withLpstat(how);
      const { run } = twoProfiles({ ...windows, platform }, { printer: "tcp://10.0.0.9" });
      const { code, stdout, stderr } = await run(["printer", "list", "--json"]);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toEqual({ printers: [row("tcp://10.0.0.9", { profiles: ["centro"] })] });
      expect(stderr).toContain(said);
    },
  );

  it("is empty where CUPS has no queue", async () => {
    withLpstat("echo 'lpstat: No destinations added.' >&2; exit 1");
    const { code, stdout, stderr } = await home().run(["printer", "list", "-o", "csv"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.trim()).toBe("printer,port,driver,state,default,profiles");
  });
});

describe("bpos printer setup", () => {
  it("finds printers, prints until the paper is right, and saves what the person said yes to", async () => {
    const file = join(temporaryFolder(), "paper");
    const windows = windowsSpooler({ printers: { "Ñandú 80": {}, PDF: { status: 0x80 } } });
    const { run, stored } = twoProfiles(
      { ...windows, terminal: 80 },
      { drawer: true },
      { printer: `file:${file}` },
    );
    const asked: string[][] = [];
    const texts = (choices: readonly string[]): void => void asked.push([...choices]);
    const answers = ["PDF (offline)", "Ñandú 80", setup.width(48), setup.signs, setup.good];
    const choose = (_question: string, choices: readonly string[]): Promise<number> => {
      texts(choices);
      const answer = answers.shift() ?? "none";
      return Promise.resolve(choices.findIndex((choice) => choice.endsWith(answer)));
    };
    const done = await run(["printer", "setup"], { prompts: { choose }, answers: [true] });
    expect(done.code).toBe(0);
    expect(asked[0]).toEqual([
      ...["win:Ñandú 80", "win:PDF (offline)", `file:${file}`],
      ...[setup.network, setup.device, setup.leave],
    ]);
    expect(done.stderr.replace(/\s+/g, " ")).toContain("win:PDF: it is offline. Nothing was printed.");
    expect(done.stdout).toContain('The profile "centro" prints on win:Ñandú 80.');
    expect(windows.jobs().map(({ printer }) => printer)).toEqual(["Ñandú 80", "Ñandú 80", "Ñandú 80"]);
    expect(stored().profiles["centro"]).toEqual({
      ...{ api_key: key, n: 1.1, drawer: true },
      ...{ printer: "win:Ñandú 80", paper: 58, printer_language: "star" },
    });
  });

  it("takes a printer in the network by its address alone, for the profile of -p", async () => {
    withLpstat();
    const printer = await virtualPrinter();
    const { run, stored } = twoProfiles({ terminal: 80 }, { printer: "lp:kitchen" });
    const answers = [setup.network, "not a host", `127.0.0.1:${printer.port}`, setup.good, true];
    const { code, stderr } = await run(["-p", "norte", "printer", "setup"], { answers });
    expect(code).toBe(0);
    expect(stderr).toContain("> It takes tcp://192.168.1.50:9100");
    expect(await printer.printed(1)).toHaveLength(1);
    expect(stored().profiles).toMatchObject({
      centro: { printer: "lp:kitchen" },
      norte: { printer: printer.url, paper: 80, printer_language: "escpos" },
    });
  });

  it.each([
    ["no to the last question", [setup.device, "file:{file}", setup.good, false], 0],
    ["nothing on paper, and no other", [setup.device, "file:{file}", setup.nothing, setup.leave], 0],
    ["no to taking it away", [setup.remove, false], 0],
    ["Ctrl-C", [setup.device, "file:{file}", setup.good], 130],
  ] as const)("saves nothing after %s", async (_, given, exit) => {
    withLpstat();
    const { run, folder, file: config, write } = home({ terminal: 80, env: { NO_COLOR: "1" } });
    write({ profiles: { centro: { api_key: key, printer: "lp:kitchen" } }, default: "centro" });
    const before = readFileSync(config, "utf8");
    const answers = given.map((each) =>
      typeof each === "string" ? each.replace("{file}", join(folder, "out")) : each,
    );
    const left = (): Promise<never> =>
      Promise.reject(Object.assign(new Error("left"), { name: "ExitPromptError" }));
    const world = exit === 130 ? { prompts: { confirm: left } } : {};
    const { code, stdout, stderr } = await run(["printer", "setup"], { answers, ...world });
    expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
    expect(stderr).toContain(
      exit === 0 ? 'The profile "centro" stays as it was.' : "No profile was changed.",
    );
    expect(readFileSync(config, "utf8")).toBe(before);
    expect(existsSync(join(folder, "out"))).toBe(given[0] === setup.device);
  });

  it("takes the printer of a profile away", async () => {
    withLpstat();
    const { run, stored } = twoProfiles({ terminal: 80 }, { printer: "lp:kitchen" });
    await run(["printer", "setup"], { answers: [setup.remove, true] });
    expect(stored().profiles["centro"]).not.toHaveProperty("printer");
  });

  it("says off a terminal what to type, and without a profile what to do first", async () => {
    const piped = await twoProfiles({}, {}).run(["printer", "setup"]);
    expect(piped.code).toBe(2);
    expect(piped.stderr).toContain("bpos profile add <name> --update --printer <url>");
    const none = await home({ terminal: 80 }).run(["printer", "setup"]);
    expect(none.code).toBe(2);
    expect(none.stderr.replace(/\s+/g, " ")).toContain("`bpos init` sets up the first one");
  });
});
