import { backoffMs } from "../contract/limits.ts";
import { isJournalAway, type JournalError } from "../journal/engine/engine.ts";

const firstMs = 1_000;
const maxBackoffMs = 30_000;

/** Reports the begin and the end of each outage; the retries wait for it. */
export interface OutageReports {
  began: (error: JournalError) => Promise<void>;
  ended: (afterMs: number) => Promise<void>;
}

interface OutageOptions extends Partial<OutageReports> {
  clock: { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };
  /** The longest pause between two questions, in milliseconds, where 30 s are more. */
  maxMs: number;
  signal: AbortSignal;
}

/** An outage of the journal: one caller retries, and all others wait for it. */
export class JournalOutage {
  readonly #options: OutageOptions;
  #reports: Partial<OutageReports>;
  #over: Promise<void> | undefined;
  #error: JournalError | undefined;

  constructor(options: OutageOptions) {
    this.#options = options;
    this.#reports = options;
  }

  /** From here on these are the reports. */
  listen(reports: OutageReports): void {
    this.#reports = reports;
  }

  get signal(): AbortSignal {
    return this.#options.signal;
  }

  /** The journal's error, while it cannot be reached. */
  get error(): JournalError | undefined {
    return this.#error;
  }

  /** Resolves once `ask` of the first who waits gets an answer, or `signal` aborts; at least a second later. */
  async wait(error: JournalError, ask: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#error ??= error;
    this.#over ??= this.#askUntilBack(error, ask).finally(() => {
      this.#over = this.#error = undefined;
    });
    return this.over(signal);
  }

  /** Resolves at once where there is no outage, and else with it. */
  async over(signal: AbortSignal): Promise<void> {
    if (this.#over === undefined || signal.aborted) return;
    const left = new AbortController();
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true, signal: left.signal });
    });
    await Promise.race([this.#over, stopped]);
    left.abort();
  }

  async #askUntilBack(error: JournalError, ask: () => Promise<unknown>): Promise<void> {
    const { clock, maxMs, signal } = this.#options;
    const isStopped = (): boolean => signal.aborted;
    const beganAt = clock.now();
    await this.#reports.began?.(error);
    for (let tries = 1; ; tries++) {
      await clock.sleep(backoffMs(tries, { firstMs, maxMs: Math.min(maxMs, maxBackoffMs) }), signal);
      if (isStopped()) return;
      // Any answer at all means that the outage is over.
      const isAway = await ask().then(() => false, isJournalAway);
      if (isStopped()) return;
      if (!isAway) return this.#reports.ended?.(clock.now() - beganAt);
    }
  }
}
