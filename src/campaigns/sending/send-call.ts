import { answerText } from "../../api/json.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError, isReason, isUnapplied } from "../../errors.ts";
import { JournalError, journalFailure } from "../../journal/engine/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import type { CallState, JournalCall } from "../../journal/records/sends.ts";
import { machineTime } from "../machine-time.ts";
import { type SendReport, type SendResult, toCampaign } from "../send-report.ts";
import { templateLabel } from "../template.ts";
import type { CallTools, Scope } from "./call-tools.ts";
import type { CallSteps, InFlight } from "./in-flight.ts";
import { leaveOutOptedOut, OptedOutMeanwhile, type OptOutCheck } from "./opted-out.ts";

/** closesAt: when it is too late to try again until the next opening, epoch milliseconds; undefined for never. */
export type Trying = CallTools & {
  optOuts: OptOutCheck;
  closesAt: number | undefined;
  steps: CallSteps;
  flight: InFlight;
  /** False once something stopped the send. */
  goesOn: () => boolean;
};

/** The hours of its people ended, or something stopped the send, before it left or was tried again. */
class HeldUp extends Error {
  override readonly name = "HeldUp";
  override readonly message = "it is not to leave now";
}

/** What a failed attempt proves about a call whose state was `before`: only a first attempt can prove that nothing was sent. */
async function settleFailure(
  journal: Journal,
  call: JournalCall,
  before: CallState,
  error: unknown,
): Promise<unknown> {
  const isHeldBack = (thrown: unknown): boolean =>
    thrown instanceof OptedOutMeanwhile || thrown instanceof HeldUp;
  if ((isUnapplied(error) || isHeldBack(error)) && before === "planned") {
    await journal.notSent(call);
    call.state = "planned";
    return error;
  }
  if (isReason(error, "outcome_unknown") && isHeldBack(error.cause)) return error.cause;
  if (isUnapplied(error) || isReason(error, "unreadable_answer"))
    return new BposError("outcome_unknown", error.facts, { cause: error });
  return error;
}

/** The lock, the hours and the opt-outs, right before each attempt: whoever opts out while an attempt is under way is not in the next. */
function checkBefore(call: JournalCall, { journal, clock, optOuts, closesAt, goesOn }: Trying) {
  let isFirst = true;
  return async (): Promise<void> => {
    await journal.check();
    if (closesAt !== undefined && clock.now() >= closesAt) throw new HeldUp();
    if ((await optOuts.find(call)).length > 0) throw new OptedOutMeanwhile();
    // What has left is tried to its end.
    if (isFirst && !goesOn()) throw new HeldUp();
    isFirst = false;
  };
}

/** Returns undefined where somebody opted out before this attempt. */
async function sendCall(call: JournalCall, { ref, template }: Scope, tools: Trying) {
  const { client, journal, clock, signal, steps, flight, goesOn } = tools;
  if (!goesOn()) throw new HeldUp();
  if (signal.aborted) throw new BposError("interrupted", { during: "work" });
  if (call.not_after !== null && clock.now() > call.not_after)
    throw new BposError("too_late", { notAfter: isoWithOffset(call.not_after) });

  const now = machineTime(tools);
  const sent = { key: call.idempotency_key, at: now.at, ref, template: templateLabel(template) };
  const before = await steps.intend(call, now, sent);
  call.attempted_at = now.at;

  const until = call.not_after;
  const more = { onBusy: () => flight.slowDown(), ...(until !== null && { until }) };
  const sending = client.sendCampaign(call.body, { signal, check: checkBefore(call, tools), ...more });
  const answered = await sending.catch(async (error: unknown) => {
    // It was not sent.
    if (error instanceof JournalError) throw error;
    call.state = "attempted";
    const failure = await settleFailure(journal, call, before, error);
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
  Object.assign(call, { state: "sent", campaign_id: body.campaign_id, answer, answered_at: kept.at });
  return { campaign, wentOutNow, mismatches, keep: () => steps.answered(call, kept) };
}

/** What the journal could not do, as an error of a command: it matters whether anything has left. Throws what is no fault of the journal. */
export function toFailure(error: unknown, { campaigns }: SendReport, isUnknown = false): BposError {
  if (error instanceof BposError) return error;
  const hasLeft = isUnknown || campaigns.some(({ replayed }) => !replayed);
  return journalFailure(error, hasLeft ? { work: "send" } : undefined);
}

/** Reports a call that gets no answer, by what this run knows: a journal that cannot be reached must not keep the report back. */
export function reportUnanswered(call: JournalCall, report: SendReport): void {
  if (call.state === "attempted") {
    report.campaigns.push(toCampaign(call, null));
    return;
  }
  const { calls, people } = report.unsent ?? { calls: 0, people: 0 };
  report.unsent = { calls: calls + 1, people: people + call.people };
}

/** Counts a call that a reply settled: it went out in an earlier attempt. False for one of which nobody is left. */
function addSettled(call: JournalCall, { wentOut, report }: SendResult): boolean {
  if (call.state !== "sent") return false;
  wentOut.push(call);
  report.recipients.added += report.campaigns.at(-1)?.recipients.added ?? 0;
  return true;
}

/** Sends a call and reports it; undefined where it was not to leave any more. `isKept` is false when the journal could not keep its answer: to the next run it has none. */
export async function reportCall(call: JournalCall, scope: Scope, result: SendResult, tools: Trying) {
  const { report } = result;
  const { campaigns, recipients } = report;
  const asFailure = (error: unknown): BposError =>
    toFailure(error, report, call.state === "attempted" || tools.flight.size > 1);
  try {
    if (call.body === "") Object.assign(call, await tools.journal.sends.bodyOf(call));
    let sent: Awaited<ReturnType<typeof sendCall>>;
    while (sent === undefined) {
      const isToSend = await leaveOutOptedOut(call, scope, report, tools);
      const wentOutNow = !isToSend && addSettled(call, result);
      if (!isToSend) return { failure: undefined, wentOutNow, isKept: true, isAnswered: false };
      sent = await sendCall(call, scope, tools);
    }
    const { campaign, wentOutNow, mismatches, keep } = sent;
    // Before it is written down: a journal that fails must not keep it out of the report.
    campaigns.push(campaign);
    result.mismatches.push(...mismatches);
    if (wentOutNow) {
      result.wentOut.push(call);
      recipients.added += campaign.recipients.added;
      recipients.errors.push(...campaign.recipients.errors);
    }

    const failure = await keep().then(() => undefined, asFailure);
    return { failure, wentOutNow, isKept: failure === undefined, isAnswered: true };
  } catch (error) {
    if (error instanceof HeldUp) return undefined;
    const failure = asFailure(error);
    reportUnanswered(call, report);
    return { failure, wentOutNow: false, isKept: true, isAnswered: false };
  }
}
