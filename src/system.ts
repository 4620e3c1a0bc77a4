import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

/** Time: the current instant in epoch milliseconds, and a pause that an abort ends at once. */
export interface Clock {
  now(): number;
  /** Resolves after `ms` milliseconds, or at once (without an error) when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Thrown by `OutStream.write` when the reader of a pipe is gone; main ends quietly with 0. */
export class ClosedPipeError extends Error {
  constructor() {
    super("the reader of this pipe is gone");
    this.name = "ClosedPipeError";
  }
}

/** The random source of this machine: a number from 0 up to, not including, 1. */
export const realRandom = Math.random;

/** A stream of text to a terminal, a pipe or a file. */
export interface OutStream {
  readonly isTerminal: boolean;
  /** Width in columns of the terminal, undefined when it is none. */
  columns(): number | undefined;
  /** Resolves when more may be written. Throws ClosedPipeError when nobody reads any more. */
  write(text: string): Promise<void>;
}

/** Questions to a person; only asked when `Settings` found that both ends are terminals. */
export interface Prompts {
  /** Asks a yes-or-no question; an abort of `signal` takes it back with an AbortPromptError. */
  confirm(question: string, signal: AbortSignal): Promise<boolean>;
}

/** The outside world as one argument. */
export interface System {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly homedir: string;
  readonly platform: NodeJS.Platform;
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
  /** Calls `handler` on the first SIGINT or SIGTERM; a second one ends the process. Returns a function that stops listening. */
  onSignal(handler: (name: "SIGINT" | "SIGTERM") => void): () => void;
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

const isClosedPipe = (error: NodeJS.ErrnoException): boolean =>
  error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED";

function outStream(stream: NodeJS.WriteStream): OutStream {
  // Every failure also reaches the callback of the write that met it; this keeps it from ending the process.
  stream.on("error", () => undefined);
  return {
    isTerminal: stream.isTTY,
    columns: () => (stream.isTTY ? stream.columns : undefined),
    async write(text) {
      await new Promise<void>((resolve, reject) => {
        // The callback reports what `write` cannot: that the reader is gone.
        stream.write(text, (error) => {
          if (!error) resolve();
          else reject(isClosedPipe(error) ? new ClosedPipeError() : error);
        });
      });
    },
  };
}

async function* readStdin(): AsyncGenerator<Uint8Array> {
  for await (const chunk of process.stdin) yield chunk as Uint8Array;
}

/** The real outside world: this process, its terminal, its clock. */
export function realSystem(): System {
  return {
    env: process.env,
    cwd: process.cwd(),
    homedir: homedir(),
    platform: process.platform,
    pid: process.pid,
    stdin: { isTerminal: process.stdin.isTTY, [Symbol.asyncIterator]: readStdin },
    stdout: outStream(process.stdout),
    stderr: outStream(process.stderr),
    clock: realClock,
    random: realRandom,
    uuid: randomUUID,
    prompts: {
      async confirm(question, signal) {
        const { confirm } = await import("@inquirer/prompts");
        const noMore = new AbortController();
        const onKey = (_text: unknown, key?: { ctrl?: boolean; name?: string }): void => {
          if (key?.ctrl === true && key.name === "d") noMore.abort();
        };
        process.stdin.on("keypress", onKey);
        try {
          const context = { output: process.stderr, signal: AbortSignal.any([signal, noMore.signal]) };
          return await confirm({ message: question, default: false }, context);
        } catch (error) {
          // After Ctrl-D nobody answers any more: that is a no.
          if (noMore.signal.aborted) return false;
          throw error;
        } finally {
          process.stdin.off("keypress", onKey);
        }
      },
    },
    onSignal(handler) {
      const names = ["SIGINT", "SIGTERM"] as const;
      let first = true;
      const listener = (name: NodeJS.Signals): void => {
        if (first) {
          first = false;
          // Whoever waits for standard input waits no longer.
          process.stdin.destroy();
          handler(name as "SIGINT" | "SIGTERM");
          return;
        }
        // A second signal has its usual effect: nobody is locked in.
        for (const each of names) process.off(each, listener);
        process.kill(process.pid, name);
      };
      for (const each of names) process.on(each, listener);
      return () => {
        for (const each of names) process.off(each, listener);
      };
    },
  };
}
