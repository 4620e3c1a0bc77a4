import { masker } from "../../errors/mask-key.ts";
import type { KeyCommandProblem } from "../../errors/problems.ts";
import { withoutLine } from "../../errors/shell-line.ts";
import { BposError } from "../../errors.ts";
import type { Settings } from "../../settings/settings.ts";
import type { CommandEnd } from "../../system.ts";
import { quoted, shellWord } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import type { Output } from "../display/output.ts";
import type { Runtime } from "../runtime.ts";

export type AddressName = "base_url" | "campaigns_base_url";

/** The address and the key of a branch. Throws `key_missing`, `address_missing` and `key_command_failed`. */
export async function resolveAccess(runtime: Runtime, settings: Settings, which: AddressName) {
  const address = which === "base_url" ? settings.baseUrl : settings.campaignsBaseUrl;
  const { apiKey, keyCommand, keySource, profile } = settings;
  const named = profile === undefined ? {} : { profile };
  if (!apiKey && keyCommand === undefined) throw new BposError("key_missing", named);
  if (address === undefined) throw new BposError("address_missing", { which, ...named });

  // A rehearsal has its own key, whatever the profile has.
  if (apiKey) return { address, apiKey, keySource };

  const of = { profile: profile ?? "", command: keyCommand ?? "" };
  return { address, apiKey: await keyFromCommand(runtime, of), keySource: "key_command" };
}

/** Warns that others can read a file that contains a key. */
export const openKeyWords = (file: string, t: T): string =>
  t("Warning: other users of this machine can read the key in {file}. Run: chmod 600 {word}", {
    file,
    word: shellWord(file),
  });

/** Warns of an unknown setting of a profile, and proposes the one that was meant. */
export const unknownKeyWords = (profile: string, key: string, similar: string | null, t: T): string => {
  const facts = { profile: quoted(profile), key: quoted(key) };
  return similar === null
    ? t("Warning: profile {profile} has an unknown setting, {key}.", facts)
    : t("Warning: profile {profile} has an unknown setting, {key}. Did you mean {similar}?", {
        ...facts,
        similar,
      });
};

export async function warnOfSettings(output: Output, settings: Settings): Promise<void> {
  const { openKeyFile, openClientKey, unknownKeys, profile = "" } = settings;
  const { t } = output.texts;

  for (const file of [openKeyFile, openClientKey])
    if (file !== undefined) await output.warning(openKeyWords(file, t));

  // A typo must not go unnoticed: with `sandBox` a campaign is live. Any other key can belong to another program.
  for (const { key, similar } of unknownKeys)
    if (similar !== null) await output.warning(unknownKeyWords(profile, key, similar, t));
}

const maxOutput = 64 * 1024;
/** After this long without output, a program probably waits for a person, who has to see its question. */
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

/** The first line that a `key_command` prints. No error contains it, and standard error is passed on without it, on a terminal at every pause. */
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
    // A text that looks like a key is masked, even if bpos never printed it.
    const masked = known.replace(/\bbpk_[\w-]{4,}/gi, (found) => masker(found)(found));
    const text = withoutLine(command, masked);
    if (text.trim() === "" && system.log !== undefined) return;
    const facts = { event: "key_command.output", profile };
    await (system.log?.("info", text.trim(), facts) ?? system.stderr.write(text)).catch(() => undefined);
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
