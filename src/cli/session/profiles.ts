import { masker } from "../../errors/mask-key.ts";
import type { KeyCommandProblem } from "../../errors/problems.ts";
import { BposError, isReason } from "../../errors.ts";
import { configFile } from "../../settings/folders.ts";
import {
  changeProfiles,
  findProfile,
  missingProfile,
  readProfiles,
  type StoredFile,
} from "../../settings/profile-file.ts";
import type { CommandEnd, System } from "../../system.ts";
import type { Runtime } from "../runtime.ts";

/** How long another process that changes the profiles is waited for, in milliseconds. */
const maxWaitMs = 10_000;

export async function editProfiles<T>(system: System, change: (content: StoredFile) => T): Promise<T> {
  const { holdFile } = await import("../../journal/lock-files.ts");
  const hold = (lock: string): { release(): void } => {
    try {
      return holdFile(lock, maxWaitMs);
    } catch (cause) {
      if (!isReason(cause, "journal_unreadable")) throw cause;
      const { detail } = cause.facts;
      throw new BposError("output_unwritable", { file: configFile(system), detail, isOwn: true }, { cause });
    }
  };
  return changeProfiles(system, change, { unique: system.uuid(), hold });
}

export function checkKnown(system: System, profiles: Readonly<Record<string, object>>, name: string): void {
  if (findProfile(profiles, name) !== undefined) return;
  throw new BposError("profile_missing", { ...missingProfile(system, name, profiles), isArgument: true });
}

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

const maxOutput = 64 * 1024;
/** After so long without a word, a program waits for somebody, who has to see what it asks. */
const idleMs = 150;
const keyIn = (printed: Buffer): string => /[^\r\n]*/.exec(printed.toString("utf8").trim())?.[0].trim() ?? "";

function findProblem(end: CommandEnd, key: string, ms: number): KeyCommandProblem | undefined {
  if (end.stopped) return { kind: "too_long" };
  if (end.timedOut) return { kind: "timeout", ms };
  if (end.failure !== undefined) return { kind: "not_started", code: end.failure };
  if (end.signal !== null) return { kind: "killed", signal: end.signal };
  if (end.code !== 0) return { kind: "exit", code: end.code ?? 1 };
  return key === "" ? { kind: "empty" } : undefined;
}

/** The first line that a `key_command` prints, which no error holds; its standard error is passed on without it, on a terminal at every pause. */
export async function keyFromCommand(
  { system, signal }: Pick<Runtime, "system" | "signal">,
  { profile, command, timeoutMs = 60_000 }: { profile: string; command: string; timeoutMs?: number },
): Promise<string> {
  const tooLong = new AbortController();
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
  const onOutput = (bytes: Buffer, isError: boolean): void => {
    if (!isError) {
      if (printed.length <= maxOutput) printed = Buffer.concat([printed, bytes]);
      if (printed.length > maxOutput) tooLong.abort();
      return;
    }
    waiting = (waiting + decoder.decode(bytes, { stream: true })).slice(-maxOutput);
    idle.abort();
    idle = new AbortController();
    const { signal: over } = idle;
    if (system.stderr.isTerminal)
      void system.clock.sleep(idleMs, over).then(() => (over.aborted ? undefined : pass()));
  };
  const stop = AbortSignal.any([signal, tooLong.signal]);
  const ended = await system.run(command, { timeoutMs, signal: stop, onOutput });
  idle.abort();
  await pass();
  if (signal.aborted) throw new BposError("interrupted", { during: "question" });
  const key = keyIn(printed);
  const problem = findProblem(ended, key, timeoutMs);
  if (problem !== undefined) throw new BposError("key_command_failed", { profile, problem });
  system.hide(key);
  return key;
}
