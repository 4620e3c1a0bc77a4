import type { BposError } from "../../errors.ts";
import type { JournalCall } from "../../journal/records/sends.ts";
import type { SendReport, SendResult } from "../send-report.ts";
import type { CallTools, NextTry, Scope, Wait } from "./call-tools.ts";
import { countriesIn, nameOf, openCanary } from "./calls.ts";
import { CallSteps, InFlight } from "./in-flight.ts";
import { OptOutCheck } from "./opted-out.ts";
import { findHeldCalls, type RepeatHold } from "./repeats.ts";
import { isPlain, readSchedule, Timetable } from "./schedule.ts";
import { RunCalls, type SendState } from "./transitions.ts";

interface HowToSend {
  /** Only the calls of that send; undefined for all under the reference. */
  sendId?: string;
  /** It was planned right now: nobody can have got the template under another reference since. */
  isPlanned?: boolean;
  allowRepeat: boolean;
  /** The rest is sent regardless of the canary's result. */
  ignoreCanary?: boolean;
}

/** The totals of a send's call outcomes, besides its report. */
export interface Tally {
  failure: BposError | undefined;
  /** Whether the journal kept every answer. */
  isAllKept: boolean;
  /** Calls without an answer, one after the other. */
  unknownInARow: number;
  wentOut: number;
  /** Whether it met a failure that every other send would meet too. */
  isMetByAll: boolean;
}

/** A send that this run carries out. */
export interface Sending {
  readonly scope: Scope;
  readonly how: HowToSend;
  readonly result: SendResult;
  state: SendState;
  readonly calls: RunCalls;
  readonly tally: Tally;
  readonly progress: { calls: number; allCalls: number; people: number; allPeople: number };
  /** The calls that wait, by the current round or the last one. */
  wait: Wait | undefined;
  hasCanaryPassed: boolean;
  readonly flight: InFlight;
  /** The last reading of the journal; undefined before the first. */
  round: Round | undefined;
  /** Countries of each call's people, by the call's name: a body is read once for them. */
  readonly countries: Map<string, string>;
}

/** One reading of the journal, by which calls are sent until the next pause. */
export interface Round {
  /** All calls under the reference. */
  all: JournalCall[];
  /** The sends under the reference in the first round: a plan that replaced one of them meanwhile is for who made it, or for `resume`. */
  sendIds: ReadonlySet<string>;
  timetable: Timetable;
  /** Calls that must not leave, since somebody in them got the template elsewhere. */
  hold: RepeatHold | undefined;
  optOuts: OptOutCheck;
  steps: CallSteps;
}

/** Returns a send that has not begun. `inFlight`: how many calls may be under way at once. */
export const newSending = (
  scope: Scope,
  report: SendReport,
  { inFlight = 1, ...how }: HowToSend & { inFlight?: number | undefined },
): Sending => ({
  scope,
  how,
  result: { report, sentAt: undefined, wentOut: [], mismatches: [] },
  state: "sending",
  calls: new RunCalls(),
  tally: { failure: undefined, isAllKept: true, unknownInARow: 0, wentOut: 0, isMetByAll: false },
  progress: { calls: 0, allCalls: 0, people: 0, allPeople: 0 },
  wait: undefined,
  hasCanaryPassed: false,
  flight: new InFlight(inFlight),
  round: undefined,
  countries: new Map(),
});

/** Returns the calls that this run sends, including those of a canary that they wait for, from any send under the reference. */
export function ownCalls({ how: { sendId } }: Sending, { all, sendIds }: Round): JournalCall[] {
  if (sendId === undefined) return all.filter((call) => sendIds.has(call.send_id));
  const canary = openCanary(all);
  return all.filter((call) => call.send_id === sendId || (canary.includes(call) && call.state !== "sent"));
}

/** Whether all of a send was to leave at once. */
export const leavesAtOnce = ({ round }: Sending): boolean =>
  round === undefined || isPlain(round.timetable.schedule);

/** Notes that a call waits; the soonest of all says when to go on. */
export function noteWait(sending: Sending, call: JournalCall, next: NextTry): void {
  const { calls = 0, people = 0, ...before } = sending.wait ?? {};
  const soonest = sending.wait === undefined || next.at < sending.wait.at ? next : before;
  const about = { sendId: call.send_id, ref: sending.scope.ref };
  sending.wait = { ...next, ...soonest, ...about, calls: calls + 1, people: people + call.people };
}

/** Tells the schedule the countries of a call. */
async function findCountries(
  { countries }: Sending,
  { all, timetable }: Round,
  { journal }: CallTools,
): Promise<void> {
  for (const call of all) {
    if (call.state === "sent") continue;
    const known = countries.get(nameOf(call));
    const kept = known === undefined ? await journal.sends.bodyOf(call) : undefined;
    const found = known ?? (kept === undefined ? "" : countriesIn({ body: kept.body }));
    countries.set(nameOf(call), found);
    timetable.knows(call, found);
  }
}

/** Reads what the journal knows now: another process may have sent, changed or forgotten calls meanwhile. */
export async function readRound(sending: Sending, tools: CallTools): Promise<Round> {
  const { how, scope, round: before } = sending;
  const { journal } = tools;
  const all = await journal.sends.callsUnder(scope);
  const round: Round = {
    all,
    sendIds: before?.sendIds ?? new Set(all.map((call) => call.send_id)),
    timetable: new Timetable(readSchedule(all.at(-1)?.schedule ?? null)),
    hold: undefined,
    optOuts: new OptOutCheck(journal),
    steps: new CallSteps(journal),
  };
  // Before the rest is read: if that fails, the report goes by these calls.
  sending.round = round;
  if (round.timetable.schedule.hours !== undefined) await findCountries(sending, round, tools);
  for (const call of all) if (call.attempted_at !== null) round.timetable.left(call, call.attempted_at);

  const calls = ownCalls(sending, round);
  sending.progress.allCalls = calls.length;
  sending.progress.allPeople = calls.reduce((sum, { people }) => sum + people, 0);

  const { allowRepeat, isPlanned = false } = how;
  const isAsked = !allowRepeat && !(before === undefined && isPlanned);
  round.hold = isAsked ? await findHeldCalls(scope, calls, tools) : undefined;
  return round;
}
