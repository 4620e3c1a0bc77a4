/** What a longer timer would do at once. */
const maxTimerMs = 2 ** 31 - 1;

interface AlarmOptions {
  afterMs: number;
  now: () => number;
  due: (branch: string) => void;
  /** Gets the branch of an outage that was told of, once it is over. */
  over?: (branch: string) => void;
}

/** Tells once of each outage that has lasted for so long. */
export class OutageAlarm {
  readonly #options: AlarmOptions;
  readonly #told = new Set<string>();
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(options: AlarmOptions) {
    this.#options = options;
  }

  /** A branch still gets no answer. */
  lasts(branch: string, since: number): void {
    if (this.#told.has(branch)) return;
    const { afterMs, now, due } = this.#options;
    const dueInMs = since + afterMs - now();
    if (dueInMs <= 0) {
      this.drop(branch);
      this.#told.add(branch);
      due(branch);
      return;
    }
    if (this.#timers.has(branch)) return;
    // The next poll may be an hour away, where the service asks for that.
    const timer = setTimeout(
      () => {
        this.#timers.delete(branch);
        this.lasts(branch, since);
      },
      Math.min(dueInMs, maxTimerMs),
    );
    this.#timers.set(branch, timer.unref());
  }

  /** A branch gets answers. */
  recovered(branch: string): void {
    const wasTold = this.#told.has(branch);
    this.drop(branch);
    if (wasTold) this.#options.over?.(branch);
  }

  /** A branch is waited for no more. */
  drop(branch: string): void {
    clearTimeout(this.#timers.get(branch));
    this.#timers.delete(branch);
    this.#told.delete(branch);
  }

  close(): void {
    for (const branch of [...this.#timers.keys()]) this.drop(branch);
  }
}
