import { parseBase } from "../api/address.ts";
import { looksLikeKey, maskedKey, masker } from "../errors/mask-key.ts";
import type { ProfileProblem } from "../errors/problems.ts";
import { similarTo } from "../errors/similar.ts";
import { BposError, isReason } from "../errors.ts";
import type { Texts } from "../i18n/texts.ts";
import { configFile } from "../settings/folders.ts";
import { changeProfiles, profileOf, readProfiles, type StoredFile } from "../settings/profile-file.ts";
import type { System } from "../system.ts";
import { errorReason } from "./error-text.ts";
import type { Runtime } from "./runtime.ts";

/** The error for what a profile cannot be or have. */
export const refused = (problem: ProfileProblem): BposError =>
  new BposError("usage_flag", { problem: { kind: "profile", problem } });

/** Throws what ended a command that keeps profiles: where a person stopped it, `interrupted` in words about profiles. */
export function stoppedSetup(error: unknown): never {
  const isStop = error instanceof Error && /^(?:Exit|Abort)PromptError$/.test(error.name);
  if (!isStop && !isReason(error, "interrupted")) throw error;
  throw new BposError("interrupted", { during: "setup" }, { cause: error });
}

/** Throws `usage_flag` for what cannot name a profile in a command line, a file and an environment alike. */
export function checkName(name: string): void {
  if (looksLikeKey(name)) throw refused({ kind: "name_is_key" });
  if (!/^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u.test(name)) throw refused({ kind: "name_unusable" });
}

/** Throws `usage_flag` for an address that is none. */
export function checkAddress(which: "base_url" | "campaigns_base_url", text: string): void {
  if (parseBase(which, text) === undefined) throw refused({ kind: "address_absent" });
}

/** The code of a country as it is kept. Throws `usage_flag`. */
export async function countryReader(): Promise<(text: string) => string> {
  const { countryCode } = await import("../input/phone.ts");
  return (text) => {
    const code = countryCode(text);
    if (code === null) throw refused({ kind: "country_unknown", country: text });
    return code;
  };
}

/** The code of a currency as it is kept. Throws `usage_flag`. */
export function readCurrency(text: string): string {
  const code = text.trim().toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) throw refused({ kind: "currency_unknown", currency: text });
  return code;
}

/** Throws `usage_flag` for a text that is empty or holds a control character. */
export function checkText(flag: string, text: string): void {
  if (text.trim() === "" || /\p{Cc}/u.test(text)) throw refused({ kind: "text_unusable", flag });
}

/** Why a check has something against a value, in words; undefined when it has not. */
export function objection(check: () => unknown, texts: Texts): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof BposError)) throw error;
    return errorReason(error, texts);
  }
}

/** How long another process that changes the profiles is waited for, in milliseconds. */
const longestWait = 10_000;

/**
 * Changes the profile file, one process at a time. Throws `config_open`, `config_unreadable`, `output_unwritable` and what
 * `change` throws.
 */
async function editProfiles<T>(system: System, change: (content: StoredFile) => T): Promise<T> {
  const { holdFile } = await import("../journal/lock-file.ts");
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

/** Throws `profile_missing` for a name that is not among these profiles. */
export function checkKnown(system: System, profiles: Readonly<Record<string, object>>, name: string): void {
  if (profileOf(profiles, name) !== undefined) return;
  const known = Object.keys(profiles);
  throw new BposError("profile_missing", {
    ...{ name: looksLikeKey(name) ? maskedKey(name) : name, similar: similarTo(name, known), known },
    ...{ file: configFile(system), isArgument: true },
  });
}

/**
 * Changes the file where it holds a profile of that name. Nothing is written, and no folder made, where it does not. Throws
 * `profile_missing` and what `editProfiles` throws.
 */
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

/** What a person gives of a profile, under the names of the file; undefined takes away what was there. */
export interface ProfileDraft {
  api_key?: string | undefined;
  key_command?: string | undefined;
  base_url?: string | undefined;
  campaigns_base_url?: string | undefined;
  store_id?: string | undefined;
  country?: string | undefined;
  currency?: string | undefined;
  header_field?: string | undefined;
  sandbox?: boolean | undefined;
}

/** A profile with what a person gave of it; the rest stays. One key comes in the place of another. */
export function withDraft<P extends object>(before: P, draft: ProfileDraft): P & ProfileDraft {
  const merged: P & ProfileDraft = { ...before, ...draft };
  if (draft.api_key !== undefined) delete merged.key_command;
  if (draft.key_command !== undefined) delete merged.api_key;
  return merged;
}

/** What came of keeping a profile. */
export interface Kept {
  profile: string;
  default: string | null;
  config_file: string;
}

/** Keeps a profile; the first one is the default. Throws what `editProfiles` throws, and `usage_flag` for a name that is taken. */
export async function keepProfile(
  system: System,
  {
    name,
    draft,
    isDefault,
    update,
  }: { name: string; draft: ProfileDraft; isDefault: boolean; update: boolean },
): Promise<Kept> {
  return editProfiles(system, (content) => {
    const before = Object.hasOwn(content.profiles, name) ? content.profiles[name] : undefined;
    // Another process may have taken the name meanwhile.
    if (before !== undefined && !update) throw refused({ kind: "name_taken", name });
    content.profiles[name] = withDraft(before ?? {}, draft);
    if (isDefault || Object.keys(content.profiles).length === 1) content.default = name;
    return { profile: name, default: content.default ?? null, config_file: configFile(system) };
  });
}

/** Long enough for a person to type the passphrase that a store of keys asks for. */
const usualTimeoutMs = 60_000;
const longestOutput = 64 * 1024;
/** After so long without a word, a program waits for somebody, who has to see what it asks. */
const idleMs = 150;

const keyIn = (printed: string): string => /[^\r\n]*/.exec(printed.trim())?.[0].trim() ?? "";

/**
 * Passes on what a command says on standard error, without the key: at its end, when the key is known, and on a terminal, where
 * it may ask for something, also whenever it pauses.
 */
function speaker({ system }: Pick<Runtime, "system">): {
  onSaid: (said: string, printed: string) => void;
  end: () => Promise<void>;
} {
  let waiting = "";
  let key = "";
  let idle = new AbortController();
  const pass = async (): Promise<void> => {
    const known = key.length >= 4 ? masker(key)(waiting) : waiting;
    waiting = "";
    // What looks like a key is one, also where it was never printed.
    const text = known.replace(/\bbpk_[\w-]{4,}/gi, (found) => masker(found)(found));
    if (text !== "") await system.stderr.write(text).catch(() => undefined);
  };
  return {
    onSaid(said, printed) {
      waiting = (waiting + said).slice(-longestOutput);
      key = keyIn(printed);
      if (!system.stderr.isTerminal) return;
      idle.abort();
      idle = new AbortController();
      const { signal } = idle;
      void system.clock.sleep(idleMs, signal).then(() => (signal.aborted ? undefined : pass()));
    },
    end() {
      idle.abort();
      return pass();
    },
  };
}

/**
 * Runs the `key_command` of a profile: the key is the first line that it prints. Throws `key_command_failed`, which tells
 * nothing of what it printed, and `interrupted`.
 */
export async function keyFromCommand(
  { system, signal }: Pick<Runtime, "system" | "signal">,
  { profile, command, timeoutMs = usualTimeoutMs }: { profile: string; command: string; timeoutMs?: number },
): Promise<string> {
  const { onSaid, end } = speaker({ system });
  const reading = await system.readCommand(command, { timeoutMs, maxBytes: longestOutput, signal, onSaid });
  await end();
  if (reading.kind === "stopped") throw new BposError("interrupted", { during: "question" });
  if (reading.kind !== "text") throw new BposError("key_command_failed", { profile, problem: reading });
  const key = keyIn(reading.text);
  system.hide(key);
  if (key === "") throw new BposError("key_command_failed", { profile, problem: { kind: "empty" } });
  return key;
}
