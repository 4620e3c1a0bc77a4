import type { BposError } from "../errors.ts";
import type { LeftOutRow } from "../input/recipients.ts";
import type { JournalCall } from "../journal/sends.ts";
import type { CampaignAnswer } from "./campaign-answer.ts";
import { type SendPlan, type SendRequest, templateLabel } from "./send-plan.ts";

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
}

/** The report, and what stopped the send before its end, if anything did. */
export interface SendResult {
  report: SendReport;
  failure?: BposError;
  /** When the replayed calls went out, epoch milliseconds, as far as the journal knows. */
  sentAt: number | undefined;
  /** People of whom the answers of this run say nothing, neither that they were added nor why not. */
  unaccounted: number;
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
  report.recipients.duplicates += answer.recipients.duplicates;
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

/** How a send ended by its report; `wentOut` counts the calls that left now and were answered. */
export function outcomeOf(report: SendReport, failure: BposError | undefined, wentOut: number): SendOutcome {
  if (report.notKept === true || report.campaigns.some((call) => call.campaign_id === null)) return "unknown";
  if (failure && report.campaigns.length > 0) return "partial";
  if (failure) return failure.reason === "input_refused" ? "refused" : "nothing";
  if (report.campaigns.length === 0) return "nothing";
  return wentOut === 0 ? "replayed" : "sent";
}
