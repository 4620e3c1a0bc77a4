import type { AttemptRecord } from "../../api/client.ts";
import type { Slowed } from "../../journal/records/watches.ts";
import type { System } from "../../system.ts";

/** Polls of one service under way at the same time: each has a connection. */
const atOnce = 32;
/** A poll that takes longer, or waits to try again, holds up no other. */
const longMs = 20_000;
/** The part of a limit on requests that is used after a refusal; then, each second, more by this part of the due polls. */
const caution = 0.9;
const growth = 0.005;
/** The rate grows faster for each such time without a refusal. */
const calmMs = 10_000;
/** A rate above this is no limit any more. */
const noLimit = 1_000;
const leastRate = 0.1;
/** The rate, in requests a second, that a service is assumed to take at its first refusal. */
const leastTaken = 8;

interface ThrottleOptions {
  clock: Pick<System["clock"], "now" | "sleep" | "later">;
  intervalMs: number;
  /** Once it aborts, nothing waits for its turn any more. */
  signal: AbortSignal;
  /** Hears how late each poll begins, in milliseconds. */
  lagged: (lagMs: number) => void;
  /** Hears that the interval cannot be kept, and that it can again. */
  tell: (change: Behind | undefined) => void;
}

/** Why the interval cannot be kept, as of some seconds ago. */
export interface Behind {
  /** Epoch milliseconds. */
  since: number;
  branches: number;
  /** How often each branch is polled, in milliseconds. */
  everyMs: number;
  /** How many polls at once would keep the interval, and how many are made; undefined where the service refuses more requests. */
  atOnce: { needed: number; made: number } | undefined;
  /** How many requests a second it takes, where it refuses more. */
  perSecond: number | undefined;
}

interface Turn {
  branch: string;
  begin: () => void;
}

interface Running {
  leave: () => void;
}

/**
 * The polls of one service, in the sequence in which they are due: so many at once, and no more requests a second than it takes. Where that is too
 * little for the interval, all branches are polled less often, and none before its turn.
 */
export class Throttle {
  readonly #options: ThrottleOptions;
  readonly #queue: Turn[] = [];
  readonly #running = new Map<string, Running>();
  #slots = atOnce;
  #branches = 0;
  /** Requests a second; undefined while the service has refused none. */
  #rate: number | undefined;
  #rateAt = 0;
  /** Those that wait to leave, and when the next one may. */
  readonly #requests: (() => void)[] = [];
  #isSpacing = false;
  #nextAt = Number.NEGATIVE_INFINITY;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #second = { at: 0, answers: 0, before: 0 };
  #window = { at: 0, begun: 0, ended: 0, tookMs: 0, lagMs: 0 };
  #isLate = false;
  #behind: Behind | undefined;

  constructor(options: ThrottleOptions) {
    this.#options = options;
    this.#window.at = options.clock.now();
    options.signal.addEventListener("abort", () => this.#pump(), { once: true });
  }

  get behind(): Behind | undefined {
    return this.#behind;
  }

  /** Adds a branch; call the returned function once it is polled no more. */
  join(): () => void {
    if (this.#branches === 0) this.#window.at = this.#options.clock.now();
    this.#branches += 1;
    return () => {
      this.#branches -= 1;
    };
  }

  /**
   * Does `work` when it is the branch's turn, with the milliseconds that it waited for that. Returns undefined, without the work, if
   * `until` aborts before.
   */
  async turn<T>(
    branch: string,
    work: (lagMs: number) => Promise<T>,
    until: AbortSignal,
  ): Promise<T | undefined> {
    const { clock, intervalMs, lagged } = this.#options;
    const dueAt = clock.now();
    if (!(await this.#wait(branch, until))) return undefined;
    const beganAt = clock.now();
    const lagMs = Math.max(0, beganAt - dueAt);
    lagged(lagMs);
    this.#window.lagMs += lagMs;
    this.#window.begun += 1;
    this.#judge();
    const running = this.#running.get(branch);
    try {
      // A process that was suspended did not wait for its turn all the time.
      return await work(Math.min(lagMs, 2 * (this.#behind?.everyMs ?? intervalMs)));
    } finally {
      running?.leave();
      if (this.#running.get(branch) === running) this.#running.delete(branch);
      this.#window.ended += 1;
      this.#window.tookMs += clock.now() - beganAt;
    }
  }

  /** Waits for the branch's turn; resolves with false if `until` aborts before. */
  #wait(branch: string, until: AbortSignal): Promise<boolean> {
    if (until.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (isTurn: boolean): void => {
        until.removeEventListener("abort", leave);
        resolve(isTurn);
      };
      const turn = { branch, begin: () => settle(true) };
      const leave = (): void => {
        this.#queue.splice(this.#queue.indexOf(turn), 1);
        settle(false);
      };
      this.#queue.push(turn);
      until.addEventListener("abort", leave);
      this.#pump();
    });
  }

  /** Resolves when the next request may leave: at once, unless the service takes only so many a second. */
  readonly request = async (): Promise<void> => {
    if (this.#rate === undefined && this.#requests.length === 0) return;
    const turn = new Promise<void>((leave) => this.#requests.push(leave));
    if (!this.#isSpacing) void this.#space();
    await turn;
  };

  async #space(): Promise<void> {
    const { clock, intervalMs, signal } = this.#options;
    this.#isSpacing = true;
    while (this.#requests.length > 0) {
      let waitMs = this.#nextAt - clock.now();
      // Further ahead than any pause: the clock was set back.
      if (waitMs > intervalMs + 1_000 / leastRate) waitMs = 0;
      if (waitMs > 0 && !signal.aborted) {
        await clock.sleep(waitMs, signal);
        continue;
      }
      this.#nextAt = clock.now() + (this.#rate === undefined ? 0 : 1_000 / this.#rate);
      this.#requests.shift()?.();
    }
    this.#isSpacing = false;
  }

  /** Notes a request of a branch. */
  hear(branch: string, { status, waitMs }: AttemptRecord): void {
    const now = this.#options.clock.now();
    if (status === 429) {
      this.#refused(now, waitMs ?? 1_000);
      return;
    }
    if (status !== undefined) this.#answered(now);
    if (waitMs !== undefined) this.#running.get(branch)?.leave();
  }

  #answered(now: number): void {
    if (Math.abs(now - this.#second.at) >= 1_000)
      this.#second = { at: now, answers: 0, before: this.#second.answers };
    this.#second.answers += 1;
    if (this.#rate === undefined) return;
    // The same step for the same number of branches: machines that share a limit come to equal parts of it. A service that has not
    // refused for long may have no limit any more.
    const due = 1 + (this.#branches * 1_000) / this.#options.intervalMs;
    const faster = Math.max(1, Math.abs(now - this.#refusedAt) / calmMs);
    this.#rate += (growth * due * faster * Math.min(1_000, Math.abs(now - this.#rateAt))) / 1_000;
    this.#rateAt = now;
    if (this.#rate > noLimit) this.#rate = undefined;
    this.#pump();
  }

  #refused(now: number, waitMs: number): void {
    // A single branch has nothing to share a limit with: its client waits as it is told.
    if (this.#branches < 2) return;
    const pauseMs = Math.min(waitMs, this.#options.intervalMs);
    this.#nextAt = Math.max(this.#nextAt, now + pauseMs);
    // Requests that were under way at the first refusal are refused for the same reason.
    const isSame = Math.abs(now - this.#refusedAt) < Math.max(1_000, pauseMs);
    if (isSame) return;
    this.#refusedAt = now;
    const taken = Math.max(leastTaken, this.#second.before, this.#second.answers);
    this.#rate = Math.max(leastRate, caution * (this.#rate ?? taken));
    this.#rateAt = now;
  }

  #pump(): void {
    const { signal } = this.#options;
    while (this.#queue.length > 0 && (this.#slots > this.#kept || signal.aborted)) {
      const next = this.#queue.shift();
      if (next !== undefined) this.#begin(next);
    }
  }

  /** Slots that stay free: with few requests a second, many polls at the same time would all wait for each other, again and again. */
  get #kept(): number {
    return this.#rate === undefined ? 0 : Math.max(0, atOnce - 1 - Math.ceil(2 * this.#rate));
  }

  #begin({ branch, begin }: Turn): void {
    this.#slots -= 1;
    let isOver = false;
    const leave = (): void => {
      if (isOver) return;
      isOver = true;
      noLater();
      this.#slots += 1;
      this.#pump();
    };
    // Polls that wait for their requests do not hold up each other.
    const noLater = this.#options.clock.later(this.#rate === undefined ? longMs : 3 * longMs, leave);
    this.#running.set(branch, { leave });
    begin();
  }

  /** Judges every half interval whether the interval can be kept. */
  #judge(): void {
    const { clock, intervalMs, tell } = this.#options;
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
    const since = this.#behind?.since ?? now;
    const isStrict = now - this.#refusedAt < 2 * intervalMs;
    this.#behind = isLate
      ? {
          since,
          branches: this.#branches,
          everyMs: Math.max(intervalMs, (passedMs * this.#branches) / begun),
          atOnce: isStrict
            ? undefined
            : {
                needed: Math.ceil((this.#branches * tookMs) / Math.max(1, ended) / intervalMs),
                made: atOnce,
              },
          perSecond: isStrict ? this.#rate : undefined,
        }
      : undefined;
    if (isLate !== wasBehind) tell(this.#behind);
  }
}

/** A throttle for each service, by its origin. */
export class Throttles {
  readonly #options: Omit<ThrottleOptions, "tell">;
  #tell: ThrottleOptions["tell"] = () => undefined;
  readonly #services = new Map<string, Throttle>();
  readonly #branches = new Map<string, Throttle>();

  constructor(options: Omit<ThrottleOptions, "tell">) {
    this.#options = options;
  }

  /** From here on `tell` hears that the interval cannot be kept, and that it can again. */
  listen(tell: ThrottleOptions["tell"]): void {
    this.#tell = tell;
  }

  /** Returns the throttle of a branch, whose service is at this address. */
  of(branch: string, address: string | undefined): Throttle {
    const origin = address !== undefined && URL.canParse(address) ? new URL(address).origin : "";
    const tell: ThrottleOptions["tell"] = (change) => this.#tell(change);
    const throttle = this.#services.get(origin) ?? new Throttle({ ...this.#options, tell });
    this.#services.set(origin, throttle);
    this.#branches.set(branch, throttle);
    return throttle;
  }

  /** Returns how often a branch is polled, if its service takes too few polls for the interval. */
  slowed(branch: string): Slowed | undefined {
    const behind = this.#branches.get(branch)?.behind;
    return behind && { ...behind, intervalMs: this.#options.intervalMs };
  }

  /** Notes a request of a branch. */
  hear(branch: string, record: AttemptRecord): void {
    this.#branches.get(branch)?.hear(branch, record);
  }
}
