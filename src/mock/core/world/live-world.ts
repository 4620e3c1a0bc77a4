import { randomUUID } from "node:crypto";
import { computeAge } from "../clock.ts";
import type { Scenario } from "./scenarios.ts";
import { advance, apply, findPassedTime, type World, type WorldEvent } from "./world.ts";

export type WorldStarted = Extract<WorldEvent, { type: "world_started" }>;

/** The events of a world; several processes may share one log. */
export interface EventLog {
  /** Does `work` while no other process can write; its records are durable when this returns, and discarded if it throws. */
  transact<T>(work: () => T): T;
  record(event: WorldEvent): void;
  /** The events of other processes that were not returned here yet. */
  news(): WorldEvent[];
  rewind(): void;
  /** All events of the world, or null when they are not kept or take more than `maxBytes`. */
  events(maxBytes: number): WorldEvent[] | null;
  worldId(): string;
}

/** How many characters of its events a world in memory keeps: a mock that runs for weeks must not grow. */
const maxKept = 16 * 1024 * 1024;

/** An event as a world in memory keeps it: as text, since what it holds may still change, and a million objects slow the garbage collector. */
function serialize(event: WorldEvent): string | null {
  if (event.type === "catalog_applied" && event.outcome.changes.length * 100 > maxKept) return null;
  try {
    return JSON.stringify(event);
  } catch {
    // It is longer than a text can be.
    return null;
  }
}

function openMemoryLog(): EventLog {
  let id = "";
  let size = 0;
  /** Null once they were too many. */
  let kept: string[] | null = [];

  return {
    transact: (work) => work(),
    record: (event) => {
      if (event.type === "world_started") {
        id = randomUUID();
        size = 0;
        kept = [];
      }
      if (!kept) return;

      const text = serialize(event);
      size += text?.length ?? Infinity;
      if (text === null || size > maxKept) kept = null;
      else kept.push(text);
    },
    news: () => [],
    rewind: () => undefined,
    events: () => kept?.map((text) => JSON.parse(text) as WorldEvent) ?? null,
    worldId: () => id,
  };
}

export interface WorldStart {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly speed: number;
  readonly frozenAt: number | null;
  readonly now: () => number;
  /** The beginning of a world that starts now, never the same twice; absent where `now` decides. */
  readonly beginning?: () => number;
  readonly log?: EventLog;
}

export class LiveWorld {
  readonly #start: WorldStart;
  readonly #log: EventLog;
  #world!: World;
  #isTransacting = false;
  #changes = 0;
  /** The start of the world; the log's, where it had one, not the one that was asked for here. */
  started?: WorldStarted;
  /** Each is called after every transaction that changed the world, in this process or another. */
  readonly listeners = new Set<() => void>();

  constructor(start: WorldStart) {
    this.#start = start;
    this.#log = start.log ?? openMemoryLog();
    this.transact(() => {
      if (!this.started) this.#begin(start);
    });
  }

  #begin({ scenario, seed, speed, frozenAt }: Omit<WorldStart, "now">): void {
    const real = this.real();
    const before = this.started?.clock.began ?? -1;
    const began = frozenAt ?? Math.max(this.#start.beginning?.() ?? real, before + 1);
    const clock = {
      began,
      origin: frozenAt ?? real,
      ageAtAnchor: 0,
      realAtAnchor: real,
      speed: frozenAt === null ? speed : 0,
    };
    this.commit({ type: "world_started", scenario, seed, clock });
  }

  /** Identifies this world among all others at the same address: a reset makes a new one. */
  worldId = (): string => this.#log.worldId();
  real = (): number => this.#start.now();

  /** Does `work` atomically: nobody else changes the world meanwhile, and its commits are durable when this returns. */
  transact<T>(work: () => T): T {
    if (this.#isTransacting) return work();

    this.#isTransacting = true;
    const before = this.#changes;
    let result: T;
    try {
      result = this.#log.transact(() => {
        this.#catchUp();
        return work();
      });
    } catch (error) {
      // The log lacks what this applied: the world is built anew from the log.
      if (this.#changes > before) this.#log.rewind();
      throw error;
    } finally {
      this.#isTransacting = false;
    }

    if (this.#changes > before) {
      for (const listener of this.listeners) listener();
    }
    return result;
  }

  /** Its date as far as this process knows, for callers that only need the time. */
  date(): number {
    const { clock, age } = this.#world;
    return clock.origin + Math.max(age, computeAge(clock, this.real()));
  }

  /** The world now. A call looks once, so that all it does has one date (epoch milliseconds). */
  look(): { readonly world: World; readonly age: number; readonly date: number } {
    return this.transact(() => {
      const { clock, age: before } = this.#world;
      // The world never gets younger, whatever the machine's clock does.
      const age = Math.max(before, computeAge(clock, this.real()));
      const passed = findPassedTime(this.#world, age);
      if (passed) this.commit(passed);
      advance(this.#world, age);
      return { world: this.#world, age, date: clock.origin + age };
    });
  }

  commit(event: WorldEvent): void {
    this.transact(() => {
      this.#log.record(event);
      this.#apply(event);
    });
  }

  restart(scenario: Scenario, seed: number): void {
    const { speed = 1, origin = null } = this.started?.clock ?? {};
    this.#begin({ scenario, seed, speed, frozenAt: speed === 0 ? origin : null });
  }

  /** All events of the world, or null when they are not kept or take more than `maxBytes`. */
  events = (maxBytes: number): WorldEvent[] | null => this.transact(() => this.#log.events(maxBytes));

  /** Continues as the world of these events. Throws without any change if one of them cannot be applied. */
  replace(events: readonly WorldEvent[]): void {
    const [started] = events;
    if (started?.type !== "world_started") throw new TypeError("a world begins with its start");
    const world = events.reduce(apply, this.#world);
    this.transact(() => {
      for (const event of events) this.#log.record(event);
      this.#become(world, started);
    });
  }

  #become(world: World, event: WorldEvent): void {
    this.#changes += 1;
    this.#world = world;
    if (event.type === "world_started") this.started = event;
  }

  #apply(event: WorldEvent): void {
    this.#become(apply(this.#world, event), event);
  }

  #catchUp(): void {
    let news = this.#log.news();
    const isLate = (event: WorldEvent): boolean =>
      event.type !== "world_started" && event.age < this.#world.age;

    // Time has brought something here already that this event may change.
    if (news[0]?.type !== "world_started" && news.some(isLate)) {
      this.#log.rewind();
      news = this.#log.news();
    }

    for (const event of news) this.#apply(event);
  }
}
