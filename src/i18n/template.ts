import { quoted, shellWord, times } from "../texts/phrases.ts";

/** The member of a union that has a kind, alone or among others. */
export type OfKind<U extends { kind: string }, K> = U extends unknown
  ? K extends U["kind"]
    ? U
    : never
  : never;

/** How a value is written in a hole: `{file:shell}` as one word of a command, `{ms:s}` in seconds. */
const writers = {
  shell: (value: unknown) => shellWord(String(value)),
  s: (value: unknown) => String(Number(value) / 1000),
  kB: (value: unknown) => String(Number(value) / 1000),
  MiB: (value: unknown) => String(Number(value) / 2 ** 20),
};

/**
 * A text with holes that facts fill, or the text of each case.
 *
 * - `{file}`: the value, or the values with commas; `"{file}"`: each in quotes, cut when long; `{file:shell}`: see `writers`
 * - `{rows|row is|rows are}`: a number with the word that goes with it; `{rows?is|are}`: that word alone
 * - `[, line {line}]`: left out where that fact is absent
 * - a full stop after a value that ends a sentence is not repeated
 * - `{ profile: "…", else: "…" }`: the first case whose fact is there; `{ of: { send: "…", else: "…" } }`: by its value
 */
export type Text = string | Cases | ((facts: never) => string);

// An alias: the types of the library name what it stands for.
type Cases = { readonly [fact: string]: Text };

/** A sentence with its full stop, unless what it quotes brings one. */
export const toSentence = (text: string): string => (/[.!?…]["')]?$/.test(text) ? text : `${text}.`);

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || value === false || value === "" || [value].flat().length === 0;

const holes =
  /(?<quote>"?)\{(?<name>\w+)(?::(?<writer>\w+)|(?<counted>[|?])(?<one>[^|}]*)\|(?<many>[^}]*))?\}\k<quote>(?<stop>\.(?=\s|$))?/g;

type Hole = Record<"quote" | "name", string> &
  Partial<Record<"counted" | "one" | "many" | "stop", string>> & { writer?: keyof typeof writers };

/** The word that goes with a number, with or without it. */
function fillCounted({ counted, one = "", many = "" }: Hole, n: number): string {
  return counted === "|" ? times(n, one, many) : n === 1 ? one : many;
}

function fillValues({ writer, quote }: Hole, value: unknown): string {
  const write = writer === undefined ? String : writers[writer];
  const shown = [value].flat().map(write);
  return (quote === "" ? shown : shown.map(quoted)).join(", ");
}

function fillHole(hole: Hole, facts: Readonly<Record<string, unknown>>): string {
  const { name, counted, stop = "" } = hole;
  const value = facts[name];
  if (counted !== undefined) return fillCounted(hole, Number(value)) + stop;
  const shown = fillValues(hole, value);
  return stop === "" ? shown : toSentence(shown);
}

const fillHoles = (text: string, facts: Readonly<Record<string, unknown>>): string =>
  text.replace(holes, (...found: unknown[]) => fillHole(found.at(-1) as Hole, facts));

const hasFacts = (part: string, facts: Readonly<Record<string, unknown>>): boolean =>
  [...part.matchAll(holes)].every(({ groups }) => !isAbsent(facts[(groups as Hole).name]));

/** The text of these facts; undefined where none of its cases fits. */
function fill(text: Text, facts: object): string | undefined {
  const values = facts as Readonly<Record<string, unknown>>;
  if (typeof text === "function") return text(facts as never);
  if (typeof text === "string")
    return fillHoles(
      text.replace(/\[([^[\]]*\{\w[^[\]]*)\]/g, (_, part: string) => (hasFacts(part, values) ? part : "")),
      values,
    );
  for (const [name, branch] of Object.entries(text)) {
    const value = values[name];
    if (name !== "else" && isAbsent(value)) continue;
    const byValue = typeof value === "string" && typeof branch === "object" ? branch[value] : undefined;
    const filled = fill(byValue ?? branch, facts);
    if (filled !== undefined) return filled;
  }
  return undefined;
}

type Plain = string | number | readonly (string | number)[];

/** The facts that can stand in a hole, in a part that is left out without them as well. */
type Fillable<F> = { [K in keyof F]-?: F[K] extends Plain ? K : never }[keyof F];
type Optional<F> = { [K in keyof F]-?: NonNullable<F[K]> extends Plain ? K : never }[keyof F];

type NameIn<Hole extends string> = Hole extends `${infer Name}:${infer Writer}`
  ? Writer extends keyof typeof writers
    ? Name
    : Hole
  : Hole extends `${infer Name}|${string}|${string}`
    ? NameIn<Name extends `${infer Counted}?${string}` ? Counted : Name>
    : Hole extends `${infer Name}?${string}|${string}`
      ? Name
      : Hole;

type Holes<S> = S extends `${string}{${infer Hole}}${infer Rest}` ? NameIn<Hole> | Holes<Rest> : never;

type HolesInParts<S> = S extends `${string}[${infer Part}]${infer Rest}`
  ? Holes<Part> | HolesInParts<Rest>
  : never;

type HolesOutside<S> = S extends `${infer Before}[${string}]${infer Rest}`
  ? Holes<Before> | HolesOutside<Rest>
  : Holes<S>;

/** The facts where the one of a case is there. */
type With<F, K extends keyof F> = Omit<F, K> & { [N in K]-?: Exclude<NonNullable<F[N]>, false> };

/** Whether a fact is one of some words, so that it must have a text for each. */
type IsChoice<V> = [V] extends [string] ? (string extends V ? false : true) : false;

type FitValues<T, V extends string, F> = {
  [N in keyof T]: N extends V | "else" ? Fits<T[N], F> : never;
} & ("else" extends keyof T ? unknown : { [N in V]: unknown });

/** A text as it is; `never` where a hole or a case has no fact. */
export type Fits<T, F> = T extends string
  ? [HolesOutside<T>] extends [Fillable<F>]
    ? [HolesInParts<T>] extends [Optional<F>]
      ? T
      : never
    : never
  : T extends (facts: never) => string
    ? T
    : {
        [K in keyof T]: K extends "else"
          ? Fits<T[K], F>
          : K extends keyof F
            ? T[K] extends object
              ? IsChoice<NonNullable<F[K]>> extends true
                ? FitValues<T[K], NonNullable<F[K]> & string, With<F, K>>
                : Fits<T[K], With<F, K>>
              : Fits<T[K], With<F, K>>
            : never;
      };

/** What the texts of a kind know besides its own facts, in either language. */
export type Known<U extends { kind: string }> = {
  readonly [K in U["kind"]]?: (value: OfKind<U, K>) => object;
};

/** The facts of a kind and what else is known of it. */
type FactsOf<U extends { kind: string }, K, D> = K extends keyof D
  ? D[K] extends (value: never) => infer More
    ? Omit<OfKind<U, K>, keyof More> & More
    : OfKind<U, K>
  : OfKind<U, K>;

/** The parts that no text of a kind is needed for: `texts` of what is known holds them. */
type Needed<F, P extends string> = F extends { texts: infer Said }
  ? { [N in P]: N extends keyof Said ? (undefined extends Said[N] ? N : never) : N }[P]
  : P;

type TextFor<F> = string | Cases | ((facts: F) => string);

type Row<F, P extends string, O extends string> = { readonly [N in Needed<F, P>]: TextFor<F> } & {
  readonly [N in P | O]?: TextFor<F>;
};

/** A row for each kind, but those of which all is known. */
export type Rows<U extends { kind: string }, D, P extends string, O extends string> = {
  readonly [K in U["kind"] as [Needed<FactsOf<U, K, D>, P>] extends [never] ? never : K]: Row<
    FactsOf<U, K, D>,
    P,
    O
  >;
} & { readonly [K in U["kind"]]?: Row<FactsOf<U, K, D>, P, O> };

export type FitRows<U extends { kind: string }, D, T> = {
  [K in keyof T]: K extends U["kind"] ? { [N in keyof T[K]]: Fits<T[K][N], FactsOf<U, K, D>> } : never;
};

type KnownFacts = Readonly<Record<string, unknown>> & {
  texts?: Readonly<Record<string, string | undefined>>;
};

/** The facts of a value and what else is known of it. */
function factsOf<U extends { kind: string }>(known: Known<U>, value: U): KnownFacts {
  const more = known[value.kind as U["kind"]] as ((each: U) => object) | undefined;
  return { ...value, ...more?.(value) };
}

type Said<P extends string, O extends string> = Record<P, string> & Partial<Record<O, string>>;

/** The texts of a value: what is known already, then those of its row. */
export function sayRow<U extends { kind: string }>(
  known: Known<U>,
  row: Readonly<Record<string, Text>> | undefined,
  value: U,
): Readonly<Record<string, string>> {
  const { texts = {}, ...facts } = factsOf(known, value);
  const said: Record<string, string> = {};
  for (const [part, text] of Object.entries(row ?? {})) {
    const filled = fill(text, facts);
    if (filled !== undefined) said[part] = filled;
  }
  for (const [part, text] of Object.entries(texts)) if (text !== undefined) said[part] = text;
  return said;
}

/** Rows of texts for every kind of a union, each with the parts P and perhaps O; the result says those of a value. */
export const rowsKnowing =
  <U extends { kind: string }, P extends string, O extends string = never>() =>
  <const D extends Known<U>>(known: D) =>
  <const T extends Rows<U, D, P, O>>(rows: T & FitRows<U, D, T>) =>
  (value: U): Said<P, O> =>
    sayRow<U>(known, (rows as Readonly<Record<string, Record<string, Text>>>)[value.kind], value) as Said<
      P,
      O
    >;

/** A text for each kind, but those of which it is known. */
export type Sentences<U extends { kind: string }, D> = {
  readonly [K in U["kind"] as [Needed<FactsOf<U, K, D>, "text">] extends [never] ? never : K]: TextFor<
    FactsOf<U, K, D>
  >;
};

export type FitSentences<U extends { kind: string }, D, T> = {
  [K in keyof T]: K extends U["kind"] ? Fits<T[K], FactsOf<U, K, D>> : never;
};

/** One text for every kind of a union. */
export const sentencesKnowing =
  <U extends { kind: string }>() =>
  <const D extends Known<U>>(known: D) =>
  <const T extends Sentences<U, D>>(table: T & FitSentences<U, D, T>) =>
  (value: U): string => {
    const { texts, ...facts } = factsOf(known, value);
    return texts?.["text"] ?? fill((table as Readonly<Record<string, Text>>)[value.kind] ?? "", facts) ?? "";
  };

/** One text for every kind of a union, of which nothing else is known. */
export const sentences = <U extends { kind: string }>() => sentencesKnowing<U>()({});

/** What is wrong, in some cases why, and what to do next, for every kind of a union. */
export const advice = <U extends { kind: string }>() => rowsKnowing<U, "what" | "next", "why">()({});

/** An error in words: what happened, why, and what to do next. */
export interface ErrorWords {
  what: string;
  why: string;
  next: string;
}

/** A text of these facts. */
export const textFor =
  <F>() =>
  <const T extends TextFor<F>>(text: T & Fits<T, F>) =>
  (facts: F & object): string =>
    fill(text, facts) ?? "";
