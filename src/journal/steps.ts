import { atomically, type Journal } from "./open.ts";

interface Step {
  work: () => void;
  resolve?: () => void;
  reject?: (error: unknown) => void;
}

/**
 * Writes what comes up within one turn of the event loop as one durable transaction: an answer with the intent that follows it,
 * and those of other calls in flight. To be sure of the disk can take longer than a call. After a failure nothing more is written.
 */
export class Steps {
  readonly #journal: Journal;
  #waiting: Step[] = [];
  #failure: { error: unknown } | undefined;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Does `work` before whatever is written after it; `flush` throws what goes wrong. */
  note(work: () => void): void {
    this.#add({ work });
  }

  /** Resolves once `work`, and all before it, is on the disk. */
  write(work: () => void): Promise<void> {
    return new Promise((resolve, reject) => this.#add({ work, resolve, reject }));
  }

  #add(step: Step): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#run());
    this.#waiting.push(step);
  }

  #run(): void {
    const steps = this.#waiting;
    this.#waiting = [];
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
