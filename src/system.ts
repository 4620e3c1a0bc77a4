import type { ChildProcess } from "node:child_process";
import { closeSync } from "node:fs";
import { Socket } from "node:net";
import { homedir, userInfo } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { isatty } from "node:tty";
import { setFlagsFromString } from "node:v8";
import { childProcess } from "./system/child-process.ts";
import { hasGroups, killGroup } from "./system/process-group.ts";
import { type Prompts, realPrompts } from "./system/prompts.ts";
import { type CommandQuestion, type CommandReading, readCommand } from "./system/read-command.ts";
import { type OutStream, type StandardStream, standardStream } from "./system/streams.ts";

export { ClosedPipeError, type OutStream } from "./system/streams.ts";

/** Time: the current instant in epoch milliseconds, and a pause that an abort ends at once. */
export interface Clock {
  now(): number;
  /** Resolves after `ms` milliseconds, or at once (without an error) when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The random source of this machine: a number from 0 up to, not including, 1. */
export const realRandom = Math.random;

/** How to run a command line. */
export interface CommandRun {
  /** What it reads on its standard input; it need not. */
  input: string;
  /** Added to the environment of this process. */
  env: Record<string, string>;
  cwd?: string;
  /** After this many milliseconds it is ended, with every process of its group. */
  timeoutMs: number;
  /** When it aborts, the command has 700 ms to end by itself. */
  signal: AbortSignal;
}

/** How a command line ended. Without code and signal it could not be started, and `output` says why, or it was given up. */
export interface CommandEnd {
  code: number | null;
  signal: string | null;
  timedOut: boolean;
  /** True when the abort came before its end. */
  stopped: boolean;
  /** The last 4 KB of its standard output and standard error. */
  output: string;
}

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** A wish to stop. */
type StopSignal = (typeof stopSignals)[number];

/** The outside world as one argument. */
export interface System {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly homedir: string;
  readonly platform: NodeJS.Platform;
  /** Without the letter: `20.19.0`. */
  readonly nodeVersion: string;
  readonly pid: number;
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTerminal: boolean };
  readonly stdout: OutStream;
  readonly stderr: OutStream;
  readonly clock: Clock;
  /** A number from 0 up to, not including, 1. */
  readonly random: () => number;
  /** A new UUID. */
  readonly uuid: () => string;
  readonly prompts: Prompts;
  /**
   * Runs a shell line, which must be the user's own: nothing from elsewhere may be pasted into it. Never rejects;
   * resolves when the line has ended, whatever it left running in the background, and within a second of an abort.
   */
  readonly run: (command: string, how: CommandRun) => Promise<CommandEnd>;
  /** Runs a shell line of the user's own for what it prints; see `src/system/read-command.ts`. Never rejects. */
  readonly readCommand: (command: string, how: CommandQuestion) => Promise<CommandReading>;
  /**
   * Keeps memory small from here on: for a process that waits most of the time, at the cost of speed, or for one that reads a
   * large file, in which next to nothing lives on.
   */
  preferLittleMemory(work: "waiting" | "reading"): void;
  /** Calls `handler` on the first signal; another SIGINT or SIGTERM ends the process. Returns a function that stops listening. */
  onSignal(handler: (name: StopSignal) => void): () => void;
}

/** The clock of this machine. */
export const realClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    if (signal?.aborted) return;
    try {
      // A longer timer would overflow and fire at once.
      await delay(Math.min(ms, 2 ** 31 - 1), undefined, signal ? { signal } : {});
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  },
};

async function* readStdin(): AsyncGenerator<Uint8Array> {
  for await (const chunk of process.stdin) yield chunk as Uint8Array;
}

/** How long after the wish to stop whoever reads our output may still take it. */
const stalledReaderMs = 800;
/** Commands that have not ended yet. */
const running = new Set<ChildProcess>();

/** How long a command may go on after the abort. */
const stopGraceMs = 700;
/** From the polite signal of a time-out to the one that cannot be ignored. */
const killGraceMs = 500;
/** How long after its end, or its killing, what a command wrote is waited for. */
const pipeGraceMs = 100;
const keptOutputBytes = 4096;

/** Keeps the last of what a child writes; `release` leaves a process that outlives the child to itself. */
function lastOutput(child: ChildProcess): { add(text: string): void; text(): string; release(): void } {
  const streams = [child.stdout, child.stderr].filter((stream) => stream instanceof Socket);
  let kept = Buffer.alloc(0);
  const keep = (bytes: Buffer): void => {
    kept = Buffer.concat([kept, bytes]).subarray(-keptOutputBytes);
  };
  for (const stream of streams) stream.on("error", () => undefined).on("data", keep);
  return {
    add: (text) => keep(Buffer.from(text)),
    // The cut may have gone through a character.
    text: () => kept.toString("utf8").replace(/^\ufffd+/, ""),
    release() {
      child.stdin?.destroy();
      child.unref();
      // Read on, so that its writing neither blocks nor fails; but nobody waits for it.
      for (const stream of streams) stream.off("data", keep).resume().unref();
    },
  };
}

function startShell(command: string, { env, cwd }: CommandRun): ChildProcess {
  return childProcess().spawn(command, {
    shell: true,
    // A group of its own: a time-out reaches all of it, and Ctrl-C only this process, which then sees to it.
    detached: hasGroups(),
    windowsHide: true,
    env: { ...process.env, ...env },
    ...(cwd !== undefined && { cwd }),
  });
}

/** Runs a shell line of the user's: `System.run` of this machine. */
export async function runCommand(command: string, how: CommandRun): Promise<CommandEnd> {
  const end: CommandEnd = { code: null, signal: null, timedOut: false, stopped: false, output: "" };
  if (how.signal.aborted) return { ...end, stopped: true };
  try {
    return await endOf(startShell(command, how), how, end);
  } catch (error) {
    // What is too long, or not text for the operating system, is thrown at once.
    return { ...end, output: (error as Error).message };
  }
}

function endOf(
  child: ChildProcess,
  { input, timeoutMs, signal }: CommandRun,
  end: CommandEnd,
): Promise<CommandEnd> {
  return new Promise((resolve) => {
    const output = lastOutput(child);
    running.add(child);
    let timer: NodeJS.Timeout;
    const after = (ms: number, act: () => void): void => {
      clearTimeout(timer);
      timer = setTimeout(act, ms);
    };
    const settle = (): void => {
      clearTimeout(timer);
      running.delete(child);
      signal.removeEventListener("abort", onAbort);
      output.release();
      resolve({ ...end, output: output.text() });
    };
    const kill = (): void => {
      killGroup(child, "SIGKILL");
      after(pipeGraceMs, settle);
    };
    const onAbort = (): void => {
      // A command that ran out of time is being ended already.
      if (end.timedOut) return;
      end.stopped = true;
      after(stopGraceMs, kill);
    };
    signal.addEventListener("abort", onAbort);
    after(Math.min(timeoutMs, 2 ** 31 - 1), () => {
      end.timedOut = true;
      killGroup(child, "SIGTERM");
      after(killGraceMs, kill);
    });
    child.once("error", (error) => {
      output.add(error.message);
      settle();
    });
    child.once("exit", (code, name) => {
      Object.assign(end, { code, signal: name });
      signal.removeEventListener("abort", onAbort);
      // After a time-out the rest of the group has until its killing.
      if (!end.timedOut) after(pipeGraceMs, settle);
    });
    child.once("close", () => {
      if (!end.timedOut) settle();
    });
    child.stdin?.on("error", () => undefined).end(input);
  });
}

/** Node aborts at its end where it cannot restore a terminal that is gone; it leaves alone what is closed. */
function leaveLostTerminals(): void {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  process.once("exit", () => {
    for (const fd of terminals)
      try {
        if (!isatty(fd)) closeSync(fd);
      } catch {
        // It is closed.
      }
  });
}

/** Listens for the wish to stop; see `System.onSignal`. What `streams` still hold is given up soon after. */
function listenToSignals(
  streams: readonly StandardStream[],
  handler: (name: StopSignal) => void,
): () => void {
  let first = true;
  const stop = (): void => {
    for (const each of stopSignals) process.off(each, listener);
  };
  const listener = (signal: NodeJS.Signals): void => {
    const name = signal as StopSignal;
    if (first) {
      first = false;
      // Whoever waits for standard input waits no longer.
      process.stdin.destroy();
      // Again and again: what was written last may find no reader either.
      setInterval(() => {
        for (const stream of streams) stream.abandon();
      }, stalledReaderMs).unref();
      handler(name);
      return;
    }
    // Of one closed window a shell and the system may both tell, each once or twice.
    if (name === "SIGHUP") return;
    // A second signal has its usual effect: nobody is locked in. A command would otherwise go on without us.
    for (const child of running) killGroup(child, "SIGKILL");
    stop();
    process.kill(process.pid, name);
  };
  for (const each of stopSignals) process.on(each, listener);
  return stop;
}

/** The person's folder. In a container there may be no such person: then it is the root, where nothing can be kept. */
function homeFolder(): string {
  try {
    return homedir() || userInfo().homedir || "/";
  } catch {
    return "/";
  }
}

/** The real outside world: this process, its terminal, its clock. */
export function realSystem(): System {
  // The parser of HTTP is WebAssembly: to optimise it takes a quarter of a short command's time, and gains less than that.
  setFlagsFromString("--liftoff-only");
  leaveLostTerminals();
  const [stdout, stderr] = [standardStream(1), standardStream(2)];
  return {
    env: process.env,
    cwd: process.cwd(),
    homedir: homeFolder(),
    platform: process.platform,
    nodeVersion: process.versions.node,
    pid: process.pid,
    stdin: {
      // To open standard input takes time, and most commands never look at it.
      get isTerminal() {
        return process.stdin.isTTY;
      },
      [Symbol.asyncIterator]: readStdin,
    },
    stdout: stdout.out,
    stderr: stderr.out,
    clock: realClock,
    random: realRandom,
    uuid: () => crypto.randomUUID(),
    prompts: realPrompts,
    run: runCommand,
    readCommand,
    preferLittleMemory(work) {
      // Without them the language keeps several times what hundreds of short polls need, or 48 MB for objects just made.
      setFlagsFromString(work === "waiting" ? "--optimize-for-size" : "--semi-space-growth-factor=1");
    },
    onSignal: (handler) => listenToSignals([stdout, stderr], handler),
  };
}
