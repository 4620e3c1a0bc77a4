import { closeSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { isatty } from "node:tty";
import { setFlagsFromString } from "node:v8";
import { type CommandEnd, type CommandRun, killCommands, maxTimerMs, runCommand } from "./system/commands.ts";
import { realMachine } from "./system/machine.ts";
import { type Note, type NoteEnd, showNote } from "./system/notify.ts";
import { findListener, openInBrowser, page } from "./system/programs.ts";
import { type Prompts, realPrompts } from "./system/prompts.ts";
import { type OutStream, type StandardStream, standardStream } from "./system/streams.ts";

export { type CommandEnd, type CommandRun, runCommand } from "./system/commands.ts";
export { type Note, showNote } from "./system/notify.ts";
export { ClosedPipeError, type OutStream } from "./system/streams.ts";

export interface Clock {
  now(): number;
  /** Resolves after `ms` milliseconds, or at once (without an error) when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Does `work` after `ms` milliseconds, unless what it returns is called before. Keeps no process from ending. */
  later(ms: number, work: () => void): () => void;
}

export const realRandom = Math.random;

/** SIGBREAK is Ctrl-Break on Windows, where SIGHUP is a window that is closed. */
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"] as const;

export interface System {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly homedir: string;
  readonly platform: NodeJS.Platform;
  readonly nodeVersion: string;
  readonly pid: number;
  /** The user that it runs as; undefined on Windows. */
  readonly uid: number | undefined;
  /** This machine's name. */
  readonly host: string;
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTerminal: boolean };
  readonly stdout: OutStream;
  readonly stderr: OutStream;
  readonly clock: Clock;
  /** A number from 0 up to, not including, 1. */
  readonly random: () => number;
  readonly uuid: () => string;
  readonly prompts: Prompts;
  /** Runs a shell line of the user's own: nothing from elsewhere may be pasted into it. Never rejects; resolves within a second of an abort. */
  readonly run: (command: string, how: CommandRun) => Promise<CommandEnd>;
  /** Opens an address of our own in the default browser. Resolves to false where that fails at once; never rejects. */
  readonly openUrl: (url: string) => Promise<boolean>;
  /** Shows a desktop notification, whose title begins with a word of ours. Never rejects; ends within ten seconds, or when the signal aborts. */
  readonly notify: (note: Note, signal: AbortSignal) => Promise<NoteEnd>;
  /** Shows a text through a shell line of the user's own. Resolves to false where that could not be started; never rejects. */
  readonly page: (command: string, text: string) => Promise<boolean>;
  /** The process that listens on a port of this machine, where that can be found out. */
  readonly findListener: (port: number) => Promise<number | undefined>;
  preferLittleMemory(work: "waiting" | "reading"): void;
  /** Calls `handler` on the first signal; another one ends the process. Returns a function that stops listening. */
  onSignal(handler: () => void): () => void;
}

export const realClock: Clock = {
  now: () => Date.now(),
  // Only an abort makes it reject.
  sleep: (ms, signal) => delay(Math.min(ms, maxTimerMs), undefined, { signal }).catch(() => undefined),
  later(ms, work) {
    const timer = setTimeout(work, Math.min(ms, maxTimerMs)).unref();
    return () => clearTimeout(timer);
  },
};

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

/** How long after a signal to stop the reader of our output may still take it, in milliseconds. */
const stalledReaderMs = 800;

function listenToSignals(streams: readonly StandardStream[], handler: () => void): () => void {
  let first = true;
  const stop = (): void => {
    for (const each of stopSignals) process.off(each, listener);
  };
  const listener = (name: NodeJS.Signals): void => {
    if (first) {
      first = false;
      process.stdin.destroy();
      // Again and again: what was written last may find no reader either.
      setInterval(() => {
        for (const stream of streams) stream.abandon();
      }, stalledReaderMs).unref();
      handler();
      return;
    }
    // A shell and the system may both report one closed window, each once or twice.
    if (name === "SIGHUP") return;
    // A second signal has its usual effect: nobody is locked in. A command would otherwise go on without us.
    killCommands();
    stop();
    process.kill(process.pid, name);
  };
  for (const each of stopSignals) process.on(each, listener);
  return stop;
}

/** Without them V8 keeps several times what hundreds of short polls need, or 48 MB for objects just made. */
const memoryFlags = {
  waiting: { flag: "--optimize-for-size", usual: "--no-optimize-for-size" },
  reading: { flag: "--semi-space-growth-factor=1", usual: "--semi-space-growth-factor=2" },
};

export function realSystem(): System {
  leaveLostTerminals();
  const [stdout, stderr] = [standardStream(1), standardStream(2)];
  // An executable has there what was typed, which may be found from this folder alone.
  return {
    ...realMachine(),
    cwd: process.cwd(),
    pid: process.pid,
    host: hostname(),
    // To open standard input takes time, and most commands never look at it.
    stdin: {
      get isTerminal() {
        return process.stdin.isTTY;
      },
      [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>,
    },
    stdout: stdout.out,
    stderr: stderr.out,
    clock: realClock,
    random: realRandom,
    uuid: () => crypto.randomUUID(),
    prompts: realPrompts,
    run: runCommand,
    openUrl: openInBrowser,
    page,
    notify: (note, signal) => showNote(note, signal, process),
    findListener,
    preferLittleMemory(work) {
      const { flag, usual } = memoryFlags[work];
      setFlagsFromString(flag);
      // Compiled code is kept at the exit, and good for the same flags alone.
      process.prependOnceListener("exit", () => setFlagsFromString(usual));
    },
    onSignal: (handler) => listenToSignals([stdout, stderr], handler),
  };
}
