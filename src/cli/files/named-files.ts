import { access, constants, realpath, rm, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Detail, UsageProblem } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import type { InputFile } from "../../input/files/file.ts";
import type { System } from "../../system.ts";
import type { Output } from "../display/output.ts";
import type { Runtime } from "../runtime.ts";

export function checkStandardInput({ flags }: Pick<Runtime, "flags">, path: string): void {
  if (path === "-" && flags.apiKeyFile === "-")
    throw new BposError("usage_flag", { problem: { kind: "stdin_twice", of: "file_and_key" } });
}

export async function openGiven(
  system: System,
  path: string,
  output: Output,
  { encoding }: { encoding?: string | undefined } = {},
): Promise<InputFile> {
  const { openInput } = await import("../../input/files/file.ts");
  if (path === "-" && system.stdin.isTerminal)
    await output.notice(output.texts.t("Reading standard input. Press Ctrl-D to end it."));

  return openInput(path, system.stdin, system.cwd, { encoding });
}

/** Names for an open stream of this process. */
const ownStream = /^\/(?:dev\/(?:std(?:in|out|err)|fd\/)|proc\/)/;

function describeFailure({ code, message }: NodeJS.ErrnoException): Detail {
  if (code === "ENOENT") return { kind: "folder_missing" };
  return code === "EACCES" ? { kind: "not_allowed" } : message;
}

export async function checkOutputFile(
  { cwd }: System,
  wanted: { flag: string; file: string; input: string | undefined; isRejected?: true; isNew?: boolean },
): Promise<void> {
  const { flag, file, input, isRejected, isNew } = wanted;
  const refused = (problem: UsageProblem): BposError => new BposError("usage_flag", { problem });
  // It gets the rows left out, as a workbook or as CSV, whatever its extension.
  if (isRejected && /\.(?:json|ndjson|jsonl|xls[bm]?|ods)$/i.test(file))
    throw refused({ kind: "file_not_csv", flag });

  const unwritable = (detail: Detail): BposError => refused({ kind: "file_unwritable", flag, file, detail });
  const target = resolve(cwd, file);

  // The report goes to the next free name then, as for any other file that bpos did not write.
  const isKept = isRejected === true || input === undefined || input === "-";
  const real = (path: string): Promise<string> => realpath(path).catch(() => path);
  if (!isKept && (await real(target)) === (await real(resolve(cwd, input))))
    throw refused({ kind: "file_is_input", flag });

  try {
    await access(dirname(target), constants.W_OK);
    const there = await stat(target).catch(() => undefined);
    if (there?.isDirectory()) throw unwritable({ kind: "is_folder" });
    if ((there && !there.isFile()) || ownStream.test(target) || file === "-")
      throw unwritable({ kind: "not_regular" });
    if (there && isNew) throw refused({ kind: "file_exists", flag, file });
    if (there && !isRejected) await access(target, constants.W_OK);
  } catch (error) {
    if (error instanceof BposError) throw error;
    throw unwritable(describeFailure(error as NodeJS.ErrnoException));
  }
}

/** Writes a file that `checkOutputFile` accepted. Removes a new file that could not be written completely. */
export async function writeNamedFile(
  { cwd }: Pick<System, "cwd">,
  file: string,
  content: Parameters<typeof writeFile>[1],
  { isNew, mode = 0o666 }: { isNew: boolean; mode?: number },
): Promise<void> {
  const path = resolve(cwd, file);
  try {
    await writeFile(path, content, { flag: isNew ? "wx" : "w", mode });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (isNew && code !== "EEXIST") await rm(path, { force: true }).catch(() => undefined);
    throw new BposError("output_unwritable", { file, detail: message }, { cause: error });
  }
}
