import { isoWithOffset } from "../../contract/limits.ts";
import { BposError, isReason } from "../../errors.ts";
import { JournalError, journalFailure } from "../../journal/engine/engine.ts";
import type { JournalCall } from "../../journal/records/sends.ts";
import { type SendReport, type SendResult, toCampaign } from "../send-report.ts";
import type { CallTools, Scope, Wait } from "./call-tools.ts";
import { countriesIn, nameOf } from "./calls.ts";
import { countCanary, openCanary } from "./canary.ts";
import { CallSteps, InFlight } from "./in-flight.ts";
import { OptOutCheck } from "./opted-out.ts";
import { decideFailure, decideOutcome, isFirstSaid, isRefusal, lastSaid, metByAll } from "./outcome.ts";
import { findHeld, type Held } from "./repeats.ts";
import { countOf, type Due, keepSchedule, readSchedule, Timetable } from "./schedule.ts";
import { reportCall, reportUnanswered, toFailure } from "./send-call.ts";

/** The status of a trial is asked for so often. */
const canaryPollMs = 30_000;

interface Gate {
  isOpen: boolean;
  wait?: Pick<Wait, "reason" | "at" | "until"> | undefined;
}

interface HowToSend {
  /** Only the calls of that send; undefined for all under the reference. */
  sendId?: string;
  /** It was planned right now: nobody can have got the template under another reference since. */
  isPlanned?: boolean;
  allowRepeat: boolean;
  /** The rest goes out whatever came of the trial. */
  ignoreCanary?: boolean;
}

/** One send on its way: each call leaves once it may, recorded before it leaves and after its answer. */
export class Sending {
  readonly result: SendResult;
  /** Whether something befell it that every other send would meet too. */
  isMetByAll = false;
  readonly #scope: Scope;
  readonly #how: HowToSend;
  /** All calls under the reference, as the journal had them last. */
  #all: JournalCall[] = [];
  #timetable = new Timetable({});
  readonly #countries = new Map<string, string>();
  #held: Held | undefined;
  #optOuts: OptOutCheck | undefined;
  #wait: Wait | undefined;
  #flight = new InFlight(1);
  #steps: CallSteps | undefined;
  readonly #progress = { calls: 0, allCalls: 0, people: 0, allPeople: 0 };
  /** The sends under the reference when this began: a plan that replaced one of them meanwhile is for who made it, or for `resume`. */
  #begunWith: ReadonlySet<string> | undefined;
  readonly #reported = new Set<string>();
  #failure: BposError | undefined;
  #goesOn = true;
  #isAllKept = true;
  #unknownInARow = 0;
  #wentOut = 0;
  #hasPassed = false;

  constructor(scope: Scope, report: SendReport, how: HowToSend) {
    this.result = { report, sentAt: undefined, wentOut: [], mismatches: [] };
    this.#scope = scope;
    this.#how = how;
  }

  /** With those of a trial that the others wait for, whatever send under the reference they are of. */
  get #calls(): JournalCall[] {
    const { sendId } = this.#how;
    if (sendId === undefined) return this.#all.filter((call) => this.#begunWith?.has(call.send_id) === true);
    const trial = openCanary(this.#all);
    return this.#all.filter(
      (call) => call.send_id === sendId || (trial.includes(call) && call.state !== "sent"),
    );
  }

  /** What the journal knows now: another process may have sent, changed or forgotten calls meanwhile. */
  async #read(tools: CallTools): Promise<void> {
    const isFirst = this.#all.length === 0;
    const { sends } = tools.journal;
    this.#all = await sends.callsUnder(this.#scope);
    this.#begunWith ??= new Set(this.#all.map((call) => call.send_id));
    this.#optOuts = new OptOutCheck(tools.journal);
    this.#steps = new CallSteps(tools.journal);
    if (isFirst) this.#flight = new InFlight(tools.inFlight ?? 1);
    this.#timetable = new Timetable(readSchedule(this.#all.at(-1)?.schedule ?? null));
    if (this.#timetable.schedule.hours !== undefined) await this.#findCountries(tools);
    for (const call of this.#all)
      if (call.attempted_at !== null) this.#timetable.left(call, call.attempted_at);

    const calls = this.#calls;
    this.#progress.allCalls = calls.length;
    this.#progress.allPeople = calls.reduce((sum, { people }) => sum + people, 0);

    const { allowRepeat, isPlanned = false } = this.#how;
    const isAsked = !allowRepeat && !(isFirst && isPlanned);
    this.#held = isAsked ? await findHeld(this.#scope, calls, tools) : undefined;
  }

  /** By whose countries a call may leave; its body is read once for that, and not kept. */
  async #findCountries({ journal }: CallTools): Promise<void> {
    for (const call of this.#all) {
      if (call.state === "sent") continue;
      const known = this.#countries.get(nameOf(call));
      const kept = known === undefined ? await journal.sends.bodyOf(call) : undefined;
      const countries = known ?? (kept === undefined ? "" : countriesIn({ body: kept.body }));
      this.#countries.set(nameOf(call), countries);
      this.#timetable.knows(call, countries);
    }
  }

  /** Sends every call that may leave now. Returns what the rest waits for; undefined where this send is at its end. */
  async sendDue(tools: CallTools): Promise<Wait | undefined> {
    await this.#read(tools);
    this.#wait = undefined;
    let gate: Gate | undefined;
    // The trial first, also before a call of an earlier send whose outcome is unknown.
    for (const call of this.#calls.toSorted((a, b) => b.is_canary - a.is_canary)) {
      if (this.#reported.has(nameOf(call))) continue;
      if (call.state === "sent") this.#reportSent(call, tools);
      if (call.state === "sent" || !this.#goesOn || this.#held?.calls.has(nameOf(call))) continue;
      if (call.is_canary === 0 && gate === undefined) {
        await this.#flight.settle();
        gate = await this.#judgeCanary(tools);
      }
      if (call.is_canary === 0 && gate?.isOpen !== true) {
        if (gate?.wait !== undefined) this.#note(call, gate.wait);
        continue;
      }
      // Each call of a trial, and of a pace, depends on the one before it.
      const isAlone = call.is_canary === 1 || this.#timetable.schedule.pace !== undefined;
      await this.#flight.room({ isAlone });
      this.#trySend(call, tools);
    }
    await this.#flight.settle();
    return this.#keepWait(tools);
  }

  /** Whether all of it was to leave at once. */
  get #isPlain(): boolean {
    return keepSchedule(this.#timetable.schedule) === null;
  }

  /** Writes down what the rest waits for, which others show. */
  async #keepWait({ journal }: CallTools): Promise<Wait | undefined> {
    if (!this.#goesOn) this.#wait = undefined;
    const wait = this.#wait;
    if (!this.#isPlain) await journal.sends.setWait(this.#scope, wait);
    return wait;
  }

  #reportSent(call: JournalCall, { worldTime }: CallTools): void {
    const { result } = this;
    this.#reported.add(nameOf(call));
    this.#progress.calls += 1;
    this.#progress.people += call.people;
    result.sentAt = Math.max(result.sentAt ?? 0, worldTime(call.answered_at ?? 0, call.ahead_ms));
    result.report.campaigns.push({ ...toCampaign(call, call.answer ?? "{}"), replayed: true });
  }

  /** Notes that a call waits; the soonest of all says when to go on. */
  #note(call: JournalCall, next: Pick<Wait, "reason" | "at" | "until">): void {
    const { calls = 0, people = 0, ...before } = this.#wait ?? {};
    const soonest = this.#wait === undefined || next.at < this.#wait.at ? next : before;
    const about = { sendId: call.send_id, ref: this.#scope.ref };
    this.#wait = { ...next, ...soonest, ...about, calls: calls + 1, people: people + call.people };
  }

  #trySend(call: JournalCall, tools: CallTools): void {
    // One that was under way may have stopped the send.
    if (!this.#goesOn) return;
    const now = tools.clock.now();
    const due = this.#timetable.due(call, now);
    if (due === undefined) {
      // They came once: on all clocks of a country at once, until one of them was changed.
      this.#failure ??= this.#timetable.hoursNever(call, now);
      return;
    }
    if (call.not_after !== null && due.at > call.not_after) {
      this.#failure ??= new BposError("too_late", { notAfter: isoWithOffset(call.not_after) });
      return;
    }
    if (due.at > now) {
      this.#note(call, { ...due, until: due.at });
      return;
    }

    this.#reported.add(nameOf(call));
    this.#flight.begin(this.#carry(call, due, tools));
  }

  async #carry(call: JournalCall, due: Due, tools: CallTools): Promise<void> {
    const now = tools.clock.now();
    const { people } = call;
    const closesAt = this.#timetable.closesAt(call, now);
    const optOuts = this.#optOuts ?? new OptOutCheck(tools.journal);
    const steps = this.#steps ?? new CallSteps(tools.journal);
    const { slowed } = this.#flight;
    const trying = { ...tools, optOuts, closesAt, steps, flight: this.#flight, goesOn: () => this.#goesOn };
    const ended = await reportCall(call, this.#scope, this.result, trying);
    // A million bodies would take too much memory.
    call.body = "";
    if (call.attempted_at !== null) this.#timetable.left(call, call.attempted_at);
    if (ended === undefined) {
      this.#reported.delete(nameOf(call));
      if (this.#goesOn) this.#note(call, { ...due, reason: "hours", at: now + 1, until: now + 1 });
      return;
    }
    this.#judge(call, ended);
    if (ended.failure === undefined && ended.isAnswered) this.#flight.answered(slowed);

    this.#progress.calls += 1;
    this.#progress.people += call.people;
    this.#progress.allPeople += call.people - people;
    if (this.#goesOn) tools.onProgress?.({ ...this.#progress });
  }

  #judge(
    { state }: JournalCall,
    { failure, wentOutNow, isKept }: NonNullable<Awaited<ReturnType<typeof reportCall>>>,
  ): void {
    const said = this.#failure?.reason;
    const isFirst = said === undefined || lastSaid.includes(said);
    // A refusal, beside which another was under way: it is not known what became of that one.
    const isGraver = state === "attempted" && isFirstSaid(failure?.reason) && !isFirstSaid(said);
    this.isMetByAll ||= metByAll.includes(failure?.reason);
    if (!isKept || isFirst || isGraver) this.#failure = failure ?? this.#failure;
    this.#isAllKept &&= isKept;
    this.#wentOut += Number(wentOutNow);
    const isStuck = isReason(failure, "opted_out_unknown");
    this.#unknownInARow = failure && !isStuck ? this.#unknownInARow + 1 : 0;
    if (!failure || isStuck) return;
    this.#flight.slowDown();
    // One call without an answer must not hold up the others; after three in a row, no other would succeed.
    this.#goesOn &&= isReason(failure, "outcome_unknown") && this.#unknownInARow < 3;
  }

  /** Whether the calls after the trial may leave, by what became of it. */
  async #judgeCanary(tools: CallTools): Promise<Gate> {
    const terms = this.#timetable.schedule.canary;
    // Of a call whose people all opted out nothing is left.
    const trial = openCanary(this.#all).filter(({ people }) => people > 0);
    if (this.#hasPassed || terms === undefined || this.#how.ignoreCanary === true || trial.length === 0)
      return { isOpen: true };
    // It waits itself, or its outcome is unknown.
    if (trial.some(({ state }) => state !== "sent")) return { isOpen: false, wait: this.#wait };

    const now = tools.clock.now();
    const until = Math.max(...trial.map(({ answered_at }) => answered_at ?? 0)) + terms.waitMs;
    const counts = await countCanary(trial, tools).catch((error: unknown) => {
      if (!(error instanceof BposError)) throw error;
      return error;
    });
    const wait = { reason: "canary", at: Math.min(now + canaryPollMs, until), until } as const;
    if (counts instanceof BposError) {
      const isPassing = isReason(counts, "unavailable") || isReason(counts, "unreadable_answer");
      return isPassing && now < until ? { isOpen: false, wait } : this.#stop(counts);
    }

    const { people, failed, error } = counts;
    const limit = countOf(terms.maxFailed, people);
    const { ref } = this.#scope;
    if (failed > limit)
      return this.#stop(new BposError("canary_failed", { ref, people, failed, limit, ...error }));
    if (now < until && !counts.isFinal) return { isOpen: false, wait };
    this.#hasPassed = true;
    await tools.tell({ event: "canary_passed", ref, people, failed });
    return { isOpen: true };
  }

  /** Ends it by what the journal could not do. Throws any other error. */
  fail(error: unknown): undefined {
    this.#stop(toFailure(error, this.result.report));
  }

  #stop(failure: BposError): Gate {
    this.#failure ??= failure;
    this.isMetByAll ||= metByAll.includes(failure.reason);
    this.#goesOn = false;
    return { isOpen: false, wait: undefined };
  }

  /** Whether this send itself was refused at once, and nothing else is planned under its reference. What was to wait stays: a key can be mended. */
  #isAlone(fromOutside: BposError | undefined): boolean {
    if (fromOutside !== undefined || !isRefusal(this.result.failure)) return false;
    const { send_id: own } = this.result.report;
    return this.#isPlain && this.#all.every(({ state, send_id }) => state !== "planned" || send_id === own);
  }

  /** In the sequence in which they left, whichever was answered first. */
  #sort(): void {
    const { report, wentOut } = this.result;
    const places = new Map([...this.#reported].map((name, place) => [name, place]));
    const byKey = new Map(this.#all.map((call) => [call.idempotency_key, places.get(nameOf(call))]));
    const place = (key: string): number => byKey.get(key) ?? places.size;
    report.campaigns.sort((a, b) => place(a.idempotency_key) - place(b.idempotency_key));
    wentOut.sort((a, b) => place(a.idempotency_key) - place(b.idempotency_key));
    const isOut = new Set(wentOut.map((call) => call.idempotency_key));
    const answers = report.campaigns.filter((campaign) => isOut.has(campaign.idempotency_key));
    report.recipients.errors = answers.flatMap(({ recipients }) => recipients.errors);
  }

  /** Reports what did not leave, and how all of it ended; with what ended it from outside. */
  async end({ journal }: CallTools, failure?: BposError): Promise<void> {
    const { report } = this.result;
    for (const call of this.#calls) if (!this.#reported.has(nameOf(call))) reportUnanswered(call, report);

    this.#sort();
    if (this.#wait !== undefined) report.waiting = this.#wait;
    this.#failure ??= failure ?? this.#held?.failure;
    const outcome = decideOutcome(report.campaigns, this.#failure, this.#wentOut);
    report.outcome = this.#isAllKept ? outcome : "unknown";
    this.result.failure = decideFailure(this.#failure, report);

    // One that was refused before any of it was sent: its reference is free, and there is nothing to resume.
    if (!this.#isAlone(failure) || (await journal.sends.hasLeft(report.send_id))) return;
    await journal.sends.forgetUnsent(this.#scope).catch((error: unknown) => {
      // The refusal must be reported all the same; the next send under that reference removes it.
      if (!(error instanceof JournalError)) throw error;
    });
  }
}

/** Sends what may leave, and waits for the rest, of all of these; after what every other one would meet too, those that did not begin have no result. */
export async function carryOn(sendings: readonly Sending[], tools: CallTools): Promise<SendResult[]> {
  const begun: Sending[] = [];
  let open = sendings;
  for (;;) {
    const waits = new Map<Sending, Wait>();
    for (const sending of open) {
      if (!begun.includes(sending)) begun.push(sending);
      const wait = await sending.sendDue(tools).catch((error: unknown) => sending.fail(error));
      if (wait !== undefined) waits.set(sending, wait);
      else await sending.end(tools);
      if (!sending.isMetByAll) continue;
      for (const each of waits.keys()) await each.end(tools, sending.result.failure);
      return begun.map(({ result }) => result);
    }
    const [next] = [...waits.values()].sort((a, b) => a.at - b.at);
    if (next === undefined) return begun.map(({ result }) => result);

    try {
      await tools.tell({ event: "waiting", wait: next });
      tools.journal = await tools.pause(next);
    } catch (error) {
      if (!(error instanceof BposError || error instanceof JournalError)) throw error;
      const failure = error instanceof BposError ? error : journalFailure(error);
      for (const each of waits.keys()) await each.end(tools, failure);
      return begun.map(({ result }) => result);
    }
    open = [...waits.keys()];
  }
}
