import type { ErrorFacts, ErrorReason, ExitName } from "../errors.ts";
import { quoted } from "./phrases.ts";

/** The languages that people are spoken to in. */
export const languages = ["en", "es"] as const;

/** A language of the catalogue of texts. */
export type Language = (typeof languages)[number];

const isLanguage = (name: string): name is Language => (languages as readonly string[]).includes(name);

/** The language that a locale such as `es_AR.UTF-8` means; undefined for one that means none of ours. */
export function findLanguage(locale: string): Language | undefined {
  const [name = ""] = locale.toLowerCase().split(/[_.@-]/, 1);
  return isLanguage(name) ? name : undefined;
}

/** Texts by their topic: the command loads the file of a topic when it is first asked for (`rolldown.config.mjs`). */
export function byTopic<T extends Readonly<Record<string, () => unknown>>>(
  topics: T,
): { readonly [K in keyof T]: ReturnType<T[K]> } {
  const texts = {};
  for (const [name, get] of Object.entries(topics))
    Object.defineProperty(texts, name, { get, enumerable: true });
  return texts as { readonly [K in keyof T]: ReturnType<T[K]> };
}

/** The member of a union that has a kind, alone or among others. */
export type OfKind<U extends { kind: string }, K> = U extends unknown
  ? K extends U["kind"]
    ? U
    : never
  : never;

/** One entry for every kind of a union: a missing one does not compile. */
export type Words<U extends { kind: string }, R> = {
  readonly [K in U["kind"]]: (value: OfKind<U, K>) => R;
};

/** The words of one value of a union. */
export function wordsFor<U extends { kind: string }, R>(table: Words<U, R>, value: U): R {
  return (table[value.kind as U["kind"]] as (each: U) => R)(value);
}

/** A text: the same for all facts, with holes such as `{file}` that they fill, or made from them. */
export type Said<F> = string | ((facts: F) => string);

/** The facts that can stand in a hole. */
type Fillable<F> = {
  [K in keyof F]: F[K] extends string | number | readonly (string | number)[] ? K : never;
}[keyof F];

type Holes<S> = S extends `${string}{${infer Hole}}${infer Rest}` ? Hole | Holes<Rest> : never;

/** A text, or an object of texts, as it is; `never` where it has a hole that the facts do not fill. */
type Fits<T, F> = T extends string
  ? [Holes<T>] extends [Fillable<F>]
    ? T
    : never
  : T extends (facts: never) => unknown
    ? T
    : { [K in keyof T]: Fits<T[K], F> };

/** The text of these facts: `{file}` is the value, or the values with commas; `"{text}"` each in quotes, cut when long. */
function filled<F>(text: Said<F>, facts: F): string {
  if (typeof text === "function") return text(facts);
  return text.replace(/"\{(\w+)\}"|\{(\w+)\}/g, (_, inQuotes: string | undefined, plain: string) => {
    const values = [(facts as Record<string, unknown>)[inQuotes ?? plain]].flat().map(String);
    return (inQuotes === undefined ? values : values.map(quoted)).join(", ");
  });
}

/** A text for every kind of a union; the result says the one of a value. */
export const sentences =
  <U extends { kind: string }>() =>
  <const T extends { readonly [K in U["kind"]]: Said<OfKind<U, K>> }>(
    table: T & { [K in U["kind"]]: Fits<T[K], OfKind<U, K>> },
  ) =>
  (value: U): string =>
    filled((table as Readonly<Record<string, Said<U>>>)[value.kind] ?? "", value);

/** What is wrong, in some cases why, and what to do next. */
interface Advice<F> {
  what: Said<F>;
  why?: Said<F>;
  next: Said<F>;
}

/** What happened and what to do next, for every kind of a union; the result says it of a value. */
export const advice =
  <U extends { kind: string }>() =>
  <
    const T extends {
      readonly [K in U["kind"]]: Advice<OfKind<U, K>> | ((value: OfKind<U, K>) => Advice<never>);
    },
  >(
    table: T & { [K in U["kind"]]: Fits<T[K], OfKind<U, K>> },
  ) =>
  (value: U): { what: string; why?: string; next: string } => {
    // The compiler cannot see that the entry of a kind takes the values of that kind.
    const entry = (table as unknown as Readonly<Record<string, Advice<U> | ((value: U) => Advice<U>)>>)[
      value.kind
    ];
    const { what, why, next } = (typeof entry === "function" ? entry(value) : entry) as Advice<U>;
    return {
      what: filled(what, value),
      ...(why !== undefined && { why: filled(why, value) }),
      next: filled(next, value),
    };
  };

/** An error in words: what happened, why, and what to do next. */
export interface ErrorWords {
  what: string;
  why: string;
  next: string;
}

/** One reason in words; `more` is what `bpos help errors REASON` and docs/errors.md say where `why` does not stand alone. */
export interface ErrorEntry<F> {
  what: Said<F>;
  why: Said<F>;
  next: Said<F>;
  more?: string;
}

/** The words of every reason; a language that misses one does not compile. */
export type ErrorTexts = { readonly [R in ErrorReason]: ErrorEntry<ErrorFacts[R]> };

/** Some of the reasons, with no hole that their facts do not fill. */
export const defineReasons = <const T extends Partial<ErrorTexts>>(
  table: T & { [R in keyof T]: R extends ErrorReason ? Fits<T[R], ErrorFacts[R]> : never },
): T => table;

/** An entry whose three parts are made together. */
export const said = <F>(words: (facts: F) => ErrorWords): ErrorEntry<F> => ({
  what: (facts) => words(facts).what,
  why: (facts) => words(facts).why,
  next: (facts) => words(facts).next,
});

/** The words of an error of that reason. */
export function errorWords<R extends ErrorReason>(
  texts: ErrorTexts,
  reason: R,
  facts: ErrorFacts[R],
): ErrorWords {
  const { what, why, next } = texts[reason] as ErrorEntry<ErrorFacts[R]>;
  return { what: filled(what, facts), why: filled(why, facts), next: filled(next, facts) };
}

/** What is known of a reason without the facts of an error: its cause, and the next step where that is always the same. */
export function readCause(texts: ErrorTexts, reason: ErrorReason): { cause: string; remedy?: string } {
  const { why, next, more } = texts[reason] as ErrorEntry<never>;
  const fixed = (text: Said<never>): string =>
    typeof text === "string" && !/\{\w+\}/.test(text) ? text : "";
  const remedy = fixed(next);
  return { cause: more ?? fixed(why), ...(remedy !== "" && { remedy }) };
}

/** What a check of `bpos doctor` found, and what to do about it. */
export interface CheckWords {
  detail: string;
  remedy?: string;
}

/** One part of a topic: a paragraph alone, or a heading, a paragraph, rows of a term and what it is, lines shown as they are. */
export type TopicPart = string | TopicSection;

interface TopicSection {
  heading?: string;
  text?: string;
  rows?: Readonly<Record<string, string>>;
  code?: readonly string[];
}

/** What `bpos help TOPIC` explains. */
export interface Topic {
  title: string;
  parts: readonly TopicPart[];
}

/** What a topic says of this machine and of our tables. */
export interface TopicFacts {
  /** Each exit code with its name, in order. */
  exits: readonly (readonly [code: number, name: ExitName])[];
  /** The reasons by their exit code, each with its cause in a sentence. */
  reasons: readonly (readonly [exit: string, reasons: Readonly<Record<string, string>>])[];
  /** Where configuration and state live on this machine. */
  folders: { config: string; state: string; cache: string };
}

/** The topics of `bpos help` in one language. */
export type Topics = Readonly<
  Record<"exit-codes" | "environment" | "files" | "json" | "errors", (facts: TopicFacts) => Topic>
>;

/** What commands print as JSON, as an example each: the same in every language. */
export const jsonShapes = {
  ordersList: ['{"orders":[…],"page":1,"per_page":20,"total":57,"has_more":true}'],
  ordersWatch: [
    '{"event":"order.new","at":"…","branch":"centro","order":{…},"repeated":false}',
    '{"event":"order.changed","at":"…","branch":"centro","order_id":7,"from":"pendiente","to":"cancelado"}',
    '{"event":"order.changed",…,"from":"pendiente","to":"pendiente","changes":["lineas","total"],"order":{…}}',
  ],
  catalogPush: [
    '{"push_id":"…","action":"upsert","occurred_at":"…","read":1240,"sent":1230,"batches":3,',
    ' "accepted":1228,"skipped_stale":0,"duplicate_batches":0,"unchanged":0,',
    ' "rejected":[{"codigo":"A1","error":"…","source":"service","line":17}],',
    ' "rejected_file":null,"outcome":"complete","dry_run":false}',
  ],
  campaignSend: [
    '{"send_id":"…","template":"…","external_ref":"…",',
    ' "recipients":{"read":10,"planned":8,"added":8,"duplicates":0,"invalid":2,"excluded":0,"already_sent":0,"errors":[]},',
    ' "campaigns":[{"campaign_id":"…","idempotency_key":"…","status":"sent","campaign_name":"…","replayed":false,"recipients":{…}}],',
    ' "invalid":[{"line":3,"phone":"…","error":"…"}],"outcome":"sent","dry_run":false}',
  ],
  campaignFind: [
    '{"phone":"+5491155550101","sends":[{"send_id":"…","at":"…","template":"…","external_ref":"…",',
    ' "campaign_id":"…","status":"read","error":null,"params":["Ana","118"],',
    ' "replies":[{"at":"…","text":"…","body":{…}}]}]}',
  ],
  campaignStatus: ['{"campaigns":[…],"counts":{…},"recipients_hidden":4200}'],
  error: [
    '{"error":{"code":"denied","message":"…","hint":"…","status":403,',
    '          "service_code":"ERROR_CODE_ACCESS_DENIED","reason":"access_denied"}}',
  ],
} as const;

/** A shell script that reads exit codes: the same in every language. */
export const exitScript = [
  "bpos catalog push prices.csv -q --rejected rejected.csv",
  "case $? in",
  "  0) ;;",
  "  3) mail -s 'rejected prices' me@example.com < rejected.csv ;;",
  "  6|7) sleep 300; bpos catalog push prices.csv -q ;;",
  "  *) exit 1 ;;",
  "esac",
];
