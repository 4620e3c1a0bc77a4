import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "lossless-json";
import { BposError, type ErrorFacts } from "../errors.ts";
import { createdAtText } from "../journal/orders.ts";
import type { System } from "../system.ts";
import type { Output } from "./deliver.ts";

export type ExecOptions = { command: string; timeoutMs: number; run: System["run"] };

export type ExecFailure = Omit<ErrorFacts["exec_failed"], "orderId">;

const maxDetail = 200;
const maxValue = 1_000;
/** What a shell could act on, that of Windows too: it puts `%BPOS_TO%` into the line before it reads the line. */
const shellSigns = /[\p{C}\p{Zl}\p{Zp}"'`$;&|<>(){}[\]*?!%^~#\\]/gu;
export const envWord = (word: string): string => word.slice(0, maxValue).replaceAll(shellSigns, "_");

function lastWords(output: string): string {
  const text = output.trim();
  if (text.length <= maxDetail) return text;
  return `…${text.slice(1 - maxDetail).replace(/^[\udc00-\udfff]/, "")}`;
}

/** A command that was ended in the middle may have done its work; one that ended by itself says whether it has. */
export const wasCut = ({ timedOutMs, killedBy }: ExecFailure): boolean =>
  timedOutMs !== null || killedBy !== null;

export function execOutput<T, F>(
  { command, timeoutMs, run }: ExecOptions,
  given: (item: T) => { input: string; env: Record<string, string> },
  failures: { of: (failure: ExecFailure, item: T) => F; mayHave: (failure: F) => boolean },
): Output<T, F> & { name: "exec" } {
  return {
    name: "exec",
    mayHave: failures.mayHave,
    async deliver(item, signal) {
      const end = await run(command, { ...given(item), keepsSecrets: true, timeoutMs, signal });
      if (end.code === 0 && !end.timedOut) return undefined;
      if (end.stopped) return "stopped";
      const timedOutMs = end.timedOut ? timeoutMs : null;
      const detail = lastWords(end.output);
      return failures.of({ command, exitCode: end.code, killedBy: end.signal, timedOutMs, detail }, item);
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
    deliver: (item) =>
      print(item).then(
        () => undefined,
        (error: unknown) => {
          if ((error as NodeJS.ErrnoException).syscall !== "write") throw error;
          return toFailure(error as Error);
        },
      ),
  };
}

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

function opened<T>(path: string, flags: number, work: (handle: number) => T): T {
  const handle = fs.openSync(path, flags, 0o600);
  try {
    return work(handle);
  } finally {
    fs.closeSync(handle);
  }
}

const { O_RDONLY, O_WRONLY, O_CREAT, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";

/** What a file holds, undefined when there is none; empty for what is no regular file, which can be no order's. */
function existing(file: string): string | undefined {
  try {
    // Without O_NONBLOCK a FIFO would be waited for.
    return opened(file, O_RDONLY | O_NONBLOCK, (handle) =>
      fs.fstatSync(handle).isFile() ? fs.readFileSync(handle, "utf8") : "",
    );
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function writeDurably(folder: string, file: string, text: string): void {
  // Named after the text and never cut before it is written: a second process writes the same bytes over it.
  const temporary = join(folder, `.${hashOf(text)}.tmp`);
  opened(temporary, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOFOLLOW, (handle) => {
    fs.writeFileSync(handle, text);
    fs.ftruncateSync(handle, Buffer.byteLength(text));
    fs.fsyncSync(handle);
  });
  fs.renameSync(temporary, file);
}

/** Also for a file that was there: the process that put it there may have died before this. */
function syncFolder(folder: string): void {
  try {
    opened(folder, O_RDONLY, (handle) => fs.fsyncSync(handle));
  } catch (error) {
    // Windows opens no folder, and some file systems sync none; only a disk that fails is a failure.
    if (["EIO", "ENOSPC", "EDQUOT"].includes(codeOf(error))) throw error;
  }
}

/** Never over another file: one with the same order is enough, else `-<n>` is added. Throws `output_unwritable`, `order_file_taken`. */
export function writeOrderFile(folder: string, orderId: string, text: string, nth = 1): void {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(orderId))
    throw new BposError("bug", { detail: `an order id became a file: ${orderId.slice(0, 80)}` });
  const identity = identityOf(text);
  for (let n = nth; ; n++) {
    const file = join(folder, n === 1 ? `${orderId}.json` : `${orderId}-${n}.json`);
    try {
      const found = existing(file);
      const other = found === undefined ? identity : identityOf(found);
      if (other === undefined) throw new BposError("order_file_taken", { file });
      if (other !== identity) continue;
      if (found === undefined) writeDurably(folder, file, text);
      syncFolder(folder);
      return;
    } catch (error) {
      throw error instanceof BposError ? error : unwritable(file, error);
    }
  }
}

const maxQuarantined = 1_000;

/** Keeps an order that cannot be delivered; undefined when the folder is full. Throws `output_unwritable`. */
export function quarantineOrder(folder: string, identity: string, text: string): string | undefined {
  const name = `${hashOf(identity)}.json`;
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const kept = fs.readdirSync(folder);
    if (!kept.includes(name)) {
      if (kept.length >= maxQuarantined) return undefined;
      writeDurably(folder, join(folder, name), text);
    }
    syncFolder(folder);
    return join(folder, name);
  } catch (error) {
    throw unwritable(folder, error);
  }
}
