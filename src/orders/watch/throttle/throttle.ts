import type { AttemptRecord } from "../../../api/client.ts";
import type { Slowed } from "../../../journal/records/watches.ts";
import type { System } from "../../../system.ts";
import { type Behind, Lateness } from "./lateness.ts";
import { RequestRate } from "./request-rate.ts";

/** Polls of one service under way at the same time: each has a connection. */
const atOnce = 32;
/** A poll that takes longer, or waits to retry, does not block others. */
const longMs = 20_000;

interface ThrottleOptions {
  clock: Pick<System["clock"], "now" | "sleep" | "later">;
  intervalMs: number;
  /** Once it aborts, nothing waits for its turn. */
  signal: AbortSignal;
  /** Hears how late each poll begins, in milliseconds. */
  lagged: (lagMs: number) => void;
  /** Hears that the interval cannot be kept, and that it can again. */
  tell: (change: Behind | undefined) => void;
}

interface Turn {
  branch: string;
  begin: () => void;
}

interface Running {
  leave: () => void;
}

/**
 * The polls of one service in the order in which they are due: limited in number and in requests per second. If that is too
 * little for the interval, all branches are polled less often, and none before its turn.
 */
export class Throttle {
  readonly #options: ThrottleOptions;
  readonly #queue: Turn[] = [];
  readonly #running = new Map<string, Running>();
  #slots = atOnce;
  #branches = 0;
  readonly #rate: RequestRate;
  readonly #lateness: Lateness;

  constructor(options: ThrottleOptions) {
    this.#options = options;
    this.#rate = new RequestRate(options);
    this.#lateness = new Lateness({ ...options, atOnce });
    options.signal.addEventListener("abort", () => this.#pump(), { once: true });
  }

  /** Why the interval cannot be kept; undefined if it can. */
  get behind(): Behind | undefined {
    return this.#lateness.behind;
  }

  /** Adds a branch; call the returned function when it is no longer polled. */
  join(): () => void {
    if (this.#branches === 0) this.#lateness.restart();
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
    const { refusedAt, perSecond } = this.#rate;
    this.#lateness.began(lagMs, { branches: this.#branches, refusedAt, perSecond });
    const running = this.#running.get(branch);
    try {
      // A process that was suspended did not wait for its turn all the time.
      return await work(Math.min(lagMs, 2 * (this.behind?.everyMs ?? intervalMs)));
    } finally {
      running?.leave();
      if (this.#running.get(branch) === running) this.#running.delete(branch);
      this.#lateness.ended(clock.now() - beganAt);
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
  readonly request = (): Promise<void> => this.#rate.wait();

  /** Notes a request of a branch. */
  hear(branch: string, { status, waitMs }: AttemptRecord): void {
    if (status === 429) {
      // A single branch has nothing to share a limit with: its client waits as it is told.
      if (this.#branches >= 2) this.#rate.refused(waitMs ?? 1_000);
      return;
    }
    if (status !== undefined) {
      this.#rate.answered(this.#branches);
      this.#pump();
    }
    if (waitMs !== undefined) this.#running.get(branch)?.leave();
  }

  #pump(): void {
    const { signal } = this.#options;
    while (this.#queue.length > 0 && (this.#slots > this.#kept || signal.aborted)) {
      const next = this.#queue.shift();
      if (next !== undefined) this.#begin(next);
    }
  }

  /** Slots that stay free: with few requests per second, many concurrent polls would keep waiting for each other. */
  get #kept(): number {
    const { perSecond } = this.#rate;
    return perSecond === undefined ? 0 : Math.max(0, atOnce - 1 - Math.ceil(2 * perSecond));
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
    // Polls that wait for their requests do not block each other.
    const noLater = this.#options.clock.later(
      this.#rate.perSecond === undefined ? longMs : 3 * longMs,
      leave,
    );
    this.#running.set(branch, { leave });
    begin();
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
