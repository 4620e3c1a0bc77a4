import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { getSystemErrorMap } from "node:util";
import type { Detail } from "../errors/detail.ts";
import { BposError, type FileProblem } from "../errors.ts";

/** A file as it was given: its name as shown to people, and its bytes. */
export interface InputFile {
  name: string;
  bytes: Uint8Array;
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What people meet in words of ours, anything else in those of the system. */
const known = new Map<string | undefined, Detail>([
  ["ENOENT", { kind: "file_missing" }],
  ["EISDIR", { kind: "is_folder" }],
  ["EACCES", { kind: "not_readable" }],
]);

function systemDetail(error: unknown): Detail {
  const { code, errno, message } = error as NodeJS.ErrnoException;
  const own = known.get(code);
  if (own !== undefined) return own;
  return (errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1]) ?? message;
}

/**
 * Reads a whole file, or standard input when `path` is `-`.
 *
 * @throws BposError input_unreadable
 * @example
 * const file = await openInput("precios.csv", system.stdin, system.cwd);
 */
export async function openInput(
  path: string,
  stdin: AsyncIterable<Uint8Array>,
  cwd: string,
): Promise<InputFile> {
  const name = path === "-" ? "standard input" : path;
  try {
    return { name, bytes: path === "-" ? await readAll(stdin) : await readFile(resolve(cwd, path)) };
  } catch (error) {
    throw new BposError("input_unreadable", { file: name, detail: systemDetail(error) }, { cause: error });
  }
}

/** The error that refuses a whole file, at `line` when one line is to blame. */
export function unusable(
  file: Pick<InputFile, "name">,
  problem: FileProblem,
  line?: number,
): BposError<"input_unusable"> {
  return new BposError("input_unusable", {
    file: file.name,
    ...(line === undefined ? {} : { line }),
    problem,
  });
}
