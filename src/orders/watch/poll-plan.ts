/** What a poll reads. */
export interface Poll {
  /** All of pendiente, and not only what is recent. */
  full: boolean;
  /** The seven other states too. */
  everyState: boolean;
}

/** Beyond this many pages a full sweep is too long for every poll. */
const longSweepPages = 10;
const fullSweepEveryMs = 15 * 60_000;
const lookEveryPolls = 10;

/**
 * Which poll reads how much (`flows.md`, "orders watch", 3 and 4). All instants are epoch milliseconds of this machine: they
 * only tell how long ago something was, never what is new.
 */
export class PollPlan {
  readonly #intervalMs: number;
  #pollsSinceLook = Number.POSITIVE_INFINITY;
  #lastPollAt = Number.NEGATIVE_INFINITY;
  #lastFullAt = Number.NEGATIVE_INFINITY;
  #fullPages = 0;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  next(now: number): Poll {
    const long = this.#fullPages > longSweepPages;
    // A clock that was set back says nothing about how long ago it was.
    const sinceFull = now >= this.#lastFullAt ? now - this.#lastFullAt : Number.POSITIVE_INFINITY;
    const gap = Math.abs(now - this.#lastPollAt);
    return {
      // The next poll may come a tenth later than the interval says.
      full: !long || sinceFull + this.#intervalMs * 1.1 >= fullSweepEveryMs,
      everyState: this.#pollsSinceLook + 1 >= lookEveryPolls || gap > 2 * this.#intervalMs,
    };
  }

  /** Counts a poll that read all it was to read; one that failed leaves what was due still due. */
  done(poll: Poll, { at, pages }: { at: number; pages: number }): void {
    this.#lastPollAt = at;
    this.#pollsSinceLook = poll.everyState ? 0 : this.#pollsSinceLook + 1;
    if (!poll.full) return;
    this.#lastFullAt = at;
    this.#fullPages = pages;
  }
}
