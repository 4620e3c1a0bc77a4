import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "lossless-json";
import { BposError } from "../errors.ts";
import { createdAtText } from "../journal/orders.ts";
import type { System } from "../system.ts";
import type { Output } from "./deliver.ts";

export interface ExecOptions {
  command: string;
  timeoutMs: number;
  run: System["run"];
}

/** How a command failed. Of one that could not be started exitCode, killedBy and timedOutMs are null. */
export interface ExecFailure {
  command: string;
  exitCode: number | null;
  killedBy: string | null;
  timedOutMs: number | null;
  detail: string;
}

const maxDetail = 200;
/** No operating system takes an environment without end. */
const maxValue = 1_000;

/** What a shell could act on, that of Windows too: it puts `%BPOS_TO%` into the line before it reads the line. */
const shellSigns = /[\p{C}\p{Zl}\p{Zp}"'`$;&|<>(){}[\]*?!%^~#\\]/gu;

export const envWord = (word: string): string => word.slice(0, maxValue).replaceAll(shellSigns, "_");

function lastWords(output: string): string {
  const text = output.trim();
  if (text.length <= maxDetail) return text;
  // The cut may have gone through a character.
  return `…${text.slice(1 - maxDetail).replace(/^[\udc00-\udfff]/, "")}`;
}

/** Runs a command for each item; it has the item when it ends with 0. `given` is undefined for an item that it does not get. */
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
      const timedOutMs = ended.timedOut ? timeoutMs : null;
      const detail = lastWords(ended.output);
      return toFailure({ command, exitCode: ended.code, killedBy: ended.signal, timedOutMs, detail }, item);
    },
  };
}

/** Only a failed write is a failure: a disk that is full may have room again, a reader that is gone does not come back. */
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

const plainId = /^[A-Za-z0-9_-]{1,64}$/;

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

export const unwritable = (file: string, error: unknown): BposError =>
  new BposError("output_unwritable", { file, detail: (error as Error).message }, { cause: error });

function identityOf(text: string): string | undefined {
  try {
    const order = parse(text) as { order_id?: unknown };
    return order.order_id === undefined ? undefined : `${stringify(order.order_id)} ${createdAtText(order)}`;
  } catch {
    return undefined;
  }
}

/** What a file holds, undefined when there is none; empty for what is no regular file, which can be no order's. */
function existing(file: string): string | undefined {
  let handle: number | undefined;
  try {
    // Without O_NONBLOCK a FIFO would be waited for.
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    return fstatSync(handle).isFile() ? readFileSync(handle, "utf8") : "";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unwritable(file, error);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function syncFolder(folder: string): void {
  let handle: number | undefined;
  try {
    handle = openSync(folder, "r");
    fsyncSync(handle);
  } catch (error) {
    // Windows opens no folder, and some file systems sync none; only a disk that fails is a failure.
    if (["EIO", "ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function writeDurably(folder: string, file: string, text: string): void {
  // The name follows from the text, and nothing is cut off before it is written: a second process with the same order
  // writes the same bytes over it, and what a crash left behind is used again.
  const temporary = join(folder, `.${hashOf(text)}.tmp`);
  const handle = openSync(
    temporary,
    constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    writeFileSync(handle, text);
    ftruncateSync(handle, Buffer.byteLength(text));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
}

function place(folder: string, file: string, text: string | undefined): void {
  try {
    if (text !== undefined) writeDurably(folder, file, text);
    // Also for a file that is there: the process that put it there may have died before this.
    syncFolder(folder);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** Never over another file: one with the same order is enough, else `-<n>` is added. Throws `output_unwritable`, `order_file_taken`. */
export function writeOrderFile(folder: string, orderId: string, text: string, nth = 1): void {
  if (!plainId.test(orderId))
    throw new BposError("bug", { detail: `an order id became a file: ${orderId.slice(0, 80)}` });
  const identity = identityOf(text);
  for (let n = nth; ; n++) {
    const file = join(folder, n === 1 ? `${orderId}.json` : `${orderId}-${n}.json`);
    const found = existing(file);
    const other = found === undefined ? identity : identityOf(found);
    if (other === undefined) throw new BposError("order_file_taken", { file });
    if (other !== identity) continue;
    place(folder, file, found === undefined ? text : undefined);
    return;
  }
}

const maxQuarantined = 1_000;

/** Keeps an order that cannot be delivered; undefined when the folder is full. Throws `output_unwritable`. */
export function quarantineOrder(folder: string, identity: string, text: string): string | undefined {
  const file = join(folder, `${hashOf(identity)}.json`);
  let isFull: boolean;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    isFull = readdirSync(folder).length >= maxQuarantined;
  } catch (error) {
    throw unwritable(folder, error);
  }
  const isKept = existing(file) !== undefined;
  if (isFull && !isKept) return undefined;
  place(folder, file, isKept ? undefined : text);
  return file;
}
