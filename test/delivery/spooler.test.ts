import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { printerAddress } from "../../src/contract/addresses.ts";
import { Printer } from "../../src/delivery/printer.ts";
import { askPowerShell, runCommand } from "../../src/system.ts";
import { printed } from "../support/printed.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { windowsSpooler } from "../support/windows-spooler.ts";

const never = new AbortController().signal;
const name = "Ñandú (80 mm) & copia";

/** Prints on a printer of that Windows, with time limits that end soon. */
function printOn(windows: ReturnType<typeof windowsSpooler>, printer = name, signal = never) {
  const address = printerAddress(`win:${printer}`);
  if (address === undefined) throw new Error(printer);
  const system = {
    cwd: "/",
    platform: windows.platform,
    run: runCommand,
    askPowerShell: askPowerShell.bind(null, windows.env),
  };
  const limits = { take: 1_000, tell: 0 };
  return new Printer({ address, language: "escpos", system, limits }).print(
    Buffer.from("PEDIDO\u0000\u00ff", "latin1"),
    signal,
  );
}

const failedWith = (kind: string, maybe: boolean, facts = {}) => ({
  reason: "printer_failed",
  facts: { maybe, problem: { kind, ...facts } },
});

describe("a printer of Windows", () => {
  it("gets the same bytes as any other, raw, by its name", async () => {
    const windows = windowsSpooler({ printers: { [name]: {} }, job: [0x8, 0x10] });
    const file = join(temporaryFolder(), "paper");
    const run = shell(windows);
    const done = await run(["printer", "test", `win:${name}`, "--paper", "58"]);
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toContain(`The test receipt was sent to win:${name}.`);
    await run(["printer", "test", `file:${file}`, "--paper", "58"]);
    expect(windows.jobs()).toEqual([{ printer: name, bytes: readFileSync(file) }]);
    expect(printed(windows.jobs()[0]!.bytes, "escpos", 32)[0]?.acts).toEqual(["cut"]);
  });

  it("is printed on by one PowerShell for a whole watch, without a text of ours or of a customer in its line", async () => {
    const { mock, env } = await service({ scenario: "empty" });
    const windows = windowsSpooler({ printers: { [name]: {} } });
    await mock.control.placeOrders({ count: 3 });
    const argv = ["orders", "watch", "--once", "-q", "--printer", `win:${name}`];
    expect(await shell({ ...windows, env: { ...env, ...windows.env } })(argv)).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(windows.jobs()).toHaveLength(3);
    const [start, ...more] = windows.starts();
    expect(more).toEqual([]);
    expect(start?.slice(0, -1)).toEqual([
      ...["-NoLogo", "-NoProfile", "-NonInteractive", "-InputFormat", "None", "-EncodedCommand"],
    ]);
    const script = Buffer.from(start?.at(-1) ?? "", "base64").toString("utf16le");
    expect(script).toContain("WritePrinter");
    // The longest line that Windows starts a program with, and what PowerShell 5.1 reads right without a mark of its encoding.
    expect(start?.join(" ").length).toBeLessThan(32_000);
    expect(script).not.toMatch(/[^\n -~]/);
  });

  it.each([
    [{ status: 0x1 }, "paused"],
    [{ status: 0x80 }, "offline"],
    [{ attributes: 0x440 }, "offline"],
    [{ status: 0x10 }, "paper_out"],
    [{ status: 0x400000 }, "cover_open"],
    [{ status: 0x2 }, "faulty"],
  ])("that Windows says is %j gets nothing: %s", async (printer, kind) => {
    const windows = windowsSpooler({ printers: { [name]: printer } });
    expect(await printOn(windows)).toMatchObject(failedWith(kind, false));
    expect(windows.jobs()).toEqual([]);
    windows.change({ printers: { [name]: {} } });
    expect(await printOn(windows)).toBeUndefined();
    expect(windows.jobs()).toHaveLength(1);
  });

  it("that is not there is told with those that are", async () => {
    const windows = windowsSpooler({ printers: { [name]: {}, "Microsoft Print to PDF": {} } });
    const { code, stderr } = await shell(windows)(["printer", "test", "win:Epson"]);
    expect(code).toBe(6);
    expect(stderr).toContain(
      `win:Epson: Windows has no printer of that name; it has ${name}, Microsoft Print to PDF.`,
    );
    expect(stderr).toContain("Nothing was printed.");
    windows.change({ printers: {} });
    const none = await shell(windows)(["printer", "test", "win:Epson"]);
    expect(none.stderr).toContain("Windows has no printer of that name, nor any other.");
  });

  it.each([
    [{ code: 1722 }, "spooler_stopped", false],
    [{ instead: { state: "die" } }, "powershell", false],
    [{ instead: { state: "chatter" } }, "powershell", false],
    [{ instead: { print: "refuse" } }, "spooler", false],
    [{ instead: { print: "half" } }, "spooler", true],
    [{ instead: { print: "die" } }, "powershell", true],
    [{ instead: { print: "hang" } }, "stalled", true],
    [{ instead: { job: "die" } }, "powershell", true],
  ] as const)("where %j fails as %s, on paper in part or not", async (how, kind, maybe) => {
    const windows = windowsSpooler({ printers: { [name]: {} }, ...how });
    expect(await printOn(windows)).toMatchObject(failedWith(kind, maybe));
    // The next one starts PowerShell again where it has ended.
    windows.change({ code: 0, instead: {} });
    expect(await printOn(windows)).toBeUndefined();
  });

  it.each([
    [[0x50], "paper_out"],
    [[0x10, 0x2], "faulty"],
    [[0x20], "offline"],
    [[0x10, 0x10, 0x10, 0x10, 0x10, 0x10], "stalled"],
  ])("whose job stays in the queue with %j loses it again, and it may be on paper: %s", async (job, kind) => {
    const windows = windowsSpooler({ printers: { [name]: {} }, job });
    expect(await printOn(windows)).toMatchObject(failedWith(kind, true));
    expect(windows.cancelled()).toBe(1);
  });

  it("that keeps printed documents has printed them", async () => {
    const windows = windowsSpooler({
      printers: { [name]: {} },
      job: [0x10, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80],
    });
    expect(await printOn(windows)).toBeUndefined();
    expect(windows.cancelled()).toBe(0);
  });

  it("is left at Ctrl-C: before its turn nothing was printed, after it perhaps", async () => {
    const windows = windowsSpooler({ printers: { [name]: {} }, instead: { state: "hang" } });
    const stopAt = async (question: string) => {
      const ending = new AbortController();
      const printed = printOn(windows, name, ending.signal);
      await vi.waitFor(() => expect(windows.hung().at(-1)).toBe(question), { timeout: 10_000 });
      ending.abort();
      return printed;
    };
    expect(await stopAt("state")).toBe("unbegun");
    windows.change({ instead: { print: "hang" } });
    expect(await stopAt("print")).toBe("stopped");
  });

  it("cannot be printed on from elsewhere", async () => {
    const { code, stderr } = await shell()(["printer", "test", "win:Epson", "--lang", "es"]);
    expect(code).toBe(6);
    expect(stderr).toContain("win:Epson: esta máquina no es Windows.");
  });

  it("is said to be unusable where PowerShell is not allowed to", async () => {
    const windows = windowsSpooler({ printers: {}, instead: { state: "die" } });
    const { stderr } = await shell(windows)(["printer", "test", "win:Epson"]);
    expect(stderr).toContain("PowerShell, which prints it, failed: Cannot invoke method.");
    const none = await shell({ platform: "win32", env: { SystemRoot: "/nowhere" } })([
      "printer",
      "test",
      "win:Epson",
    ]);
    expect(none.stderr).toContain("ENOENT");
  });
});
