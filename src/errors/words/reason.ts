import type { ErrorFacts, ErrorReason } from "../../errors.ts";
import type { T } from "../../texts/texts.ts";

/** An error in words: what happened, why, and what to do next. */
export interface ErrorWords {
  what: string;
  /** Empty where `what` says it all. */
  why: string;
  next: string;
}

/** The words of a reason: what is always the same, and what depends on the facts of an error. */
type Reason<F> = {
  /** Why it happens: printed with the error, and by `bpos help errors REASON` and docs/reference/errors.md. */
  why?: string;
  /** Shown by `bpos help errors` and docs/reference/errors.md in place of `why`, where that does not stand alone. */
  more?: string;
} & (
  | { next: string; say: (facts: F) => { what: string; why?: string } }
  | { next?: undefined; say: (facts: F) => { what: string; why?: string; next: string } }
);

/** The words of some reasons, in the language of `t`. */
export type Reasons<R extends ErrorReason = ErrorReason> = {
  readonly [K in R]: (t: T) => Reason<ErrorFacts[K]>;
};

/** Names a file and what is wrong with it. */
export const about = (file: string, problem: string, t: T): string =>
  t("{file}: {problem}.", { file, problem });
