import { parseBase } from "../api/client.ts";
import { looksLikeKey } from "../errors/mask-key.ts";
import type { ProfileProblem } from "../errors/problems.ts";
import { BposError, isReason } from "../errors.ts";
import type { Texts } from "../i18n/en.ts";
import { errorWords } from "../i18n/shapes.ts";

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
  if (looksLikeKey(name) || !/^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u.test(name))
    throw refused({ kind: "name_unusable" });
}

export function checkAddress(which: "base_url" | "campaigns_base_url", text: string): void {
  if (parseBase(which, text) === undefined) throw refused({ kind: "address_absent" });
}

export async function countryReader(): Promise<(text: string) => string> {
  const { countryCode } = await import("../input/phone.ts");
  return (text) => {
    const code = countryCode(text);
    if (code === null) throw refused({ kind: "code_unknown", of: "country", code: text });
    return code;
  };
}

export function objection(check: () => unknown, texts: Texts): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof BposError)) throw error;
    return errorWords(texts.errors, error.reason, error.facts).why;
  }
}

/** What a person gives of a profile, under the names of the file; undefined takes away what was there. */
export type ProfileDraft = { sandbox?: boolean | undefined } & {
  [F in
    | ("api_key" | "key_command" | "base_url" | "campaigns_base_url")
    | ("store_id" | "country" | "currency" | "header_field")]?: string | undefined;
};

/** A profile with what a person gave of it; the rest stays. One key comes in the place of another. */
export function withDraft<P extends object>(before: P, draft: ProfileDraft): P & ProfileDraft {
  const merged: P & ProfileDraft = { ...before, ...draft };
  if (draft.api_key !== undefined) delete merged.key_command;
  if (draft.key_command !== undefined) delete merged.api_key;
  return merged;
}
