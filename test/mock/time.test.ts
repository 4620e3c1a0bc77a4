import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Control, type MockControl } from "../../src/mock/control/control.ts";
import { pushCatalog, readCampaign, sendCampaign } from "../../src/mock/core/endpoints.ts";
import { RequestLog } from "../../src/mock/core/request-log.ts";
import { drawLife } from "../../src/mock/core/shop/lives.ts";
import type { MockOrder } from "../../src/mock/core/shop/orders.ts";
import { Webhook } from "../../src/mock/core/webhook.ts";
import { type EventLog, LiveWorld } from "../../src/mock/core/world/live-world.ts";
import { readScenarioDefinition } from "../../src/mock/core/world/scenarios.ts";
import type { WorldEvent } from "../../src/mock/core/world/world.ts";
import { sized } from "../support/soak.ts";
import { frozen } from "./support.ts";
import { expectStep } from "./transitions.ts";

const began = Date.parse(frozen);
const minute = 60_000;

const moving = readScenarioDefinition({
  branches: [
    { branch: "uno", store_id: "1", keys: ["key-1"], orders: 12 },
    { branch: "dos", store_id: "2", keys: ["key-2"], orders: [{ order_id: 1003 }, { status: "listo" }] },
  ],
  order_every: "10m",
  moving: true,
});
const [key] = moving.branches.map(({ branch, store_id, keys: [key = ""] }) => ({ branch, store_id, key }));

/** Recorded events as text, with the real time of each. */
interface Recorded {
  readonly at: number;
  readonly text: string;
}

/** A log as a file would keep it, read from its first event by everyone who opens it. */
function openLog(events: Recorded[], now: () => number): EventLog {
  let read = 0;
  return {
    transact: (work) => work(),
    worldId: () => "kept",
    record: (event) => {
      events.push({ at: now(), text: JSON.stringify(event) });
      read = events.length;
    },
    news: () => {
      const unread = events.slice(read).map(({ text }) => JSON.parse(text) as WorldEvent);
      read = events.length;
      return unread;
    },
    rewind: () => {
      read = 0;
    },
    events: () => events.map(({ text }) => JSON.parse(text) as WorldEvent),
  };
}

/** A machine with a clock of its own on which the world is kept, and can be opened any number of times. */
class Machine {
  real: number;
  readonly events: Recorded[];
  readonly how: { seed: number; speed: number };
  #live: LiveWorld;

  constructor(how: { seed: number; speed: number }, events: Recorded[] = [], real = began) {
    this.how = how;
    this.events = events;
    this.real = real;
    this.#live = this.#open();
  }

  #open(): LiveWorld {
    const now = (): number => this.real;
    const frozenAt = this.how.speed === 0 ? began : null;
    return new LiveWorld({ scenario: moving, ...this.how, frozenAt, now, log: openLog(this.events, now) });
  }

  restart(): void {
    this.#live = this.#open();
  }

  get live(): LiveWorld {
    return this.#live;
  }

  get control(): MockControl {
    const [live, log] = [this.#live, new RequestLog()];
    const webhook = new Webhook({ live, log, sleep: () => Promise.resolve(), own: { host: "", port: 0 } });
    return new Control(live, log, webhook);
  }

  orders(): MockOrder[] {
    return structuredClone([...this.#live.look().world.book.byBranch.values()].flat());
  }

  /** All that can be seen of the world now, as text: comparing objects would take most of the time. */
  read(): string {
    const orders = this.orders();
    const { world } = this.#live.look();
    const campaigns = Array.from(world.campaigns.keys(), (id) => readCampaign(this.#live, key!, id));
    return JSON.stringify({ orders, campaigns });
  }
}

type Step =
  | { readonly wait: number }
  | { readonly move: number }
  | { readonly back: number }
  | { readonly place: number }
  | { readonly set: number }
  | { readonly send: number }
  | { readonly push: number };

const states = ["en_preparacion", "listo", "cancelado"] as const;

/** Does a step and tells which order it touched. The world's time, not the steps, is what differs between two runs. */
function take(machine: Machine, step: Step): void {
  if ("wait" in step) machine.real += step.wait;
  else if ("move" in step) void machine.control.moveClock({ advance_ms: step.move });
  else if ("back" in step) {
    const { date } = machine.live.look();
    void machine.control.moveClock({ now: new Date(date - step.back).toISOString() });
  } else if ("place" in step) void machine.control.placeOrders({ count: step.place });
  else if ("set" in step) {
    const orders = machine.orders();
    const order = orders[step.set % orders.length];
    if (order) void machine.control.setOrderStatus(order.order_id, states[step.set % 3] ?? "listo");
  } else if ("send" in step) {
    const recipients = Array.from({ length: 12 }, (_, index) => ({
      phone: `+5491150${String(index).padStart(4, "0")}`,
      params: [],
    }));
    const idempotency_key = `k${step.send}`;
    sendCampaign(machine.live, key!, { idempotency_key, template_name: "aviso_simple", recipients });
  } else {
    const item = { codigo: `P${step.push % 5}`, nombre: "Producto", precio: step.push };
    const event = { event_id: `e${step.push}`, occurred_at: frozen, action: "upsert", items: [item] };
    pushCatalog(machine.live, key!, event);
  }
}

const whole = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: whole(0, 30 * minute).map((wait) => ({ wait })) },
  { weight: 2, arbitrary: whole(0, 90 * minute).map((move) => ({ move })) },
  whole(1, 500 * minute).map((back) => ({ back })),
  whole(1, 5).map((place) => ({ place })),
  whole(0, 1_000).map((set) => ({ set })),
  whole(0, 50).map((send) => ({ send })),
  whole(0, 50).map((push) => ({ push })),
);
const how = fc.record({ seed: fc.integer(), speed: fc.constantFrom(0, 0.3, 1, 7) });
const life = fc.array(step, { minLength: 3, maxLength: 14 });

describe("time is a pure function of seed, events and clock", () => {
  test("reading after every step or hardly ever, restarted or not, gives the same history", () => {
    const pauses = fc.array(fc.constantFrom("nothing", "look", "restart", "both"), {
      minLength: 14,
      maxLength: 14,
    });
    fc.assert(
      fc.property(how, life, pauses, (given, steps, between) => {
        const [often, seldom] = [new Machine(given), new Machine(given)];
        steps.forEach((each, index) => {
          const pause = between[index];
          take(often, each);
          take(seldom, each);
          often.read();
          if (pause === "restart" || pause === "both") seldom.restart();
          if (pause === "look" || pause === "both") expect(seldom.read()).toBe(often.read());
        });
        expect(seldom.read()).toBe(often.read());
      }),
      { numRuns: sized(6, 40) },
    );
  });

  test("no order goes back, vanishes or changes otherwise, and what a person set stays", () => {
    fc.assert(
      fc.property(how, life, (given, steps) => {
        const machine = new Machine(given);
        const set = new Set<number>();
        let before = new Map<number, MockOrder>();
        for (const each of steps) {
          const known = machine.events.length;
          take(machine, each);
          for (const { text } of machine.events.slice(known)) {
            const event = JSON.parse(text) as WorldEvent;
            if (event.type === "order_status_set") set.add(event.order_id);
          }
          const after = new Map(machine.orders().map((order) => [order.order_id, order]));
          for (const [id, order] of before) {
            const now = after.get(id);
            expect(JSON.stringify({ ...now, status: order.status })).toBe(JSON.stringify(order));
            if (!("set" in each)) {
              if (set.has(id)) expect(now?.status).toBe(order.status);
              expectStep(order, now?.status ?? "");
            }
          }
          before = after;
        }
      }),
      { numRuns: sized(6, 40) },
    );
  });

  test("every life goes the way of docs/reference/service.md 3, step by step, to its end", () => {
    const order = fc.record({
      number: fc.nat(),
      delivery_type: fc.constantFrom("delivery", "pick_up"),
    });
    fc.assert(
      fc.property(fc.integer(), order, fc.boolean(), (seed, given, placed) => {
        const steps = drawLife(seed, given, placed);
        expect(drawLife(seed, given, placed)).toEqual(steps);
        let last = { ...given, status: "pendiente", at: placed ? 0 : -1 };
        for (const { state, at } of steps) {
          expectStep(last, state);
          expect(at).toBeGreaterThan(last.at);
          last = { ...given, status: state, at };
        }
        expect(["entregado", "rechazado", "cancelado"]).toContain(last.status);
      }),
      { numRuns: sized(50, 1_000) },
    );
  });
});

describe("a world that nobody looked at for long", () => {
  const hour = 60 * minute;
  const day = 24 * hour;

  test("brings the last day's orders and those of half a day that may have been seen, opened again or not", () => {
    const [on, again] = [new Machine({ seed: 1, speed: 1 }), new Machine({ seed: 1, speed: 1 })];
    for (const machine of [on, again]) {
      machine.real += 11 * hour;
      machine.read();
      machine.real += 30 * day;
    }
    const early = again.orders().length;
    again.restart();
    expect(again.read()).toBe(on.read());
    expect(again.orders().length).toBe(early);
    const orders = on.orders();
    const arrived = (from: number, to: number): number =>
      orders.filter(({ created_at: at }) => at > began + from && at <= began + to).length;
    // Two branches, an order every ten minutes.
    expect(arrived(0, 12 * hour)).toBeGreaterThan(130);
    expect(arrived(13 * hour, 29 * day)).toBe(0);
    expect(arrived(30 * day - 13 * hour, 30 * day + 11 * hour)).toBeGreaterThan(270);
  });
});
