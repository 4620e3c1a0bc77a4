import type { ErrorFacts, ErrorReason } from "../errors.ts";
import type { ReasonTexts } from "./shared/errors.ts";
import type { ErrorWords, Text } from "./template.ts";

/** Texts by their topic: the command loads the file of a topic when it is first asked for (`build/lazy.ts`). */
export function byTopic<T extends Readonly<Record<string, () => unknown>>>(
  topics: T,
): { readonly [K in keyof T]: ReturnType<T[K]> } {
  const texts = {};
  for (const [name, get] of Object.entries(topics))
    Object.defineProperty(texts, name, { get, enumerable: true });
  return texts as { readonly [K in keyof T]: ReturnType<T[K]> };
}

/** The words of every reason; a language that misses one does not compile. */
export type ErrorTexts = ReasonTexts<ErrorReason>;

/** The words of an error of that reason. */
export const errorWords = <R extends ErrorReason>(
  texts: ErrorTexts,
  reason: R,
  facts: ErrorFacts[R],
): ErrorWords => texts.say(reason, facts);

/** What is known of a reason without the facts of an error: its cause, and the next step where that is always the same. */
export function readCause(texts: ErrorTexts, reason: ErrorReason): { cause: string; remedy?: string } {
  const { why, next, more } = texts.rows[reason] ?? {};
  const fixed = (text: Text | undefined): string =>
    typeof text === "string" && !/\{\w/.test(text) ? text : "";
  const remedy = fixed(next);
  return { cause: more === undefined ? fixed(why) : fixed(more), ...(remedy !== "" && { remedy }) };
}
