import { answerText } from "../api/answer-text.ts";
import { usableOrderId } from "../api/order-identity.ts";
import type { Order } from "../contract/order.ts";
import { BposError } from "../errors.ts";
import type { OrderOutput } from "./order-events.ts";
import { writeOrderFile } from "./order-files.ts";

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

/** How `--exec` hands orders on. */
export interface ExecOptions {
  /** A shell line of the user's. */
  command: string;
  /** How long it may take for one order, in milliseconds. */
  timeoutMs: number;
  /** Whether it is run for changes too. */
  changes: boolean;
  run: RunCommand;
}

const longestDetail = 200;
/** No operating system takes an environment without end. */
const longestValue = 1_000;

function idOf(order: Order): string {
  const id = usableOrderId(order);
  if (id === undefined)
    throw new BposError("bug", { detail: "an order without a usable order_id was handed on" });
  return id;
}

const lineOf = (order: Order): string => `${answerText(order)}\n`;

/** What a shell could act on, that of Windows too: it puts `%BPOS_TO%` into the line before it reads the line. */
const shellSigns = /[\p{C}\p{Zl}\p{Zp}"'`$;&|<>(){}[\]*?!%^~#\\]/gu;

/** A word from elsewhere, with `_` for each character that a shell could act on. */
export const envWord = (word: string): string => word.slice(0, longestValue).replaceAll(shellSigns, "_");

/** The last of what a command wrote. */
export function lastWords(output: string): string {
  const text = output.trim();
  if (text.length <= longestDetail) return text;
  // The cut may have gone through a character.
  return `…${text.slice(1 - longestDetail).replace(/^[\udc00-\udfff]/, "")}`;
}

/**
 * The output that writes each new order as `<order_id>.json` into a folder that exists (`writeOrderFile`). `give` throws
 * `output_unwritable` and `order_file_taken`.
 */
export function outDirOutput(folder: string): OrderOutput {
  return {
    name: "out-dir",
    give: ({ order }, _signal, nth) =>
      new Promise((resolve) => {
        writeOrderFile(folder, idOf(order), lineOf(order), nth);
        resolve();
      }),
  };
}

/**
 * The output that runs a command line of the user's for each order, with the order's JSON as one line on standard
 * input and `BPOS_…` variables in its environment. It has the order when it ends with 0; otherwise `give` throws
 * `exec_failed`, or `interrupted` when `signal` stopped it.
 *
 * @example
 * execOutput({ command: "lp -d kitchen", timeoutMs: 30_000, changes: false, run: system.run });
 */
export function execOutput({ command, timeoutMs, changes, run }: ExecOptions): OrderOutput {
  const exec = async (order: Order, env: Record<string, string>, signal: AbortSignal): Promise<void> => {
    const orderId = idOf(order);
    const ended = await run(command, {
      input: lineOf(order),
      env: { BPOS_ORDER_ID: orderId, ...env },
      timeoutMs,
      signal,
    });
    if (ended.code === 0 && !ended.timedOut) return;
    if (ended.stopped) throw new BposError("interrupted", { during: "watch" });
    throw new BposError("exec_failed", {
      command,
      orderId,
      exitCode: ended.code,
      killedBy: ended.signal,
      timedOutMs: ended.timedOut ? timeoutMs : null,
      detail: lastWords(ended.output),
    });
  };
  return {
    name: "exec",
    give: ({ event, branch, order, repeated }, signal) =>
      exec(
        order,
        { BPOS_EVENT: event, BPOS_BRANCH: envWord(branch), BPOS_REPEATED: String(repeated) },
        signal,
      ),
    ...(changes && {
      giveChange: ({ event, branch, from, to }, order, signal) =>
        exec(
          order,
          {
            BPOS_EVENT: event,
            BPOS_BRANCH: envWord(branch),
            BPOS_REPEATED: "false",
            BPOS_FROM: envWord(from),
            BPOS_TO: envWord(to),
          },
          signal,
        ),
    }),
  };
}
