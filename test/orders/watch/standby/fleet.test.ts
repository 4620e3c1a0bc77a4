import { expect, it } from "vitest";
import { createClient } from "../../../../src/api/client.ts";
import { JournalOutage } from "../../../../src/delivery/outage.ts";
import { LockLost } from "../../../../src/journal/engine/engine.ts";
import { openSqlite } from "../../../../src/journal/engine/sqlite.ts";
import { Journal } from "../../../../src/journal/journal.ts";
import type { OrderOutput } from "../../../../src/orders/watch/outputs/order-output.ts";
import { watchBranch } from "../../../../src/orders/watch/polling/watch-branch.ts";
import { Standby } from "../../../../src/orders/watch/standby/standby.ts";
import { Throttle } from "../../../../src/orders/watch/throttle/throttle.ts";
import { branchDispatcher, type ModelOrder } from "../../../support/branch-model.ts";
import { eventClock } from "../../../support/event-clock.ts";
import { FleetLocks, LockTable } from "../../../support/fleet-locks.ts";
import { sized } from "../../../support/soak.ts";

const minute = sized(20_000, 60_000);
const start = Date.UTC(2026, 0, 1, 12);
const intervalMs = sized(5_000, 10_000);
const names = Array.from({ length: sized(24, 50) }, (_, n) => `b${n}`);

/** Numbers that look random, and are the same again from the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Branches of one service, and the machines that watch them, in virtual time. */
class Fleet {
  readonly clock = eventClock(start);
  readonly random: () => number;
  readonly table = new LockTable(() => this.clock.now());
  readonly sql = openSqlite(":memory:");
  /** By branch: when it was polled. */
  readonly polls = new Map<string, number[]>(names.map((name) => [name, []]));
  readonly orders: ReadonlyMap<string, ModelOrder[]>;
  /** Orders that an output got. */
  readonly given: string[] = [];
  /** Requests a second that the service takes. */
  limit = Number.POSITIVE_INFINITY;
  refused = 0;
  readonly #second = { at: 0, requests: 0 };

  constructor(seed: number) {
    this.random = randomFrom(seed);
    this.orders = new Map(names.map((name) => [name, this.#ordersOf()]));
  }

  #ordersOf(): ModelOrder[] {
    return Array.from({ length: 3 }, (_, n) => {
      const from = start + Math.floor(this.random() * 12 * minute);
      return { id: n + 1, createdAt: from, appearsAt: from, states: [{ from, state: "pendiente" }] };
    });
  }

  /** Returns how the service fails a request now. */
  fault(): "busy" | undefined {
    const now = this.clock.now();
    if (now - this.#second.at >= 1_000) Object.assign(this.#second, { at: now, requests: 0 });
    this.#second.requests += 1;
    if (this.#second.requests <= this.limit) return undefined;
    this.refused += 1;
    return "busy";
  }

  /** How many branches each machine that lives has. */
  shares(): number[] {
    const living = [...this.table.holders.keys()].filter((id) => this.table.lives(id));
    return living.map((id) => [...this.table.claims.values()].filter(({ holder }) => holder === id).length);
  }

  gapsSince(instant: number): number[] {
    return [...this.polls.values()].flatMap((times) => {
      const late = times.filter((at) => at >= instant);
      return late.slice(1).map((at, n) => at - late[n]!);
    });
  }
}

/** One machine: what `superviseBranch` does with each branch, until it is killed. */
function startMachine(fleet: Fleet, id: string): { stop: () => () => void } {
  const { clock, random } = fleet;
  let halted: Promise<void> | undefined;
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    await clock.sleep(ms, signal);
    await halted;
  };
  const own = { now: clock.now, sleep, later: clock.later };
  const { signal } = new AbortController();
  const locks = new FleetLocks(id, fleet.table, fleet.sql);
  const journal = new Journal(fleet.sql, locks);
  const fail = (): never => expect.unreachable("this journal is always there");
  const outage = new JournalOutage({ clock: own, maxMs: intervalMs, began: fail, ended: fail, signal });
  const quiet = { changed: () => undefined, tell: () => Promise.resolve() };
  const standby = new Standby({ system: { clock: own, host: id, random }, outage, signal, ...quiet });
  const throttle = new Throttle({
    clock: own,
    intervalMs,
    signal,
    lagged: () => undefined,
    tell: () => undefined,
  });

  const watch = async (branch: string): Promise<void> => {
    const { dispatcher } = branchDispatcher(fleet.orders.get(branch)!, {
      now: clock.now,
      fault() {
        const holder = fleet.table.claims.get(`watch ${branch} default`)?.holder;
        // A request of one that stood still may have been on its way.
        if (halted === undefined) expect(holder, `${branch} has two`).toBe(id);
        return fleet.fault();
      },
    });
    const addresses = { baseUrl: "http://model.test", campaignsBaseUrl: "", apiKey: "k" };
    const client = createClient({
      ...{ ...addresses, clock: own, random, dispatcher },
      onAttempt: (record) => throttle.hear(branch, record),
    });
    const lock = { work: "watch", branch, consumer: "default" } as const;
    const output: OrderOutput = {
      name: "stdout",
      changes: "all",
      deliver({ order }) {
        fleet.given.push(`${branch} ${String(order.order_id)}`);
        return Promise.resolve(undefined);
      },
    };
    for (let watchId = 0; ; ) {
      const taken = await standby.wait(branch, journal, lock);
      if (taken === undefined) return;
      const leaving = standby.leaving(branch);
      const watching = watchBranch({
        ...{
          client,
          clock: own,
          random,
          serviceNow: clock.now,
          worldNow: clock.now,
          journal: taken.journal,
          outage,
          throttle,
          leaving,
        },
        ...{
          branch,
          branchId: () => branch,
          consumer: "default",
          intervalMs,
          spreadMs: 50,
          signal: AbortSignal.any([signal]),
        },
        ...{ once: false, skipExisting: false, outputs: [output], isTakenOver: taken.from !== "nobody" },
        progress: taken.progress && { branch, known: taken.progress },
        firstPauseMs: () => random() * (taken.from === "gone" ? 2_000 : intervalMs),
        async tell(notice) {
          if (notice.event === "opened") watchId = notice.watchId;
          if (notice.event !== "polled") return;
          fleet.polls.get(branch)!.push(clock.now());
          const note = { watchId, name: branch, state: "ok", since: start, polledAt: clock.now() } as const;
          await journal.watches.noteAll([note]);
        },
        quarantine: () => expect.unreachable("every order of the model has an id"),
      });
      const lost = await watching.then(
        () => undefined,
        (error: unknown) => error,
      );
      if (lost instanceof LockLost) {
        standby.standBy(branch, lost.facts);
        continue;
      }
      expect(lost ?? leaving?.aborted).toBe(true);
      await taken.journal.release().catch(() => undefined);
      standby.release(branch);
    }
  };
  const renew = async (): Promise<void> => {
    for (;;) {
      await sleep(1_000);
      locks.renew();
    }
  };
  void renew();
  for (const branch of names) void watch(branch);
  return {
    /** It stands still until what this returns is called: what is never called kills it. */
    stop() {
      let goOn = (): void => undefined;
      halted = new Promise((resolve) => {
        goOn = resolve;
      });
      return goOn;
    },
  };
}

const isEven = (shares: readonly number[]): boolean => {
  const share = names.length / shares.length;
  return shares.every((each) => Math.abs(each - share) <= Math.max(1, share / 10));
};

it.each(Array.from({ length: sized(1, 20) }, (_, n) => n + 1))(
  "three machines share the branches of a strict service, and lose nothing (seed %i)",
  async (seed) => {
    const fleet = new Fleet(seed);
    const { clock } = fleet;
    startMachine(fleet, "one");
    const second = startMachine(fleet, "two");
    await clock.until(start + minute);
    expect(fleet.shares()).toEqual([names.length / 2, names.length / 2]);

    const third = startMachine(fleet, "three");
    await clock.until(start + 1.5 * minute);
    expect(fleet.shares().length === 3 && isEven(fleet.shares()), String(fleet.shares())).toBe(true);

    // A third of what all branches ask for.
    fleet.limit = 3;
    await clock.until(start + 4 * minute);
    const settled = clock.now();
    fleet.refused = 0;
    await clock.until(start + 7 * minute);
    const gaps = fleet.gapsSince(settled);
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    expect(gaps.length).toBeGreaterThan(names.length);
    for (const times of fleet.polls.values()) expect(times.at(-1)).toBeGreaterThan(clock.now() - 3.5 * mean);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0.9 * intervalMs);
    expect(Math.max(...gaps) / mean).toBeLessThan(3.5);
    expect(fleet.refused).toBeLessThan((clock.now() - settled) / 1_000);

    fleet.limit = Number.POSITIVE_INFINITY;
    await clock.until(start + 11 * minute);
    const owned = [...fleet.table.claims].flatMap(([name, { holder }]) =>
      holder === "three" ? [name.split(" ")[1]!] : [],
    );
    third.stop();
    const killedAt = clock.now();
    await clock.until(killedAt + 10_000);
    for (const branch of owned) expect(fleet.polls.get(branch)!.at(-1), branch).toBeGreaterThan(killedAt);
    expect(isEven(fleet.shares())).toBe(true);

    const goOn = second.stop();
    await clock.until(clock.now() + 5_500);
    expect(fleet.shares()).toEqual([names.length]);
    goOn();
    // Most of what was its own is not due to be polled yet.
    await clock.until(clock.now() + 3_000);
    expect(isEven(fleet.shares()), String(fleet.shares())).toBe(true);

    await clock.until(start + 13 * minute);
    const all = [...fleet.orders].flatMap(([branch, orders]) => orders.map(({ id }) => `${branch} ${id}`));
    expect(fleet.given.toSorted()).toEqual(all.sort());
  },
  120_000,
);
