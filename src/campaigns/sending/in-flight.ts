import { type Journal, Steps } from "../../journal/journal.ts";
import type { CallState, JournalCall, MachineTime } from "../../journal/records/sends.ts";
import type { SentCall } from "../../journal/upkeep/seen.ts";

type Kept = Parameters<Journal["sends"]["answered"]>[1];

/** Intents of calls that begin together are one step of the journal, and so are answers: fsync is slow. */
export class CallSteps {
  readonly #journal: Journal;
  #intents: Steps;
  #answers: Steps;
  #leaving: SentCall[] = [];

  constructor(journal: Journal) {
    this.#journal = journal;
    this.#intents = this.#newIntents();
    this.#answers = new Steps(journal);
  }

  #newIntents(): Steps {
    const transaction: Journal["transaction"] = (work) => {
      this.#leaving = [];
      return this.#journal.step(work, { sent: this.#leaving });
    };
    return new Steps({ transaction });
  }

  /** Writes down that a call leaves; returns its state before. */
  async intend(call: JournalCall, now: MachineTime, sent: SentCall): Promise<CallState> {
    let before: CallState = "planned";
    const steps = this.#intents;
    const written = steps.write(async (tx) => {
      before = await tx.sends.attempt(call, now);
      this.#leaving.push(sent);
    });
    await written.catch((error: unknown) => {
      // A later intent tries again.
      if (this.#intents === steps) this.#intents = this.#newIntents();
      throw error;
    });
    return before;
  }

  async answered(call: JournalCall, kept: Kept): Promise<void> {
    const steps = this.#answers;
    await steps
      .write((tx) => tx.sends.answered(call, kept))
      .catch((error: unknown) => {
        if (this.#answers === steps) this.#answers = new Steps(this.#journal);
        throw error;
      });
  }
}

/** Calls of a send under way at the same time: one until it is answered, which proves key and template, and one more after each answer. */
export class InFlight {
  readonly #most: number;
  readonly #underWay = new Set<Promise<void>>();
  #limit = 1;
  #slowed = 0;
  #thrown: { error: unknown } | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#underWay.size;
  }

  /** The number of times that it was slowed down. */
  get slowed(): number {
    return this.#slowed;
  }

  /** @param slowed what that was when the call began: an answer from before proves nothing about now. */
  answered(slowed: number): void {
    if (slowed === this.#slowed) this.#limit = Math.min(this.#most, this.#limit + 1);
  }

  /** The service is in trouble, or told to slow down: the next begins alone, once those under way have ended. */
  slowDown(): void {
    this.#slowed += 1;
    this.#limit = 1;
  }

  /** Resolves when another may begin. Throws as `settle` does. */
  async room({ isAlone }: { isAlone: boolean }): Promise<void> {
    while (this.#underWay.size >= (isAlone ? 1 : this.#limit)) await Promise.race(this.#underWay);
    if (this.#thrown !== undefined) await this.settle();
  }

  begin(work: Promise<void>): void {
    const call = work
      .catch((error: unknown) => {
        this.#thrown ??= { error };
      })
      .finally(() => this.#underWay.delete(call));
    this.#underWay.add(call);
  }

  /** Waits for all that are under way. Throws what one of them threw. */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay);
    if (this.#thrown !== undefined) throw this.#thrown.error;
  }
}
