import { answerText } from "../../api/json.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError, isReason, isUnapplied } from "../../errors.ts";
import { JournalError, journalFailure } from "../../journal/engine/engine.ts";
import type { CallState, JournalCall } from "../../journal/records/sends.ts";
import { machineTime } from "../machine-time.ts";
import { type SendReport, type SendResult, toCampaign } from "../send-report.ts";
import { templateLabel } from "../template.ts";
import type { CallTools, Scope } from "./call-tools.ts";
import type { CallSteps, InFlight } from "./in-flight.ts";
import { leaveOutOptedOut, OptedOutMeanwhile, type OptOutCheck } from "./opted-out.ts";
import type { RunCalls, SendState } from "./transitions.ts";

/** A call under way, and the send that it belongs to. */
export interface CallUnderWay {
  call: JournalCall;
  /** No other call may begin, and none may leave for the first time, unless its state is `sending`. */
  sending: { readonly state: SendState; scope: Scope; result: SendResult; calls: RunCalls; flight: InFlight };
  optOuts: OptOutCheck;
  steps: CallSteps;
  /** When its hours end, epoch milliseconds; undefined for never. */
  closesAt: number | undefined;
}

export type CallOutcome =
  /** It must not be sent, or sent again, before its next opening. */
  | { kind: "postponed" }
  /** `failure` where the journal could not keep the answer: to the next run the call has none. */
  | { kind: "answered"; wentOutNow: boolean; failure: BposError | undefined }
  /** A reply settled it: it went out in an earlier attempt. */
  | { kind: "settled" }
  /** Nobody is left in it. */
  | { kind: "emptied" }
  | { kind: "failed"; failure: BposError };

/** The hours of its people ended, or something stopped the send, before it left or was tried again. */
class Postponed extends Error {
  override readonly name = "Postponed";
  override readonly message = "it is not to leave now";
}

const isHeldBack = (thrown: unknown): boolean =>
  thrown instanceof OptedOutMeanwhile || thrown instanceof Postponed;

/** Returns what a failed attempt proves about a call whose state was `before`: only a first attempt can prove that nothing was sent. */
function judgeFailure(before: CallState, error: unknown): { failure: unknown; mayHaveLeft: boolean } {
  if ((isUnapplied(error) || isHeldBack(error)) && before === "planned")
    return { failure: error, mayHaveLeft: false };
  if (isReason(error, "outcome_unknown") && isHeldBack(error.cause))
    return { failure: error.cause, mayHaveLeft: true };
  if (isUnapplied(error) || isReason(error, "unreadable_answer")) {
    const failure = new BposError("outcome_unknown", error.facts, { cause: error });
    return { failure, mayHaveLeft: true };
  }
  return { failure: error, mayHaveLeft: true };
}

/** Returns the check before each attempt: the lock, the hours and the opt-outs. Whoever opts out while an attempt is under way is not in the next. */
function checkBefore({ call, sending, optOuts, closesAt }: CallUnderWay, { journal, clock }: CallTools) {
  let isFirst = true;
  return async (): Promise<void> => {
    await journal.check();
    if (closesAt !== undefined && clock.now() >= closesAt) throw new Postponed();
    if ((await optOuts.find(call)).length > 0) throw new OptedOutMeanwhile();
    // A call that has left is tried to its end.
    if (isFirst && sending.state !== "sending") throw new Postponed();
    isFirst = false;
  };
}

/** Notes that the service may have got the call in an earlier attempt. */
function noteMayHaveLeft({ call, sending }: CallUnderWay, tools: CallTools): void {
  if (sending.calls.underWay(call) === "leaving") sending.calls.move(call, "leaving", "may_have_left", tools);
}

/** Records the intent to send, sends, and retries. Returns undefined where somebody opted out before an attempt. */
async function attempt(underWay: CallUnderWay, tools: CallTools) {
  const { call, sending, steps } = underWay;
  const { client, journal, clock, signal } = tools;
  const { ref, template } = sending.scope;
  if (sending.state !== "sending") throw new Postponed();
  if (signal.aborted) throw new BposError("interrupted", { during: "work" });
  if (call.not_after !== null && clock.now() > call.not_after)
    throw new BposError("too_late", { notAfter: isoWithOffset(call.not_after) });

  const now = machineTime(tools);
  const sent = { key: call.idempotency_key, at: now.at, ref, template: templateLabel(template) };
  const before = await steps.intend(call, now, sent);
  call.attempted_at = now.at;
  if (before === "attempted") noteMayHaveLeft(underWay, tools);

  const until = call.not_after;
  const more = { onBusy: () => sending.flight.slowDown(), ...(until !== null && { until }) };
  const answering = client.sendCampaign(call.body, { signal, check: checkBefore(underWay, tools), ...more });
  const answered = await answering.catch(async (error: unknown) => {
    // It was not sent.
    if (error instanceof JournalError) throw error;
    call.state = "attempted";
    const { failure, mayHaveLeft } = judgeFailure(before, error);
    if (mayHaveLeft) noteMayHaveLeft(underWay, tools);
    else {
      await journal.notSent(call);
      call.state = "planned";
    }
    if (failure instanceof OptedOutMeanwhile) return undefined;
    if (!isReason(failure, "input_refused")) throw failure;
    throw new BposError("input_refused", { ...failure.facts, template: sent.template }, { cause: failure });
  });
  if (answered === undefined) return undefined;

  const { body, attempts, mismatches } = answered;
  const answer = answerText(body);
  const campaign = toCampaign(call, answer);
  // A replay after an earlier attempt of this run is this send; a replay at the first attempt is an earlier send.
  const wentOutNow = !campaign.replayed || attempts > 1 || before === "attempted";
  const kept = { campaign_id: body.campaign_id, answer, ...machineTime(tools) };
  sending.calls.move(call, sending.calls.underWay(call), "is_answered", tools);
  Object.assign(call, { state: "sent", campaign_id: body.campaign_id, answer, answered_at: kept.at });
  return { campaign, wentOutNow, mismatches, keep: () => steps.answered(call, kept) };
}

/** Returns a failure of the journal as an error of a command: it matters whether anything has left. Rethrows errors that the journal did not cause. */
export function toFailure(error: unknown, { campaigns }: SendReport, isUnknown = false): BposError {
  if (error instanceof BposError) return error;
  const hasLeft = isUnknown || campaigns.some(({ replayed }) => !replayed);
  return journalFailure(error, hasLeft ? { work: "send" } : undefined);
}

/** Reports an unanswered call from this run's own data: an unreachable journal must not hold back the report. */
export function reportUnanswered(call: JournalCall, report: SendReport): void {
  if (call.state === "attempted") {
    report.campaigns.push(toCampaign(call, null));
    return;
  }
  const { calls, people } = report.unsent ?? { calls: 0, people: 0 };
  report.unsent = { calls: calls + 1, people: people + call.people };
}

/** Leaves out people who opted out. Returns the outcome where that settles or empties the call; undefined where it is to be sent. */
async function leaveOut(underWay: CallUnderWay, tools: CallTools): Promise<CallOutcome | undefined> {
  const { call, sending, optOuts } = underWay;
  const { scope, result, calls } = sending;
  const effect = await leaveOutOptedOut(call, scope, result.report, { ...tools, optOuts });
  if (effect === "unchanged") return undefined;
  if (effect === "shortened") {
    calls.move(call, "leaving", "loses_people", tools);
    return undefined;
  }
  if (effect === "emptied") {
    calls.move(call, "leaving", "is_emptied", tools);
    return { kind: "emptied" };
  }
  calls.move(call, "repeating", "is_settled", tools);
  result.wentOut.push(call);
  result.report.recipients.added += result.report.campaigns.at(-1)?.recipients.added ?? 0;
  return { kind: "settled" };
}

/** Moves a call whose attempts ended without an answer to its last state in this run. */
function noteFailure(underWay: CallUnderWay, failure: BposError, tools: CallTools): void {
  const { call, sending } = underWay;
  const { calls } = sending;
  // The journal may not have taken back the intent.
  if (call.state === "attempted") noteMayHaveLeft(underWay, tools);
  if (calls.underWay(call) === "leaving") calls.move(call, "leaving", "fails", tools);
  else {
    const isStuck = isReason(failure, "opted_out_unknown");
    calls.move(call, "repeating", isStuck ? "is_stuck" : "is_unanswered", tools);
  }
}

/** Sends a call, records its answer and adds both to the report. */
export async function sendCall(underWay: CallUnderWay, tools: CallTools): Promise<CallOutcome> {
  const { call, sending } = underWay;
  const { result, calls, flight } = sending;
  const { report } = result;
  const asFailure = (error: unknown): BposError =>
    toFailure(error, report, call.state === "attempted" || flight.size > 1);
  try {
    if (call.body === "") Object.assign(call, await tools.journal.sends.bodyOf(call));
    let sent: Awaited<ReturnType<typeof attempt>>;
    while (sent === undefined) {
      const ended = await leaveOut(underWay, tools);
      if (ended !== undefined) return ended;
      sent = await attempt(underWay, tools);
    }

    const { campaign, wentOutNow, mismatches, keep } = sent;
    // Before it is written down: a journal that fails must not keep it out of the report.
    report.campaigns.push(campaign);
    result.mismatches.push(...mismatches);
    if (wentOutNow) {
      result.wentOut.push(call);
      report.recipients.added += campaign.recipients.added;
      report.recipients.errors.push(...campaign.recipients.errors);
    }

    const failure = await keep().then(() => undefined, asFailure);
    if (failure !== undefined) calls.move(call, "sent", "is_not_kept", tools);
    return { kind: "answered", wentOutNow, failure };
  } catch (error) {
    if (error instanceof Postponed) {
      calls.move(call, calls.underWay(call), "is_postponed", tools);
      return { kind: "postponed" };
    }
    const failure = asFailure(error);
    reportUnanswered(call, report);
    noteFailure(underWay, failure, tools);
    return { kind: "failed", failure };
  }
}
