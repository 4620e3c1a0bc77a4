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

/** Decides how much each poll reads (`docs/explanation/guarantees.md`, Orders, 3 and 4). Instants are epoch milliseconds of this machine. */
export class PollPlan {
  readonly #intervalMs: number;
  #pollsSinceEveryState = Number.POSITIVE_INFINITY;
  #ahead: number;
  #lastPollAt = Number.NEGATIVE_INFINITY;
  #lastFullAt = Number.NEGATIVE_INFINITY;
  #fullPages = 0;

  /**
   * @param ahead how many polls sooner the second reading of every state comes, so that many branches do not read everything at the same time.
   * @param continued when another process polled last, and how often since it read every state.
   */
  constructor(intervalMs: number, ahead = 0, continued?: { polledAt: number; polls: number }) {
    this.#intervalMs = intervalMs;
    this.#ahead = ahead;
    if (continued === undefined) return;
    this.#lastPollAt = continued.polledAt;
    this.#pollsSinceEveryState = continued.polls;
  }

  /** Returns how much the next poll reads. @param lagMs how late it begins because of other branches: that is no gap. */
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
    // A slow poll leaves no gap: otherwise every poll would read everything and take even longer.
    this.#lastPollAt = endedAt;
    this.#pollsSinceEveryState = scope.everyState ? this.#ahead : this.#pollsSinceEveryState + 1;
    if (scope.everyState) this.#ahead = 0;
    if (!scope.full) return;

    this.#lastFullAt = at;
    this.#fullPages = pages;
  }
}
