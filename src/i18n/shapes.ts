import type { ErrorFacts, ErrorReason, ExitName } from "../errors.ts";

/** The languages that people are spoken to in. */
export const languages = ["en", "es"] as const;

/** A language of the catalogue of texts. */
export type Language = (typeof languages)[number];

const isLanguage = (name: string): name is Language => (languages as readonly string[]).includes(name);

/** The language that a locale such as `es_AR.UTF-8` means; undefined for one that means none of ours. */
export function languageOf(locale: string): Language | undefined {
  const [name = ""] = locale.toLowerCase().split(/[_.@-]/, 1);
  return isLanguage(name) ? name : undefined;
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

/** An error in words: what happened, why, and what to do next. */
export interface ErrorWords {
  what: string;
  why: string;
  next: string;
}

/** A part of an error: the same for all facts, or made from them. */
type Said<F> = string | ((facts: F) => string);

/** One reason in words: what happened, why, and what to do next; `more` is what `bpos help errors REASON` and docs/errors.md say of it. */
export interface ErrorEntry<F> {
  what: Said<F>;
  why: Said<F>;
  next: Said<F>;
  more?: string;
}

/** The words of every reason; a language that misses one does not compile. */
export type ErrorTexts = { readonly [R in ErrorReason]: ErrorEntry<ErrorFacts[R]> };

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
  const part = (each: Said<ErrorFacts[R]>): string => (typeof each === "string" ? each : each(facts));
  return { what: part(what), why: part(why), next: part(next) };
}

/** What is known of a reason without the facts of an error: its cause, and the next step where that is always the same. */
export function causeOf(texts: ErrorTexts, reason: ErrorReason): { cause: string; remedy?: string } {
  const { why, next, more } = texts[reason] as ErrorEntry<never>;
  const cause = more ?? (typeof why === "string" ? why : "");
  return typeof next === "string" ? { cause, remedy: next } : { cause };
}

/** What a check of `bpos doctor` found, and what to do about it. */
export interface CheckWords {
  detail: string;
  remedy?: string;
}

/** One part of a topic: a heading, a paragraph, rows of a term and what it is, lines to be shown as they are. */
export interface TopicPart {
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
  folders: { config: string; state: string };
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
  campaignStatus: ['{"campaigns":[…],"counts":{…},"recipients_hidden":4200}'],
  error: [
    '{"error":{"code":"denied","message":"…","hint":"…","status":403,',
    '          "service_code":"ERROR_CODE_ACCESS_DENIED","reason":"access_denied"}}',
  ],
} as const;
