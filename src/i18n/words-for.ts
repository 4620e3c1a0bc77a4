/** One entry for every kind of a union: a missing one does not compile. */
export type Words<U extends { kind: string }, R> = {
  readonly [K in U["kind"]]: (value: Extract<U, { kind: K }>) => R;
};

/** The words of one value of a union. */
export function wordsFor<U extends { kind: string }, R>(table: Words<U, R>, value: U): R {
  return (table[value.kind as U["kind"]] as (each: U) => R)(value);
}
