import type { Client } from "../../api/client.ts";
import { answerText } from "../../api/json.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError, type CallFacts, isReason } from "../../errors.ts";
import { isJournalError, journalFailure } from "../../journal/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import type { CallState, JournalCall, SendScope, Sends } from "../../journal/sends.ts";
import { machineTime, planSend, type SendRequest, templateOf } from "./plan.ts";
import {
  type CampaignAnswer,
  campaignOf,
  conclude,
  newSendReport,
  readCampaignAnswer,
  type SendReport,
  type SendResult,
} from "./report.ts";

export interface SendProgress {
  calls: number;
  allCalls: number;
  people: number;
  allPeople: number;
}

export interface CallTools {
  client: Pick<Client, "sendCampaign">;
  journal: Journal;
  clock: { now(): number };
  signal: AbortSignal;
  /** By how much this machine's clock is ahead of the service's, in milliseconds, where its answers told. */
  clockAheadMs: () => number | undefined;
  onProgress?: (progress: SendProgress) => void;
  /** Calls that must not leave now, by their number, and why. */
  held?: { calls: ReadonlySet<number>; failure: BposError<"repeat_held"> } | undefined;
}

/** So many calls in a row whose outcome nobody knows stop a send: what comes behind them would fare no better. */
const maxUnknown = 3;

/** What a failed call says of a call that was `before` this run's attempt: only a first attempt can prove that nothing went out. */
async function settleFailure(
  sends: Sends,
  call: JournalCall,
  before: CallState,
  error: unknown,
): Promise<unknown> {
  const known: (BposError & { facts: CallFacts }) | undefined =
    isReason(error, "access_denied") || isReason(error, "input_refused") || isReason(error, "unavailable")
      ? error
      : undefined;
  if (known && before === "planned") {
    await sends.notSent(call);
    return error;
  }
  if (known) return new BposError("outcome_unknown", known.facts, { cause: error });
  return isReason(error, "unreadable_answer")
    ? new BposError("outcome_unknown", error.facts, { cause: error })
    : error;
}

/** Sends one call that is not finished, which is written down before it leaves; `keep` writes the answer down. */
async function sendCall(
  call: JournalCall,
  tools: CallTools,
): Promise<{
  answer: CampaignAnswer;
  wentOutNow: boolean;
  mismatches: readonly string[];
  keep: () => Promise<void>;
}> {
  const { client, journal, clock, signal } = tools;
  const { sends } = journal;
  if (signal.aborted) throw new BposError("interrupted", { during: "work" });
  if (call.not_after !== null && clock.now() > call.not_after)
    throw new BposError("too_late", { notAfter: isoWithOffset(call.not_after) });
  const before = await sends.attempt(call, machineTime(tools));
  const { body, attempts, mismatches } = await client
    .sendCampaign(call.body, { signal, ...(call.not_after !== null && { until: call.not_after }) })
    .catch(async (error: unknown) => {
      throw await settleFailure(sends, call, before, error);
    });
  const text = answerText(body);
  const answer = readCampaignAnswer(text);
  // A replay of our own earlier try is this send; a replay at the first try is somebody's earlier one.
  const wentOutNow = !answer.replayed || attempts > 1 || before === "attempted";
  const { campaign_id } = body;
  const time = machineTime(tools);
  const keep = (): Promise<void> => sends.answered(call, { campaign_id, answer: text, ...time });
  return { answer, wentOutNow, mismatches, keep };
}

class CallRun {
  readonly mismatches: string[] = [];
  failure: BposError | undefined;
  sentAt: number | undefined;
  wentOut = 0;
  readonly #tools: CallTools;
  readonly #report: SendReport;
  #unknownInARow = 0;

  constructor(report: SendReport, tools: CallTools) {
    this.#tools = tools;
    this.#report = report;
  }

  /** A call that is finished is reported from the journal. */
  replay(call: JournalCall): void {
    this.sentAt = Math.max(this.sentAt ?? 0, call.answered_at ?? 0);
    const answer = { ...readCampaignAnswer(call.answer ?? "{}"), replayed: true };
    this.#report.campaigns.push(campaignOf(call, answer));
  }

  /** Sends a call; false when nothing behind it is to leave. */
  async send(call: JournalCall): Promise<boolean> {
    try {
      const { answer, wentOutNow, mismatches, keep } = await sendCall(call, this.#tools);
      const { campaigns, recipients } = this.#report;
      campaigns.push(campaignOf(call, answer));
      this.mismatches.push(...mismatches);
      if (wentOutNow) {
        this.wentOut += 1;
        recipients.added += answer.recipients.added;
        recipients.errors.push(...answer.recipients.errors);
      }
      this.#unknownInARow = 0;
      return await this.#keepAnswer(keep);
    } catch (thrown) {
      await this.leave(call);
      const error = thrown instanceof BposError ? (thrown as BposError) : this.#journalFailure(thrown);
      this.failure ??= error;
      this.#unknownInARow += 1;
      // One call that is never answered must not keep the others from going out.
      if (!isReason(error, "outcome_unknown")) return false;
      this.#report.gaveUp = this.#unknownInARow >= maxUnknown;
      return !this.#report.gaveUp;
    }
  }

  /** False when the journal could not keep an answer: to the next run the call is one without. */
  async #keepAnswer(keep: () => Promise<void>): Promise<boolean> {
    try {
      await keep();
      return true;
    } catch (error) {
      this.failure = this.#journalFailure(error);
      this.#report.notKept = true;
      return false;
    }
  }

  #journalFailure(error: unknown): BposError {
    const hasLeft = this.#report.campaigns.some(({ replayed }) => !replayed);
    return journalFailure(error, hasLeft ? { work: "send" } : undefined);
  }

  /** A call that does not leave now may have left before. */
  async leave(call: JournalCall): Promise<void> {
    const report = this.#report;
    if ((await this.#tools.journal.sends.stateOf(call)) === "attempted") {
      report.campaigns.push(campaignOf(call, undefined));
      return;
    }
    const { calls, people } = report.unsent ?? { calls: 0, people: 0 };
    report.unsent = { calls: calls + 1, people: people + call.people };
  }
}

/** What may have gone out comes before what was too late, or held, for the others. */
function orUnknown(failure: BposError | undefined): BposError | undefined {
  if (isReason(failure, "too_late")) return new BposError("too_late_unknown", failure.facts);
  return isReason(failure, "repeat_held") ? new BposError("repeat_held_unknown", failure.facts) : failure;
}

/**
 * Sends the calls of a send that are not finished, in their order, each written down before it leaves and after its answer,
 * and completes the report. What never left is not sent after its time.
 */
export async function sendCalls(
  calls: readonly JournalCall[],
  report: SendReport,
  tools: CallTools,
): Promise<SendResult> {
  const run = new CallRun(report, tools);
  const { held } = tools;
  const allPeople = calls.reduce((sum, { people }) => sum + people, 0);
  let people = 0;
  let goesOn = true;
  for (const [done, call] of calls.entries()) {
    if (call.state === "sent") run.replay(call);
    else if (goesOn && !held?.calls.has(call.n)) goesOn = await run.send(call);
    else await run.leave(call);
    people += call.people;
    if (goesOn) tools.onProgress?.({ calls: done + 1, allCalls: calls.length, people, allPeople });
  }
  const { sentAt, mismatches } = run;
  const stopped = run.failure ?? held?.failure;
  conclude(report, stopped, run.wentOut);
  const failure = report.outcome === "unknown" ? orUnknown(stopped) : stopped;
  return { report, sentAt, mismatches, ...(failure && { failure }) };
}

/** The number of people that was shown and agreed to, and the one number that is right, from --expect. */
export interface Confirmed {
  planned: number;
  expect: number | undefined;
}

export interface SendTools extends CallTools {
  uuid: () => string;
}

/** Plans again by the journal of now, and writes down what is new: all of it, or nothing. */
function carryOut(
  request: SendRequest,
  confirmed: Confirmed,
  tools: SendTools,
): Promise<{ calls: JournalCall[]; report: SendReport }> {
  const { journal, uuid } = tools;
  return journal.transaction(async ({ sends }) => {
    // What was confirmed last holds for what is pending, too.
    await sends.setNotAfter(request, request.notAfter);
    const now = machineTime(tools);
    const { at } = now;
    const plan = await planSend(request, sends, now);
    const { planned } = plan;
    const expected = confirmed.expect ?? confirmed.planned;
    if (confirmed.expect === undefined ? planned > expected : planned !== expected)
      throw new BposError("expected_other_count", { expected, actual: planned });
    await sends.forgetUnsent(request);
    const fresh = uuid();
    const { branch, ref } = request;
    if (plan.calls.length > 0) {
      const { notAfter, isTest } = request;
      const send = { send_id: fresh, branch, ref, template: templateOf(request), at, notAfter, isTest };
      await sends.plan(send, plan.calls);
    }
    const earlier = plan.pending[0] ?? plan.sent.at(-1);
    const sendId = plan.calls.length > 0 ? fresh : (earlier?.send_id ?? fresh);
    return {
      calls: await sends.callsUnder(request),
      report: newSendReport(request, plan, { sendId, dryRun: false }),
    };
  });
}

/** Forgets a send that was refused before any of it went out: its reference is free, and nothing of it is to be resumed. */
export async function forgetRefused(
  sends: Sends,
  scope: SendScope,
  { failure, report }: SendResult,
): Promise<void> {
  const isRefused = isReason(failure, "input_refused") || isReason(failure, "access_denied");
  if (!isRefused || (await sends.hasLeft(report.send_id))) return;
  try {
    await sends.forgetUnsent(scope);
  } catch (error) {
    // What was refused must be said all the same; the next send under that reference forgets it.
    if (!isJournalError(error)) throw error;
  }
}

/**
 * Sends, call by call: first the pending ones, with the same bytes and key, then the new ones. Those that the journal knows as
 * finished are reported from there. Nobody else may be sending for the branch meanwhile. Throws what `planSend` throws and
 * `expected_other_count`, before anything is sent.
 */
export async function sendCampaign(
  request: SendRequest,
  confirmed: Confirmed,
  tools: SendTools,
): Promise<SendResult> {
  const { calls, report } = await carryOut(request, confirmed, tools);
  const result = await sendCalls(calls, report, tools);
  await forgetRefused(tools.journal.sends, request, result);
  return result;
}
