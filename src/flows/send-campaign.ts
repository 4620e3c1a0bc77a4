import type { Client } from "../api/client.ts";
import { BposError, type CallFacts, isReason } from "../errors.ts";
import type { RowProblem } from "../input/problems.ts";
import { answerText } from "../journal/answer-text.ts";
import { atomically, type Journal } from "../journal/open.ts";
import {
  type CallState,
  callsOf,
  forgetUnsent,
  type JournalCall,
  recordAttempt,
  recordNotSent,
  recordPlan,
  recordResult,
  stateOf,
} from "../journal/sends.ts";
import { type CampaignAnswer, readCampaignAnswer } from "./campaign-answer.ts";
import { planSend, type SendPlan, type SendRequest, templateLabel, templateOf } from "./send-plan.ts";

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

/** What a person, or a flag, agreed to. */
export interface Confirmed {
  /** The number of people that was shown. */
  planned: number;
  /** The one number that is right, from --expect. */
  expect: number | undefined;
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

/** What a send works with. */
export interface SendTools {
  client: Pick<Client, "sendCampaign">;
  journal: Journal;
  clock: { now(): number };
  uuid: () => string;
  signal: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** The report of a plan before anything was sent; also that of a dry run. */
export function newSendReport(
  request: SendRequest,
  plan: SendPlan,
  { sendId, dryRun }: { sendId: string; dryRun: boolean },
): SendReport {
  const { reading } = request;
  return {
    send_id: sendId,
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

/** Adds a call to the report; only what went out because of this run is counted as added. */
function tally(report: SendReport, call: JournalCall, answer: CampaignAnswer, wentOutNow: boolean): void {
  const { campaign_id, ...rest } = answer;
  report.campaigns.push({ campaign_id, idempotency_key: call.idempotency_key, ...rest });
  if (!wentOutNow) return;
  report.recipients.added += answer.recipients.added;
  report.recipients.duplicates += answer.recipients.duplicates;
  report.recipients.errors.push(...answer.recipients.errors);
}

/** A call that may have gone out, and of which nobody said so. */
function tallyUnknown(report: SendReport, { idempotency_key }: JournalCall): void {
  report.campaigns.push({
    campaign_id: null,
    idempotency_key,
    status: "unknown",
    campaign_name: null,
    replayed: false,
    recipients: { added: 0, duplicates: 0, errors: [] },
  });
}

/** What a failed call says of a call that was `before` this run's attempt: only a first attempt can prove that nothing went out. */
function settleFailure(journal: Journal, call: JournalCall, before: CallState, error: unknown): unknown {
  const known: (BposError & { facts: CallFacts }) | undefined =
    isReason(error, "access_denied") || isReason(error, "input_refused") || isReason(error, "unavailable")
      ? error
      : undefined;
  if (known && before === "planned") {
    recordNotSent(journal, call);
    return error;
  }
  if (known) return new BposError("outcome_unknown", known.facts, { cause: error });
  return isReason(error, "unreadable_answer")
    ? new BposError("outcome_unknown", error.facts, { cause: error })
    : error;
}

interface SentCall {
  answer: CampaignAnswer;
  wentOutNow: boolean;
  mismatches: readonly string[];
}

/** Sends one call that is not finished, writing down what happens before and after. */
async function sendCall(call: JournalCall, { client, journal, clock, signal }: SendTools): Promise<SentCall> {
  if (signal.aborted) throw new BposError("interrupted", { during: "work" });
  const before = recordAttempt(journal, call, clock.now());
  const { body, attempts, mismatches } = await client
    .sendCampaign(call.body, { signal })
    .catch((error: unknown) => {
      throw settleFailure(journal, call, before, error);
    });
  const text = answerText(body);
  recordResult(journal, call, { campaign_id: body.campaign_id, answer: text, at: clock.now() });
  const answer = readCampaignAnswer(text);
  // A replay of our own earlier try is this send; a replay at the first try is somebody's earlier one.
  const wentOutNow = !answer.replayed || attempts > 1 || before === "attempted";
  return { answer, wentOutNow, mismatches };
}

/** Throws `expected_other_count` when more people would be messaged than were agreed to, or others than `expect` says. */
function checkConfirmed({ planned }: SendPlan, confirmed: Confirmed): void {
  const expected = confirmed.expect ?? confirmed.planned;
  if (confirmed.expect === undefined ? planned > expected : planned !== expected) {
    throw new BposError("expected_other_count", { expected, actual: planned });
  }
}

/** Plans again by the journal of now, and writes down what is new: all of it, or nothing. */
function carryOut(
  request: SendRequest,
  confirmed: Confirmed,
  { journal, clock, uuid }: SendTools,
): { calls: JournalCall[]; report: SendReport } {
  return atomically(journal, () => {
    forgetUnsent(journal, request);
    const at = clock.now();
    const plan = planSend(request, journal, at);
    checkConfirmed(plan, confirmed);
    const fresh = uuid();
    const { branch, ref } = request;
    if (plan.calls.length > 0) {
      const send = { send_id: fresh, branch, ref, template: templateOf(request), at };
      recordPlan(journal, send, plan.calls);
    }
    const earlier = plan.open[0] ?? plan.sent.at(-1);
    const sendId = plan.calls.length > 0 ? fresh : (earlier?.send_id ?? fresh);
    return {
      calls: callsOf(journal, request),
      report: newSendReport(request, plan, { sendId, dryRun: false }),
    };
  });
}

function outcomeOf(report: SendReport, failure: BposError | undefined, wentOut: number): SendOutcome {
  if (report.campaigns.some((call) => call.campaign_id === null)) return "unknown";
  if (failure && report.campaigns.length > 0) return "partial";
  if (failure) return failure.reason === "input_refused" ? "refused" : "nothing";
  if (report.campaigns.length === 0) return "nothing";
  return wentOut === 0 ? "replayed" : "sent";
}

/**
 * Sends, call by call, each written down before it leaves and after its answer (`spec.md` 4.3): first the open ones, with
 * the same bytes and key, then the new ones. Those that the journal knows as finished are reported from there.
 * Nobody else may be sending for the branch meanwhile. Throws what `planSend` throws and `expected_other_count`,
 * before anything is sent.
 *
 * @example
 * const { report, failure } = await sendCampaign(request, { planned: 54, expect: undefined }, tools);
 */
export async function sendCampaign(
  request: SendRequest,
  confirmed: Confirmed,
  tools: SendTools,
): Promise<SendResult> {
  const { journal } = tools;
  const { calls, report } = carryOut(request, confirmed, tools);
  const mismatches: string[] = [];
  let failure: BposError | undefined;
  let sentAt: number | undefined;
  let wentOut = 0;
  for (const [done, call] of calls.entries()) {
    if (call.state === "sent") {
      sentAt = Math.max(sentAt ?? 0, call.answered_at ?? 0);
      tally(report, call, { ...readCampaignAnswer(call.answer ?? "{}"), replayed: true }, false);
    } else {
      try {
        const result = await sendCall(call, tools);
        tally(report, call, result.answer, result.wentOutNow);
        mismatches.push(...result.mismatches);
        if (result.wentOutNow) wentOut += 1;
      } catch (error) {
        if (!(error instanceof BposError)) throw error;
        failure = error;
        if (stateOf(journal, call) === "attempted") tallyUnknown(report, call);
        break;
      }
    }
    tools.onProgress?.(done + 1, calls.length);
  }
  // What was refused never went out: nothing of it is to be resumed.
  if (failure && (isReason(failure, "input_refused") || isReason(failure, "access_denied"))) {
    atomically(journal, () => forgetUnsent(journal, request));
  }
  report.outcome = outcomeOf(report, failure, wentOut);
  return { report, sentAt, mismatches, ...(failure && { failure }) };
}
