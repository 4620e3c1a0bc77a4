import { appendFileSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { RunningMock } from "../../src/mock/index.ts";
import { fixture, type Run, shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";

const now = Date.UTC(2026, 10, 22, 12);
const header = "codigo;nombre;precio\n";

/** A clock that only sleeping moves, and what another program does to a file while it is slept. */
function writerClock() {
  const clock = {
    at: now,
    slept: 0,
    acts: [] as { atMs: number; act: () => void }[],
    now: () => clock.at,
    sleep(ms: number) {
      clock.at += ms;
      clock.slept += ms;
      while (clock.acts[0] !== undefined && clock.acts[0].atMs <= clock.slept) clock.acts.shift()?.act();
      return Promise.resolve();
    },
  };
  return clock;
}

let mock: RunningMock;
let run: (argv: string[], stdin?: string) => Promise<Run>;
let clock: ReturnType<typeof writerClock>;
let folder: string;

beforeEach(async () => {
  clock = writerClock();
  folder = temporaryFolder();
  const started = await service({ scenario: "empty", now: () => clock.at });
  mock = started.mock;
  const start = shell({ env: started.env, clock, cwd: folder });
  run = (argv, stdin = "") => start(argv, { stdin });
});

/** Writes a file as another program does that was last seen writing so long ago; returns its name. */
function write(name: string, content: string | Uint8Array, agoMs = 1_000): string {
  writeFileSync(join(folder, name), content);
  utimesSync(join(folder, name), new Date(), (clock.at - agoMs) / 1000);
  return name;
}

/** Adds to a file once so much time was slept. */
function later(atMs: number, name: string, more: string | Uint8Array): void {
  const path = join(folder, name);
  clock.acts.push({
    atMs,
    act() {
      appendFileSync(path, more);
      utimesSync(path, new Date(), clock.at / 1000);
    },
  });
}

const prices = async (): Promise<Record<string, number>> =>
  Object.fromEntries((await mock.control.catalog("demo")).map(({ codigo, precio }) => [codigo, precio]));

describe("a file that another program still writes", () => {
  it("is waited for where it ends within a line: the cut price never leaves", async () => {
    write("list.csv", `${header}H11;Pan;100\nH12;Pan;12`);
    later(4_000, "list.csv", "500\n");
    const { code, stderr } = await run(["catalog", "push", "list.csv"]);
    expect({ code, prices: await prices() }).toEqual({ code: 0, prices: { H11: 100, H12: 12500 } });
    expect(stderr).toBe("list.csv is still being written. Waiting for 10 s without changes …\n");
    // It ends with a line end then: what is read is complete.
    expect(clock.slept).toBeLessThan(15_000);
  });

  it("is read as it is once it did not change for ten seconds", async () => {
    write("list.csv", `${header}H12;Pan;12`, 4_000);
    expect((await run(["catalog", "push", "list.csv"])).code).toBe(0);
    expect(await prices()).toEqual({ H12: 12 });
    expect(clock.slept).toBe(6_000);
  });

  it.each([
    ["a text that is older", `${header}H12;Pan;12`, 10_000],
    ["a text with a line end", `${header}H12;Pan;12\n`, 0],
    [
      "a text with a line end as Windows writes it, in UTF-16",
      Buffer.from(`\ufeff${header}H1;Pan;1\r\n`, "utf16le"),
      0,
    ],
    ["a text that ends as DOS wrote it", `${header}H12;Pan;12\r\n\u001a`, 0],
    ["JSON without a line end", '[{"codigo":"H12","nombre":"Pan","precio":12}]', 0],
    ["a workbook", readFileSync(fixture("input/openpyxl.xlsx")), 0],
    ["a file that is dated a year ahead", `${header}H12;Pan;12`, -365 * 86_400_000],
  ])("%s is not waited for", async (_, content, agoMs) => {
    write("list", content, agoMs);
    expect((await run(["catalog", "push", "list"])).code).toBe(0);
    expect(clock.slept).toBe(0);
  });

  it.each([
    ["NDJSON", '{"codigo":"A","nombre":"Pan","precio":1}\n{"codigo":"B","nombre":"Té","pre', 'cio":25}\n'],
    [
      "JSON within an object",
      '[{"codigo":"A","nombre":"Pan","precio":1},{"codigo":"B","nombre":"Té","pre',
      'cio":25}]',
    ],
    [
      "JSON between two objects",
      '[{"codigo":"A","nombre":"Pan","precio":1}',
      ',{"codigo":"B","nombre":"Té","precio":25}]',
    ],
    [
      "JSON whose text ends with a line",
      '[{"codigo":"A","nombre":"Pan","precio":1},\n',
      '{"codigo":"B","nombre":"Té","precio":25}]\n',
    ],
    ["nothing yet", "", `${header}A;Pan;1\nB;Té;25\n`],
    ["only a heading", "codigo;nombre", `;precio\nA;Pan;1\nB;Té;25\n`],
  ])("is waited for: %s", async (_, begun, rest) => {
    write("list", begun);
    later(3_000, "list", rest);
    expect((await run(["catalog", "push", "list"])).code).toBe(0);
    expect(await prices()).toEqual({ A: 1, B: 25 });
  });

  it("is waited for where a workbook is cut, wherever", async () => {
    const whole = readFileSync(fixture("input/openpyxl.xlsx"));
    const { stdout: expected } = await run(["catalog", "check", write("whole.xlsx", whole), "--json"]);
    for (const share of [0.01, 0.3, 0.7, 0.99]) {
      const cut = Math.ceil(whole.length * share);
      write("list.xlsx", whole.subarray(0, cut));
      later(clock.slept + 2_000, "list.xlsx", whole.subarray(cut));
      const { code, stdout } = await run(["catalog", "check", "list.xlsx", "--json"]);
      expect(code).toBe(0);
      expect(stdout.replace("list.xlsx", "whole.xlsx")).toBe(expected);
    }
  });

  it("ends with 2 after a minute in which it never stood still; nothing is sent", async () => {
    write("list.csv", `${header}H12;Pan;12`);
    for (let s = 2; s < 120; s += 2) later(s * 1000, "list.csv", "5");
    const { code, stderr } = await run(["catalog", "push", "list.csv"]);
    expect(code).toBe(2);
    expect(stderr).toContain("list.csv: it is still being written.");
    expect(clock.slept).toBe(60_000);
    expect(await prices()).toEqual({});
  });

  it("is timed by this machine where the clock of its own is ahead", async () => {
    write("list.csv", `${header}H12;Pan;12`, -3_600_000);
    expect((await run(["catalog", "push", "list.csv"])).code).toBe(0);
    expect(clock.slept).toBe(10_000);
  });

  it("that goes meanwhile is missing", async () => {
    write("list.csv", `${header}H12;Pan;12`);
    clock.acts.push({ atMs: 500, act: () => rmSync(join(folder, "list.csv")) });
    const { code, stderr } = await run(["catalog", "push", "list.csv"]);
    expect(code).toBe(2);
    expect(stderr).toContain("list.csv");
  });

  it("comes from standard input as it comes", async () => {
    expect((await run(["catalog", "push", "-"], `${header}H12;Pan;12`)).code).toBe(0);
    expect(clock.slept).toBe(0);
  });
});

describe("a list from which rows must not be missing", () => {
  it("is waited for two seconds with --deactivate-missing, whatever it looks like", async () => {
    await run(["catalog", "push", write("all.csv", `${header}A;Pan;1\nB;Té;2\nC;Mate;3\n`)]);
    expect(clock.slept).toBe(0);
    write("all.csv", `${header}A;Pan;1\nB;Té;2\n`, 500);
    later(1_000, "all.csv", "C;Mate;4\n");
    const { code } = await run([
      "catalog",
      "push",
      "all.csv",
      "--deactivate-missing",
      "--max-deactivate",
      "90%",
    ]);
    expect(code).toBe(0);
    expect((await mock.control.catalog("demo")).every(({ active }) => active)).toBe(true);
    expect(clock.slept).toBe(3_000);
  });

  it("is waited for where it says who gets no message", async () => {
    write("who.csv", "phone\n+5491161234567\n+5491161234568\n");
    write("not.csv", "phone\n+5491161234567\n", 500);
    later(1_000, "not.csv", "+5491161234568\n");
    const argv = [
      "campaign",
      "send",
      "who.csv",
      "--exclude",
      "not.csv",
      "--template",
      "aviso_simple",
      "--yes",
    ];
    expect((await run(argv)).code).toBe(0);
    expect(await mock.control.messages()).toEqual([]);
  });
});

it("is waited for in every command that reads rows", async () => {
  const lines = [
    ["catalog", "check", "list.csv"],
    ["catalog", "diff", "list.csv"],
    ["catalog", "delete", "--file", "list.csv"],
    ["campaign", "send", "list.csv", "--template", "aviso_simple", "--yes"],
    ["campaign", "optout", "import", "list.csv"],
  ];
  for (const argv of lines) {
    write("list.csv", "codigo;phone\nA;+54911612345");
    later(clock.slept + 5_000, "list.csv", "67\n");
    const { stderr } = await run(argv);
    expect({ argv, stderr }).toMatchObject({
      stderr: expect.stringContaining("is still being written") as string,
    });
  }
});

it.each([
  ["~$list.csv", "Excel"],
  [".~lock.list.csv#", "LibreOffice"],
])("says that the file is open in a spreadsheet program: %s", async (lock) => {
  write(lock, "");
  const { code, stderr } = await run(["catalog", "push", write("list.csv", `${header}A;Pan;1\n`)]);
  expect(code).toBe(0);
  expect(stderr).toBe(
    `Note: list.csv is open in a spreadsheet program (${lock}). Unsaved changes are not read.\n`,
  );
});
