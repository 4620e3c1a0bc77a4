import type { T } from "./texts.ts";

/** The member of a union that has a kind, alone or among others. */
export type OfKind<U extends { kind: string }, K> = U extends unknown
  ? K extends U["kind"]
    ? U
    : never
  : never;

/** The words of each kind of a union; a kind without words does not compile. */
export type Words<U extends { kind: string }, W = string> = {
  readonly [K in U["kind"]]: (value: OfKind<U, K>, t: T) => W;
};

/**
 * The words of a value, by its kind.
 *
 * @example const words: Words<RowProblem> = { code_missing: (_, t) => t("the code is empty") };
 * sayKind(words, problem, t)
 */
export const sayKind = <U extends { kind: string }, W>(words: Words<U, W>, value: U, t: T): W =>
  (words[value.kind as U["kind"]] as (value: U, t: T) => W)(value, t);

/** Words of a problem and its next step. */
export interface Advice {
  what: string;
  next: string;
}
