import { createHash } from "node:crypto";
import { type Client, campaignBody } from "../api/client.ts";
import type { CampaignCreated, CampaignRequest } from "../contract/campaign.ts";
import { limits } from "../contract/limits.ts";
import { BposError, isReason } from "../errors.ts";
import type { RowProblem } from "../input/problems.ts";
import type { RecipientRow, RecipientsReading } from "../input/recipients.ts";
import { atomically, type Journal } from "../journal/open.ts";
import {
  callsOf,
  forgetUnsent,
  type JournalCall,
  knownPersons,
  type PlannedCall,
  recordAttempt,
  recordNotSent,
  recordPlan,
  recordResult,
  type SendScope,
} from "../journal/sends.ts";

/** How a send ended; see "JSON shapes" in the contract of the command line. */
type SendOutcome = "sent" | "replayed" | "partial" | "refused" | "unknown" | "nothing";

/** A recipient that was left out because its row cannot be used. */
export interface InvalidRecipient {
  line: number;
  phone: string | null;
  problem: RowProblem;
  cells: readonly string[];
}

/** One call of a send: a campaign that the service created. */
export interface SentCampaign {
  campaign_id: string | null;
  idempotency_key: string;
  status: string | null;
  campaign_name: string | null;
  replayed: boolean;
  recipients: { added: number; duplicates: number; errors: string[] };
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
  invalid: InvalidRecipient[];
  outcome: SendOutcome;
  dry_run: boolean;
}

/** What to send, and to whom. */
export interface SendRequest {
  reading: RecipientsReading;
  /** Address and fingerprint of the key, see `branchId`. */
  branch: string;
  ref: string;
  /** Exactly one of name and id is set. */
  template: { name?: string; id?: string; language?: string };
  campaignName: string | undefined;
  headerUrl: string | undefined;
  /** Name of the body field that carries headerUrl; not shown in the specification. */
  headerField: string | undefined;
}

/** What a send would do: calls that are open from before, and people who are new. */
export interface SendPlan {
  send_id: string;
  scope: SendScope;
  /** Calls that the journal holds under this scope, finished ones included. */
  known: JournalCall[];
  calls: PlannedCall[];
  /** People of the file whom the finished calls hold already. */
  alreadySent: number;
  /** People who would be messaged by this run: those of open calls and the new ones. */
  planned: number;
}

/** The report, and what stopped the send before its end, if anything did. */
export interface SendResult {
  report: SendReport;
  failure?: BposError;
  /** When the replayed calls went out, epoch milliseconds, as far as the journal knows. */
  sentAt: number | undefined;
}

/** What a send works with. */
export interface SendTools {
  client: Pick<Client, "sendCampaign">;
  journal: Journal;
  clock: { now(): number };
  signal: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** The template as it is named to people and in the journal. */
function templateLabel(template: SendRequest["template"]): string {
  return template.name ?? template.id ?? "";
}

/** The reference of a file that was given none: its name and 8 digits of its hash, so that the same file is the same send. */
export function defaultRef(fileName: string, bytes: Uint8Array): string {
  const base = fileName.replace(/^.*[\\/]/, "").replace(/\.[^.]+$/, "");
  return `${base}-${createHash("sha256").update(bytes).digest("hex").slice(0, 8)}`;
}

function callOf(request: SendRequest, rows: readonly RecipientRow[]): PlannedCall {
  const { template } = request;
  const body: Omit<CampaignRequest, "idempotency_key"> = {
    recipients: rows.map(({ phone, params }) => ({ phone, params })),
    ...(template.name !== undefined && { template_name: template.name }),
    ...(template.id !== undefined && { template_id: template.id }),
    ...(template.language !== undefined && { template_language: template.language }),
    external_ref: request.ref,
    ...(request.campaignName !== undefined && { campaign_name: request.campaignName }),
    ...(request.headerUrl !== undefined && { header_media_url: request.headerUrl }),
  };
  // The key is made of what is sent: two terminals, or two machines, with one file make the same key.
  const key = createHash("sha256")
    .update(`${request.branch}\n${request.ref}\n${JSON.stringify(body)}`)
    .digest("hex");
  return {
    idempotency_key: key,
    body: campaignBody({ idempotency_key: key, ...body }, request.headerField),
    persons: rows.map((row) => row.person),
  };
}

function chunksOf(request: SendRequest, rows: readonly RecipientRow[]): PlannedCall[] {
  const sorted = [...rows].sort((a, b) => (a.phone < b.phone ? -1 : 1));
  const calls: PlannedCall[] = [];
  for (let from = 0; from < sorted.length; from += limits.recipientsPerCampaign) {
    calls.push(callOf(request, sorted.slice(from, from + limits.recipientsPerCampaign)));
  }
  return calls;
}

/** What sending this would do, by the journal; writes nothing. */
export function planSend(request: SendRequest, journal: Journal, sendId: string): SendPlan {
  const { template } = request;
  const scope: SendScope = {
    branch: request.branch,
    ref: request.ref,
    template: [templateLabel(template), template.language ?? ""].join("/"),
  };
  const { recipients } = request.reading;
  const persons = recipients.map((row) => row.person);
  const known = callsOf(journal, scope);
  const alreadyPlanned = knownPersons(journal, scope, persons);
  const openPeople = known
    .filter((call) => call.state !== "sent")
    .reduce((sum, call) => sum + call.people, 0);
  const fresh = recipients.filter((row) => !alreadyPlanned.has(row.person));
  return {
    send_id: fresh.length === 0 ? (known[0]?.send_id ?? sendId) : sendId,
    scope,
    known,
    calls: chunksOf(request, fresh),
    alreadySent: knownPersons(journal, scope, persons, "sent").size,
    planned: openPeople + fresh.length,
  };
}

/** The report of a plan before anything was sent; also that of a dry run. */
export function newSendReport(request: SendRequest, plan: SendPlan, dryRun: boolean): SendReport {
  const { reading } = request;
  return {
    send_id: plan.send_id,
    template: templateLabel(request.template),
    external_ref: request.ref,
    recipients: {
      read: reading.read,
      planned: plan.planned,
      added: 0,
      duplicates: reading.duplicates.length,
      invalid: reading.invalid.length,
      excluded: 0,
      already_sent: plan.alreadySent,
      errors: [],
    },
    campaigns: [],
    invalid: reading.invalid,
    outcome: "nothing",
    dry_run: dryRun,
  };
}

function sentCampaign(call: JournalCall, answer: CampaignCreated | null, replayed: boolean): SentCampaign {
  return {
    campaign_id: answer?.campaign_id ?? null,
    idempotency_key: call.idempotency_key,
    status: answer?.status ?? null,
    campaign_name: answer?.campaign_name ?? null,
    replayed,
    recipients: {
      added: answer?.recipients?.added ?? 0,
      duplicates: answer?.recipients?.duplicates ?? 0,
      errors: answer?.recipients?.errors ?? [],
    },
  };
}

/** Adds a call to the report; only what went out because of this run is counted as added. */
function tally(report: SendReport, campaign: SentCampaign, wentOutNow: boolean): void {
  report.campaigns.push(campaign);
  if (!wentOutNow) return;
  report.recipients.added += campaign.recipients.added;
  report.recipients.duplicates += campaign.recipients.duplicates;
  report.recipients.errors.push(...campaign.recipients.errors);
}

/** Sends one call that is not finished, writing down what happens before and after. */
async function sendCall(
  call: JournalCall,
  tools: SendTools,
): Promise<{ answer: CampaignCreated; wentOutNow: boolean }> {
  const before = call.state;
  recordAttempt(tools.journal, call);
  try {
    const { body, attempts } = await tools.client.sendCampaign(call.body, { signal: tools.signal });
    recordResult(tools.journal, call, body, tools.clock.now());
    // A replay of our own earlier try is this send; a replay at the first try is somebody's earlier one.
    return { answer: body, wentOutNow: body.replayed !== true || attempts > 1 || before === "attempted" };
  } catch (error) {
    if (!(error instanceof BposError)) throw error;
    const left = !(
      isReason(error, "unavailable") ||
      isReason(error, "input_refused") ||
      isReason(error, "access_denied")
    );
    if (!left && before === "planned") recordNotSent(tools.journal, call);
    // After an attempt whose outcome is unknown, a refusal proves nothing: the first one may have gone out.
    if (!left && before === "attempted")
      throw new BposError("outcome_unknown", error.facts, { cause: error });
    throw error;
  }
}

function outcomeOf(report: SendReport, failure: BposError | undefined, wentOut: number): SendOutcome {
  if (failure?.reason === "outcome_unknown") return "unknown";
  if (failure && report.campaigns.length > 0) return "partial";
  if (failure) return failure.reason === "input_refused" ? "refused" : "nothing";
  if (report.campaigns.length === 0) return "nothing";
  return wentOut === 0 ? "replayed" : "sent";
}

/**
 * Sends a plan, call by call, each written down before it leaves and after its answer (`spec.md` 4.3).
 * Calls that the journal knows as finished are reported from there; open ones go out again with the same bytes and key.
 *
 * @example
 * const { report, failure } = await sendCampaign(request, planSend(request, journal, uuid()), tools);
 */
export async function sendCampaign(
  request: SendRequest,
  plan: SendPlan,
  tools: SendTools,
): Promise<SendResult> {
  const { journal } = tools;
  const report = newSendReport(request, plan, false);
  const calls = atomically(journal, () => {
    // Another terminal may have planned the same people since the question was asked: look again inside.
    const now = planSend(request, journal, plan.send_id);
    if (now.calls.length > 0)
      recordPlan(journal, { ...now.scope, send_id: now.send_id, at: tools.clock.now() }, now.calls);
    return callsOf(journal, now.scope);
  });
  let failure: BposError | undefined;
  let sentAt: number | undefined;
  let done = 0;
  let wentOut = 0;
  for (const call of calls) {
    if (call.state === "sent") {
      sentAt = Math.max(sentAt ?? 0, call.answered_at ?? 0);
      tally(report, sentCampaign(call, call.answer, true), false);
    } else {
      try {
        const { answer, wentOutNow } = await sendCall(call, tools);
        tally(report, sentCampaign(call, answer, answer.replayed === true), wentOutNow);
        if (wentOutNow) wentOut += 1;
      } catch (error) {
        if (!(error instanceof BposError)) throw error;
        failure = error;
        break;
      }
    }
    done += 1;
    tools.onProgress?.(done, calls.length);
  }
  // What was refused never went out: its people are free for a corrected send under the same reference.
  if (failure && (isReason(failure, "input_refused") || isReason(failure, "access_denied"))) {
    for (const sendId of new Set(calls.map((call) => call.send_id))) forgetUnsent(journal, sendId);
  }
  report.outcome = outcomeOf(report, failure, wentOut);
  return { report, sentAt, ...(failure && { failure }) };
}
