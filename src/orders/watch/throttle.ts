import type { AttemptRecord } from "../../api/client.ts";
import type { Slowed } from "../../journal/records/watches.ts";
import type { System } from "../../system.ts";

/** Polls of one service under way at the same time: each has a connection. */
const atOnce = 32;
/** A poll that takes longer, or waits to try again, holds up no other. */
const longMs = 20_000;
/** Of a limit on requests that was met, so much is used; then more by this part of the polls that are due, each second. */
const caution = 0.9;
const growth = 0.005;
/** The longer nothing was refused, the faster. */
const calmMs = 10_000;
/** A limit that is tried to exceed for so long is none. */
const noLimit = 1_000;
const leastRate = 0.1;
/** Requests a second that a service takes at least, for all that is known at its first refusal. */
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

  /** One more branch is polled; call what it returns once it is not any more. */
  join(): () => void {
    if (this.#branches === 0) this.#window.at = this.#options.clock.now();
    this.#branches += 1;
    return () => {
      this.#branches -= 1;
    };
  }

  /** Does `work` when it is the branch's turn, and gives it how long that took, in milliseconds. Undefined, without it, where `until` aborts before. */
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

  /** Until it is the branch's turn; false where `until` aborts before. */
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

  /** To be awaited before each request: where the service takes so many a second, until it takes the next one. */
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

  /** Takes note of a request of a branch. */
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
    // By as much wherever there are as many branches: machines that share a limit come to equal parts of it. What has not refused for long may have no limit any more.
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
    // Those that were under way when the first was refused say the same.
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

  /** Of few requests a second, many polls at the same time would each have to wait for all others, again and again. */
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
    // Those that wait to be let in are not held up by one another.
    const noLater = this.#options.clock.later(this.#rate === undefined ? longMs : 3 * longMs, leave);
    this.#running.set(branch, { leave });
    begin();
  }

  /** Half an interval shows whether it can be kept. */
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
    // Where that has just begun, the polls before it do not tell what is needed.
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

  /** Whether its service takes too few polls for the interval. */
  slowed(branch: string): Slowed | undefined {
    const behind = this.#branches.get(branch)?.behind;
    return behind && { ...behind, intervalMs: this.#options.intervalMs };
  }

  /** Takes note of a request of a branch. */
  hear(branch: string, record: AttemptRecord): void {
    this.#branches.get(branch)?.hear(branch, record);
  }
}
