import { answerText } from "../../api/answer-text.ts";
import type { Client } from "../../api/client.ts";
import { isoWithOffset } from "../../contract/instants.ts";
import { BposError, type CallFacts, isReason } from "../../errors.ts";
import { journalFailure } from "../../journal/journal-failure.ts";
import type { Journal } from "../../journal/open.ts";
import {
  type CallState,
  type JournalCall,
  recordAttempt,
  recordNotSent,
  recordResult,
  stateOf,
} from "../../journal/sends.ts";
import { type CampaignAnswer, readCampaignAnswer } from "./campaign-answer.ts";
import { machineTime } from "./plan.ts";
import { conclude, type SendReport, type SendResult, tally, tallyUnknown, tallyUnsent } from "./report.ts";

/** How far a send is. */
export interface SendProgress {
  calls: number;
  allCalls: number;
  people: number;
  allPeople: number;
}

/** What the calls of a send need. */
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
const mostUnknown = 3;

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
  /** Writes the answer down. */
  keep: () => void;
}

/** Sends one call that is not finished, which is written down before it leaves. */
async function sendCall(call: JournalCall, tools: CallTools): Promise<SentCall> {
  const { client, journal, clock, signal } = tools;
  if (signal.aborted) throw new BposError("interrupted", { during: "work" });
  if (call.not_after !== null && clock.now() > call.not_after)
    throw new BposError("too_late", { notAfter: isoWithOffset(call.not_after) });
  const before = recordAttempt(journal, call, machineTime(tools));
  const { body, attempts, mismatches } = await client
    .sendCampaign(call.body, { signal, ...(call.not_after !== null && { until: call.not_after }) })
    .catch((error: unknown) => {
      throw settleFailure(journal, call, before, error);
    });
  const text = answerText(body);
  const answer = readCampaignAnswer(text);
  // A replay of our own earlier try is this send; a replay at the first try is somebody's earlier one.
  const wentOutNow = !answer.replayed || attempts > 1 || before === "attempted";
  const { campaign_id } = body;
  const time = machineTime(tools);
  const keep = (): void => recordResult(journal, call, { campaign_id, answer: text, ...time });
  return { answer, wentOutNow, mismatches, keep };
}

/** One run over the calls of a send. */
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
    tally(this.#report, call, { ...readCampaignAnswer(call.answer ?? "{}"), replayed: true }, false);
  }

  /** Sends a call; false when nothing behind it is to leave. */
  async send(call: JournalCall): Promise<boolean> {
    try {
      const { answer, wentOutNow, mismatches, keep } = await sendCall(call, this.#tools);
      tally(this.#report, call, answer, wentOutNow);
      this.mismatches.push(...mismatches);
      if (wentOutNow) this.wentOut += 1;
      this.#unknownInARow = 0;
      return this.#keepAnswer(keep);
    } catch (thrown) {
      this.leave(call);
      const error = thrown instanceof BposError ? (thrown as BposError) : this.#journalFailure(thrown);
      this.failure ??= error;
      this.#unknownInARow += 1;
      // One call that is never answered must not keep the others from going out.
      if (!isReason(error, "outcome_unknown")) return false;
      this.#report.gaveUp = this.#unknownInARow >= mostUnknown;
      return !this.#report.gaveUp;
    }
  }

  /** False when the journal could not keep an answer: to the next run the call is one without. */
  #keepAnswer(keep: () => void): boolean {
    try {
      keep();
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
  leave(call: JournalCall): void {
    if (stateOf(this.#tools.journal, call) === "attempted") tallyUnknown(this.#report, call);
    else tallyUnsent(this.#report, call);
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
    else run.leave(call);
    people += call.people;
    if (goesOn) tools.onProgress?.({ calls: done + 1, allCalls: calls.length, people, allPeople });
  }
  const { sentAt, mismatches } = run;
  const stopped = run.failure ?? held?.failure;
  conclude(report, stopped, run.wentOut);
  const failure = report.outcome === "unknown" ? orUnknown(stopped) : stopped;
  return { report, sentAt, mismatches, ...(failure && { failure }) };
}
