import { access, constants, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { BposError } from "../errors.ts";
import type { System } from "../system.ts";

/** A file that a command will write. */
interface WantedFile {
  flag: string;
  file: string;
  /** The file that is read, or `-`. */
  input: string | undefined;
  /** It is written as CSV whatever its name says. */
  csvOnly?: true;
}

/** Throws `usage_flag` before anything is done when that file could not be written, or is the one that is read. */
export async function checkOutputFile(
  { cwd }: System,
  { flag, file, input, csvOnly }: WantedFile,
): Promise<void> {
  if (csvOnly && /\.(?:json|ndjson|jsonl|xlsx?)$/i.test(file)) {
    throw new BposError("usage_flag", { detail: `${flag} writes CSV: give it a name that ends in .csv.` });
  }
  const target = resolve(cwd, file);
  const real = (path: string): Promise<string> => realpath(path).catch(() => path);
  if (input !== undefined && input !== "-" && (await real(target)) === (await real(resolve(cwd, input)))) {
    throw new BposError("usage_flag", {
      detail: `${flag} names the file that is read: it would replace it.`,
    });
  }
  try {
    await access(dirname(target), constants.W_OK);
    const there = await stat(target).catch(() => undefined);
    if (there?.isDirectory()) throw new Error("it is a folder");
    if (there) await access(target, constants.W_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === "ENOENT"
        ? "its folder does not exist"
        : code === "EACCES"
          ? "you may not write there"
          : message;
    throw new BposError("usage_flag", {
      detail: `${flag} ${file} cannot be written: ${why}. Nothing was sent.`,
    });
  }
}
