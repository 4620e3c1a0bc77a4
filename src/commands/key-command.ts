import { BposError } from "../errors.ts";
import type { Runtime } from "./runtime.ts";

/** Long enough for a person to type the passphrase that a store of keys asks for. */
const usualTimeoutMs = 60_000;
const longestOutput = 64 * 1024;

/**
 * Runs the `key_command` of a profile: the key is the first line that it prints. Throws `key_command_failed`, which tells
 * nothing of what it printed, and `interrupted`.
 */
export async function keyFromCommand(
  { system, signal }: Pick<Runtime, "system" | "signal">,
  { profile, command, timeoutMs = usualTimeoutMs }: { profile: string; command: string; timeoutMs?: number },
): Promise<string> {
  const reading = await system.readCommand(command, { timeoutMs, maxBytes: longestOutput, signal });
  if (reading.kind === "stopped") throw new BposError("interrupted", { during: "question" });
  if (reading.kind !== "text") throw new BposError("key_command_failed", { profile, problem: reading });
  const key = /[^\r\n]*/.exec(reading.text.trim())?.[0].trim() ?? "";
  if (key === "") throw new BposError("key_command_failed", { profile, problem: { kind: "empty" } });
  return key;
}
