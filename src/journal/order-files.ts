import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "lossless-json";
import { BposError } from "../errors.ts";

/** What may become the name of a file: no separator, no leading dot, short enough for every file system. */
const plainId = /^[A-Za-z0-9_-]{1,64}$/;

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

function unwritable(file: string, error: unknown): BposError {
  return new BposError("output_unwritable", { file, detail: (error as Error).message }, { cause: error });
}

/** Which order a JSON text is: its id, and when it came about as it stands there. */
function identityOf(text: string): string {
  const { order_id: id, created_at: createdAt } = parse(text) as Record<string, unknown>;
  return `${String(id)} ${String(stringify(createdAt))}`;
}

function isSameOrder(left: string, right: string): boolean {
  try {
    return identityOf(left) === identityOf(right);
  } catch {
    return false;
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

/** Makes the names in a folder durable, where the platform can. */
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

/** Writes a file whole or not at all; one that exists stays as it is. Throws `output_unwritable`. */
function place(folder: string, file: string, text: string | undefined): void {
  try {
    if (text !== undefined) writeDurably(folder, file, text);
    // Also for a file that is there: the process that put it there may have died before this.
    syncFolder(folder);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/**
 * Writes an order as `<orderId>.json` into a folder that exists: whole, durable, mode 0600 and never over another
 * file. One that holds the same order already is enough. Throws `output_unwritable`, and `order_file_taken` when the
 * file holds anything else.
 *
 * @example
 * writeOrderFile("/srv/orders", "1042", '{"order_id":1042,…}\n');
 */
export function writeOrderFile(folder: string, orderId: string, text: string): void {
  if (!plainId.test(orderId))
    throw new BposError("bug", { detail: `an order id became a file: ${orderId.slice(0, 80)}` });
  const file = join(folder, `${orderId}.json`);
  const found = existing(file);
  if (found !== undefined && !isSameOrder(found, text)) throw new BposError("order_file_taken", { file });
  place(folder, file, found === undefined ? text : undefined);
}

/**
 * Keeps an order without a usable order_id in a folder (created with mode 0700) under the hash of its text; the file.
 * Throws `output_unwritable`.
 */
export function quarantineOrder(folder: string, text: string): string {
  const file = join(folder, `${hashOf(text)}.json`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unwritable(folder, error);
  }
  place(folder, file, existing(file) === undefined ? text : undefined);
  return file;
}
