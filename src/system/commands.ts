import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { childEnv, userShell, windowsProgram } from "./child-env.ts";

export interface CommandRun {
  /** Its standard input, which it need not read; without one it has the terminal, if there is one. */
  input?: string | Uint8Array | readonly string[];
  /** Beside the environment of bpos. */
  env?: Record<string, string>;
  /** True if it keeps the key and the passwords of that environment. @default false */
  keepsSecrets?: boolean;
  /** After this many milliseconds it is ended, with every process of its group. */
  timeoutMs: number;
  /** When it aborts, the command has 700 ms to end by itself. */
  signal: AbortSignal;
  onOutput?: (bytes: Buffer, isError: boolean) => void;
}

export interface CommandEnd {
  code: number | null;
  signal: string | null;
  timedOut: boolean;
  stopped: boolean;
  /** Why it could not be started: the operating system's code, such as E2BIG. */
  failure?: string;
  /** The last 4 KB of its standard output and standard error, or what the system says of its start. */
  output: string;
}

/** From the abort to its killing, and from the polite signal of a time-out to the one that cannot be ignored. */
const stopGraceMs = 700;
const killGraceMs = 500;
/** How long bpos waits for output after a command ended or was killed: a process that it left running may hold the pipe. */
const pipeGraceMs = 100;
const keptOutputBytes = 4096;
/** A longer timer would overflow and fire at once. */
export const maxTimerMs = 2 ** 31 - 1;

const running = new Set<Shell>();

/** Ends every running command: nothing else would at a second signal. */
export function killCommands(): void {
  for (const shell of running) shell.kill("SIGKILL");
}

/** A shell line under way. Throws what is too long, or not text for the operating system. */
class Shell {
  readonly #child: ChildProcess;
  readonly #hasGroup: boolean;
  readonly #over = new AbortController();
  code: number | null = null;
  signal: string | null = null;
  error: NodeJS.ErrnoException | undefined;
  readonly ended: Promise<"ended">;

  constructor(
    command: string,
    { input, env, keepsSecrets = false }: CommandRun,
    onOutput: (bytes: Buffer, isError: boolean) => void,
  ) {
    // A program that asks for a passphrase needs the terminal, which its own group would lose.
    const asks = input === undefined && process.stdin.isTTY;
    // Its own group: a time-out reaches all of it, and Ctrl-C only this process, which then sees to it.
    this.#hasGroup = !asks && process.platform !== "win32";
    const stdin = input === undefined ? (asks ? "inherit" : "ignore") : "pipe";
    this.#child = spawn(command, {
      shell: userShell(process.platform, process.env),
      windowsHide: true,
      detached: this.#hasGroup,
      env: childEnv(process.env, env, { keepsSecrets }),
      stdio: [stdin, "pipe", "pipe"],
    });
    running.add(this);
    const { stdout, stderr } = this.#child;
    stdout?.on("error", () => undefined).on("data", (bytes: Buffer) => onOutput(bytes, false));
    stderr?.on("error", () => undefined).on("data", (bytes: Buffer) => onOutput(bytes, true));
    const reader = this.#child.stdin?.on("error", () => undefined);
    // Pieces are written one after another as they are read: all at once would be in memory twice.
    if (reader && typeof input === "object" && !(input instanceof Uint8Array))
      Readable.from(input).pipe(reader);
    else reader?.end(input);
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

  kill(name: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined || this.error !== undefined) return;
    if (process.platform === "win32") {
      this.#killTree(pid);
      return;
    }
    try {
      if (this.#hasGroup) process.kill(-pid, name);
      else this.#child.kill(name);
    } catch {
      // It has already ended.
    }
  }

  /** Windows knows no groups: cmd.exe alone would end, and what it started would go on. What is found is ended at once, whatever the signal. */
  #killTree(pid: number): void {
    // Once it has ended, another may have its number.
    if (this.code !== null) return;
    const program = windowsProgram(process.env, "taskkill.exe");
    const killer = spawn(program, ["/PID", `${pid}`, "/T", "/F"], {
      env: childEnv(process.env),
      stdio: "ignore",
      windowsHide: true,
    });
    const end = (): void => void this.#child.kill();
    killer.once("error", end).once("exit", end);
  }

  /** Resolves to `value` after that time, or never once this is released. */
  pause<const T>(ms: number, value: T): Promise<T> {
    const { signal } = this.#over;
    return delay(Math.min(ms, maxTimerMs), value, { signal }).catch(
      () => new Promise<never>(() => undefined),
    );
  }

  whenStopped(signal: AbortSignal): Promise<"stopped"> {
    return new Promise((resolve) => {
      const how = { once: true, signal: this.#over.signal };
      signal.addEventListener("abort", () => resolve("stopped"), how);
    });
  }

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

const notStarted = ({ code = "", message }: NodeJS.ErrnoException) => ({ failure: code, output: message });

export async function runCommand(command: string, how: CommandRun): Promise<CommandEnd> {
  const { timeoutMs, signal, onOutput } = how;
  const none = { code: null, signal: null, timedOut: false, stopped: signal.aborted, output: "" };
  if (none.stopped) return none;
  let kept = Buffer.alloc(0);
  let shell: Shell;
  try {
    shell = new Shell(command, how, (bytes, isError) => {
      kept = Buffer.concat([kept, bytes]).subarray(-keptOutputBytes);
      onOutput?.(bytes, isError);
    });
  } catch (error) {
    return { ...none, ...notStarted(error as Error) };
  }
  const first = await Promise.race([shell.ended, shell.whenStopped(signal), shell.pause(timeoutMs, "late")]);
  let left: string = first;
  if (first === "late") {
    shell.kill("SIGTERM");
    await shell.pause(killGraceMs, undefined);
  } else if (first === "stopped") {
    left = await Promise.race([shell.ended, shell.pause(stopGraceMs, "late")]);
  }
  if (left === "late") {
    shell.kill("SIGKILL");
    await shell.pause(pipeGraceMs, undefined);
  }
  shell.release();
  return {
    code: shell.code,
    signal: shell.signal,
    timedOut: first === "late",
    stopped: first === "stopped",
    output: kept.toString("utf8").replace(/^\ufffd+/, ""),
    ...(shell.error && notStarted(shell.error)),
  };
}
