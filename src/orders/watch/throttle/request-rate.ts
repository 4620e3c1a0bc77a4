import type { System } from "../../../system.ts";

/** The part of a limit on requests that is used after a refusal; then, each second, more by this part of the due polls. */
const caution = 0.9;
const growth = 0.005;
/** The rate grows faster for each such time without a refusal. */
const calmMs = 10_000;
/** A rate above this is no longer a limit. */
const noLimit = 1_000;
const leastRate = 0.1;
/** The rate, in requests a second, that a service is assumed to take at its first refusal. */
const leastTaken = 8;

interface RateOptions {
  clock: Pick<System["clock"], "now" | "sleep">;
  intervalMs: number;
  /** Once it aborts, no request waits. */
  signal: AbortSignal;
}

/** How many requests a second a service takes, and the requests that wait for that. */
export class RequestRate {
  readonly #options: RateOptions;
  #perSecond: number | undefined;
  /** When the rate changed last. Instants are epoch milliseconds. */
  #changedAt = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;
  /** The answers of this second and of the one before. */
  #second = { at: 0, answers: 0, before: 0 };
  /** The requests that wait to leave, and when the next one may. */
  readonly #waiting: (() => void)[] = [];
  #nextAt = Number.NEGATIVE_INFINITY;
  #isSpacing = false;

  constructor(options: RateOptions) {
    this.#options = options;
  }

  /** Requests a second; undefined while the service has refused none. */
  get perSecond(): number | undefined {
    return this.#perSecond;
  }

  /** When the service last refused a request because of their number. */
  get refusedAt(): number {
    return this.#refusedAt;
  }

  /** Resolves when the next request may leave: immediately, unless the service limits requests per second. */
  async wait(): Promise<void> {
    if (this.#perSecond === undefined && this.#waiting.length === 0) return;
    const turn = new Promise<void>((leave) => this.#waiting.push(leave));
    if (!this.#isSpacing) void this.#space();
    await turn;
  }

  /** Notes an answer of the service, which has so many branches. */
  answered(branches: number): void {
    const now = this.#options.clock.now();
    if (Math.abs(now - this.#second.at) >= 1_000)
      this.#second = { at: now, answers: 0, before: this.#second.answers };
    this.#second.answers += 1;
    if (this.#perSecond === undefined) return;

    // The same step for the same number of branches: machines that share a limit converge to equal parts. A service that has not
    // refused for long may no longer have a limit.
    const due = 1 + (branches * 1_000) / this.#options.intervalMs;
    const faster = Math.max(1, Math.abs(now - this.#refusedAt) / calmMs);
    const sinceMs = Math.min(1_000, Math.abs(now - this.#changedAt));
    this.#perSecond += (growth * due * faster * sinceMs) / 1_000;
    this.#changedAt = now;
    if (this.#perSecond > noLimit) this.#perSecond = undefined;
  }

  /** Notes that the service refused a request, and for how long it asks to wait. */
  refused(waitMs: number): void {
    const now = this.#options.clock.now();
    const pauseMs = Math.min(waitMs, this.#options.intervalMs);
    this.#nextAt = Math.max(this.#nextAt, now + pauseMs);
    // Requests that were under way at the first refusal are refused for the same reason.
    const isSame = Math.abs(now - this.#refusedAt) < Math.max(1_000, pauseMs);
    if (isSame) return;

    this.#refusedAt = now;
    const taken = Math.max(leastTaken, this.#second.before, this.#second.answers);
    this.#perSecond = Math.max(leastRate, caution * (this.#perSecond ?? taken));
    this.#changedAt = now;
  }

  async #space(): Promise<void> {
    const { clock, intervalMs, signal } = this.#options;
    this.#isSpacing = true;
    while (this.#waiting.length > 0) {
      let waitMs = this.#nextAt - clock.now();
      // Further ahead than any pause: the clock was set back.
      if (waitMs > intervalMs + 1_000 / leastRate) waitMs = 0;
      if (waitMs > 0 && !signal.aborted) {
        await clock.sleep(waitMs, signal);
        continue;
      }
      this.#nextAt = clock.now() + (this.#perSecond === undefined ? 0 : 1_000 / this.#perSecond);
      this.#waiting.shift()?.();
    }
    this.#isSpacing = false;
  }
}
