import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runBinary } from "../support/binary.ts";
import { service } from "../support/service.ts";
import {
  driveC,
  folderOnC,
  node,
  nodeFile,
  recorder,
  runBatch,
  startOnTerminal,
  toWindows,
  userOfWindows,
} from "./windows.ts";

const watchOnce = ["orders", "watch", "--once", "-q"];

describe("--exec", () => {
  it("runs a batch file whose path has spaces and letters, with the order on its standard input", async () => {
    const { env } = await service();
    const folder = folderOnC();
    const { line, read } = recorder(folder);
    const file = join(folder, "al recibir ñ.cmd");
    // Lines of a batch file end in CR LF; what it runs is named in the environment, since it is read in the code page of the system.
    writeFileSync(file, '@echo off\r\ncall %RECORD% "%~1"\r\nexit /b %ERRORLEVEL%\r\n');
    const world = { env: { ...env, ...userOfWindows(folder), RECORD: line } };
    const run = await runBinary([...watchOnce, "--exec", `"${toWindows(file)}" "Ñandú & Cía"`], world);
    expect(run.code, run.stderr).toBe(0);
    const got = read();
    expect(got.length).toBeGreaterThan(1);
    for (const { argv, input, id, branch } of got) {
      expect(argv).toEqual(["Ñandú & Cía"]);
      expect(String((JSON.parse(input) as { order_id: number }).order_id)).toBe(id);
      expect(branch).toMatch(/^127/);
    }
    expect(got.some(({ input }) => /[áéíóúñ]/.test(input))).toBe(true);
  });

  it.each([
    ['"a b" ñ', ["a b", "ñ"]],
    ['"a & b" "c | d" "<e>"', ["a & b", "c | d", "<e>"]],
    ['"100%" 50%', ["100%", "50%"]],
    ['"%BPOS_EVENT%" %BPOS_EVENT%', ["order.new", "order.new"]],
    ['^& "^&" ^"', ["&", "^&", ""]],
    [String.raw`"a \"b\" c" C:\x\ "C:\x y\\"`, ['a "b" c', "C:\\x\\", "C:\\x y\\"]],
    ["! (x) ;,=", ["!", "(x)", ";,="]],
  ])("passes on %s as cmd.exe does", async (words, argv) => {
    const { env } = await service();
    const folder = folderOnC();
    const { line, read } = recorder(folder);
    const world = { env: { ...env, ...userOfWindows(folder) } };
    const run = await runBinary([...watchOnce, "--exec", `${line} ${words}`], world);
    expect(run.code, run.stderr).toBe(0);
    expect(read()[0]?.argv).toEqual(argv);
  });

  it("runs a path with spaces that cmd.exe passes on between quotes", async () => {
    const { env } = await service();
    const folder = folderOnC();
    const { line, read } = recorder(folder);
    const file = join(folder, "mi caja.cmd");
    writeFileSync(file, "@echo off\r\ncall %RECORD%\r\n");
    const world = { env: { ...env, ...userOfWindows(folder), RECORD: line, FILE: toWindows(file) } };
    const watch = String.raw`"%BPOS%" orders watch --once -q --exec "\"%FILE%\""`;
    const run = await runBatch([watch], world);
    expect(run.code, run.stderr).toBe(0);
    expect(read().length).toBeGreaterThan(1);
  });

  it("says what a command said that failed, and tries it again", async () => {
    const { env } = await service();
    const world = { env: { ...env, ...userOfWindows() } };
    const run = await runBinary([...watchOnce, "--exec", "echo sin papel& exit /b 7"], world);
    expect(run.stderr).toMatch(/sin papel/);
    expect(run.stderr).toMatch(/\b7\b/);
    const missing = await runBinary([...watchOnce, "--exec", "no-hay-tal"], world);
    expect(missing.code).toBe(run.code);
    expect(missing.stderr).toContain("no-hay-tal");
  });

  // The taskkill of Wine 8 knows no /T: that this ends the tree, the workflow shows.
  it("is ended when its time is over, by the taskkill of Windows for all that it started", async () => {
    const { env } = await service();
    const folder = folderOnC();
    const [system, code, preload, told] = ["System32", "wait.cjs", "told.cjs", "told.json"].map((name) =>
      join(folder, name),
    ) as [string, string, string, string];
    mkdirSync(system);
    copyFileSync(join(driveC, "windows/system32/cmd.exe"), join(system, "cmd.exe"));
    copyFileSync(nodeFile, join(system, "taskkill.exe"));
    writeFileSync(code, "setTimeout(() => undefined, 10_000)");
    writeFileSync(
      preload,
      `process.env.SystemRoot = process.env.ROOT;
      if (/taskkill/.test(process.execPath)) {
        require("node:fs").writeFileSync(${JSON.stringify(toWindows(told))}, JSON.stringify(process.argv.slice(1)));
        process.exit();
      }`,
    );
    const more = {
      OPTIONS: `--require "${toWindows(preload).replaceAll("\\", "/")}"`,
      ROOT: toWindows(folder),
      EXEC: `${node} wait.cjs`,
    };
    const world = { cwd: folder, env: { ...env, ...userOfWindows(folder), ...more } };
    const watch = '"%BPOS%" orders watch --once -q --exec "%EXEC%" --exec-timeout 2s';
    const run = await runBatch(["set NODE_OPTIONS=%OPTIONS%", watch], world);
    expect(run.stderr).toContain("2 s");
    const [first = "", pid, ...rest] = JSON.parse(readFileSync(told, "utf8")) as string[];
    expect([first.slice(-4), ...rest]).toEqual([String.raw`\PID`, "/T", "/F"]);
    expect(pid).toMatch(/^\d+$/);
  });
});

describe("a terminal", () => {
  /** Returns what it shows, and the exit code once it is told to stop after `until`. */
  async function look(argv: string[], env: Record<string, string>, until: RegExp) {
    const started = startOnTerminal(argv, env);
    let shown = "";
    started.stdout.setEncoding("utf8").on("data", (text: string) => (shown += text));
    const exited = once(started, "exit");
    await expect.poll(() => shown, { timeout: 20_000 }).toMatch(until);
    return { started, shown: () => shown, exited };
  }

  it("shows letters as they are, and ends a watch cleanly by Ctrl-C", async () => {
    const { env } = await service();
    const argv = ["orders", "watch", "--interval", "1s", "--force"];
    const { started, shown, exited } = await look(
      argv,
      { ...env, ...userOfWindows(), TERM: "xterm" },
      /Watching.*Paraná/s,
    );
    expect(shown()).toContain("╭");
    started.stdin.write("\u0003");
    const [code] = (await exited) as [number];
    expect(code, shown()).toBe(130);
    expect(shown()).not.toContain("\ufffd");
  });

  it("gets ASCII for signs where it may be the old console, and letters all the same", async () => {
    const { env } = await service();
    const { shown, exited } = await look(
      ["orders", "watch", "--once"],
      { ...env, ...userOfWindows(), TERM: "" },
      /Paraná/,
    );
    await exited;
    expect(shown()).toMatch(/\+---/);
    expect(shown()).not.toMatch(/[╭│…·\ufffd]/);
  });
});
