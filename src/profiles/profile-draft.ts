import { parseBase } from "../api/client.ts";
import { mayAsk, type Output } from "../cli/display/output.ts";
import { questionWords } from "../cli/line/questions.ts";
import type { Runtime } from "../cli/runtime.ts";
import { openKeyWords } from "../cli/session/access.ts";
import { looksLikeKey } from "../errors/mask-key.ts";
import type { ProfileProblem } from "../errors/problems.ts";
import { BposError, isReason } from "../errors.ts";
import { flaggedClientCert } from "../settings/client-cert.ts";
import { readClientCert } from "../settings/client-pem.ts";
import { keyFromFile } from "../settings/key-file.ts";
import type { Profile } from "../settings/profile-file.ts";
import { openFile } from "../settings/rights.ts";

/** The settings that a person gives of a profile, under the names of the file; undefined removes one that was there. */
export interface ProfileDraft {
  api_key?: string | undefined;
  key_command?: string | undefined;
  base_url?: string | undefined;
  campaigns_base_url?: string | undefined;
  client_cert?: string | undefined;
  client_key?: string | undefined;
  store_id?: string | undefined;
  country?: string | undefined;
  area_code?: number | undefined;
  currency?: string | undefined;
  header_field?: string | undefined;
  sandbox?: boolean | undefined;
  printer?: string | undefined;
  printer_language?: string | undefined;
  paper?: number | undefined;
  drawer?: boolean | string | undefined;
  beep?: boolean | undefined;
  layout?: string | undefined;
  between?: string | undefined;
  days?: string | undefined;
  time_zone?: string | undefined;
}

/** Returns the profile with the draft's settings; a new key replaces the old one, or the command that printed it. */
export function withDraft<P extends object>(before: P, draft: ProfileDraft): P & ProfileDraft {
  const merged: P & ProfileDraft = { ...before, ...draft };
  if (draft.api_key !== undefined) delete merged.key_command;
  if (draft.key_command !== undefined) delete merged.api_key;
  return merged;
}

export interface ProfileChange {
  name: string;
  /** Undefined for a new profile. */
  before: Profile | undefined;
  draft: ProfileDraft;
}

export const refuse = (problem: ProfileProblem): BposError =>
  new BposError("usage_flag", { problem: { kind: "profile", problem } });

/** Rethrows what ended a command. If a person stopped it, throws `interrupted` in words about profiles. */
export function stoppedSetup(error: unknown): never {
  const isStop = error instanceof Error && /^(?:Exit|Abort)PromptError$/.test(error.name);
  if (!isStop && !isReason(error, "interrupted")) throw error;
  throw new BposError("interrupted", { during: "setup" }, { cause: error });
}

/** Throws `usage_flag` for an invalid profile name: it must suit a command line, a file and an environment. */
export function checkName(name: string): void {
  if (looksLikeKey(name) || !/^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u.test(name))
    throw refuse({ kind: "name_unusable" });
}

export function checkAddress(which: "base_url" | "campaigns_base_url", text: string): void {
  if (parseBase(which, text) === undefined) throw refuse({ kind: "address_absent" });
}

export async function countryReader(): Promise<(text: string) => string> {
  const { countryCode } = await import("../input/phone.ts");
  return (text) => {
    const code = countryCode(text);
    if (code === null) throw refuse({ kind: "code_unknown", of: "country", code: text });
    return code;
  };
}

export async function givenKey(runtime: Runtime, output: Output): Promise<string | undefined> {
  const { system, signal, texts } = runtime;
  const { apiKeyFile: source } = runtime.flags;
  const { t } = texts;
  if (source === undefined) return undefined;
  if (source === "-" && mayAsk(runtime)) {
    const how = { check: () => undefined, words: questionWords(texts.t) };
    return (await system.prompts.secret(t("API key (hidden as you type or paste it):"), how, signal)).trim();
  }
  const { key, isOpen } = await keyFromFile(system, source);
  if (isOpen) await output.warning(openKeyWords(source, t));
  return key;
}

/** Returns the files of the flags with absolute paths, because the profile is used in other folders too. */
export async function givenClientCert(
  { system, flags, texts }: Runtime,
  output: Output,
): Promise<Pick<ProfileDraft, "client_cert" | "client_key">> {
  const files = flaggedClientCert(system.cwd, flags);
  if (files === undefined) return {};
  readClientCert(files);
  const open = openFile(files.key, system);
  if (open !== undefined) await output.warning(openKeyWords(open, texts.t));
  return { client_cert: files.cert, client_key: files.key };
}
