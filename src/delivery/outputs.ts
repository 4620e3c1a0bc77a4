import type { Output } from "./deliver.ts";

/** Runs a command line; the narrow part of the System that `--exec` asks for. */
export type RunCommand = (
  command: string,
  how: { input: string; env: Record<string, string>; timeoutMs: number; signal: AbortSignal },
) => Promise<{
  code: number | null;
  signal: string | null;
  timedOut: boolean;
  stopped: boolean;
  output: string;
}>;

/** A command of the user's for each delivery: a shell line, and how long it may take. */
export interface ExecOptions {
  command: string;
  timeoutMs: number;
  run: RunCommand;
}

/** How a command failed. Of one that could not be started exitCode, killedBy and timedOutMs are null. */
export interface ExecFailure {
  command: string;
  exitCode: number | null;
  killedBy: string | null;
  timedOutMs: number | null;
  /** The last of what it wrote. */
  detail: string;
}

const maxDetail = 200;
/** No operating system takes an environment without end. */
const maxValue = 1_000;

/** What a shell could act on, that of Windows too: it puts `%BPOS_TO%` into the line before it reads the line. */
const shellSigns = /[\p{C}\p{Zl}\p{Zp}"'`$;&|<>(){}[\]*?!%^~#\\]/gu;

/** A word from elsewhere, with `_` for each character that a shell could act on. */
export const envWord = (word: string): string => word.slice(0, maxValue).replaceAll(shellSigns, "_");

function lastWords(output: string): string {
  const text = output.trim();
  if (text.length <= maxDetail) return text;
  // The cut may have gone through a character.
  return `…${text.slice(1 - maxDetail).replace(/^[\udc00-\udfff]/, "")}`;
}

/**
 * The output that runs a command for each item, with a line of JSON on standard input and `BPOS_…` variables in its environment. The
 * command has the item when it ends with 0.
 *
 * @param given an item's input and environment; undefined for one that the command does not get.
 */
export function execOutput<T, F>(
  { command, timeoutMs, run }: ExecOptions,
  given: (item: T) => { input: string; env: Record<string, string> } | undefined,
  toFailure: (failure: ExecFailure, item: T) => F,
): Output<T, F> & { name: "exec" } {
  return {
    name: "exec",
    async deliver(item, signal) {
      const what = given(item);
      if (what === undefined) return undefined;
      const ended = await run(command, { ...what, timeoutMs, signal });
      if (ended.code === 0 && !ended.timedOut) return undefined;
      if (ended.stopped) return "stopped";
      const failure = {
        ...{ command, exitCode: ended.code, killedBy: ended.signal },
        ...{ timedOutMs: ended.timedOut ? timeoutMs : null, detail: lastWords(ended.output) },
      };
      return toFailure(failure, item);
    },
  };
}

/**
 * The output that prints each item. Only a failed write is a failure: a disk that is full may have room again, a reader that is gone
 * does not come back.
 */
export function stdoutOutput<T, F>(
  gone: Promise<Error>,
  print: (item: T) => Promise<void>,
  toFailure: (error: Error) => F,
): Output<T, F> & { name: "stdout" } {
  return {
    name: "stdout",
    gone,
    async deliver(item) {
      try {
        await print(item);
        return undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).syscall !== "write") throw error;
        return toFailure(error as Error);
      }
    },
  };
}
