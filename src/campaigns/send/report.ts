import { numberOf, parseJson, textOf } from "../../api/json.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { problemsOf } from "../../errors/problems.ts";
import { BposError, exitCodes, exitNameOf, isReason } from "../../errors.ts";
import { en } from "../../i18n/en.ts";
import type { LeftOutRow } from "../../input/recipients.ts";
import type { Journal } from "../../journal/journal.ts";
import type { KeptCall, KnownSend } from "../../journal/sends.ts";
import { type SendPlan, type SendRequest, templateLabel } from "./plan.ts";

/** How a send ended; see "JSON shapes" in the contract of the command line. */
type SendOutcome = "sent" | "replayed" | "partial" | "refused" | "unknown" | "nothing";

/** What the service says of one campaign, in shapes that can be counted on. */
export interface CampaignAnswer {
  campaign_id: string | null;
  status: string | null;
  campaign_name: string | null;
  replayed: boolean;
  recipients: { added: number; duplicates: number; errors: string[] };
}

/** One call of a send: a campaign that the service created, or may have. */
export interface SentCampaign extends CampaignAnswer {
  idempotency_key: string;
  /** How many recipients the call holds; for the screen only. */
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
  /** The phone of a test; for the screen only, as is all that follows. */
  testTo?: string;
  unsent?: { calls: number; people: number };
  /** Too many calls in a row had no answer. */
  gaveUp?: boolean;
  /** The journal could not keep the last answer. */
  notKept?: boolean;
  doubts?: Doubts;
}

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
    ...{ campaigns: [], invalid: [], duplicates: [], excluded: [], outcome: "nothing", dry_run: false },
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
    ...{ read, planned, already_sent: alreadySent },
    ...{ duplicates: duplicates.length, invalid: invalid.length, excluded: excluded.length },
  });
}

/** Reads an answer as the journal keeps it, however odd: nothing in it can stop a report. */
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
      errors: [errors].flat().flatMap((each) => textOf(each) ?? []),
    },
  };
}

const noAnswer: CampaignAnswer = {
  ...{ campaign_id: null, status: "unknown", campaign_name: null, replayed: false },
  recipients: { added: 0, duplicates: 0, errors: [] },
};

/** A call with its answer; without one it may have gone out, and nobody said so. */
export function campaignOf(
  { idempotency_key, people }: Pick<KeptCall, "idempotency_key" | "people">,
  answer: CampaignAnswer | undefined,
): SentCampaign {
  const { campaign_id, ...rest } = answer ?? noAnswer;
  return { campaign_id, idempotency_key, ...rest, people };
}

/** What the answers to a send leave open. */
export interface Doubts {
  /** People whom the answers do not name as added, duplicates or errors. */
  unaccounted: number;
  people: number;
  unsent: (SentCampaign & { campaign_id: string })[];
}

/** What the answers to a send leave open; nothing of a call without one. */
function doubtsOf(campaigns: readonly SentCampaign[]): Doubts {
  const doubts: Doubts = { unaccounted: 0, people: 0, unsent: [] };
  for (const call of campaigns) {
    const { campaign_id, people = 0, status, recipients } = call;
    if (campaign_id === null) continue;
    const { added, duplicates, errors } = recipients;
    const accounted = Math.max(0, added) + Math.max(0, duplicates) + errors.length;
    doubts.unaccounted += Math.max(0, people - accounted);
    doubts.people += people;
    if (status !== "sent") doubts.unsent.push({ ...call, campaign_id });
  }
  return doubts;
}

const isDoubtful = ({ unaccounted, unsent }: Doubts): boolean => unaccounted > 0 || unsent.length > 0;

/** Completes a report by how the send ended; `wentOut` counts the calls that left now and were answered. */
export function conclude(report: SendReport, failure: BposError | undefined, wentOut: number): void {
  report.doubts = doubtsOf(report.campaigns);
  report.outcome = outcomeOf(report, report.doubts, failure, wentOut);
}

function outcomeOf(
  { campaigns, notKept }: SendReport,
  doubts: Doubts,
  failure: BposError | undefined,
  wentOut: number,
): SendOutcome {
  if (notKept === true || campaigns.some((call) => call.campaign_id === null)) return "unknown";
  if (failure && campaigns.length > 0) return "partial";
  const isRefused = failure?.reason === "input_refused" || failure?.reason === "access_denied";
  if (failure) return isRefused ? "refused" : "nothing";
  if (campaigns.length === 0) return "nothing";
  if (isDoubtful(doubts)) return "partial";
  return wentOut === 0 ? "replayed" : "sent";
}

/** A send whose rows or recipients were refused, by us or by the service, or are not accounted for, is done in part. */
export function sendExitCode({ report, failure }: Pick<SendResult, "report" | "failure">): number {
  if (failure) return exitCodes[exitNameOf[failure.reason]];
  const { outcome, invalid, recipients } = report;
  const isPartial = outcome === "partial" || invalid.length > 0 || recipients.errors.length > 0;
  return isPartial ? exitCodes.partial : exitCodes.ok;
}

/** What stopped a send, with the reference under which it is resumed. */
export function sendFailure({ report: { external_ref: ref }, failure }: SendResult): BposError | undefined {
  for (const reason of ["outcome_unknown", "journal_write_failed", "interrupted"] as const)
    if (isReason(failure, reason))
      return new BposError(reason, { ...failure.facts, ref }, { cause: failure });
  return failure;
}

/** A send in the shape of the command line's JSON; row problems in English, whatever the language of the tables. */
export function sendReportJson(report: SendReport): object {
  const { send_id, template, external_ref, recipients, outcome, dry_run, testTo, errors_file } = report;
  const listed = (rows: readonly LeftOutRow[]): object[] =>
    rows.map((row) => ({ line: row.line, phone: row.phone, error: en.rows.problems(problemsOf(row)) }));
  return {
    ...{ send_id, template, external_ref, recipients },
    campaigns: report.campaigns.map(withoutPeople),
    invalid: listed(report.invalid),
    duplicates: listed(report.duplicates),
    excluded: listed(report.excluded),
    ...{ outcome, dry_run },
    ...(testTo !== undefined && { test: true }),
    ...(errors_file !== undefined && { errors_file }),
  };
}

const withoutPeople = ({ people: _, ...call }: SentCampaign): SentCampaign => call;

/** What only the run of a send knew of the file, as it printed it; null when it was killed. */
interface OfRun extends Pick<SendReport, "errors_file"> {
  recipients: Record<string, number | null>;
  invalid: unknown;
  duplicates: unknown;
  excluded: unknown;
}

const killed: OfRun = {
  recipients: { read: null, duplicates: null, invalid: null, excluded: null, already_sent: null },
  ...{ invalid: null, duplicates: null, excluded: null },
};

/** A send of the past: its JSON, as `campaign send` printed it, with what its calls are now, and how many are. */
export type PastSend = ReturnType<typeof pastSend>;

function pastSend(send: KnownSend, kept: readonly KeptCall[]) {
  const left = kept.filter(({ state }) => state !== "planned");
  const answered = kept.filter(({ state }) => state === "sent");
  const calls = { all: kept.length, sent: answered.length, unknown: left.length - answered.length };
  const campaigns = left.map((call) =>
    campaignOf(call, call.answer === null ? undefined : readCampaignAnswer(call.answer)),
  );
  const hasDoubts = isDoubtful(doubtsOf(campaigns));
  const isWhole = calls.sent === calls.all && !hasDoubts;
  const outcome = calls.unknown > 0 ? "unknown" : calls.sent === 0 ? "nothing" : isWhole ? "sent" : "partial";
  const ofRun = send.report === null ? killed : (JSON.parse(send.report) as OfRun);
  const { invalid, duplicates, excluded, errors_file } = ofRun;
  const report = {
    send_id: send.send_id,
    at: isoWithOffset(send.at),
    template: templateLabel(send.template),
    external_ref: send.ref,
    recipients: {
      ...ofRun.recipients,
      planned: kept.reduce((sum, { people }) => sum + people, 0),
      added: campaigns.reduce((sum, { recipients }) => sum + recipients.added, 0),
      errors: campaigns.flatMap(({ recipients }) => recipients.errors),
    },
    campaigns: campaigns.map(withoutPeople),
    ...{ invalid, duplicates, excluded, outcome, dry_run: false },
    ...(send.isTest && { test: true }),
    ...(errors_file !== undefined && { errors_file }),
  };
  return { report, calls, isDoubtful: hasDoubts };
}

export async function pastSends(journal: Journal, branch: string, limit: number): Promise<PastSend[]> {
  return (await journal.sends.newest(branch, limit)).map((send) => pastSend(send, send.calls));
}
