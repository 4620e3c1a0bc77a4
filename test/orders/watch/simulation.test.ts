import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createClient } from "../../../src/api/client.ts";
import type { Runtime } from "../../../src/cli/runtime.ts";
import { JournalOutage } from "../../../src/delivery/outage.ts";
import { BposError, isReason } from "../../../src/errors.ts";
import { openSqlite } from "../../../src/journal/engine/sqlite.ts";
import { Journal } from "../../../src/journal/journal.ts";
import { FileLocks } from "../../../src/journal/locks/lock-files.ts";
import type { WatchNotice } from "../../../src/orders/watch/events.ts";
import { Health } from "../../../src/orders/watch/health/health.ts";
import { Ping } from "../../../src/orders/watch/health/ping.ts";
import type { OrderOutput } from "../../../src/orders/watch/outputs/order-output.ts";
import { watchBranch } from "../../../src/orders/watch/polling/watch-branch.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { branchDispatcher, type ModelOrder, stateAt, totalAt } from "../../support/branch-model.ts";
import { sized } from "../../support/soak.ts";
import { effecting, type Fate, mortal, noteEdit } from "../../support/watch-fates.ts";
import { type Plot, plots, start } from "../../support/watch-plots.ts";
import { openThrottle } from "../../support/watch-throttle.ts";

const minute = 60_000;
const hour = 60 * minute;
const interval = minute;

/** Stands for SIGKILL: from it on nothing that the process does has an effect. */
class Killed extends Error {}

/** Ends a life in which nothing happens any more. */
class Calm extends Error {}

/** One journal for all branches: to make its tables takes longer than a life on it. */
const shared = openSqlite(":memory:");
const noLocks = new FileLocks(shared, { id: "", pid: 0, host: "" }, undefined);

/** A process that lives on a journal until it is killed, in virtual time. */
class Simulation {
  now = start;
  /** When the first run had read everything. */
  firstRunEnd: number | undefined;
  /** It was said that the first run may have missed orders. */
  saidIncomplete = false;
  readonly fates: ReadonlyMap<number, Fate>;
  /** The fate of each order on the printer, which some lives leave out. */
  readonly papers: ReadonlyMap<number, Fate>;
  /** Orders whose change no poll had announced that began after they had left pendiente. */
  readonly late: number[] = [];
  /** How many requests of other states than pendiente each poll made. */
  readonly otherStates: number[] = [0];
  /** The journal's pendiente orders when a poll last came to its end. */
  #pendiente: readonly number[] = [];
  #pollBegan = start;
  readonly #branchId = crypto.randomUUID();
  readonly #plot: Plot;
  readonly #kills: Plot["kills"];
  #dead = false;
  #effects = 0;
  #requests = 0;
  #attempts = 0;
  #life = 0;

  constructor(plot: Plot) {
    this.#plot = plot;
    this.#kills = [...plot.kills];
    const fates = () =>
      new Map(
        plot.orders.map(({ id }) => [id, { given: [], torn: false, state: "", total: 0, tornChange: false }]),
      );
    [this.fates, this.papers] = [fates(), fates()];
  }

  /** Every effect begins with this; from the kill on it throws, so that a dead process does nothing. */
  readonly #effect = (): void => {
    this.#effects += 1;
    this.#dead ||= this.#kills[0] !== undefined && this.#effects > this.#kills[0].after;
    if (this.#dead) throw new Killed();
  };

  /** Time does not move while an output is at work. */
  readonly #sleep = async (ms: number): Promise<void> => {
    for (let before = -1; before !== this.#effects; ) {
      before = this.#effects;
      for (let n = 0; n < 2; n++) await turn();
    }
    await effecting(() => {
      this.now += ms;
      this.#pollBegan = this.now;
      this.#effect();
    });
  };

  /** Compares what a poll leaves in the journal with what had left pendiente before it began. */
  async #polled(): Promise<void> {
    const { watch_id } = await this.#watch();
    const text =
      "SELECT order_id FROM watch_order WHERE watch_id = ? AND state = 'found' AND status = 'pendiente'";
    const rows = await shared.all<{ order_id: string }>(text, watch_id);
    const now = rows.map(({ order_id }) => Number(order_id));
    // One that moves on while the other states are read may be missed, and is announced by the poll after that.
    const hadLeft = (order: ModelOrder): boolean => {
      const state = stateAt(order, this.#pollBegan);
      return (
        state !== "pendiente" && state === stateAt(order, this.now) && this.#pendiente.includes(order.id)
      );
    };
    this.late.push(...this.#plot.orders.filter(hadLeft).flatMap(({ id }) => (now.includes(id) ? id : [])));
    this.#pendiente = now;
    this.otherStates.push(0);
  }

  #output(): OrderOutput {
    return {
      name: "stdout",
      changes: "all",
      deliver: ({ event, order }) =>
        effecting(() => {
          this.#effect();
          const fate = this.fates.get(Number(order.order_id))!;
          if (event.event === "order.changed") {
            noteEdit(fate, event, order.total);
            fate.state = event.to;
          } else {
            this.#attempts += 1;
            if (this.#plot.failures.has(this.#attempts))
              return new BposError("output_unwritable", { file: "the printer", detail: "no paper" });
            fate.given.push({ repeated: event.repeated, torn: fate.torn });
            fate.state = order.status;
            fate.total = order.total;
          }
          this.#effect();
          return undefined;
        }),
    };
  }

  #printer(): OrderOutput {
    return {
      name: "printer",
      changes: "off",
      deliver: ({ event, order }) =>
        effecting(() => {
          this.#effect();
          const paper = this.papers.get(Number(order.order_id))!;
          if (event.event === "order.new") {
            paper.given.push({ repeated: event.repeated, torn: paper.torn });
            paper.total = order.total;
          } else {
            if (event.changes === undefined) expect(["cancelado", "rechazado"]).toContain(event.to);
            noteEdit(paper, event, order.total);
          }
          this.#effect();
          return undefined;
        }),
    };
  }

  /** Those of the next life. Only one that is going to be killed leaves the printer out, once the journal knows it. */
  async #outputs(): Promise<OrderOutput[]> {
    const { watch_id } = await this.#watch();
    const text = "SELECT 1 FROM watch_output WHERE output = 'printer' AND watch_id = ?";
    const isKnown = (await shared.get(text, watch_id)) !== undefined;
    const isLeftOut = isKnown && this.#kills.length > 0 && this.#plot.unprinted.has(this.#life);
    this.#life += 1;
    return [this.#output(), ...(isLeftOut ? [] : [this.#printer()])];
  }

  /** How the branch fares, with a ping to where nobody listens: neither may hold up what is delivered. */
  #openHealth(journal: Journal): Health {
    const clock = { now: () => this.now };
    const health = new Health({
      clock: { ...clock, later: () => () => undefined },
      isJournalAway: () => false,
      slowed: () => undefined,
    });
    health.open("centro", { journal, outputs: ["stdout", "printer"] });
    const runtime = { system: { clock, env: {} }, flags: {}, texts: textsIn("en") } as unknown as Runtime;
    health.listeners.ping = new Ping(runtime, {
      url: new URL("http://127.0.0.1:9/ping"),
      maxAgeMs: 3 * interval,
      branches: health.branches,
      askOwed: () => health.askOwed(),
      warn: () => Promise.resolve(),
      signal: new AbortController().signal,
    });
    return health;
  }

  /** One life of the process: until it is killed, or until eleven polls changed nothing any more. */
  async #live(quietFrom: number): Promise<"killed" | "denied" | "calm"> {
    const clock = { now: () => this.now, sleep: this.#sleep };
    const random = (): number => 0.5;
    this.#pollBegan = this.now;
    const { dispatcher, requests } = branchDispatcher(this.#plot.orders, {
      now: () => this.now,
      fault: () => {
        this.now += this.#plot.latency;
        this.#requests += 1;
        if (requests.at(-1)?.searchParams.get("status") !== "pendiente")
          this.otherStates[this.otherStates.length - 1]! += 1;
        return this.#plot.faults.get(this.#requests);
      },
    });
    const addresses = { baseUrl: "http://model.test", campaignsBaseUrl: "", apiKey: "k" };
    const client = createClient({ ...addresses, retries: 1, clock, random, dispatcher });
    const { signal } = new AbortController();
    const never = () => expect.unreachable("this journal is always there");
    const journal = new Journal(mortal(shared, this.#effect), noLocks);
    const health = this.#openHealth(journal);
    let calmPolls = 0;
    const tell = async (notice: WatchNotice): Promise<void> => {
      const { event } = notice;
      health.hear("centro", notice);
      if (event === "polled") this.firstRunEnd ??= this.now;
      if (event === "polled") await this.#polled();
      this.saidIncomplete ||= event === "first_run.incomplete";
      if (event !== "polled" || this.now <= quietFrom) return;
      // Late deliveries are looked at once more after that.
      const isCalm = (await this.#pending()) === 0;
      calmPolls = isCalm ? calmPolls + 1 : 0;
      if (calmPolls === 11) throw new Calm();
    };
    try {
      await watchBranch({
        ...{
          client,
          clock,
          random,
          outputs: await this.#outputs(),
          tell,
          serviceNow: () => this.now,
          worldNow: () => this.now,
        },
        journal,
        quarantine: () => expect.unreachable("every order of the model has an id"),
        ...{ branch: "centro", branchId: () => this.#branchId, consumer: "default", intervalMs: interval },
        outage: new JournalOutage({ clock, maxMs: interval, began: never, ended: never, signal }),
        ...{ once: false, skipExisting: false, spreadMs: 0, signal },
        throttle: openThrottle(clock, interval, signal),
      });
    } catch (error) {
      if (error instanceof Calm) return "calm";
      if (error instanceof Killed) return "killed";
      if (isReason(error, "access_denied")) return "denied";
      throw error;
    }
    return expect.unreachable("nobody stops this watch");
  }

  /** Lets the process live, die and start again until nothing happens any more. */
  async run(): Promise<void> {
    const quietFrom = Math.max(
      start,
      ...this.#plot.orders.flatMap(({ states, edits = [] }) => [...states.map(({ from }) => from), ...edits]),
    );
    for (;;) {
      const end = await this.#live(quietFrom);
      if (end === "calm") return;
      if (end === "killed") await this.#tear();
      this.now += end === "denied" ? interval : (this.#kills.shift()?.downMs ?? 0);
      this.#dead = false;
      this.#effects = 0;
    }
  }

  /** Returns whether the watch owes an order to its consumer: what had left pendiente before the first run is none of its business. */
  async owes(order: ModelOrder): Promise<boolean> {
    const { began_at } = await this.#watch();
    const end = this.firstRunEnd ?? expect.unreachable("no poll came to its end");
    const waitedThrough = [began_at, end].every((instant) => stateAt(order, instant) === "pendiente");
    if (stateAt(order, began_at) === "pendiente" && !this.saidIncomplete) return true;
    return order.createdAt > began_at || order.appearsAt > end || waitedThrough;
  }

  /** Returns whether an order was in another state already when the first page was read. */
  async isOlder(order: ModelOrder): Promise<boolean> {
    const { began_at } = await this.#watch();
    const state = stateAt(order, began_at);
    return order.createdAt <= began_at && state !== undefined && state !== "pendiente";
  }

  /** Its row in the journal; there is none while every life ended before the first step. */
  async #watch(): Promise<{ watch_id: number; began_at: number }> {
    const row = await shared.get("SELECT watch_id, began_at FROM watch WHERE branch = ?", this.#branchId);
    return (row ?? { watch_id: 0, began_at: 0 }) as { watch_id: number; began_at: number };
  }

  /** How many deliveries are still to be made. */
  async #pending(): Promise<number> {
    const { watch_id } = await this.#watch();
    const text = "SELECT count(*) AS n FROM watch_event WHERE watch_id = ?";
    return ((await shared.get(text, watch_id)) as { n: number }).n;
  }

  /** Notes which orders the kill caught between intent and done. */
  async #tear(): Promise<void> {
    const { watch_id } = await this.#watch();
    const rows = await shared.all<{ order_id: string; output: string; from_status: string | null }>(
      `SELECT order_id, output, from_status FROM watch_delivery AS d JOIN watch_event AS e ON e.event = d.event
         WHERE state = 'begun' AND d.watch_id = ?`,
      watch_id,
    );
    for (const { order_id, output, from_status } of rows) {
      const fate = (output === "printer" ? this.papers : this.fates).get(Number(order_id))!;
      if (from_status === null) fate.torn = true;
      else fate.tornChange = true;
    }
  }
}

/** Plays a plot and checks that every order was handed on as it must be. */
async function check(plot: Plot): Promise<void> {
  const simulation = new Simulation(plot);
  await simulation.run();
  expect(simulation.late, "these left pendiente and the next poll did not say so").toEqual([]);
  // Once nothing leaves pendiente any more, only every tenth poll asks for other states, and one after an outage or a slow poll.
  const asking = simulation.otherStates.slice(-9).filter((requests) => requests > 0);
  if (plot.latency < 1_000) expect(asking.length).toBeLessThanOrEqual(1 + plot.faults.size);
  for (const order of plot.orders) {
    const { given, torn, state } = simulation.fates.get(order.id)!;
    if (await simulation.owes(order)) expect(given.length, `order ${order.id} was lost`).toBeGreaterThan(0);
    if (await simulation.isOlder(order))
      expect(given, `order ${order.id} is none of the first run's`).toEqual([]);
    if (!torn) expect(given.length, `order ${order.id} was handed on again`).toBeLessThanOrEqual(1);
    for (const each of given) expect(each.repeated).toBe(each.torn);
    const paper = simulation.papers.get(order.id)!;
    if (given.length > 0) expect(paper.given.length, `order ${order.id} is not on paper`).toBeGreaterThan(0);
    if (!paper.torn) expect(paper.given.length, `order ${order.id} is on paper twice`).toBeLessThanOrEqual(1);
    for (const each of paper.given) expect(each.repeated).toBe(each.torn);
    if (given.length === 0 || order.createdAt <= simulation.now - 3 * hour) continue;
    expect(state).toBe(stateAt(order, simulation.now));
    for (const fate of [simulation.fates, simulation.papers].map((fates) => fates.get(order.id)!))
      expect(fate.total, `an edit of order ${order.id} was lost`).toBe(totalAt(order, simulation.now));
  }
}

const timeout = sized(120_000, 600_000);
it("hands every order on, and none twice that was not torn by a kill, whatever happens", {
  timeout,
}, async () => {
  await fc.assert(fc.asyncProperty(plots, check), { numRuns: sized(7, 2_000) });
});

it("the same where more than one page waits at the first run, and its requests fail", async () => {
  const early = fc.tuple(plots, fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 21, maxLength: 45 }));
  await fc.assert(
    fc.asyncProperty(early, fc.nat({ max: 4 }), async ([plot, stays], broken) => {
      const waiting = stays.map((stay, n): ModelOrder => {
        const appearsAt = start - (60 - n) * 1_000;
        const moves = start + stay * 1_000;
        const states = [{ from: appearsAt, state: "pendiente" as const }];
        if (stay < 30) states.push({ from: moves, state: "listo" as never });
        return { id: 2_000 + n, appearsAt, createdAt: appearsAt, states };
      });
      const faults = new Map([...plot.faults, [broken, "500"], [broken + 1, "500"]] as const);
      // One that appears with a created_at in the past can stand for one that was missed.
      const honest = plot.orders.filter(({ createdAt, appearsAt }) => createdAt === appearsAt);
      await check({ ...plot, faults, orders: [...honest, ...waiting] });
    }),
    { numRuns: sized(2, 100) },
  );
}, 120_000);

/** Orders that are pendiente for good, the oldest more than a day old. */
function backlog(size: number): ModelOrder[] {
  return Array.from({ length: size }, (_, n) => {
    const appearsAt = start - 30 * hour + n * 60_000;
    return {
      id: 1_000 + n,
      appearsAt,
      createdAt: appearsAt,
      states: [{ from: appearsAt, state: "pendiente" }],
    };
  });
}

it("the same with a backlog that nobody closes", async () => {
  await fc.assert(
    fc.asyncProperty(plots, fc.integer({ min: 180, max: sized(250, 2_000) }), (plot, size) =>
      check({ ...plot, latency: 0, orders: [...plot.orders, ...backlog(size)] }),
    ),
    { numRuns: sized(1, 2) },
  );
}, 120_000);
