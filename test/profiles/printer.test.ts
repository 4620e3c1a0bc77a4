import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { home } from "../support/profiles.ts";
import { service } from "../support/service.ts";
import { virtualPrinter } from "../support/virtual-printer.ts";

const good = "Everything: one full row of digits, accents, a box, and a cut at the end";
const signs = "Symbols such as [4 or i before the lines, or no cut";
const nothing = "Nothing, or the wrong printer: type the address again";
const width = (columns: number): string =>
  columns > 32
    ? "The row of digits continues in a second row: narrow paper"
    : "The row of digits ends far from the edge: wide paper";
const world = { terminal: 80, env: { NO_COLOR: "1" } };

/** Answers to what `bpos init` asks before it comes to the printer. */
const questions = (url: string) => ["centro", url, "-", "bpk_demo_norte", "AR", "the real branch"] as const;

describe("the printer of bpos init", () => {
  it("asks about a printer, prints a test on it, and asks again until it is on paper", async () => {
    const { mock } = await service();
    const printer = await virtualPrinter();
    const { run, stored } = home(world);
    const [name, ...rest] = questions(mock.baseUrl);
    const tries = [true, "tcp://no host", "tcp://127.0.0.1:1", printer.url, nothing, printer.url, good];
    const { code, stderr } = await run(["init"], { answers: [name, ...rest, ...tries] });
    expect(code).toBe(0);
    expect(stderr).toContain("> A printer is tcp://192.168.1.50:9100");
    expect(stderr.replace(/\s+/g, " ")).toContain("Check that the printer is on and in this network");
    expect(await printer.printed(2)).toHaveLength(2);
    const kept = { printer: printer.url, paper: 80, printer_language: "escpos" };
    expect(stored().profiles["centro"]).toMatchObject(kept);
    await run(["init"], { answers: [name, true, ...rest, true, "-"] });
    expect(stored().profiles["centro"]).not.toHaveProperty("printer");
  });

  it("prints again on narrow paper, and with the other signs, until the paper is right", async () => {
    const { mock } = await service();
    const { run, stored, folder } = home(world);
    const paper = `file:${join(folder, "paper")}`;
    const { code } = await run(["init"], {
      answers: [...questions(mock.baseUrl), true, paper, width(48), signs, good],
    });
    expect(code).toBe(0);
    const kept = { printer: paper, paper: 58, printer_language: "star" };
    expect(stored().profiles["centro"]).toMatchObject(kept);
  });

  it.each([
    ["win32", String.raw`file:\\localhost\NAME (shared`],
    ["linux", "lp:QUEUE (`lpstat -p` lists"],
  ] as const)("says on %s what the address of a printer looks like", async (platform, said) => {
    const { mock } = await service();
    const { run } = home({ ...world, platform });
    const { code, stderr } = await run(["init"], { answers: [...questions(mock.baseUrl), true, "-"] });
    expect(code).toBe(0);
    expect(stderr.replace(/\s+/g, " ")).toContain(said);
  });

  it("left with Ctrl-C once it has printed, saves nothing", async () => {
    const { mock } = await service();
    const { run, folder, file } = home(world);
    const paper = join(folder, "paper");
    const left = Object.assign(new Error("left"), { name: "ExitPromptError" });
    const answers = [...questions(mock.baseUrl).slice(0, -1), true, `file:${paper}`];
    const choose = (question: string): Promise<number> =>
      question === "What does the paper show?" ? Promise.reject(left) : Promise.resolve(0);
    const { code, stderr } = await run(["init"], { answers, prompts: { choose } });
    expect(code).toBe(130);
    expect(stderr).toContain("No profile was changed.");
    expect([existsSync(paper), existsSync(file)]).toEqual([true, false]);
  });
});

it.each([
  ["win32", "COM3", "On Windows a serial port is file:\\\\.\\COM3."],
  ["win32", "USB001", String.raw`file:\\localhost\NAME`],
  ["linux", "USB001", "file:/dev/usb/lp0 (USB on Linux)"],
  ["darwin", "EPSON TM-T20", "lists the queues of this machine"],
] as const)("says on %s how %s is named there", async (platform, typed, remedy) => {
  const { stderr, code } = await home({ platform }).run(["printer", "test", typed]);
  expect(code).toBe(2);
  expect(stderr).toContain(remedy);
  if (platform === "win32") expect(stderr).not.toMatch(/\/dev|lp:/);
});
