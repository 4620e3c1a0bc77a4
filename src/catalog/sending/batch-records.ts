import { BposError, isReason, isUnapplied } from "../../errors.ts";
import { JournalError } from "../../journal/engine/engine.ts";
import { type Journal, Steps, type Transaction } from "../../journal/journal.ts";
import type { PlannedEvent, PushEvent } from "../../journal/records/pushes.ts";
import type { ConfirmedTracker } from "./confirmed-products.ts";

/** Intents that are written together at most, while the service answers that many within `quickMs`. */
const maxAhead = 64;
const quickMs = 100;

/** Returns true for a 413, which proves that the batch was not applied, whatever happened to earlier attempts. */
export const isTooLarge = (error: unknown): error is BposError<"input_refused" | "outcome_unknown"> =>
  (isReason(error, "input_refused") || isReason(error, "outcome_unknown")) && error.facts.status === 413;

interface Answered {
  event: PushEvent;
  answer: string;
}

interface RecordTools {
  journal: Journal;
  clock: { now(): number };
  /** Absent where the journal keeps no products of this branch. */
  confirmed?: ConfirmedTracker;
}

/** The records of a push in the journal: the intent of each batch before it is sent, and its answer afterwards, both in groups. */
export class BatchRecords {
  readonly #tools: RecordTools;
  readonly #pushId: string;
  readonly #steps: Steps;
  /** By event_id, what resolves once an intent is on the disk. */
  readonly #intents = new Map<string, Promise<void>>();
  #groupSize = 1;
  #intendedAt = 0;
  #answers: Answered[] = [];

  constructor(tools: RecordTools, pushId: string) {
    this.#tools = tools;
    this.#pushId = pushId;
    // A stale price must not overwrite a newer one: this machine also records what it sends.
    this.#steps = new Steps({ transaction: (work) => tools.journal.step(work) });
  }

  /** Returns the batches of the push, as they are recorded. */
  read(): Promise<PushEvent[]> {
    return this.#tools.journal.pushes.events(this.#pushId);
  }

  /**
   * Resolves once the intent of a batch is on the disk. fsync can be slower than a request, so to a quick service those of
   * the batches that follow are written with it.
   */
  intend(event: PushEvent, following: readonly PushEvent[]): Promise<void> {
    const known = this.#intents.get(event.event_id);
    if (known !== undefined) return known;
    const { confirmed, clock } = this.#tools;
    const now = clock.now();
    // Records of confirmed products are not taken back.
    const most = confirmed === undefined ? maxAhead : 1;
    this.#groupSize = now - this.#intendedAt < quickMs ? Math.min(most, this.#groupSize * 2) : 1;
    this.#intendedAt = now;

    const events = [event, ...following.slice(0, this.#groupSize - 1)];
    const written = this.#steps.write(async (tx) => {
      await tx.pushes.attempted(this.#pushId, events);
      for (const each of events) await confirmed?.attempted(tx, this.#pushId, each);
    });
    for (const { event_id } of events) this.#intents.set(event_id, written);
    return written;
  }

  /** Records an answer together with whatever is written next. */
  noteAnswer(event: PushEvent, answer: string): void {
    const answers = this.#answers;
    answers.push({ event, answer });
    if (answers.length === 1) this.#steps.note((tx) => this.#keepAnswers(tx, answers));
  }

  /** Safe to repeat if the journal recorded nothing the first time. */
  async #keepAnswers(tx: Transaction, answers: Answered[]): Promise<void> {
    if (this.#answers === answers) this.#answers = [];
    await tx.pushes.answered(this.#pushId, answers);
    for (const { event, answer } of answers) await this.#tools.confirmed?.answered(tx, event, answer);
  }

  /** Records what a failed call shows about its batch, and returns the error to report. A refusal proves nothing about an earlier attempt whose outcome is unknown. */
  async settleFailure(event: PushEvent, error: unknown): Promise<unknown> {
    // It was not sent.
    if (error instanceof JournalError) return error;
    const options = { cause: error };
    const isRefused = isUnapplied(error);
    if (!isTooLarge(error) && (!isRefused || event.state === "attempted")) {
      event.state = "attempted";
      return isRefused ? new BposError("outcome_unknown", error.facts, options) : error;
    }
    event.state = "planned";
    await this.#tools.journal.pushes.notApplied(this.#pushId, [event]);
    return isTooLarge(error) ? new BposError("input_refused", error.facts, options) : error;
  }

  /** Writes all that waits to be written. */
  flush(): Promise<void> {
    return this.#steps.flush();
  }

  /** Takes back the intents of batches that were not sent. */
  async takeBack(queue: readonly PushEvent[]): Promise<void> {
    const unsent = queue.filter(
      ({ state, event_id }) => state === "planned" && this.#intents.delete(event_id),
    );
    await this.#tools.journal.pushes.notApplied(this.#pushId, unsent);
  }

  /** Replaces a batch that was too large by its halves. */
  async replace(event: PushEvent, halves: (event: PushEvent) => PlannedEvent[]): Promise<void> {
    await this.#tools.journal.pushes.halve(this.#pushId, event, halves);
  }
}
