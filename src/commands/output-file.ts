import { access, constants, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
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
    throw new BposError("usage_flag", {
      detail: `${flag} writes CSV whatever its name says.`,
      hint: "Give it a name that ends in .csv.",
    });
  }
  const target = resolve(cwd, file);
  const real = (path: string): Promise<string> => realpath(path).catch(() => path);
  if (input !== undefined && input !== "-" && (await real(target)) === (await real(resolve(cwd, input)))) {
    throw new BposError("usage_flag", {
      detail: `${flag} names the file that is read: it would replace it.`,
      hint: "Give it another name.",
    });
  }
  try {
    await access(dirname(target), constants.W_OK);
    const there = await stat(target).catch(() => undefined);
    if (there?.isDirectory()) throw new Error("it is a folder");
    if (there) await access(target, constants.W_OK);
    if (isRejected && there?.isFile() && there.size > 0 && !(await isRejectedFile(target)))
      throw new BposError("usage_flag", {
        detail: `${flag} ${file} is there already and holds something else: it would be replaced. Nothing was sent.`,
        hint: "Give it another name, or move that file away.",
      });
  } catch (error) {
    if (error instanceof BposError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === "ENOENT"
        ? "its folder does not exist"
        : code === "EACCES"
          ? "you may not write there"
          : message;
    throw new BposError("usage_flag", {
      detail: `${flag} ${file} cannot be written: ${why}. Nothing was sent.`,
      hint: "Make it possible, or name a file in another folder.",
    });
  }
}
