import type { Client } from "../../api/client.ts";
import { answerText } from "../../api/json.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError, isReason, isUnapplied } from "../../errors.ts";
import { JournalError, journalFailure } from "../../journal/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import type { CallState, JournalCall, SendScope, Sends, SendTemplate } from "../../journal/sends.ts";
import { checkCost } from "./cost.ts";
import { leaveOutOptedOut, OptedOutMeanwhile, OptOutCheck } from "./opted-out.ts";
import { machineTime, planSend, type SendRequest, templateLabel } from "./plan.ts";
import {
  decideOutcome,
  isRefusal,
  newSendReport,
  type SendReport,
  type SendResult,
  toCampaign,
} from "./report.ts";

export interface CallTools {
  client: Pick<Client, "sendCampaign" | "readCampaign">;
  journal: Journal;
  clock: { now(): number };
  signal: AbortSignal;
  clockAheadMs: () => number | undefined;
  onProgress?: (progress: { calls: number; allCalls: number; people: number; allPeople: number }) => void;
  held?: { calls: ReadonlySet<number>; failure: BposError<"repeat_held"> } | undefined;
}

type Sending = CallTools & { optOuts: OptOutCheck };

/** What a failed attempt proves about a call whose state was `before`: only a first attempt can prove that nothing was sent. */
async function settleFailure(
  journal: Journal,
  call: JournalCall,
  before: CallState,
  error: unknown,
): Promise<unknown> {
  if ((isUnapplied(error) || error instanceof OptedOutMeanwhile) && before === "planned") {
    await journal.notSent(call);
    call.state = "planned";
    return error;
  }
  if (isReason(error, "outcome_unknown") && error.cause instanceof OptedOutMeanwhile) return error.cause;
  if (isUnapplied(error) || isReason(error, "unreadable_answer"))
    return new BposError("outcome_unknown", error.facts, { cause: error });
  return error;
}

type Scope = SendScope & { template: SendTemplate };

/** The lock and the opt-outs, right before each attempt: whoever opts out while an attempt is under way is not in the next. */
const checkBefore =
  (call: JournalCall, { journal, optOuts }: Sending) =>
  async (): Promise<void> => {
    await journal.check();
    if ((await optOuts.find(call)).length > 0) throw new OptedOutMeanwhile();
  };

/** Returns undefined where somebody opted out before this attempt. */
async function sendCall(call: JournalCall, { ref, template }: Scope, tools: Sending) {
  const { client, journal, clock, signal } = tools;
  const { sends } = journal;
  if (signal.aborted) throw new BposError("interrupted", { during: "work" });
  if (call.not_after !== null && clock.now() > call.not_after)
    throw new BposError("too_late", { notAfter: isoWithOffset(call.not_after) });

  const now = machineTime(tools);
  const sent = { key: call.idempotency_key, at: now.at, ref, template: templateLabel(template) };
  const before = await journal.step((tx) => tx.sends.attempt(call, now), { sent });

  const how = {
    signal,
    check: checkBefore(call, tools),
    ...(call.not_after !== null && { until: call.not_after }),
  };
  const sending = client.sendCampaign(call.body, how);
  const answered = await sending.catch(async (error: unknown) => {
    // It was not sent.
    if (error instanceof JournalError) throw error;
    call.state = "attempted";
    const failure = await settleFailure(journal, call, before, error);
    if (failure instanceof OptedOutMeanwhile) return undefined;
    throw failure;
  });
  if (answered === undefined) return undefined;

  const { body, attempts, mismatches } = answered;
  const answer = answerText(body);
  const campaign = toCampaign(call, answer);
  // A replay after an earlier attempt of this run is this send; a replay at the first attempt is an earlier send.
  const wentOutNow = !campaign.replayed || attempts > 1 || before === "attempted";
  const kept = { campaign_id: body.campaign_id, answer, ...machineTime(tools) };
  return { campaign, wentOutNow, mismatches, keep: () => sends.answered(call, kept) };
}

/** Reports a call that gets no answer, by what this run knows: a journal that cannot be reached must not keep the report back. */
function reportUnanswered(call: JournalCall, report: SendReport): void {
  if (call.state === "attempted") {
    report.campaigns.push(toCampaign(call, null));
    return;
  }
  const { calls, people } = report.unsent ?? { calls: 0, people: 0 };
  report.unsent = { calls: calls + 1, people: people + call.people };
}

/** Sends a call and reports it; `isKept` is false when the journal could not keep its answer: to the next run it has none. */
async function reportCall(call: JournalCall, scope: Scope, result: SendResult, tools: Sending) {
  const { report } = result;
  const { campaigns, recipients } = report;
  const asFailure = (error: unknown): BposError => {
    if (error instanceof BposError) return error;
    const hasLeft = call.state === "attempted" || campaigns.some(({ replayed }) => !replayed);
    return journalFailure(error, hasLeft ? { work: "send" } : undefined);
  };
  try {
    let sent: Awaited<ReturnType<typeof sendCall>>;
    while (sent === undefined) {
      const isToSend = await leaveOutOptedOut(call, scope, report, tools);
      if (!isToSend) return { failure: undefined, wentOutNow: false, isKept: true };
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
    return { failure, wentOutNow, isKept: failure === undefined };
  } catch (error) {
    const failure = asFailure(error);
    reportUnanswered(call, report);
    return { failure, wentOutNow: false, isKept: true };
  }
}

/** What stopped a send, with its reference. An unknown outcome takes precedence over calls that were too late or held. */
function decideFailure(failure: BposError | undefined, { outcome, external_ref: ref }: SendReport) {
  if (outcome === "unknown" && isReason(failure, "too_late"))
    return new BposError("too_late_unknown", failure.facts);
  if (outcome === "unknown" && isReason(failure, "repeat_held"))
    return new BposError("repeat_held_unknown", failure.facts);
  for (const reason of ["outcome_unknown", "journal_write_failed", "interrupted"] as const)
    if (isReason(failure, reason))
      return new BposError(reason, { ...failure.facts, ref }, { cause: failure });
  return failure;
}

/** Removes a send that was refused before any of it was sent: its reference is free, and there is nothing to resume. */
async function forgetRefused(sends: Sends, scope: SendScope, { failure, report }: SendResult): Promise<void> {
  if (!isRefusal(failure) || (await sends.hasLeft(report.send_id))) return;
  try {
    await sends.forgetUnsent(scope);
  } catch (error) {
    // The refusal must be reported all the same; the next send under that reference removes it.
    if (!(error instanceof JournalError)) throw error;
  }
}

/** Sends the calls that are not finished, in their order, each recorded before it is sent and after its answer. */
export async function sendCalls(
  calls: readonly JournalCall[],
  report: SendReport,
  scope: Scope,
  tools: CallTools,
): Promise<SendResult> {
  const { held, journal } = tools;
  const sending = { ...tools, optOuts: new OptOutCheck(journal) };
  const result: SendResult = { report, sentAt: undefined, wentOut: [], mismatches: [] };
  const allPeople = calls.reduce((sum, { people }) => sum + people, 0);
  let failure: BposError | undefined;
  let goesOn = true;
  let isAllKept = true;
  let unknownInARow = 0;
  let wentOut = 0;
  let people = 0;

  for (const [done, call] of calls.entries()) {
    if (call.state === "sent") {
      result.sentAt = Math.max(result.sentAt ?? 0, call.answered_at ?? 0);
      report.campaigns.push({ ...toCampaign(call, call.answer ?? "{}"), replayed: true });
    } else if (!goesOn || held?.calls.has(call.n)) reportUnanswered(call, report);
    else {
      const ended = await reportCall(call, scope, result, sending);
      // `resume` settles every other failure: that one is said where there is no other.
      const isFirst = failure === undefined || isReason(failure, "opted_out_unknown");
      if (!ended.isKept || isFirst) failure = ended.failure ?? failure;
      isAllKept &&= ended.isKept;
      wentOut += Number(ended.wentOutNow);
      const isStuck = isReason(ended.failure, "opted_out_unknown");
      unknownInARow = ended.failure && !isStuck ? unknownInARow + 1 : 0;
      // One call without an answer must not hold up the others; after three in a row, no other would succeed.
      if (ended.failure && !isStuck) goesOn = isReason(ended.failure, "outcome_unknown") && unknownInARow < 3;
    }

    people += call.people;
    if (goesOn) tools.onProgress?.({ calls: done + 1, allCalls: calls.length, people, allPeople });
  }

  failure ??= held?.failure;
  report.outcome = isAllKept ? decideOutcome(report.campaigns, failure, wentOut) : "unknown";
  result.failure = decideFailure(failure, report);
  await forgetRefused(journal.sends, scope, result);
  return result;
}

/** Plans again with the current journal, and records what is new, all or nothing. The user confirmed `planned`. */
async function keepPlan(
  request: SendRequest,
  { planned: shown, expect }: { planned: number; expect: number | undefined },
  tools: CallTools & { sendId: string },
): Promise<{ calls: JournalCall[]; report: SendReport }> {
  const { branch, ref, template, templateText, notAfter, isTest } = request;
  const { paramNames } = request.reading;

  const now = machineTime(tools);
  // Under the lock nobody else plans; a transaction that included this work could look like one that hangs.
  const plan = await planSend(request, tools.journal, now);
  const { planned, pending, sent } = plan;
  if (expect === undefined ? planned > shown : planned !== expect)
    throw new BposError("expected_other_count", { expected: expect ?? shown, actual: planned });
  checkCost(plan, request.pricing);

  return tools.journal.transaction(async ({ sends }) => {
    // The latest confirmation also applies to pending calls.
    await sends.setNotAfter(request, notAfter);
    await sends.forgetUnsent(request);
    const excluded = request.reading.excluded.flatMap(({ person }) => person ?? []);
    await sends.leaveOut(request, { at: now.at, template: templateLabel(template) }, [
      ...excluded.map((person) => ({ person, reason: "excluded" }) as const),
      ...plan.optedOut.map((person) => ({ person, reason: "opted_out" }) as const),
    ]);

    let { sendId } = tools;
    if (plan.calls.length > 0) {
      const about = { branch, ref, template, templateText, notAfter, isTest, paramNames };
      await sends.plan({ send_id: sendId, at: now.at, ...about }, plan.calls);
    } else sendId = (pending[0] ?? sent.at(-1))?.send_id ?? sendId;

    const report = newSendReport(request, plan, sendId, false);
    return { calls: await sends.callsUnder(request), report };
  });
}

/** Sends what is planned now. Throws `expected_other_count` if that is not what the user confirmed. */
export async function planAndSend(
  request: SendRequest,
  confirmed: { planned: number; expect: number | undefined },
  tools: CallTools & { sendId: string },
): Promise<SendResult> {
  const { calls, report } = await keepPlan(request, confirmed, tools);
  return sendCalls(calls, report, request, tools);
}
