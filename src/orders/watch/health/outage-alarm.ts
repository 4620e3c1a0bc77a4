import type { System } from "../../../system.ts";

interface AlarmOptions {
  afterMs: number;
  clock: Pick<System["clock"], "now" | "later">;
  due: (branch: string) => void;
  /** Called with the branch once an outage that was reported is over. */
  over?: (branch: string) => void;
}

/** Reports each outage once that has lasted for `afterMs`. */
export class OutageAlarm {
  readonly #options: AlarmOptions;
  readonly #told = new Set<string>();
  readonly #timers = new Map<string, () => void>();

  constructor(options: AlarmOptions) {
    this.#options = options;
  }

  /** Notes that a branch still gets no answer. */
  lasts(branch: string, since: number): void {
    const { afterMs, clock } = this.#options;
    if (this.#told.has(branch)) return;
    // By a clock that was set back, the outage has lasted for no time: the timer that runs knows better.
    const dueInMs = afterMs - Math.max(0, clock.now() - since);
    if (dueInMs <= 0) this.#tell(branch);
    // The next poll may be an hour away, where the service asks for that.
    else if (!this.#timers.has(branch))
      this.#timers.set(
        branch,
        clock.later(dueInMs, () => this.#tell(branch)),
      );
  }

  /** Ends the outage: the branch gets answers again, or another process watches it. */
  recovered(branch: string): void {
    const wasTold = this.#told.has(branch);
    this.drop(branch);
    if (wasTold) this.#options.over?.(branch);
  }

  /** Forgets a branch without reporting the end of its outage. */
  drop(branch: string): void {
    this.#timers.get(branch)?.();
    this.#timers.delete(branch);
    this.#told.delete(branch);
  }

  close(): void {
    for (const branch of [...this.#timers.keys()]) this.drop(branch);
  }

  #tell(branch: string): void {
    this.drop(branch);
    this.#told.add(branch);
    this.#options.due(branch);
  }
}
