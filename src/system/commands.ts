import type { ChildProcess, SpawnOptions } from "node:child_process";
import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

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

export interface CommandQuestion {
  timeoutMs: number;
  /** More than this much standard output is none that was asked for, in bytes. */
  maxBytes: number;
  signal: AbortSignal;
  /** Told of what it says on standard error as it comes, and once more at the end, with what it had printed by then. */
  onSaid: (said: string, printed: string) => void;
}

/** What a command line printed on its standard output, or why that is unknown. Nothing else tells what it printed. */
export type CommandReading =
  | { kind: "text"; text: string }
  | { kind: "exit"; code: number }
  | { kind: "killed"; signal: string }
  | { kind: "timeout"; ms: number }
  | { kind: "too_long" }
  /** `code` is the operating system's, such as E2BIG: its message would quote the command line. */
  | { kind: "not_started"; code: string }
  /** The abort came before its end. */
  | { kind: "stopped" };

/** How long a command may go on after the abort. */
const stopGraceMs = 700;
/** From the polite signal of a time-out to the one that cannot be ignored. */
const killGraceMs = 500;
/** How long after its end, or its killing, what a command wrote is waited for: something that it left running may hold the pipe. */
const pipeGraceMs = 100;
const keptOutputBytes = 4096;
// A longer timer would overflow and fire at once.
const maxTimerMs = 2 ** 31 - 1;

/** Whether a child can begin a group of processes, to be ended with all that it started. */
const hasGroups = process.platform !== "win32";

const running = new Set<Shell>();

/** Ends every command that runs: of a second signal nobody else would. */
export function killCommands(): void {
  for (const shell of running) shell.kill("SIGKILL");
}

/** A shell line under way. Throws what is too long, or not text for the operating system. */
class Shell {
  readonly #child: ChildProcess;
  readonly #hasGroup: boolean;
  readonly #over = new AbortController();
  /** How it ended; both null until then, and where it could not be started. */
  code: number | null = null;
  signal: string | null = null;
  error: NodeJS.ErrnoException | undefined;
  /** Resolves when it has ended and what it wrote was read. */
  readonly ended: Promise<"ended">;

  constructor(command: string, options: SpawnOptions, onOutput: (bytes: Buffer, isError: boolean) => void) {
    // Loaded when the first one starts: most commands start none.
    const { spawn } = process.getBuiltinModule("node:child_process");
    this.#hasGroup = options.detached === true;
    this.#child = spawn(command, { ...options, shell: true, windowsHide: true });
    running.add(this);
    const { stdout, stderr } = this.#child;
    stdout?.on("error", () => undefined).on("data", (bytes: Buffer) => onOutput(bytes, false));
    stderr?.on("error", () => undefined).on("data", (bytes: Buffer) => onOutput(bytes, true));
    this.ended = new Promise((resolve) => {
      this.#child.once("error", (error) => {
        this.error = error;
        resolve("ended");
      });
      this.#child.once("exit", (code, signal) => {
        Object.assign(this, { code, signal });
        void this.pause(pipeGraceMs, "ended").then(resolve);
      });
      this.#child.once("close", () => resolve("ended"));
    });
  }

  write(input: string): void {
    this.#child.stdin?.on("error", () => undefined).end(input);
  }

  kill(name: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (this.#hasGroup) process.kill(-pid, name);
      else this.#child.kill(name);
    } catch {
      // It has ended meanwhile.
    }
  }

  /** Resolves to `value` after that time, or never once this is released. */
  pause<const T>(ms: number, value: T): Promise<T> {
    const { signal } = this.#over;
    return delay(Math.min(ms, maxTimerMs), value, { signal }).catch(
      () => new Promise<never>(() => undefined),
    );
  }

  stopped(signal: AbortSignal): Promise<"stopped"> {
    return new Promise((resolve) => {
      const how = { once: true, signal: this.#over.signal };
      signal.addEventListener("abort", () => resolve("stopped"), how);
    });
  }

  /** Leaves a process that outlives the command to itself. */
  release(): void {
    this.#over.abort();
    running.delete(this);
    this.#child.stdin?.destroy();
    this.#child.unref();
    // Read on, so that its writing neither blocks nor fails; but nobody waits for it.
    for (const stream of [this.#child.stdout, this.#child.stderr])
      if (stream instanceof Socket) stream.removeAllListeners("data").resume().unref();
  }
}

export async function runCommand(command: string, how: CommandRun): Promise<CommandEnd> {
  const { input, env, cwd, timeoutMs, signal } = how;
  const end: CommandEnd = { code: null, signal: null, timedOut: false, stopped: signal.aborted, output: "" };
  if (end.stopped) return end;
  let kept = Buffer.alloc(0);
  const keep = (bytes: Buffer): void => {
    kept = Buffer.concat([kept, bytes]).subarray(-keptOutputBytes);
  };
  // A group of its own: a time-out reaches all of it, and Ctrl-C only this process, which then sees to it.
  const options = { detached: hasGroups, env: { ...process.env, ...env }, ...(cwd !== undefined && { cwd }) };
  let shell: Shell;
  try {
    shell = new Shell(command, options, keep);
  } catch (error) {
    return { ...end, output: (error as Error).message };
  }
  shell.write(input);
  const first = await Promise.race([shell.ended, shell.stopped(signal), shell.pause(timeoutMs, "late")]);
  if (first === "late") {
    shell.kill("SIGTERM");
    // The rest of the group has that long too.
    await shell.pause(killGraceMs, undefined);
  }
  const left =
    first === "stopped" ? await Promise.race([shell.ended, shell.pause(stopGraceMs, "late")]) : first;
  if (left === "late") {
    shell.kill("SIGKILL");
    await shell.pause(pipeGraceMs, undefined);
  }
  shell.release();
  if (shell.error !== undefined) keep(Buffer.from(shell.error.message));
  return {
    ...{ code: shell.code, signal: shell.signal, timedOut: first === "late", stopped: first === "stopped" },
    // The cut may have gone through a character.
    output: kept.toString("utf8").replace(/^\ufffd+/, ""),
  };
}

const notStarted = (error: unknown): CommandReading => ({
  kind: "not_started",
  code: (error as NodeJS.ErrnoException).code ?? "",
});

export async function readCommand(command: string, how: CommandQuestion): Promise<CommandReading> {
  const { timeoutMs, maxBytes, signal, onSaid } = how;
  if (signal.aborted) return { kind: "stopped" };
  let printed = Buffer.alloc(0);
  const said = new TextDecoder();
  const tooLong = new AbortController();
  // A program that asks for a passphrase needs the terminal, which a group of its own would lose; without one, standard
  // input is somebody else's data.
  const isTerminal = process.stdin.isTTY;
  const options: SpawnOptions = {
    detached: !isTerminal && hasGroups,
    stdio: [isTerminal ? "inherit" : "ignore", "pipe", "pipe"],
  };
  let shell: Shell;
  try {
    shell = new Shell(command, options, (bytes, isError) => {
      if (isError) onSaid(said.decode(bytes, { stream: true }), printed.toString("utf8"));
      else printed = Buffer.concat([printed, bytes]);
      if (printed.length > maxBytes) tooLong.abort();
    });
  } catch (error) {
    return notStarted(error);
  }
  const first = await Promise.race([
    shell.ended,
    shell.stopped(signal),
    shell.stopped(tooLong.signal).then(() => "too_long" as const),
    shell.pause(timeoutMs, "late"),
  ]);
  if (first !== "ended") shell.kill("SIGKILL");
  shell.release();
  const text = printed.toString("utf8");
  onSaid("", text);
  if (first === "late") return { kind: "timeout", ms: timeoutMs };
  if (first !== "ended") return { kind: first };
  if (shell.error !== undefined) return notStarted(shell.error);
  if (shell.signal !== null) return { kind: "killed", signal: shell.signal };
  return shell.code === 0 ? { kind: "text", text } : { kind: "exit", code: shell.code ?? 1 };
}
