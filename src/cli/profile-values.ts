import { parseBase } from "../api/address.ts";
import { looksLikeKey } from "../errors/mask-key.ts";
import type { ProfileProblem } from "../errors/profile-problem.ts";
import { BposError, isReason } from "../errors.ts";
import type { Texts } from "../i18n/texts.ts";
import { errorReason } from "./error-text.ts";

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
