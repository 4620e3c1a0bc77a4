/** How much one poll reads. */
interface PollScope {
  /** Whether it reads all of pendiente, and not only what is recent. */
  full: boolean;
  /** Whether it reads the seven other states too. */
  everyState: boolean;
}

const maxScanPages = 10;
const fullScanEveryMs = 15 * 60_000;
export const everyStatePolls = 10;

/** Which poll reads how much (`docs/guarantees.md`, Orders, 3 and 4); instants are of this machine, epoch milliseconds. */
export class PollPlan {
  readonly #intervalMs: number;
  #pollsSinceEveryState = Number.POSITIVE_INFINITY;
  #ahead: number;
  #lastPollAt = Number.NEGATIVE_INFINITY;
  #lastFullAt = Number.NEGATIVE_INFINITY;
  #fullPages = 0;

  /**
   * @param ahead by how many polls the second of every state comes sooner: of many branches, not all are to read everything at the same time.
   * @param continued what another process polled until now: when, and how often since it read every state.
   */
  constructor(intervalMs: number, ahead = 0, continued?: { polledAt: number; polls: number }) {
    this.#intervalMs = intervalMs;
    this.#ahead = ahead;
    if (continued === undefined) return;
    this.#lastPollAt = continued.polledAt;
    this.#pollsSinceEveryState = continued.polls;
  }

  /** @param lagMs how much later than its interval it begins: where all branches wait for their turns, none has a gap. */
  next(now: number, lagMs = 0): PollScope {
    // After the clock was set back, the elapsed time is unknown.
    const sinceFull = now >= this.#lastFullAt ? now - this.#lastFullAt : Number.POSITIVE_INFINITY;
    const gap = Math.abs(now - this.#lastPollAt) - lagMs;
    return {
      // The next poll may come a tenth later than the interval says.
      full: this.#fullPages <= maxScanPages || sinceFull + this.#intervalMs * 1.1 >= fullScanEveryMs,
      everyState: this.#pollsSinceEveryState + 1 >= everyStatePolls || gap > 2 * this.#intervalMs,
    };
  }

  /** Counts a poll that read everything planned; after a failed one, everything stays due. */
  done(scope: PollScope, { at, endedAt = at, pages }: { at: number; endedAt?: number; pages: number }): void {
    // One that takes long leaves no gap behind it: else each would read everything, and take longer still.
    this.#lastPollAt = endedAt;
    this.#pollsSinceEveryState = scope.everyState ? this.#ahead : this.#pollsSinceEveryState + 1;
    if (scope.everyState) this.#ahead = 0;
    if (!scope.full) return;

    this.#lastFullAt = at;
    this.#fullPages = pages;
  }
}
