import { BposError } from "../errors.ts";
import type { InputFile } from "../input/file.ts";
import type { System } from "../system.ts";
import type { Output } from "./output.ts";
import type { Runtime } from "./runtime.ts";

/** Throws `usage_flag` when standard input would have to hold both the file and the key. */
export function checkStandardInput({ flags }: Pick<Runtime, "flags">, path: string): void {
  if (path === "-" && flags.apiKeyFile === "-") {
    throw new BposError("usage_flag", { problem: { kind: "stdin_twice", of: "file_and_key" } });
  }
}

/** Opens the file that a command was given; says so when it waits for a person to type it. Throws `input_unreadable` and `input_unusable`. */
export async function openGiven(
  system: System,
  path: string,
  output: Output,
  { encoding }: { encoding?: string | undefined } = {},
): Promise<InputFile> {
  const { openInput } = await import("../input/file.ts");
  if (path === "-" && system.stdin.isTerminal) await output.notice(output.texts.notices.readingStdin);
  return openInput(path, system.stdin, system.cwd, { encoding });
}
