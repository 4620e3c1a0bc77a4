import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "lossless-json";
import { programName, withoutLine } from "../errors/shell-line.ts";
import { BposError, type ErrorFacts } from "../errors.ts";
import type { OrderFiles } from "../journal/records/order-files.ts";
import { createdAtText, readNth } from "../journal/records/orders.ts";
import { rename } from "../rename.ts";
import type { System } from "../system.ts";
import type { Output } from "./queue.ts";

export interface ExecOptions {
  command: string;
  /** Its position among the outputs, from 1. Only this and the program name are shown, since the command line might contain a secret. */
  outputNumber: number;
  timeoutMs: number;
  run: System["run"];
}

export type ExecFailure = Omit<ErrorFacts["exec_failed"], "orderId">;

const maxDetail = 200;
const maxValue = 1_000;
/** Characters that a shell could act on, that of Windows too, which puts `%BPOS_TO%` into the line before it reads the line. */
const shellSigns = /[\p{C}\p{Zl}\p{Zp}"'`$;&|<>(){}[\]*?!%^~#\\]/gu;
export const envWord = (word: string): string => word.slice(0, maxValue).replaceAll(shellSigns, "_");

function lastWords(output: string): string {
  const text = output.trim();
  if (text.length <= maxDetail) return text;
  return `…${text.slice(1 - maxDetail).replace(/^[\udc00-\udfff]/, "")}`;
}

/** A command that was killed may have done its work; one that exited says so by its exit code. */
export const wasCut = ({ timedOutMs, killedBy }: ExecFailure): boolean =>
  timedOutMs !== null || killedBy !== null;

export function execOutput<T, F>(
  { command, outputNumber, timeoutMs, run }: ExecOptions,
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
      const named = { program: programName(command), outputNumber };
      const detail = lastWords(withoutLine(command, end.output));
      return failures.of({ ...named, exitCode: end.code, killedBy: end.signal, timedOutMs, detail }, item);
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

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

export const unwritable = (file: string, error: unknown): BposError =>
  new BposError("output_unwritable", { file, detail: (error as Error).message }, { cause: error });

function readIdentity(text: string): string | undefined {
  try {
    const order = parse(text) as { order_id?: unknown };
    return order.order_id === undefined ? undefined : `${stringify(order.order_id)} ${createdAtText(order)}`;
  } catch {
    return undefined;
  }
}

function withFile<T>(path: string, flags: number, work: (handle: number) => T): T {
  const handle = fs.openSync(path, flags, 0o600);
  try {
    return work(handle);
  } finally {
    fs.closeSync(handle);
  }
}

const { O_RDONLY, O_WRONLY, O_CREAT, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
const readErrorCode = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";
const isOfFile = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall !== undefined;

/** Returns the content of a file, undefined when there is none; empty for one that is not regular, which cannot be an order's. */
function existing(file: string): string | undefined {
  try {
    // Without O_NONBLOCK a FIFO would be waited for.
    return withFile(file, O_RDONLY | O_NONBLOCK, (handle) =>
      fs.fstatSync(handle).isFile() ? fs.readFileSync(handle, "utf8") : "",
    );
  } catch (error) {
    if (readErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Named after what is written, and never cut before that: a second process writes the same bytes over it. */
const temporaryName = (folder: string, text: string): string => join(folder, `.${hash(text)}.tmp`);

function writeTemporary(temporary: string, text: string): void {
  withFile(temporary, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOFOLLOW, (handle) => {
    fs.writeFileSync(handle, text);
    fs.ftruncateSync(handle, Buffer.byteLength(text));
    fs.fsyncSync(handle);
  });
}

/** Also for a file that was there: the process that put it there may have died before this. */
function syncFolder(folder: string): void {
  try {
    withFile(folder, O_RDONLY, (handle) => fs.fsyncSync(handle));
  } catch (error) {
    // Windows opens no folder, and some file systems sync none; only a disk that fails is a failure.
    if (["EIO", "ENOSPC", "EDQUOT"].includes(readErrorCode(error))) throw error;
  }
}

/** An order that is to be written into a folder: `orderId` as its name, `key` and `branch` as the journal has them. */
export interface OrderText extends Record<"orderId" | "key" | "branch" | "text", string> {
  /** An earlier try may have written it. */
  isRepeated: boolean;
}

type Files = Pick<OrderFiles, "of" | "take">;

/** Names that Windows takes for a device, whatever their ending: `nul.json` would be written nowhere. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** A name for a file or a folder on every system; the ending comes behind it. */
export const fileStem = (name: string): string => (devices.test(name) ? `${name}_` : name);

/** Returns whether the file is now this order's. */
async function write(folder: string, name: string, order: OrderText, files: Files): Promise<boolean> {
  const file = join(folder, name);
  const { branch, key: orderId, text } = order;
  const found = existing(file);
  const isFree = found === undefined;
  if (!isFree && readIdentity(found) === undefined) throw new BposError("order_file_taken", { file });
  // The owner of a file that this journal does not know is unknown: only identical content counts as this order.
  if (!isFree && found !== text) return false;
  // Before the name is taken: where it is and there is no such file, it got its name, and somebody collected it.
  const temporary = temporaryName(folder, branch + text);
  if (isFree) writeTemporary(temporary, text);
  if (!(await files.take({ folder, name, branch, orderId }, isFree))) return false;
  if (isFree) await rename(temporary, file);
  syncFolder(folder);
  return true;
}

/**
 * Never over another file, nor instead of it: `-<n>` is added where there is one of another order, or of another branch. A file that an earlier try
 * has written is enough; where somebody has collected that, the next is `<order_id>-repeated.json`. Throws `output_unwritable`, `order_file_taken`.
 */
export async function writeOrderFile(folder: string, order: OrderText, files: Files): Promise<void> {
  const { orderId, key, branch, text } = order;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(orderId))
    throw new BposError("bug", { detail: `an order id became a file: ${orderId.slice(0, 80)}` });
  const taken = await files.of({ branch, orderId: key });
  const plainStem = fileStem(orderId);
  let name = `${plainStem}.json`;
  try {
    for ({ name } of taken.filter((each) => each.folder === folder)) {
      const found = existing(join(folder, name));
      if (found === undefined || readIdentity(found) !== readIdentity(text)) continue;
      syncFolder(folder);
      return;
    }
    const isUnnamed = existing(temporaryName(folder, branch + text)) !== undefined;
    const mayBeCollected = order.isRepeated && taken.length > 0 && !isUnnamed;
    const stem = mayBeCollected ? `${plainStem}-repeated` : plainStem;
    for (let n = mayBeCollected ? 1 : readNth(key); ; n++) {
      name = n === 1 ? `${stem}.json` : `${stem}-${n}.json`;
      if (await write(folder, name, order, files)) return;
    }
  } catch (error) {
    throw isOfFile(error) ? unwritable(join(folder, name), error) : error;
  }
}

const maxQuarantined = 1_000;

/** Keeps an order or a reply that cannot be delivered; undefined when the folder is full. Throws `output_unwritable`. */
export function keepInQuarantine(folder: string, identity: string, text: string): string | undefined {
  const name = `${hash(identity)}.json`;
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const kept = fs.readdirSync(folder);
    if (!kept.includes(name)) {
      if (kept.length >= maxQuarantined) return undefined;
      const temporary = temporaryName(folder, text);
      writeTemporary(temporary, text);
      fs.renameSync(temporary, join(folder, name));
    }
    syncFolder(folder);
    return join(folder, name);
  } catch (error) {
    throw unwritable(folder, error);
  }
}
