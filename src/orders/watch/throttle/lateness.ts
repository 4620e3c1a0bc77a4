import type { System } from "../../../system.ts";

/** Why the interval cannot be kept, as of some seconds ago. */
export interface Behind {
  /** Epoch milliseconds. */
  since: number;
  branches: number;
  /** How often each branch is polled, in milliseconds. */
  everyMs: number;
  /** How many polls at once would keep the interval, and how many are made; undefined if the service refuses more requests. */
  atOnce: { needed: number; made: number } | undefined;
  /** How many requests a second the service takes, if it refuses more. */
  perSecond: number | undefined;
}

interface LatenessOptions {
  clock: Pick<System["clock"], "now">;
  intervalMs: number;
  /** How many polls are made at once. */
  atOnce: number;
  /** Hears that the interval cannot be kept, and that it can again. */
  tell: (change: Behind | undefined) => void;
}

/** The service at this moment: how many branches it has, and what it takes. */
interface Load {
  branches: number;
  refusedAt: number;
  perSecond: number | undefined;
}

/** How late the polls of a service begin, judged over half an interval. */
export class Lateness {
  readonly #options: LatenessOptions;
  #window = { at: 0, begun: 0, ended: 0, tookMs: 0, lagMs: 0 };
  #isLate = false;
  #behind: Behind | undefined;

  constructor(options: LatenessOptions) {
    this.#options = options;
    this.restart();
  }

  /** Why the interval cannot be kept; undefined if it can. */
  get behind(): Behind | undefined {
    return this.#behind;
  }

  /** Begins the half interval anew. */
  restart(): void {
    this.#window.at = this.#options.clock.now();
  }

  /** Notes how late a poll begins, in milliseconds. */
  began(lagMs: number, load: Load): void {
    this.#window.lagMs += lagMs;
    this.#window.begun += 1;
    this.#judge(load);
  }

  /** Notes how long a poll took, in milliseconds. */
  ended(tookMs: number): void {
    this.#window.ended += 1;
    this.#window.tookMs += tookMs;
  }

  #judge({ branches, refusedAt, perSecond }: Load): void {
    const { clock, intervalMs, atOnce, tell } = this.#options;
    const { at, begun, ended, tookMs, lagMs } = this.#window;
    const now = clock.now();
    const passedMs = Math.abs(now - at);
    if (passedMs < intervalMs / 2) return;

    this.#window = { at: now, begun: 0, ended: 0, tookMs: 0, lagMs: 0 };
    const isLate = lagMs / begun > intervalMs / 10;
    const wasLate = this.#isLate;
    this.#isLate = isLate;
    // If that has just begun, the polls before it do not show how many are needed.
    if (isLate && !wasLate) return;

    const wasBehind = this.#behind !== undefined;
    const isRefused = now - refusedAt < 2 * intervalMs;
    const needed = Math.ceil((branches * tookMs) / Math.max(1, ended) / intervalMs);
    this.#behind = isLate
      ? {
          since: this.#behind?.since ?? now,
          branches,
          everyMs: Math.max(intervalMs, (passedMs * branches) / begun),
          atOnce: isRefused ? undefined : { needed, made: atOnce },
          perSecond: isRefused ? perSecond : undefined,
        }
      : undefined;
    if (isLate !== wasBehind) tell(this.#behind);
  }
}
