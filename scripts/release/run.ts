import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

interface How {
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** Exit codes that are no failure. @default 0 */
  allowed?: readonly number[];
}

/** Runs a program to its end and returns its output. If it fails, its standard error is shown. */
export async function run(command: string, line: readonly string[], how: How = {}): Promise<string> {
  const { allowed = [0], ...options } = how;
  try {
    const { stdout } = await execute(command, line, { maxBuffer: 2 ** 28, ...options });
    return stdout;
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code === "number" && allowed.includes(code)) return stdout ?? "";
    throw new Error(`${[command, ...line].join(" ")} failed (${String(code)}): ${stderr ?? ""}`, {
      cause: error,
    });
  }
}
