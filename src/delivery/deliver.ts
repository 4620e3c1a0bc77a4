import { setImmediate as turn } from "node:timers/promises";

/** Something that workers wait for. */
export class Bell {
  #waiting: (() => void)[] = [];

  ring(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  rung(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/**
 * What came of one try. `hung`: the output used up its time, and gets nothing more until `retry`, or every delivery would
 * take as long; `stopped`: the wish to stop came first.
 */
export type Outcome = "delivered" | "failed" | "hung" | "stopped";

/** One output's queue, which is in the journal: memory does not grow with what is pending. */
export interface OutputQueue {
  /** The number of the first pending delivery behind `after`. */
  next: (after: number) => number | undefined;
  /** Tries one: intent, output, outcome, each in the journal. `againMs` is the pause if it fails. */
  deliver: (n: number, againMs: number) => Promise<Outcome>;
  /** Called with what `next` and `deliver` throw: returns when that is worth another try, with `sleep` at once. */
  recover: (error: unknown) => Promise<void> | void;
  now: () => number;
  /** Sleeps until a failed delivery is due; without it that waits for the bell. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The pause after a first failure; doubled by each further one. */
  firstPauseMs: number;
  /** How much sooner than announced a failed delivery may be tried again. */
  toleranceMs: number;
  signal: AbortSignal;
}

const maxPauseMs = 15 * 60_000;

/** Delivers what is pending for one output, one at a time and in its sequence; what failed is tried again behind what did not. */
export class OutputWorker {
  readonly #queue: OutputQueue;
  /** What was not delivered in this run. */
  readonly #failed = new Map<number, { failures: number; at: number; pauseMs: number }>();
  #hung = false;
  #closing = false;

  constructor(queue: OutputQueue) {
    this.#queue = queue;
  }

  /** How many deliveries beside `n` failed and were not made since. */
  failed(n: number): number {
    return this.#failed.size - (this.#failed.has(n) ? 1 : 0);
  }

  /** Gives an output that hung another try. */
  retry(): void {
    this.#hung = false;
  }

  /** Delivers what is pending, then again whenever `bell` rings, until the signal aborts or the bell rings after `close`. */
  async run(bell: Bell): Promise<void> {
    const { signal, recover, sleep } = this.#queue;
    while (!signal.aborted) {
      // Before the pass: what comes in meanwhile is not overheard.
      const rung = bell.rung();
      const last = this.#closing;
      try {
        await this.#pass();
      } catch (error) {
        await recover(error);
        if (sleep !== undefined) continue;
      }
      if (last) return;
      await this.#pause(rung);
    }
  }

  /** Ends with what is pending now. */
  close(): void {
    this.#closing = true;
  }

  async #pass(): Promise<void> {
    const { next, signal } = this.#queue;
    for (const retries of [false, true])
      for (let n = next(0); n !== undefined; n = next(n)) {
        // A signal is heard between two deliveries, however many wait.
        await turn();
        if (signal.aborted || this.#hung) return;
        if (this.#failed.has(n) === retries && this.#dueInMs(n) <= 0) await this.#try(n);
      }
  }

  async #try(n: number): Promise<void> {
    const { deliver, now, firstPauseMs, toleranceMs } = this.#queue;
    const failures = this.#failed.get(n)?.failures ?? 0;
    const againMs = Math.min(maxPauseMs, firstPauseMs * 2 ** failures);
    const outcome = await deliver(n, againMs);
    if (outcome === "stopped") return;
    this.#hung = outcome === "hung";
    if (outcome === "delivered") this.#failed.delete(n);
    else this.#failed.set(n, { failures: failures + 1, at: now(), pauseMs: againMs - toleranceMs });
  }

  #dueInMs(n: number): number {
    const failed = this.#failed.get(n);
    if (failed === undefined) return 0;
    const waitedMs = this.#queue.now() - failed.at;
    // A clock that was set back says nothing about how long ago it was.
    return waitedMs < 0 ? 0 : failed.pauseMs - waitedMs;
  }

  /** Waits until the bell rings, or until something is due again where that can be slept for. */
  async #pause(rung: Promise<void>): Promise<void> {
    const { sleep } = this.#queue;
    const dueInMs = Math.min(...[...this.#failed.keys()].map((n) => this.#dueInMs(n)));
    if (sleep === undefined || dueInMs === Number.POSITIVE_INFINITY) return rung;
    const over = new AbortController();
    await Promise.race([rung, sleep(Math.max(0, dueInMs), over.signal)]);
    over.abort();
  }
}
