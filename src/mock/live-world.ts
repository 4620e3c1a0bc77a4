import { ageAt, type ClockState, startClock } from "./clock.ts";
import type { ScenarioName } from "./scenarios.ts";
import { advance, apply, startWorld, type World, type WorldEvent } from "./world.ts";

/** What a world starts from. */
export interface Genesis {
  readonly scenario: ScenarioName;
  readonly seed: number;
  readonly speed: number;
  /** Epoch milliseconds at which time stands still; null for a running clock. */
  readonly frozenAt: number | null;
  /** The real time, epoch milliseconds. */
  readonly now: () => number;
  /** Called with each event before it is applied: what must survive is written down here. */
  readonly record: (event: WorldEvent) => void;
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
  #world: World;
  #age = 0;

  constructor(genesis: Genesis) {
    this.#genesis = genesis;
    const { scenario, seed } = genesis;
    const clock = this.#newClock();
    genesis.record({ type: "world_started", scenario, seed, clock });
    this.#world = startWorld(scenario, seed, clock);
  }

  #newClock(): ClockState {
    const { now, speed, frozenAt } = this.#genesis;
    return startClock(now(), speed, frozenAt);
  }

  /** The real time, epoch milliseconds. */
  real(): number {
    return this.#genesis.now();
  }

  /** The world at this moment, with the orders that have arrived. A call looks once, so that all it does has one date. */
  look(): Moment {
    // Whatever the machine's clock does, the world grows no younger.
    this.#age = Math.max(this.#age, ageAt(this.#world.clock, this.real()));
    advance(this.#world, this.#age);
    return { world: this.#world, age: this.#age, date: this.#world.clock.origin + this.#age };
  }

  /** Records an event, then applies it. */
  commit(event: WorldEvent): void {
    this.#genesis.record(event);
    this.#world = apply(this.#world, event);
  }

  /** Starts again at age 0. */
  restart(scenario: ScenarioName, seed: number): void {
    this.commit({ type: "world_started", scenario, seed, clock: this.#newClock() });
    this.#age = 0;
  }
}
