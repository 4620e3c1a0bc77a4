import { setImmediate as turn } from "node:timers/promises";
import { expect } from "vitest";
import { createClient } from "../../../../src/api/client.ts";
import { JournalOutage } from "../../../../src/delivery/outage.ts";
import { BposError, isReason } from "../../../../src/errors.ts";
import { openSqlite } from "../../../../src/journal/engine/sqlite.ts";
import { Journal } from "../../../../src/journal/journal.ts";
import { FileLocks } from "../../../../src/journal/locks/lock-files.ts";
import type { WatchNotice } from "../../../../src/orders/watch/events.ts";
import type { OrderOutput } from "../../../../src/orders/watch/outputs/order-output.ts";
import { watchBranch } from "../../../../src/orders/watch/polling/watch-branch.ts";
import { StationRouter, stationOutput } from "../../../../src/printing/station-router.ts";
import { type Station, toStations } from "../../../../src/printing/stations.ts";
import { branchDispatcher } from "../../../support/branch-model.ts";
import { effecting, mortal } from "../../../support/watch-fates.ts";
import { type Plot, start } from "../../../support/watch-plots.ts";
import { openThrottle } from "../../../support/watch-throttle.ts";

const interval = 60_000;
class Killed extends Error {}
class Calm extends Error {}

const shared = openSqlite(":memory:");
const noLocks = new FileLocks(shared, { id: "", pid: 0, host: "" }, undefined);

export const kitchens = [
  ["cocina:Pizzas", "barra:Bebidas", "caja:*"],
  ["cocina:Pizzas", "bar:Bebidas", "caja:*"],
  ["cocina:Pizzas", "caja:*"],
  ["cocina:Pizzas,Bebidas", "barra:Postres"],
  ["parrilla:Postres", "barra:Bebidas", "cocina:Pizzas"],
  ["horno:Pizzas", "tragos:Bebidas,Postres"],
] as const;

const toKitchen = (names: readonly string[]): Station[] =>
  toStations(
    names.map((text) => {
      const [name = "", prints = ""] = text.split(":");
      const printer = `tcp://${name}.test`;
      return prints === "*"
        ? { name, printer, everything: true }
        : { name, printer, categories: prints.split(",") };
    }),
  );

/** Codes with the category that they begin with; the last is in no catalog. */
const codes = { P1: "Pizzas", P2: "Pizzas", B1: "Bebidas", X1: "Postres", N1: undefined } as const;
export type Code = keyof typeof codes;

export const toLines = (ordered: readonly (readonly [Code, number])[]): object[] =>
  ordered.map(([codigo, cantidad]) => ({ codigo, nombre: codigo, cantidad, opciones: [] }));

export interface Ticket {
  order: number;
  kind: "new" | "edit" | "off";
  lines: Record<string, number>;
  /** The lines that an edit brought and took; absent where the ticket stands for the one before. */
  delta?: Record<string, number>;
  repeated: boolean;
}

export interface StationPlot extends Plot {
  /** The kitchen of each life, by its number; the last one stays. */
  kitchens: readonly number[];
  /** After which polls the catalog moves a product to another category. */
  moves: ReadonlyMap<number, readonly [Code, string]>;
  /** Attempts to print that fail, by number; true where it is on paper all the same. */
  jams: ReadonlyMap<number, boolean>;
}

/** A watch that prints at stations, in virtual time, until it is killed. */
export class Kitchen {
  now = start;
  readonly papers = new Map<string, Ticket[]>();
  /** Order and station whose ticket may be on paper without the journal knowing. */
  readonly torn = new Set<string>();
  readonly branchId = crypto.randomUUID();
  readonly #plot: StationPlot;
  readonly #kills: Plot["kills"];
  #dead = false;
  #effects = 0;
  #requests = 0;
  #attempts = 0;
  #polls = 0;
  #life = 0;

  constructor(plot: StationPlot) {
    this.#plot = plot;
    this.#kills = [...plot.kills];
  }

  readonly #effect = (): void => {
    this.#effects += 1;
    this.#dead ||= this.#kills[0] !== undefined && this.#effects > this.#kills[0].after;
    if (this.#dead) throw new Killed();
  };

  readonly #sleep = async (ms: number): Promise<void> => {
    for (let before = -1; before !== this.#effects; ) {
      before = this.#effects;
      for (let n = 0; n < 2; n++) await turn();
    }
    await effecting(() => {
      this.now += ms;
      this.#effect();
    });
  };

  get stations(): Station[] {
    const { kitchens: chosen } = this.#plot;
    return toKitchen(kitchens[chosen[Math.min(this.#life, chosen.length - 1)] ?? 0] ?? []);
  }

  #station({ name: station }: Station): OrderOutput {
    const paper = this.papers.get(station) ?? [];
    this.papers.set(station, paper);
    return {
      name: stationOutput(station),
      station,
      changes: "off",
      mayHave: (error) => isReason(error, "output_unwritable") && error.facts.detail === "maybe",
      deliver: ({ event, order, parts, repeated = false }) =>
        effecting(() => {
          this.#effect();
          const part = parts?.find((each) => each.station === station);
          if (part === undefined) return undefined;
          this.#attempts += 1;
          const jam = this.#plot.jams.get(this.#attempts);
          const failure = new BposError("output_unwritable", {
            file: station,
            detail: jam === true ? "maybe" : "no",
          });
          if (jam === false) return failure;
          const sum = (pieces: readonly (readonly [string, number])[]): Record<string, number> => {
            const sums: Record<string, number> = {};
            for (const [name, count] of pieces) sums[name] = (sums[name] ?? 0) + count;
            return sums;
          };
          const own = part.lines.map((n) => order.lineas[n]!);
          const { added, removed } = part;
          const delta = [
            ...(added ?? []).map((each) => [each.name, each.pieces] as const),
            ...(removed ?? []).map((each) => [each.name, -each.pieces] as const),
          ];
          const isOff = event.event === "order.changed" && ["cancelado", "rechazado"].includes(event.to);
          paper.push({
            order: Number(order.order_id),
            kind: event.event === "order.new" ? "new" : isOff ? "off" : "edit",
            lines: sum(own.map(({ codigo, cantidad }) => [String(codigo), cantidad] as const)),
            ...(added !== undefined && { delta: sum(delta) }),
            repeated,
          });
          this.#effect();
          if (jam === true) this.torn.add(`${order.order_id} ${station}`);
          return jam === true ? failure : undefined;
        }),
    };
  }

  async #tell({ event }: WatchNotice, calm: { polls: number }, quietFrom: number): Promise<void> {
    if (event !== "polled") return;
    this.#polls += 1;
    const [codigo, categoria] = this.#plot.moves.get(this.#polls) ?? [];
    if (codigo !== undefined) await this.learn({ [codigo]: categoria });
    if (this.now <= quietFrom) return;
    const pending =
      "SELECT count(*) AS n FROM watch_event AS e JOIN watch AS w ON w.watch_id = e.watch_id WHERE branch = ?";
    const { n } = await shared.one<{ n: number }>(pending, this.branchId);
    calm.polls = n === 0 ? calm.polls + 1 : 0;
    if (calm.polls === 11) throw new Calm();
  }

  /** Puts into the journal what a push to this branch does. */
  async learn(categories: Partial<Record<string, string | undefined>>): Promise<void> {
    const items = Object.entries(categories).flatMap(([codigo, categoria]) =>
      categoria === undefined
        ? []
        : [[codigo, { item: { codigo, categoria }, active: true, pending: false }] as const],
    );
    await new Journal(shared, noLocks).catalog.put(this.branchId, new Map(items));
  }

  async #live(quietFrom: number): Promise<"killed" | "denied" | "calm"> {
    const clock = { now: () => this.now, sleep: this.#sleep };
    const random = (): number => 0.5;
    const { dispatcher } = branchDispatcher(this.#plot.orders, {
      now: () => this.now,
      fault: () => {
        this.now += this.#plot.latency;
        this.#requests += 1;
        return this.#plot.faults.get(this.#requests);
      },
    });
    const addresses = { baseUrl: "http://model.test", campaignsBaseUrl: "", apiKey: "k" };
    const client = createClient({ ...addresses, retries: 1, clock, random, dispatcher });
    const { signal } = new AbortController();
    const never = () => expect.unreachable("this journal is always there");
    const branchId = (): string => this.branchId;
    // Another output may have an order before any station.
    const folder: OrderOutput = {
      name: "out-dir",
      changes: "none",
      deliver: () => Promise.resolve(undefined),
    };
    const { stations } = this;
    const calm = { polls: 0 };
    try {
      await watchBranch({
        ...{ client, clock, random, serviceNow: () => this.now, worldNow: () => this.now, branchId },
        journal: new Journal(mortal(shared, this.#effect), noLocks),
        outputs: [folder, ...stations.map((each) => this.#station(each))],
        stations: new StationRouter(stations, { branchId }),
        tell: (notice) => this.#tell(notice, calm, quietFrom),
        quarantine: () => expect.unreachable("every order of the model has an id"),
        ...{ branch: "centro", consumer: "default", intervalMs: interval },
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

  async run(): Promise<void> {
    await this.learn(codes);
    const moments = this.#plot.orders.flatMap(({ states, edits = [] }) => [
      ...states.map(({ from }) => from),
      ...edits,
    ]);
    const quietFrom = Math.max(start, ...moments);
    for (;;) {
      const end = await this.#live(quietFrom);
      // A kitchen that is still to come opens, too.
      if (end === "calm" && this.#life + 1 >= this.#plot.kitchens.length) return;
      await this.#tear();
      this.#life += 1;
      this.now += end === "killed" ? (this.#kills.shift()?.downMs ?? 0) : interval;
      this.#dead = false;
      this.#effects = 0;
    }
  }

  async #tear(): Promise<void> {
    const rows = await shared.all<{ order_id: string; output: string }>(
      `SELECT order_id, output FROM watch_delivery AS d JOIN watch_event AS e ON e.event = d.event
         JOIN watch AS w ON w.watch_id = e.watch_id WHERE d.state = 'begun' AND branch = ?`,
      this.branchId,
    );
    for (const { order_id, output } of rows) this.torn.add(`${order_id} ${output.slice("printer:".length)}`);
  }

  /** The orders that the watch has found. */
  async found(): Promise<Set<number>> {
    const rows = await shared.all<{ order_id: string }>(
      `SELECT order_id FROM watch_order AS o JOIN watch AS w ON w.watch_id = o.watch_id
         WHERE branch = ? AND o.state = 'found'`,
      this.branchId,
    );
    return new Set(rows.map(({ order_id }) => Number(order_id)));
  }
}
