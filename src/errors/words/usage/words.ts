import type { T } from "../../../texts/texts.ts";

/** What is wrong with a command line, and what to do next; `why` where the headline does not say it all. */
export interface UsageWords {
  what: string;
  why?: string;
  next: string;
}

/** A sentence, and the name that was perhaps meant. */
export function guessing(sentence: string, similar: string | null, t: T): string {
  if (similar === null) return sentence;
  const guess = /^--?\w/.test(similar) ? similar : `\`${similar}\``;
  return `${sentence} ${t("Did you mean {guess}?", { guess })}`;
}
