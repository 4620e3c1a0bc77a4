import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { journals } from "./journals.ts";
import { checkJson } from "./json-schema.ts";
import { type Run, root } from "./run.ts";

/** An executable of the release, which `npm run test:release` tests in the place of the built command. */
const executable = process.env["BPOS_TEST_EXECUTABLE"];
export const isExecutable = executable !== undefined;

const bin = join(root, "bin/bpos.js");
const program: readonly string[] = executable === undefined ? [process.execPath, bin] : [executable];
/** The words that start the command in a shell. */
export const inShell = program.map((word) => `"${word}"`).join(" ");

type Env = Record<string, string>;

/** The real world of a process; of the environment it has PATH and what is given. */
interface RealWorld {
  env?: Env;
  stdin?: string;
  cwd?: string;
  /** The user and group that it runs as. */
  as?: { uid: number; gid: number };
  /** The maximum size of a file, in bytes, as on a full disk. */
  fileLimit?: number;
  /** It has addresses for so many bytes. */
  memoryLimit?: number;
  /** The folder in which the command is installed. @default this project */
  from?: string;
  /** The Node that runs it. @default the one of the tests */
  node?: string;
}

/** A running process, killed when the test ends. */
export interface Running {
  child: ChildProcessWithoutNullStreams;
  out: () => string;
  err: () => string;
  /** Resolves when this stands on one of its streams, or it ended. */
  said: (text: string) => Promise<void>;
  /** Its exit code, or the signal that killed it. */
  exited: Promise<number | NodeJS.Signals>;
  /** All that it wrote, once nothing more can come. */
  ended: Promise<Run>;
  /** Sends it a signal and waits until it is gone. */
  stop: (signal: NodeJS.Signals) => Promise<number | NodeJS.Signals>;
}

function start(command: string, argv: readonly string[], world: RealWorld): Running {
  const { env = {}, stdin, cwd = root, as = {} } = world;
  // The others reuse the code that one compiled.
  const shared = { PATH: process.env["PATH"], NODE_COMPILE_CACHE: join(tmpdir(), "bpos-code") };
  const all = { ...shared, ...journals.envOf(env["BPOS_HOME"]), ...env };
  const options = { cwd, ...as, env: all };
  const child = spawn(command, argv, options);
  onTestFinished(() => void child.kill("SIGKILL"));
  const written = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      written[name] += text;
      for (const listener of listeners) listener();
    });
  child.stdin.on("error", () => undefined).end(stdin);
  const exited = once(child, "exit").then(async ([code, signal]) => {
    if (signal === "SIGKILL") await journals.killed(child.pid);
    return (code ?? signal) as number | NodeJS.Signals;
  });
  return {
    child,
    out: () => written.stdout,
    err: () => written.stderr,
    said: (text) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (`${written.stdout}\0${written.stderr}`.includes(text)) resolve();
        };
        listeners.add(look);
        look();
        child.once("close", () => resolve());
      }),
    exited,
    ended: Promise.all([once(child, "close"), exited]).then(([[code]]) => ({
      code: (code as number | null) ?? -1,
      ...written,
    })),
    stop(signal) {
      child.kill(signal);
      return exited;
    },
  };
}

/** Starts the built command. */
export function startBinary(argv: readonly string[], world: RealWorld = {}): Running {
  const { from, node, fileLimit, memoryLimit } = world;
  const isOwn = from === undefined && node === undefined;
  const words = isOwn ? program : [node ?? process.execPath, join(from ?? root, "bin/bpos.js")];
  const command = [...words, ...argv];
  const limits = [
    ...(fileLimit === undefined ? [] : [`ulimit -f ${Math.ceil(fileLimit / 512)}`]),
    ...(memoryLimit === undefined ? [] : [`ulimit -v ${Math.ceil(memoryLimit / 1024)}`]),
  ];
  if (limits.length === 0) return start(command[0]!, command.slice(1), world);
  return start("/bin/sh", ["-c", [...limits, 'exec "$@"'].join("; "), "sh", ...command], world);
}

/** Runs the built command to its end. */
export async function runBinary(argv: readonly string[], world?: RealWorld): Promise<Run> {
  const run = await startBinary(argv, world).ended;
  checkJson(argv, world?.env ?? {}, run);
  return run;
}

/** Runs lines of bash in which `bpos` is the built command. */
export function inBash(script: string, world: RealWorld = {}): Promise<Run> {
  const bpos = `bpos() { ${inShell} "$@"; }`;
  return start("bash", ["--norc", "--noprofile", "-c", `${bpos}\n${script}`], world).ended;
}

/** Runs the built command and kills it after some milliseconds, unless it ends before. */
export async function runAndKill(
  argv: readonly string[],
  env: Env,
  ms: number,
): Promise<number | NodeJS.Signals> {
  const { child, exited, ended } = startBinary(argv, { env });
  const clock = new AbortController();
  await Promise.race([exited, pause(ms, undefined, { signal: clock.signal }).catch(() => undefined)]);
  clock.abort();
  child.kill("SIGKILL");
  await ended;
  return exited;
}
