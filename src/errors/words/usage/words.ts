import type { T } from "../../../texts/texts.ts";

/** Words of a wrong command line; `why` is absent where `what` says it all. */
export interface UsageWords {
  what: string;
  why?: string;
  next: string;
}

/** Returns a sentence with a guess at the intended name. */
export function guessing(sentence: string, similar: string | null, t: T): string {
  if (similar === null) return sentence;
  const guess = /^--?\w/.test(similar) ? similar : `\`${similar}\``;
  return `${sentence} ${t("Did you mean {guess}?", { guess })}`;
}
