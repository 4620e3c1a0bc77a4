import { createReadStream, type Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { getSystemErrorMap } from "node:util";
import type { Detail, FileProblem } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";

export type InputFile = {
  name: string;
  bytes: Uint8Array;
  /** Time of the last change in epoch milliseconds, and size; absent for a stream. */
  state?: FileState;
};

export type FileState = Pick<Stats, "size" | "mtimeMs" | "ino">;

export const isSameState = (one: FileState, other: FileState): boolean =>
  one.size === other.size && one.mtimeMs === other.mtimeMs && one.ino === other.ino;

/** Larger files are refused, also because a pipe may never end. */
export const maxFileBytes = 512 << 20;

/** The first bytes of text in UTF-16 and of workbooks, which have NUL bytes; any other file with one is not text. */
const marks = ["fffe", "feff", Buffer.from("PK").toString("hex")];

/** Reads a stream to its end, or to the first block that is not text: `decode` reports it. */
async function readAll(
  name: string,
  stream: AsyncIterable<Uint8Array>,
  mayHoldNul: boolean,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isText = !mayHoldNul;
  for await (const chunk of stream) {
    if (size === 0 && marks.includes(Buffer.from(chunk.subarray(0, 2)).toString("hex"))) isText = false;
    chunks.push(chunk);
    size += chunk.length;
    if (isText && chunk.includes(0)) break;
    if (size > maxFileBytes) throw unusable({ name }, { kind: "too_large", limit: maxFileBytes });
  }
  return Buffer.concat(chunks);
}

/** Number of times that a file is read if it changes meanwhile. */
const maxReads = 3;

/** Reads a file that does not change meanwhile. Throws `input_unusable` if it changes each time. */
async function readUnchanged(name: string, target: string): Promise<InputFile> {
  for (let reads = 0; reads < maxReads; reads++) {
    const before = await stat(target);
    const bytes = await readFile(target);
    const state = await stat(target);
    if (isSameState(before, state) && bytes.length === state.size) return { name, bytes, state };
  }
  throw unusable({ name }, { kind: "still_written" });
}

const known = new Map<string | undefined, Detail>([
  ["ENOENT", { kind: "file_missing" }],
  ["EISDIR", { kind: "is_folder" }],
  ["EACCES", { kind: "not_readable" }],
]);

/** Reads a whole file, or standard input for `-`; with an explicit `encoding`, NUL bytes may be text. Throws BposError input_unreadable and input_unusable. */
export async function openInput(
  path: string,
  stdin: AsyncIterable<Uint8Array>,
  cwd: string,
  { encoding }: { encoding?: string | undefined } = {},
): Promise<InputFile> {
  const name = path === "-" ? "standard input" : path;
  const target = resolve(cwd, path);
  try {
    const found = path === "-" ? undefined : await stat(target);
    if (found && found.size > maxFileBytes)
      throw unusable({ name }, { kind: "too_large", limit: maxFileBytes });
    // A FIFO or a device may be endless.
    if (found?.isFile() && found.size > 0) return await readUnchanged(name, target);
    const stream = found === undefined ? stdin : createReadStream(target);
    const bytes = await readAll(name, stream, encoding !== undefined);
    // Files of /proc claim to be empty, too.
    return { name, bytes, ...(found?.isFile() && bytes.length === 0 && { state: found }) };
  } catch (error) {
    throw error instanceof BposError ? error : unreadable(name, error);
  }
}

/** Returns `input_unreadable` with the reason in words. */
export function unreadable(file: string, error: unknown): BposError<"input_unreadable"> {
  const { code, errno = 0, message } = error as NodeJS.ErrnoException;
  const detail = known.get(code) ?? getSystemErrorMap().get(errno)?.[1] ?? message;
  return new BposError("input_unreadable", { file, detail }, { cause: error });
}

export function unusable(
  file: Pick<InputFile, "name">,
  problem: FileProblem,
  line?: number,
): BposError<"input_unusable"> {
  return new BposError("input_unusable", { file: file.name, problem, ...(line !== undefined && { line }) });
}
