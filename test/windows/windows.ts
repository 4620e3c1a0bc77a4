import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { isExecutable, type Running, startBinary } from "../support/binary.ts";
import type { Run } from "../support/run.ts";

const known = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || !isExecutable) throw new Error("These tests run in `npm run test:windows`");
  return value;
};

/** Input of a program of Windows. */
interface Recorded {
  argv: string[];
  input: string;
  id?: string;
  branch?: string;
}

/** Drive C. */
export const driveC = join(known("WINEPREFIX"), "drive_c");

/** A file of Linux as a program of Windows finds it. */
export const toWindows = (path: string): string =>
  (path.startsWith(driveC) ? `C:${path.slice(driveC.length)}` : `Z:${path}`).replaceAll("/", "\\");

const executable = toWindows(known("BPOS_WINDOWS_BPOS"));
/** Node for Windows. */
export const nodeFile = known("BPOS_WINDOWS_NODE");
export const node = toWindows(nodeFile);

/** A new folder on drive C, with a space and letters that no code page has all of; it is removed when the test ends. */
export function folderOnC(): string {
  const folder = mkdtempSync(join(driveC, "Año nuevo ł "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An environment with folders for settings and state that are those of a new user of Windows. */
export function userOfWindows(folder = folderOnC()): Record<"APPDATA" | "LOCALAPPDATA", string> {
  const names = ["Roaming", "Local"].map((name) => join(folder, "AppData", name));
  for (const name of names) mkdirSync(name, { recursive: true });
  const [roaming = "", local = ""] = names.map(toWindows);
  return { APPDATA: roaming, LOCALAPPDATA: local };
}

type World = NonNullable<Parameters<typeof startBinary>[1]>;

/** Starts another program of Windows than bpos. */
const startOther = (command: string, argv: readonly string[], world: World = {}): Running =>
  startBinary(argv, { ...world, env: { ...world.env, BPOS_WINDOWS_EXE: command } });

const cmd = String.raw`C:\windows\system32\cmd.exe`;

/** Starts lines of a batch file, in which `%BPOS%` is the executable. */
export function startBatch(lines: readonly string[], world: World = {}): Running {
  const file = join(folderOnC(), "run.cmd");
  writeFileSync(file, ["@echo off", ...lines, ""].join("\r\n"));
  const env = { ...world.env, BPOS: executable };
  return startOther(cmd, ["/d", "/c", toWindows(file)], { ...world, env });
}

/** Runs lines of a batch file to their end. */
export const runBatch = (lines: readonly string[], world?: World): Promise<Run> =>
  startBatch(lines, world).ended;

/** A program of Windows that writes what it gets: its arguments, what it reads, and a part of its environment, a line of JSON each. */
export function recorder(folder: string): { line: string; read: () => Recorded[] } {
  const [code, record] = ["record.cjs", "recorded.ndjson"].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  writeFileSync(
    code,
    `const { appendFileSync, readFileSync } = require("node:fs");
    const { BPOS_ORDER_ID: id, BPOS_BRANCH: branch } = process.env;
    const line = { argv: process.argv.slice(2), input: readFileSync(0, "utf8"), id, branch };
    appendFileSync(${JSON.stringify(toWindows(record))}, JSON.stringify(line) + "\\n");`,
  );
  return {
    line: `"${node}" "${toWindows(code)}"`,
    read: () =>
      (existsSync(record) ? readFileSync(record, "utf8") : "")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Recorded),
  };
}

/** Starts bpos on a terminal, whose other side is its standard input and output. Without a size it has none. */
export function startOnTerminal(
  argv: readonly string[],
  env: Record<string, string>,
): ChildProcessWithoutNullStreams {
  const words = ["/usr/lib/wine/wine64", executable, ...argv].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qefc", `stty cols 100 rows 30; exec ${words}`, "/dev/null"], {
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}
