import type { ChildProcess } from "node:child_process";
import { childProcess } from "./child-process.ts";
import { hasGroups, killGroup } from "./process-group.ts";

/** How to read what a command line prints. */
export interface CommandQuestion {
  /** After this many milliseconds it is ended. */
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

/** How long after its end what a command printed is waited for: something that it left running may hold the pipe. */
const pipeGraceMs = 100;

const notStarted = (error: unknown): CommandReading => ({
  kind: "not_started",
  code: (error as NodeJS.ErrnoException).code ?? "",
});

function start(command: string): { child: ChildProcess; end: () => void } {
  // A program that asks for a passphrase needs the terminal, which a group of its own would lose; without one, standard
  // input is somebody else's data.
  const isTerminal = process.stdin.isTTY;
  const child = childProcess().spawn(command, {
    shell: true,
    detached: !isTerminal && hasGroups(),
    windowsHide: true,
    stdio: [isTerminal ? "inherit" : "ignore", "pipe", "pipe"],
  });
  const end = (): void => {
    if (isTerminal) child.kill("SIGKILL");
    else killGroup(child, "SIGKILL");
  };
  return { child, end };
}

/** Runs a shell line of the user's for what it prints. Never rejects. */
export function readCommand(command: string, how: CommandQuestion): Promise<CommandReading> {
  const { timeoutMs, maxBytes, signal, onSaid } = how;
  if (signal.aborted) return Promise.resolve({ kind: "stopped" });
  return new Promise((resolve) => {
    let started: ReturnType<typeof start>;
    try {
      started = start(command);
    } catch (error) {
      // What is too long, or not text for the operating system, is thrown at once.
      resolve(notStarted(error));
      return;
    }
    const { child, end } = started;
    const chunks: Buffer[] = [];
    const printed = (): string => Buffer.concat(chunks).toString("utf8");
    let grace: NodeJS.Timeout | undefined;
    const settle = (reading: CommandReading): void => {
      clearTimeout(timer);
      clearTimeout(grace);
      signal.removeEventListener("abort", onAbort);
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      onSaid("", printed());
      resolve(reading);
    };
    const giveUp = (reading: CommandReading): void => {
      end();
      settle(reading);
    };
    const onAbort = (): void => giveUp({ kind: "stopped" });
    const timer = setTimeout(() => giveUp({ kind: "timeout", ms: timeoutMs }), timeoutMs);
    signal.addEventListener("abort", onAbort);
    const ended = (code: number | null, name: string | null): CommandReading => {
      if (name !== null) return { kind: "killed", signal: name };
      if (code !== 0) return { kind: "exit", code: code ?? 1 };
      return { kind: "text", text: printed() };
    };
    child.stdout?.on("data", (bytes: Buffer) => {
      chunks.push(bytes);
      if (chunks.reduce((sum, { length }) => sum + length, 0) > maxBytes) giveUp({ kind: "too_long" });
    });
    child.stderr?.setEncoding("utf8").on("data", (said: string) => onSaid(said, printed()));
    child.once("error", (error) => settle(notStarted(error)));
    child.once("exit", (code, name) => {
      grace = setTimeout(() => settle(ended(code, name)), pipeGraceMs);
    });
    child.once("close", (code, name) => settle(ended(code, name)));
  });
}
