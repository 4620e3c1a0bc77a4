import { atomically, type Journal } from "./open.ts";

interface Step {
  work: () => void;
  resolve?: () => void;
  reject?: (error: unknown) => void;
}

/**
 * Writes steps as few durable transactions: an answer with the intent that follows it, and what comes up within one turn of the
 * event loop. To be sure of the disk can take longer than a call. After a failure nothing more is written.
 */
export class Steps {
  readonly #journal: Journal;
  #waiting: Step[] = [];
  #isDue = false;
  #failure: { error: unknown } | undefined;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Does `work` together with whatever is written next; `flush` throws what goes wrong. */
  note(work: () => void): void {
    this.#waiting.push({ work });
  }

  /** Resolves once `work`, and all before it, is on the disk. */
  write(work: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#isDue) setImmediate(() => this.#run());
      this.#isDue = true;
      this.#waiting.push({ work, resolve, reject });
    });
  }

  #run(): void {
    const steps = this.#waiting;
    this.#waiting = [];
    this.#isDue = false;
    try {
      if (this.#failure === undefined && steps.length > 0)
        atomically(this.#journal, () => {
          for (const { work } of steps) work();
        });
    } catch (error) {
      this.#failure = { error };
    }
    for (const { resolve, reject } of steps) {
      if (this.#failure === undefined) resolve?.();
      else reject?.(this.#failure.error);
    }
  }

  /** Writes at once what waits. Throws what went wrong, now or earlier. */
  flush(): void {
    this.#run();
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
