import { parseJson, toNumber, toText } from "../api/json.ts";
import { isoWithOffset } from "../contract/limits.ts";
import { listProblems, type WaitReason } from "../errors/problems.ts";
import { rowProblemsWords } from "../errors/words/rows.ts";
import { BposError, type ErrorReason, exitCodes, exitNames, isReason } from "../errors.ts";
import type { LeftOutRow, UnusedRow } from "../input/recipients.ts";
import type { JournalCall, KeptCall } from "../journal/records/sends.ts";
import { english } from "../texts/texts.ts";
import { type OnlyFailed, type SendPlan, type SendRequest, templateLabel } from "./send/plan.ts";

export type SentCampaign = ReturnType<typeof toCampaign>;

type Counted =
  | "read"
  | "planned"
  | "added"
  | "duplicates"
  | "invalid"
  | "excluded"
  | "opted_out"
  | "already_sent";

export interface SendReport {
  send_id: string;
  template: string;
  external_ref: string;
  /** `duplicates` are rows of the file; what the service calls so is in `campaigns`. */
  recipients: Record<Counted, number> & { errors: string[] };
  campaigns: SentCampaign[];
  invalid: LeftOutRow[];
  duplicates: LeftOutRow[];
  excluded: LeftOutRow[];
  errors_file?: string;
  only_failed_of?: OnlyFailed | undefined;
  outcome: "sent" | "replayed" | "partial" | "refused" | "unknown" | "nothing";
  dry_run: boolean;
  /** The phone of a test; for the screen only, as `unsent` is. */
  testTo?: string;
  unsent?: { calls: number; people: number };
  /** What the rest waits for, where it does. */
  waiting?: { people: number; until: number; reason: WaitReason };
}

export interface SendResult {
  report: SendReport;
  failure?: BposError | undefined;
  sentAt: number | undefined;
  /** The calls that went out now. */
  wentOut: JournalCall[];
  mismatches: string[];
}

export function toReport(
  known: Pick<SendReport, "send_id" | "template" | "external_ref"> & Partial<SendReport>,
  recipients: Partial<SendReport["recipients"]>,
): SendReport {
  const left = { duplicates: 0, invalid: 0, excluded: 0, opted_out: 0, already_sent: 0 };
  const none = { read: 0, planned: 0, added: 0, ...left };
  return {
    campaigns: [],
    invalid: [],
    duplicates: [],
    excluded: [],
    outcome: "nothing",
    dry_run: false,
    ...known,
    recipients: { ...none, errors: [], ...recipients },
  };
}

export function newSendReport(
  { ref, template, isTest, reading, onlyFailed }: SendRequest,
  { planned, alreadySent, optedOut }: SendPlan,
  sendId: string,
  dryRun: boolean,
): SendReport {
  const { read, recipients, invalid, duplicates, excluded } = reading;
  const [first] = recipients;
  const known = {
    send_id: sendId,
    template: templateLabel(template),
    external_ref: ref,
    invalid,
    duplicates,
    excluded,
    dry_run: dryRun,
    only_failed_of: onlyFailed,
    ...(isTest && first !== undefined && { testTo: first.phone }),
  };
  return toReport(known, {
    read,
    planned,
    already_sent: alreadySent,
    duplicates: duplicates.length,
    invalid: invalid.length,
    excluded: excluded.length,
    opted_out: optedOut.length,
  });
}

/** A call with its answer as the journal keeps it: nothing in that can stop a report. Without an answer the call may have gone out. */
export function toCampaign(call: Pick<KeptCall, "idempotency_key" | "people">, text: string | null) {
  const answer = text === null ? { status: "unknown" } : (parseJson(text) as Record<string, unknown>);
  const { added, duplicates, errors } = (answer["recipients"] ?? {}) as Record<string, unknown>;
  return {
    campaign_id: toText(answer["campaign_id"]),
    idempotency_key: call.idempotency_key,
    status: toText(answer["status"]),
    campaign_name: toText(answer["campaign_name"]),
    replayed: answer["replayed"] === true,
    recipients: {
      added: toNumber(added) ?? 0,
      duplicates: toNumber(duplicates) ?? 0,
      errors: [errors].flat().flatMap((each) => toText(each) ?? []),
    },
    people: call.people,
  };
}

/** What an answer says of those whom the service left out of a call, by the digits of their phone. */
export const leftOutByPhone = (errors: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    errors.flatMap((error) => (error.match(/\d{6,}/g) ?? []).map((digits) => [digits, error] as const)),
  );

/** Returns how many recipients of a call its answer does not account for; a service may answer with negative counts. */
function countUnaccounted({ people, recipients: { added, duplicates, errors } }: SentCampaign): number {
  const accounted = Math.max(0, added) + Math.max(0, duplicates) + errors.length;
  return Math.max(0, people - accounted);
}

/** What the answers leave open; undefined where they account for everybody. */
export function findDoubts(campaigns: readonly SentCampaign[]) {
  const answered = campaigns.filter(({ campaign_id }) => campaign_id !== null);
  const unaccounted = answered.reduce((sum, call) => sum + countUnaccounted(call), 0);
  const unconfirmed = answered.filter(({ status }) => status !== "sent");
  if (unaccounted === 0 && unconfirmed.length === 0) return undefined;

  const people = answered.reduce((sum, call) => sum + call.people, 0);
  return { unaccounted, people, unconfirmed };
}

export const isRefusal = (failure: BposError | undefined): boolean =>
  isReason(failure, "input_refused") || isReason(failure, "access_denied");

export function decideOutcome(
  campaigns: readonly SentCampaign[],
  failure: BposError | undefined,
  wentOut: number,
): SendReport["outcome"] {
  if (campaigns.some((call) => call.campaign_id === null)) return "unknown";
  if (failure) {
    if (campaigns.length > 0) return "partial";
    return isRefusal(failure) ? "refused" : "nothing";
  }
  if (campaigns.length === 0) return "nothing";
  if (findDoubts(campaigns)) return "partial";
  return wentOut === 0 ? "replayed" : "sent";
}

export function sendExitCode({ report, failure }: Pick<SendResult, "report" | "failure">): number {
  if (failure) return exitCodes[exitNames[failure.reason]];
  const { outcome, invalid, recipients } = report;
  const isPartial = outcome === "partial" || invalid.length > 0 || recipients.errors.length > 0;
  return isPartial ? exitCodes.partial : exitCodes.ok;
}

export const withoutPeople = ({ people: _, ...call }: SentCampaign): object => call;

export const waitingJson = ({ people, until, reason }: NonNullable<SendReport["waiting"]>) => ({
  recipients: people,
  until: isoWithOffset(until),
  for: reason,
});

export const leftOutJson = (rows: readonly UnusedRow[]): object[] =>
  rows.map((row) => ({
    line: row.line,
    phone: row.phone,
    error: rowProblemsWords(listProblems(row), english),
  }));

export type ReportJson = ReturnType<typeof sendReportJson>;

export function sendReportJson(report: SendReport) {
  const { send_id, template, external_ref, recipients, outcome, dry_run } = report;
  const { testTo, errors_file, waiting, only_failed_of } = report;
  return {
    send_id,
    template,
    external_ref,
    recipients,
    campaigns: report.campaigns.map(withoutPeople),
    invalid: leftOutJson(report.invalid),
    // In `recipients` the same words are counts.
    duplicate_rows: leftOutJson(report.duplicates),
    excluded_rows: leftOutJson(report.excluded),
    outcome,
    dry_run,
    ...(waiting !== undefined && { waiting: waitingJson(waiting) }),
    ...(testTo !== undefined && { test: true }),
    ...(errors_file !== undefined && { errors_file }),
    ...(only_failed_of !== undefined && { only_failed_of }),
  };
}

/** Said where there is no other failure: `resume` settles every other. */
export const lastSaid: readonly ErrorReason[] = ["opted_out_unknown", "too_late", "usage_flag"];
/** Said whatever else a call under way beside it comes to. */
const firstSaid = ["outcome_unknown", "journal_write_failed", "interrupted"] as const;

export const isFirstSaid = (reason: ErrorReason | undefined): boolean =>
  firstSaid.some((each) => each === reason);

/** What every other send would meet too. */
export const metByAll: readonly (ErrorReason | undefined)[] = [
  "access_denied",
  "unavailable",
  "memory_short",
  "interrupted",
  "journal_unreadable",
  "journal_write_failed",
  "journal_older",
  "lock_lost",
];

/** What stopped a send, with its reference. An unknown outcome takes precedence over calls that were too late or held. */
export function decideFailure(failure: BposError | undefined, { outcome, external_ref: ref }: SendReport) {
  if (outcome === "unknown" && isReason(failure, "too_late"))
    return new BposError("too_late_unknown", failure.facts);
  if (outcome === "unknown" && isReason(failure, "repeat_held"))
    return new BposError("repeat_held_unknown", failure.facts);
  for (const reason of firstSaid)
    if (isReason(failure, reason))
      return new BposError(reason, { ...failure.facts, ref }, { cause: failure });
  return failure;
}
