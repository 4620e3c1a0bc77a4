import type { Journal, Transaction } from "./open.ts";

type Work = (tx: Transaction) => Promise<void>;

interface Step {
  work: Work;
  resolve?: () => void;
  reject?: (error: unknown) => void;
}

/**
 * Writes steps as few durable transactions: an answer with the intent that follows it, and what comes up within one turn of the
 * event loop, since fsync can be slower than a request. After a failure nothing more is written.
 */
export class Steps {
  readonly #journal: Pick<Journal, "transaction">;
  #waiting: Step[] = [];
  #isDue = false;
  #running: Promise<void> = Promise.resolve();
  #failure: { error: unknown } | undefined;

  constructor(journal: Pick<Journal, "transaction">) {
    this.#journal = journal;
  }

  /** Does `work` together with whatever is written next; `flush` throws what goes wrong. */
  note(work: Work): void {
    this.#waiting.push({ work });
  }

  /** Resolves once `work`, and all before it, is on the disk. */
  write(work: Work): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#isDue) setImmediate(() => void this.#run());
      this.#isDue = true;
      this.#waiting.push({ work, resolve, reject });
    });
  }

  #run(): Promise<void> {
    this.#running = this.#running.then(() => this.#writeWaiting());
    return this.#running;
  }

  async #writeWaiting(): Promise<void> {
    const steps = this.#waiting;
    this.#waiting = [];
    this.#isDue = false;
    try {
      if (this.#failure === undefined && steps.length > 0)
        await this.#journal.transaction(async (tx) => {
          for (const { work } of steps) await work(tx);
        });
    } catch (error) {
      this.#failure = { error };
    }
    for (const { resolve, reject } of steps) {
      if (this.#failure === undefined) resolve?.();
      else reject?.(this.#failure.error);
    }
  }

  /** Writes what waits. Throws what went wrong, now or earlier. */
  async flush(): Promise<void> {
    await this.#run();
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
