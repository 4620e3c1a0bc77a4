import type { ErrorFacts, ErrorReason } from "../errors.ts";

/** An error in words: what happened, why, and what to do next. */
export interface ErrorWords {
  what: string;
  why: string;
  next: string;
}

/** What lies behind each reason and how to get out of it: for `bpos help errors` and docs/errors.md. */
export type Explanations = Readonly<Record<ErrorReason, { cause: string; remedy: string }>>;

/** The words of every reason; a language that misses one does not compile. */
export type ErrorTexts = { readonly [R in ErrorReason]: (facts: ErrorFacts[R]) => ErrorWords };
