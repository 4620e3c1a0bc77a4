import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runBinary } from "../support/binary.ts";
import { service } from "../support/service.ts";
import { folderOnC, node, recorder, startOnTerminal, toWindows, userOfWindows } from "./windows.ts";

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

  it("is ended when its time is over", async () => {
    const { env } = await service();
    const folder = folderOnC();
    const code = join(folder, "wait.cjs");
    writeFileSync(code, "setTimeout(() => undefined, 60_000)");
    const world = { env: { ...env, ...userOfWindows(folder) } };
    const exec = ["--exec", `"${node}" "${toWindows(code)}"`, "--exec-timeout", "1s"];
    const began = performance.now();
    const run = await runBinary([...watchOnce, ...exec], world);
    expect(run.stderr).toMatch(/1 s/);
    expect(performance.now() - began).toBeLessThan(50_000);
  });
});

describe("a terminal", () => {
  /** What it shows, and the exit code once it is told to stop after `until`. */
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
