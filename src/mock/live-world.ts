import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { ageAt, startClock } from "./clock.ts";
import type { Scenario } from "./scenarios.ts";
import { advance, apply, timePassed, type World, type WorldEvent } from "./world.ts";

/** The event that a world begins with. */
export type WorldStarted = Extract<WorldEvent, { type: "world_started" }>;

/** The events of a world that several processes may hold at once. */
export interface SharedLog {
  /** Does `work` while no other process can write; what it recorded is durable when this returns, and gone when it throws. */
  transact<T>(work: () => T): T;
  /** Writes an event down; inside `transact` only. */
  record(event: WorldEvent): void;
  /** The events that were neither recorded nor handed out here yet: those of others. */
  news(): WorldEvent[];
  /** Lets `news` begin at the first event again. */
  rewind(): void;
  /** Another one for each world that begins. */
  worldId(): string;
}

/** What a world starts from. */
export interface Genesis {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly speed: number;
  /** Epoch milliseconds at which time stands still; null for a running clock. */
  readonly frozenAt: number | null;
  /** The real time, epoch milliseconds. */
  readonly now: () => number;
  /** The beginning of a world that starts now, never the same twice; absent where `now` decides. */
  readonly beginning?: () => number;
  /** Called with each event before it is applied. */
  readonly record?: (event: WorldEvent) => void;
  /** Where the world is kept; absent for a world that ends with its process. */
  readonly shared?: SharedLog;
  /** Throws when a world that is there already is not the one that was asked for. */
  readonly admit?: (started: WorldStarted) => void;
}

/** A world at one moment of its life. */
interface Moment {
  readonly world: World;
  /** Milliseconds lived. */
  readonly age: number;
  /** Epoch milliseconds. */
  readonly date: number;
}

/** A world that lives: it knows what time it is, and takes events. */
export class LiveWorld {
  readonly #genesis: Genesis;
  readonly #listeners: ((event: WorldEvent) => void)[] = [];
  /** Events that the listeners have not heard of, because they may not be in the log. */
  #untold: WorldEvent[] = [];
  #world!: World;
  #started: WorldStarted | undefined;
  /** The beginning that the listeners know of. */
  #toldStarted: WorldStarted | undefined;
  /** The world's age when a look last found that time had changed something. */
  #changeAge = 0;
  #transacting = false;
  /** True while events are applied that may not be in the log. */
  #astray = false;
  /** Of a world that ends with this process. */
  #ownId = "";

  constructor(genesis: Genesis) {
    this.#genesis = genesis;
    const { scenario, seed, speed } = genesis;
    this.transact(() => {
      if (this.#started) {
        genesis.admit?.(this.#started);
        return;
      }
      this.#begin(scenario, seed, speed, genesis.frozenAt);
    });
  }

  #begin(scenario: Scenario, seed: number, speed: number, frozenAt: number | null): void {
    const real = this.real();
    const before = this.#started?.clock.began ?? -1;
    const began = frozenAt ?? Math.max(this.#genesis.beginning?.() ?? real, before + 1);
    const clock = startClock(real, speed, { frozenAt, began });
    this.commit({ type: "world_started", scenario, seed, clock });
  }

  /** Tells this world from every other that was or will be at the same address: a reset makes another one. */
  worldId(): string {
    return this.#genesis.shared?.worldId() ?? this.#ownId;
  }

  /** The real time, epoch milliseconds. */
  real(): number {
    return this.#genesis.now();
  }

  /**
   * Does `work`, which may look and commit, as a whole: nobody else changes the world meanwhile, and when this returns
   * what was committed is durable. Waits for nothing but another process.
   */
  transact<T>(work: () => T): T {
    const { shared } = this.#genesis;
    if (!shared || this.#transacting) return work();
    try {
      const result = shared.transact(() => {
        this.#transacting = true;
        this.#catchUp();
        return work();
      });
      this.#astray = false;
      this.#transacting = false;
      this.#tell(this.#untold.splice(0));
      return result;
    } finally {
      this.#transacting = false;
      this.#untold = [];
    }
  }

  /** The world at this moment, with the orders that have arrived. A call looks once, so that all it does has one date. */
  look(): Moment {
    if (!this.#genesis.shared || this.#transacting) return this.#look();
    this.#catchUp();
    if (timePassed(this.#world, this.#ageNow()) === null) {
      const changedAt = this.#changeAge;
      const moment = this.#look();
      if (this.#changeAge === changedAt) return moment;
    }
    // Another process may be about to commit something older than what time has just brought here: wait for it.
    return this.transact(() => this.#look());
  }

  #ageNow(): number {
    // Whatever the machine's clock does, the world grows no younger.
    return Math.max(this.#world.age, ageAt(this.#world.clock, this.real()));
  }

  #look(): Moment {
    const age = this.#ageNow();
    const passed = timePassed(this.#world, age);
    if (passed) this.commit(passed);
    const { version } = this.#world.book;
    advance(this.#world, age);
    if (this.#world.book.version !== version) this.#changeAge = age;
    return { world: this.#world, age, date: this.#world.clock.origin + age };
  }

  /**
   * Calls back after each event, of other processes too, once they are heard of; a listener may look at the world only
   * when its caller is done with it.
   */
  subscribe(listener: (event: WorldEvent) => void): void {
    this.#listeners.push(listener);
  }

  /** Records an event, then applies it. */
  commit(event: WorldEvent): void {
    const { record, shared } = this.#genesis;
    if (shared && !this.#transacting) {
      this.transact(() => this.commit(event));
      return;
    }
    record?.(event);
    shared?.record(event);
    this.#astray = true;
    this.#apply(event);
    if (shared) this.#untold.push(event);
    else this.#tell([event]);
  }

  #tell(events: readonly WorldEvent[]): void {
    for (const event of events) {
      if (event.type === "world_started") this.#toldStarted = event;
      for (const listener of this.#listeners) listener(event);
    }
  }

  /** Starts again at age 0, with the clock that it was started with. */
  restart(scenario: Scenario, seed: number): void {
    const { speed = 1, origin } = this.#started?.clock ?? {};
    this.#begin(scenario, seed, speed, speed === 0 ? (origin ?? null) : null);
  }

  #apply(event: WorldEvent): void {
    this.#world = apply(this.#world, event);
    if (event.type !== "world_started") return;
    this.#started = event;
    this.#ownId = randomUUID();
    this.#changeAge = 0;
  }

  /** Applies what other processes have committed. */
  #catchUp(): void {
    const { shared } = this.#genesis;
    if (!shared) return;
    if (this.#astray) shared.rewind();
    let news = shared.news();
    const isLate = (event: WorldEvent): boolean =>
      event.type !== "world_started" && event.age < this.#changeAge;
    if (news[0]?.type !== "world_started" && news.some(isLate)) {
      shared.rewind();
      news = shared.news();
    }
    if (news.length === 0) return;
    this.#astray = true;
    for (const event of news) this.#apply(event);
    this.#astray = false;
    // Built up again from its beginning, it is the same world: nobody is told that another one began.
    this.#tell(isDeepStrictEqual(news[0], this.#toldStarted) ? news.slice(1) : news);
  }
}
