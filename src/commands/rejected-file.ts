import { readFile, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { BposError } from "../errors.ts";
import type { RejectedSheet } from "../input/rejected-sheet.ts";
import type { System } from "../system.ts";

/**
 * Whether a file is one of ours, as it was written or as a spreadsheet kept it; another one that was named by mistake must
 * not go.
 */
export async function isRejectedFile(path: string): Promise<boolean> {
  const text = await readFile(path, "utf8").catch(() => "");
  return /^.*[,;\t|]"?error"?[,;\t|]*\r?\n/.test(text);
}

/** Does it, or throws `output_unwritable`. */
async function orUnwritable(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new BposError("output_unwritable", { file, detail: (error as Error).message }, { cause: error });
  }
}

/** Writes the rows that were left out; a file that is new is for its owner alone. Throws `output_unwritable`. */
export async function writeRejectedFile(
  { cwd }: Pick<System, "cwd">,
  file: string,
  { csv, marked }: Pick<RejectedSheet, "marked"> & { csv: string },
): Promise<void> {
  // The program that the file came from takes UTF-8 without the mark for something else, unless the file had none either.
  const text = `${marked ? "\ufeff" : ""}${csv}`;
  // Such rows may hold phones of customers.
  await orUnwritable(file, () => writeFile(resolve(cwd, file), text, { mode: 0o600 }));
}

/**
 * Takes away what an earlier command left out, if it is there: whoever corrected it later would send what is old.
 * Throws `output_unwritable`.
 */
export async function removeRejectedFile({ cwd }: Pick<System, "cwd">, file: string): Promise<void> {
  const target = resolve(cwd, file);
  await orUnwritable(file, async () => {
    if (await isRejectedFile(target)) await rm(target, { force: true });
  });
}
