import type { ErrorFacts, ErrorReason, ExitName } from "../errors.ts";
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
  /** The flags of every command, by heading. */
  flags: readonly (readonly [heading: string, flags: Readonly<Record<string, string>>])[];
}

/** The topics of `bpos help` in one language. */
export type Topics = Readonly<
  Record<"flags" | "exit-codes" | "environment" | "files" | "json" | "errors", (facts: TopicFacts) => Topic>
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
  campaignStatus: [
    '{"campaigns":[…],"counts":{…},"recipients_hidden":4200,"errors":[{"error_message":"…","recipients":12}]}',
  ],
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
  "  10) echo 'held: nothing was sent' | mail -s 'check prices.csv' me@example.com ;;",
  "  *) exit 1 ;;",
  "esac",
];
