import { parseJson } from "../../api/json.ts";
import { numberOf, textOf } from "../../api/loose-values.ts";

import type { BposError } from "../../errors.ts";
import type { LeftOutRow } from "../../input/recipients.ts";
import type { JournalCall } from "../../journal/sends.ts";
import { type SendPlan, type SendRequest, templateLabel } from "./plan.ts";

/** What the service says of one campaign, in shapes that can be counted on. */
export interface CampaignAnswer {
  campaign_id: string | null;
  status: string | null;
  campaign_name: string | null;
  replayed: boolean;
  recipients: { added: number; duplicates: number; errors: string[] };
}

function errorsOf(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.map(textOf).filter((text) => text !== null);
}

/**
 * Reads an answer as the journal keeps it, however odd: nothing in it can stop a report. Where it differs from the
 * specification (`spec.md` 4.3) is in the client's `mismatches`.
 */
export function readCampaignAnswer(text: string): CampaignAnswer {
  const answer = parseJson(text) as Record<string, unknown>;
  const { added, duplicates, errors } = (answer["recipients"] ?? {}) as Record<string, unknown>;
  return {
    campaign_id: textOf(answer["campaign_id"]),
    status: textOf(answer["status"]),
    campaign_name: textOf(answer["campaign_name"]),
    replayed: answer["replayed"] === true,
    recipients: {
      added: numberOf(added) ?? 0,
      duplicates: numberOf(duplicates) ?? 0,
      errors: errorsOf(errors),
    },
  };
}

/** How a send ended; see "JSON shapes" in the contract of the command line. */
type SendOutcome = "sent" | "replayed" | "partial" | "refused" | "unknown" | "nothing";

/** One call of a send: a campaign that the service created. */
export interface SentCampaign {
  campaign_id: string | null;
  idempotency_key: string;
  status: string | null;
  campaign_name: string | null;
  replayed: boolean;
  recipients: { added: number; duplicates: number; errors: string[] };
  /** How many the call holds; for the screen only. */
  people?: number;
}

/** What came of a send, in the words of the command line's JSON. */
export interface SendReport {
  send_id: string;
  template: string;
  external_ref: string;
  recipients: {
    read: number;
    planned: number;
    added: number;
    /** Rows of the file, as `read`; what the service calls duplicates is in `campaigns`. */
    duplicates: number;
    invalid: number;
    excluded: number;
    already_sent: number;
    errors: string[];
  };
  campaigns: SentCampaign[];
  invalid: LeftOutRow[];
  /** Rows whose person stands on an earlier line of the file. */
  duplicates: LeftOutRow[];
  excluded: LeftOutRow[];
  /** The file that holds those rows, where one was written. */
  errors_file?: string;
  outcome: SendOutcome;
  dry_run: boolean;
  /** The phone of a test. */
  testTo?: string;
  /** What this run did not send though it was planned; for the screen only, as is the next. */
  unsent?: { calls: number; people: number };
  /** Too many calls in a row had no answer. */
  gaveUp?: boolean;
  /** The journal could not keep the last answer. */
  notKept?: boolean;
  /** What the answers leave open; absent before there are any. */
  doubts?: Doubts;
}

/** The report, and what stopped the send before its end, if anything did. */
export interface SendResult {
  report: SendReport;
  failure?: BposError;
  /** When the replayed calls went out, epoch milliseconds, as far as the journal knows. */
  sentAt: number | undefined;
  /** Where the answers of this run differ from the specification. */
  mismatches: readonly string[];
}

/** A report of which nothing is known yet but these. */
export function reportOf(
  known: Pick<SendReport, "send_id" | "template" | "external_ref"> & Partial<SendReport>,
  recipients: Partial<SendReport["recipients"]>,
): SendReport {
  const none = { read: 0, planned: 0, added: 0, duplicates: 0, invalid: 0, excluded: 0, already_sent: 0 };
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

/** The report of a plan before anything was sent; also that of a dry run. */
export function newSendReport(
  request: SendRequest,
  { planned, alreadySent }: SendPlan,
  { sendId, dryRun }: { sendId: string; dryRun: boolean },
): SendReport {
  const { read, recipients, invalid, duplicates, excluded } = request.reading;
  const [first] = recipients;
  const known = {
    ...{ send_id: sendId, template: templateLabel(request.template), external_ref: request.ref },
    ...{ invalid, duplicates, excluded, dry_run: dryRun },
    ...(request.isTest && first !== undefined && { testTo: first.phone }),
  };
  return reportOf(known, {
    read,
    planned,
    duplicates: duplicates.length,
    invalid: invalid.length,
    excluded: excluded.length,
    already_sent: alreadySent,
  });
}

/** Adds a call to the report; only what went out because of this run is counted as added. */
export function tally(
  report: SendReport,
  call: JournalCall,
  answer: CampaignAnswer,
  wentOutNow: boolean,
): void {
  const { campaign_id, ...rest } = answer;
  report.campaigns.push({ campaign_id, idempotency_key: call.idempotency_key, ...rest, people: call.people });
  if (!wentOutNow) return;
  report.recipients.added += answer.recipients.added;
  report.recipients.errors.push(...answer.recipients.errors);
}

/** A call that may have gone out, and of which nobody said so. */
export function unknownCampaign({ idempotency_key }: Pick<JournalCall, "idempotency_key">): SentCampaign {
  return {
    campaign_id: null,
    idempotency_key,
    status: "unknown",
    campaign_name: null,
    replayed: false,
    recipients: { added: 0, duplicates: 0, errors: [] },
  };
}

/** Adds such a call to the report. */
export function tallyUnknown(report: SendReport, call: JournalCall): void {
  report.campaigns.push({ ...unknownCampaign(call), people: call.people });
}

/** A call that stayed here. */
export function tallyUnsent(report: SendReport, call: JournalCall): void {
  const { calls, people } = report.unsent ?? { calls: 0, people: 0 };
  report.unsent = { calls: calls + 1, people: people + call.people };
}

/** What the answer to a call leaves open: how many of its people it does not account for, and a status other than `sent`. */
function doubtIn(people: number, { status, recipients }: Pick<SentCampaign, "status" | "recipients">) {
  const { added, duplicates, errors } = recipients;
  const unaccounted = Math.max(0, people - Math.max(0, added) - Math.max(0, duplicates) - errors.length);
  return { unaccounted, isSent: status === "sent" };
}

/** Whether the answer to a call leaves open what became of it. */
export function isDoubtful(people: number, answer: Pick<SentCampaign, "status" | "recipients">): boolean {
  const { unaccounted, isSent } = doubtIn(people, answer);
  return unaccounted > 0 || !isSent;
}

/** What the answers to a send leave open. */
export interface Doubts {
  /** People whom the answers do not name as added, duplicates or errors. */
  unaccounted: number;
  /** People in the calls that were answered. */
  people: number;
  /** The campaigns whose status is not `sent`. */
  unsent: (SentCampaign & { campaign_id: string })[];
}

/** What the answers to a send leave open; nothing of a call without one. */
function doubtsOf({ campaigns }: Pick<SendReport, "campaigns">): Doubts {
  const doubts: Doubts = { unaccounted: 0, people: 0, unsent: [] };
  for (const call of campaigns) {
    const { campaign_id, people = 0 } = call;
    if (campaign_id === null) continue;
    const { unaccounted, isSent } = doubtIn(people, call);
    doubts.unaccounted += unaccounted;
    doubts.people += people;
    if (!isSent) doubts.unsent.push({ ...call, campaign_id });
  }
  return doubts;
}

/** Completes a report by how the send ended; `wentOut` counts the calls that left now and were answered. */
export function conclude(report: SendReport, failure: BposError | undefined, wentOut: number): void {
  report.doubts = doubtsOf(report);
  report.outcome = outcomeOf(report, failure, wentOut);
}

function outcomeOf(report: SendReport, failure: BposError | undefined, wentOut: number): SendOutcome {
  if (report.notKept === true || report.campaigns.some((call) => call.campaign_id === null)) return "unknown";
  if (failure && report.campaigns.length > 0) return "partial";
  const isRefused = failure?.reason === "input_refused" || failure?.reason === "access_denied";
  if (failure) return isRefused ? "refused" : "nothing";
  if (report.campaigns.length === 0) return "nothing";
  if (report.campaigns.some((call) => isDoubtful(call.people ?? 0, call))) return "partial";
  return wentOut === 0 ? "replayed" : "sent";
}
