import { isoWithOffset } from "../../contract/limits.ts";
import { BposError } from "../../errors.ts";
import { JournalError } from "../../journal/engine/engine.ts";
import type { JournalCall } from "../../journal/records/sends.ts";
import { toCampaign } from "../send-report.ts";
import type { CallTools, NextTry, Wait } from "./call-tools.ts";
import { nameOf, openCanary } from "./calls.ts";
import { judgeCanary } from "./canary.ts";
import { addFailure, addOutcome, decideFailure, decideOutcome, isRefusal } from "./outcome.ts";
import { leavesAtOnce, noteWait, ownCalls, type Round, readRound, type Sending } from "./round.ts";
import type { Due, Timetable } from "./schedule.ts";
import { reportUnanswered, sendCall, toFailure } from "./send-call.ts";
import { moveSend } from "./transitions.ts";

/** Sends every call that may leave now. Returns what the rest waits for; undefined where this send is at its end. */
export async function sendDue(sending: Sending, tools: CallTools): Promise<Wait | undefined> {
  const round = await readRound(sending, tools);
  const { flight } = sending;
  sending.wait = undefined;
  let others: OthersMay | undefined;
  // The canary first, also before a call of an earlier send whose outcome is unknown.
  for (const call of ownCalls(sending, round).toSorted((a, b) => b.is_canary - a.is_canary)) {
    if (!sending.calls.isOpen(call)) continue;
    if (call.state === "sent") {
      reportReplayed(sending, call, tools);
      continue;
    }
    if (sending.state === "stopping") continue;
    if (round.hold?.calls.has(nameOf(call))) {
      sending.calls.move(call, openState(call), "is_held", tools);
      continue;
    }

    if (call.is_canary === 0) {
      if (others === undefined) {
        await flight.settle();
        others = await askCanary(sending, round, tools);
      }
      if (others.may === "wait") waitFor(sending, call, others.next, tools);
      if (others.may !== "leave") continue;
    }
    // Each call of a canary, and of a pace, depends on the one before it.
    const isAlone = call.is_canary === 1 || round.timetable.schedule.pace !== undefined;
    await flight.room({ isAlone });
    beginDue(sending, round, call, tools);
  }
  await flight.settle();
  return keepWait(sending, tools);
}

const openState = ({ state }: JournalCall): "planned" | "pending" =>
  state === "planned" ? "planned" : "pending";

/** Notes that a call may not leave yet. */
function waitFor(sending: Sending, call: JournalCall, next: NextTry, tools: CallTools): void {
  noteWait(sending, call, next);
  sending.calls.move(call, openState(call), "waits", tools);
}

/** Writes down what the rest waits for, which others show. */
async function keepWait(sending: Sending, { journal }: CallTools): Promise<Wait | undefined> {
  if (sending.state === "stopping") sending.wait = undefined;
  if (!leavesAtOnce(sending)) await journal.sends.setWait(sending.scope, sending.wait);
  return sending.wait;
}

/** Adds a call to the report that was answered before this run, or by another process meanwhile. */
function reportReplayed({ calls, progress, result }: Sending, call: JournalCall, tools: CallTools): void {
  calls.move(call, "answered", "is_reported", tools);
  progress.calls += 1;
  progress.people += call.people;
  result.sentAt = Math.max(result.sentAt ?? 0, tools.worldTime(call.answered_at ?? 0, call.ahead_ms));
  result.report.campaigns.push({ ...toCampaign(call, call.answer ?? "{}"), replayed: true });
}

/** The permission of the calls after a canary. They stay where it failed, or where its own calls have no answer and wait for nothing. */
type OthersMay = { may: "leave" } | { may: "stay" } | { may: "wait"; next: NextTry };

/** Returns what the calls after the canary may do, by what became of it. Stops the send where it failed. */
async function askCanary(sending: Sending, round: Round, tools: CallTools): Promise<OthersMay> {
  const { how, scope, wait, hasCanaryPassed } = sending;
  const terms = round.timetable.schedule.canary;
  // A call whose people all opted out is empty.
  const canary = openCanary(round.all).filter(({ people }) => people > 0);
  if (hasCanaryPassed || terms === undefined || how.ignoreCanary === true || canary.length === 0)
    return { may: "leave" };
  // The canary itself waits, or its outcome is unknown.
  if (canary.some(({ state }) => state !== "sent"))
    return wait === undefined ? { may: "stay" } : { may: "wait", next: wait };

  const { ref } = scope;
  const verdict = await judgeCanary(canary, { terms, ref }, tools);
  if (verdict.kind === "waits") return { may: "wait", next: verdict.next };
  if (verdict.kind === "stops") {
    stop(sending, verdict.failure, tools);
    return { may: "stay" };
  }
  sending.hasCanaryPassed = true;
  await tools.tell({ event: "canary_passed", ref, people: verdict.people, failed: verdict.failed });
  return { may: "leave" };
}

type Readiness =
  | { kind: "due"; due: Due }
  | { kind: "early"; next: NextTry }
  | { kind: "late"; failure: BposError };

/** Returns whether a call may leave now, when it may, or why it never may. */
function judgeReadiness(call: JournalCall, timetable: Timetable, now: number): Readiness {
  const due = timetable.due(call, now);
  // Its hours came once: on all clocks of a country at once, until one of them was changed.
  if (due === undefined) return { kind: "late", failure: timetable.hoursNever(call, now) };
  if (call.not_after !== null && due.at > call.not_after) {
    const failure = new BposError("too_late", { notAfter: isoWithOffset(call.not_after) });
    return { kind: "late", failure };
  }
  return due.at > now ? { kind: "early", next: { ...due, until: due.at } } : { kind: "due", due };
}

/** Begins to send a call that may leave now; notes why any other waits, or never leaves. */
function beginDue(sending: Sending, round: Round, call: JournalCall, tools: CallTools): void {
  // A call under way may have stopped the send.
  if (sending.state === "stopping") return;
  const ready = judgeReadiness(call, round.timetable, tools.clock.now());
  if (ready.kind === "early") waitFor(sending, call, ready.next, tools);
  if (ready.kind === "late") {
    sending.tally.failure ??= ready.failure;
    sending.calls.move(call, openState(call), "is_late", tools);
  }
  if (ready.kind !== "due") return;

  sending.calls.move(call, openState(call), "begins", tools);
  sending.flight.begin(sendAndCount(sending, round, call, { due: ready.due, tools }));
}

/** Sends a call and adds its outcome to the send's: after a failure the next call begins alone, or none does. */
async function sendAndCount(
  sending: Sending,
  round: Round,
  call: JournalCall,
  { due, tools }: { due: Due; tools: CallTools },
): Promise<void> {
  const { flight, tally, progress } = sending;
  const { optOuts, steps, timetable } = round;
  const now = tools.clock.now();
  const { people } = call;
  const { slowed } = flight;
  const closesAt = timetable.closesAt(call, now);
  const outcome = await sendCall({ call, sending, optOuts, steps, closesAt }, tools);
  // A million bodies would take too much memory.
  call.body = "";
  if (call.attempted_at !== null) timetable.left(call, call.attempted_at);
  if (outcome.kind === "postponed") {
    if (sending.state === "sending")
      waitFor(sending, call, { ...due, reason: "hours", at: now + 1, until: now + 1 }, tools);
    return;
  }

  const next = addOutcome(tally, call, outcome);
  if (next !== "goes_on") flight.slowDown();
  if (next === "stops" && sending.state === "sending") moveSend(sending, "sending", "is_stopped", tools);
  if (outcome.kind === "answered" && outcome.failure === undefined) flight.answered(slowed);

  progress.calls += 1;
  progress.people += call.people;
  progress.allPeople += call.people - people;
  if (sending.state === "sending") tools.onProgress?.({ ...progress });
}

function stop(sending: Sending, failure: BposError, tools: CallTools): void {
  addFailure(sending.tally, failure);
  if (sending.state === "sending") moveSend(sending, "sending", "is_stopped", tools);
}

/** Stops a send by what the journal could not do. Throws any other error. */
export function stopByJournal(sending: Sending, error: unknown, tools: CallTools): void {
  stop(sending, toFailure(error, sending.result.report), tools);
}

/** Puts the answers in the sequence in which their calls left, whichever was answered first. */
function sortAnswers({ calls, result: { report, wentOut } }: Sending, all: readonly JournalCall[]): void {
  const places = calls.places();
  const byKey = new Map(all.map((call) => [call.idempotency_key, places.get(nameOf(call))]));
  const place = (key: string): number => byKey.get(key) ?? places.size;
  report.campaigns.sort((a, b) => place(a.idempotency_key) - place(b.idempotency_key));
  wentOut.sort((a, b) => place(a.idempotency_key) - place(b.idempotency_key));
  const isOut = new Set(wentOut.map((call) => call.idempotency_key));
  const answers = report.campaigns.filter((campaign) => isOut.has(campaign.idempotency_key));
  report.recipients.errors = answers.flatMap(({ recipients }) => recipients.errors);
}

/** Whether a send was refused at once, and nothing else is planned under its reference. A send that was to wait stays: its key can be corrected. */
function isRefusedAlone(sending: Sending, all: readonly JournalCall[]): boolean {
  const { report, failure } = sending.result;
  if (!isRefusal(failure) || !leavesAtOnce(sending)) return false;
  return all.every(({ state, send_id }) => state !== "planned" || send_id === report.send_id);
}

/** Reports the calls that did not leave, and how all of the send ended. `cutOff` is what ended it from outside. */
export async function endSending(sending: Sending, tools: CallTools, cutOff?: BposError): Promise<void> {
  const { round, calls, tally, scope, result } = sending;
  const { report } = result;
  const { journal } = tools;
  const all = round?.all ?? [];
  if (round !== undefined)
    for (const call of ownCalls(sending, round)) if (calls.isOpen(call)) reportUnanswered(call, report);
  if (sending.state === "waiting") moveSend(sending, "waiting", "is_cut_off", tools);
  else if (sending.state !== "ended") moveSend(sending, sending.state, "is_done", tools);

  sortAnswers(sending, all);
  if (sending.wait !== undefined) report.waiting = sending.wait;
  tally.failure ??= cutOff ?? round?.hold?.failure;
  report.outcome = decideOutcome(report.campaigns, tally);
  result.failure = decideFailure(tally.failure, report);

  // A send that was refused before any of it was sent leaves nothing to resume, and its reference is free.
  if (cutOff !== undefined || !isRefusedAlone(sending, all)) return;
  if (await journal.sends.hasLeft(report.send_id)) return;
  await journal.sends.forgetUnsent(scope).catch((error: unknown) => {
    // The refusal must be reported all the same; the next send under that reference removes it.
    if (!(error instanceof JournalError)) throw error;
  });
}
