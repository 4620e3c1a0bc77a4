import { setImmediate as turn } from "node:timers/promises";
import { backoffMs } from "../contract/limits.ts";

export interface Output<T, F> {
  readonly name: string;
  /** Resolves, with the reason that ends the run, once the output accepts nothing further. */
  readonly gone?: Promise<Error>;
  /** Resolves to the reason why the item was not delivered: then it is retried. Stopped by the signal: `stopped` means that the output may have the item, `unbegun` that it has not. An error that it throws ends the run. */
  deliver(item: T, signal: AbortSignal): Promise<F | "stopped" | "unbegun" | undefined>;
  /** Returns whether the output may have the item although it failed; without it, it has not. */
  mayHave?(failure: F): boolean;
  /** Returns whether the output would fail with any item: then all wait, in their order, until it works again. */
  isDown?(failure: F): boolean;
  /** Pauses before an item is retried; without it, the run decides. */
  readonly retry?: { backoff(failure: F): { firstMs: number; maxMs: number }; sleep: Sleep };
}

type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

interface DeliveryOptions<T, F, O> {
  outputs: readonly O[];
  /** True if nothing is pending at the beginning. */
  isIdle?: boolean;
  /** The pending items, in the journal: memory does not grow with them. */
  outbox: {
    next(output: string, after: number): Promise<number | undefined>;
    /** Records the intent to deliver an item; returns `wasBegun` if an earlier attempt has an unknown outcome, undefined if the output is not to get it after all. */
    begin(output: string, n: number): Promise<{ item: T; wasBegun: boolean } | undefined>;
    delivered(output: string, n: number): Promise<void>;
    notDelivered(output: string, n: number): Promise<void>;
  };
  /** `isFirst` when nothing else waits for another try. `hung`: the output used up its time, and gets nothing more until `retryHung`. */
  onFailed: (failed: {
    item: T;
    output: O;
    failure: F;
    againMs: number;
    isFirst: boolean;
    isDown: boolean;
  }) => Promise<"hung" | undefined>;
  onDelivered?: (item: T, output: O) => Promise<void>;
  onRecovered: (output: O) => Promise<void>;
  onUnfinished: (item: T, output: O) => Promise<void>;
  /** Called with an error from building or delivering an item; returns true if it has set the item aside: then the output gets the next one. */
  setAside?: (error: unknown, output: O, n: number) => Promise<boolean>;
  /** Called with an error of the journal; returns if it is worth another attempt once the deliveries are woken. */
  onError: (error: unknown) => Promise<void> | void;
  now: () => number;
  sleep?: Sleep;
  firstBackoffMs: number;
  /** Milliseconds by which a failed delivery may be retried sooner than announced. */
  toleranceMs: number;
  signal: AbortSignal;
}

const maxBackoffMs = 15 * 60_000;

/** Delivers pending items: intent, output, outcome, each in the journal. Each output has a worker, and gets one item at a time. */
export class Deliveries<T, F, O extends Output<T, F> = Output<T, F>> {
  readonly #workers: readonly Worker<T, F, O>[];
  readonly #runs: readonly Promise<void>[];
  readonly #failures: unknown[] = [];
  /** Aborts at the end, to remove listeners from what outlives this. */
  readonly #over = new AbortController();
  /** Aborts with the signal, and once an output ended. */
  readonly ended: AbortSignal;

  constructor(options: DeliveryOptions<T, F, O>) {
    const { outputs, signal } = options;
    const ended = new AbortController();
    this.ended = ended.signal;
    const fail = (error: unknown): void => {
      this.#failures.push(error);
      ended.abort();
    };
    // All branches share the signal, which outlives this.
    const failing = new WeakRef(fail);
    for (const { gone } of outputs) void gone?.then((error) => failing.deref()?.(error));
    this.#workers = outputs.map((output) => new Worker(output, options));
    this.#runs = this.#workers.map((worker) => worker.run().catch(fail));
    const stop = (): void => {
      ended.abort();
      this.wake();
    };
    signal.addEventListener("abort", stop, { once: true, signal: this.#over.signal });
    if (signal.aborted) stop();
  }

  retryHung(): void {
    for (const worker of this.#workers) worker.isHung = false;
  }

  wake(): void {
    for (const worker of this.#workers) {
      worker.isIdle = false;
      worker.isResting = false;
      worker.wake();
    }
  }

  /** Wakes the outputs with pending items. */
  retry(): void {
    for (const worker of this.#workers) if (!worker.isIdle) worker.wake();
  }

  /** Returns whether nothing is under way: each output has everything that is known here, or its next attempt is not due. */
  get isResting(): boolean {
    return this.#workers.every(({ isResting }) => isResting);
  }

  async done(): Promise<void> {
    await Promise.all(this.#runs);
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  /** Ends when every output has been offered what is pending; rejects with what ended one. */
  async close(): Promise<void> {
    for (const worker of this.#workers) worker.isClosing = true;
    this.wake();
    try {
      await this.done();
    } finally {
      this.#over.abort();
    }
  }
}

type Failing = { failures: number; at: number; pauseMs: number };

class Worker<T, F, O extends Output<T, F>> {
  isHung = false;
  isClosing = false;
  /** Nothing was pending when it last looked. */
  isIdle = false;
  isResting = false;
  wake: () => void = () => undefined;
  readonly #output: O;
  readonly #options: DeliveryOptions<T, F, O>;
  readonly #failed = new Map<number, Failing>();
  /** Set while the output accepts no item at all. */
  #down: Failing | undefined;

  constructor(output: O, options: DeliveryOptions<T, F, O>) {
    this.#output = output;
    this.#options = options;
    this.isIdle = options.isIdle === true;
    this.isResting = this.isIdle;
  }

  async run(): Promise<void> {
    const { signal, onError } = this.#options;
    for (let looks = !this.isIdle; !signal.aborted; looks = true) {
      // Before the pass, so that new items are not missed.
      const woken = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      const isLast = this.isClosing;
      if (looks) await this.#pass().catch(onError);
      if (isLast && looks) return;
      this.isResting = true;
      await this.#pause(woken);
      this.isResting = false;
    }
  }

  async #pass(): Promise<void> {
    const { outbox, signal } = this.#options;
    const { name } = this.#output;
    this.isIdle = false;
    for (const retries of [false, true]) {
      let n = await outbox.next(name, 0);
      this.isIdle = n === undefined;
      if (this.isIdle) return;
      for (; n !== undefined; n = await outbox.next(name, n)) {
        await turn();
        if (signal.aborted || this.isHung || this.#dueInMs(this.#down) > 0) return;
        const failed = this.#failed.get(n);
        if ((failed !== undefined) === retries && this.#dueInMs(failed) <= 0)
          await this.#deliver(n).catch((error: unknown) => this.#setAside(error, n as number));
      }
    }
  }

  async #deliver(n: number): Promise<void> {
    const { outbox, signal, onUnfinished, onDelivered, onRecovered } = this.#options;
    const output = this.#output;
    const begun = await outbox.begin(output.name, n);
    if (begun === undefined) return;
    const { item, wasBegun } = begun;
    const failure = await output.deliver(item, signal);
    if (failure === "stopped") return onUnfinished(item, output);
    // A failed output does not have the item, unless it reports that it may, or a crash before this attempt left that open.
    const mayHave = failure !== undefined && failure !== "unbegun" && output.mayHave?.(failure) === true;
    if (failure !== undefined && !wasBegun && !mayHave) await outbox.notDelivered(output.name, n);
    if (failure === "unbegun") return;
    if (failure !== undefined) return this.#failedWith({ n, item, failure, mayHave });
    await outbox.delivered(output.name, n);
    await onDelivered?.(item, output);
    const wasFailing = this.#failed.delete(n) || this.#down !== undefined;
    this.#down = undefined;
    if (wasFailing && this.#failed.size === 0) await onRecovered(output);
  }

  async #setAside(error: unknown, n: number): Promise<void> {
    const { outbox, setAside } = this.#options;
    if ((await setAside?.(error, this.#output, n)) !== true) throw error;
    await outbox.delivered(this.#output.name, n);
    this.#failed.delete(n);
  }

  async #failedWith({ n, item, failure, mayHave }: { n: number; item: T; failure: F; mayHave: boolean }) {
    const { now, firstBackoffMs, toleranceMs, onFailed } = this.#options;
    const output = this.#output;
    const isDown = output.isDown?.(failure) === true;
    const failures = ((isDown ? this.#down : this.#failed.get(n))?.failures ?? 0) + 1;
    const usual = { firstMs: firstBackoffMs, maxMs: maxBackoffMs };
    const againMs = backoffMs(failures, output.retry?.backoff(failure) ?? usual);
    const isFirst = this.#failed.size === 0 && this.#down === undefined;
    this.isHung = (await onFailed({ item, output, failure, againMs, isFirst, isDown })) === "hung";
    const pauseMs = output.retry === undefined ? againMs - toleranceMs : againMs;
    const failing = { failures, at: now(), pauseMs };
    if (isDown) this.#down = failing;
    // The others do not wait for an item that might already be delivered.
    if (!isDown || mayHave) this.#failed.set(n, failing);
  }

  #dueInMs(failing: Failing | undefined): number {
    if (failing === undefined) return 0;
    const waitedMs = this.#options.now() - failing.at;
    // After the clock is set back, the elapsed time is unknown.
    return waitedMs < 0 ? 0 : failing.pauseMs - waitedMs;
  }

  async #pause(woken: Promise<void>): Promise<void> {
    const sleep = this.#output.retry?.sleep ?? this.#options.sleep;
    const failing = this.#down === undefined ? [...this.#failed.values()] : [this.#down];
    const dueInMs = Math.min(...failing.map((each) => this.#dueInMs(each)));
    if (sleep === undefined || dueInMs === Number.POSITIVE_INFINITY) return woken;
    const over = new AbortController();
    await Promise.race([woken, sleep(Math.max(0, dueInMs), over.signal)]);
    over.abort();
  }
}
