import { access, constants, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Detail } from "../errors/detail.ts";
import { BposError } from "../errors.ts";
import type { System } from "../system.ts";
import { isRejectedFile } from "./rejected-file.ts";

/** A file that a command will write. */
interface WantedFile {
  flag: string;
  file: string;
  /** The file that is read, or `-`. */
  input: string | undefined;
  /** It gets the rows that are left out, as CSV whatever its name says; a file that holds anything else is not replaced. */
  isRejected?: true;
}

/** Throws `usage_flag` before anything is done when that file could not be written, or is the one that is read. */
export async function checkOutputFile(
  { cwd }: System,
  { flag, file, input, isRejected }: WantedFile,
): Promise<void> {
  if (isRejected && /\.(?:json|ndjson|jsonl|xlsx?)$/i.test(file)) {
    throw new BposError("usage_flag", { problem: { kind: "file_not_csv", flag } });
  }
  const unwritable = (detail: Detail): BposError =>
    new BposError("usage_flag", { problem: { kind: "file_unwritable", flag, file, detail } });
  const target = resolve(cwd, file);
  const real = (path: string): Promise<string> => realpath(path).catch(() => path);
  if (input !== undefined && input !== "-" && (await real(target)) === (await real(resolve(cwd, input)))) {
    throw new BposError("usage_flag", { problem: { kind: "file_is_input", flag } });
  }
  try {
    await access(dirname(target), constants.W_OK);
    const there = await stat(target).catch(() => undefined);
    if (there?.isDirectory()) throw unwritable({ kind: "is_folder" });
    if (there) await access(target, constants.W_OK);
    if (isRejected && there?.isFile() && there.size > 0 && !(await isRejectedFile(target)))
      throw new BposError("usage_flag", { problem: { kind: "file_holds_other", flag, file } });
  } catch (error) {
    if (error instanceof BposError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw unwritable(
      code === "ENOENT" ? { kind: "folder_missing" } : code === "EACCES" ? { kind: "not_allowed" } : message,
    );
  }
}
