import { masker } from "../errors/mask-key.ts";
import type { KeyCommandProblem } from "../errors/problems.ts";
import { BposError, isReason } from "../errors.ts";
import { configFile } from "../settings/folders.ts";
import {
  changeProfiles,
  missingProfile,
  profileOf,
  readProfiles,
  type StoredFile,
} from "../settings/profile-file.ts";
import type { CommandEnd, System } from "../system.ts";
import type { Runtime } from "./runtime.ts";

/** How long another process that changes the profiles is waited for, in milliseconds. */
const longestWait = 10_000;

/** Changes the profile file, one process at a time. */
export async function editProfiles<T>(system: System, change: (content: StoredFile) => T): Promise<T> {
  const { holdFile } = await import("../journal/locks.ts");
  const hold = (lock: string): { release(): void } => {
    try {
      return holdFile(lock, longestWait);
    } catch (error) {
      if (!isReason(error, "journal_unreadable")) throw error;
      const { detail } = error.facts;
      throw new BposError(
        "output_unwritable",
        { file: configFile(system), detail, isOwn: true },
        { cause: error },
      );
    }
  };
  return changeProfiles(system, change, { unique: system.uuid(), hold });
}

export function checkKnown(system: System, profiles: Readonly<Record<string, object>>, name: string): void {
  if (profileOf(profiles, name) !== undefined) return;
  throw new BposError("profile_missing", { ...missingProfile(system, name, profiles), isArgument: true });
}

/** Nothing is written, and no folder made, where the file holds no profile of that name. */
export async function editKnown<T>(
  system: System,
  name: string,
  change: (content: StoredFile) => T,
): Promise<T> {
  checkKnown(system, readProfiles(system).profiles, name);
  return editProfiles(system, (content) => {
    // Another process may have taken it away meanwhile.
    checkKnown(system, content.profiles, name);
    return change(content);
  });
}

/** Long enough for a person to type the passphrase that a store of keys asks for. */
const usualTimeoutMs = 60_000;
const longestOutput = 64 * 1024;
/** After so long without a word, a program waits for somebody, who has to see what it asks. */
const idleMs = 150;

const keyIn = (printed: Buffer): string => /[^\r\n]*/.exec(printed.toString("utf8").trim())?.[0].trim() ?? "";

/** What a command prints, and what it says on standard error: passed on without the key at its end, and on a terminal, where it may ask, whenever it pauses. */
function listener({ system }: Pick<Runtime, "system">, onTooLong: () => void) {
  const decoder = new TextDecoder();
  let printed = Buffer.alloc(0);
  let waiting = "";
  let idle = new AbortController();
  const pass = async (): Promise<void> => {
    const key = keyIn(printed);
    const known = key.length >= 4 ? masker(key)(waiting) : waiting;
    waiting = "";
    // What looks like a key is one, also where it was never printed.
    const text = known.replace(/\bbpk_[\w-]{4,}/gi, (found) => masker(found)(found));
    if (text !== "") await system.stderr.write(text).catch(() => undefined);
  };
  return {
    onOutput: (bytes: Buffer, isError: boolean): void => {
      if (!isError) {
        if (printed.length <= longestOutput) printed = Buffer.concat([printed, bytes]);
        if (printed.length > longestOutput) onTooLong();
        return;
      }
      waiting = (waiting + decoder.decode(bytes, { stream: true })).slice(-longestOutput);
      if (!system.stderr.isTerminal) return;
      idle.abort();
      idle = new AbortController();
      const { signal } = idle;
      void system.clock.sleep(idleMs, signal).then(() => (signal.aborted ? undefined : pass()));
    },
    end: async (): Promise<string> => {
      idle.abort();
      await pass();
      return keyIn(printed);
    },
  };
}

function problemOf(end: CommandEnd, ms: number): KeyCommandProblem | undefined {
  if (end.stopped) return { kind: "too_long" };
  if (end.timedOut) return { kind: "timeout", ms };
  if (end.failure !== undefined) return { kind: "not_started", code: end.failure };
  if (end.signal !== null) return { kind: "killed", signal: end.signal };
  return end.code === 0 ? undefined : { kind: "exit", code: end.code ?? 1 };
}

/** The first line that a `key_command` prints; nothing of what it printed is in an error. */
export async function keyFromCommand(
  { system, signal }: Pick<Runtime, "system" | "signal">,
  { profile, command, timeoutMs = usualTimeoutMs }: { profile: string; command: string; timeoutMs?: number },
): Promise<string> {
  const tooLong = new AbortController();
  const { onOutput, end } = listener({ system }, () => tooLong.abort());
  const how = { timeoutMs, signal: AbortSignal.any([signal, tooLong.signal]), onOutput };
  const ended = await system.run(command, how);
  const key = await end();
  if (signal.aborted) throw new BposError("interrupted", { during: "question" });
  const problem = problemOf(ended, timeoutMs) ?? (key === "" ? ({ kind: "empty" } as const) : undefined);
  if (problem !== undefined) throw new BposError("key_command_failed", { profile, problem });
  system.hide(key);
  return key;
}
