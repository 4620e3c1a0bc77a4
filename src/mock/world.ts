import type { OrderState } from "../contract/order.ts";
import type { Campaign } from "./campaigns.ts";
import { applyEvent, type Catalog, type CatalogOutcome, sellableProducts, startCatalog } from "./catalog.ts";
import type { ClockState } from "./clock.ts";
import { addOrder, freeId, type OrderBook, setStatus, startBook } from "./order-book.ts";
import { type MockOrder, makeOrder, type OrderSeed } from "./orders.ts";
import { hash } from "./random.ts";
import { activeKeys, type ScenarioName, scenarios } from "./scenarios.ts";
import { startingTemplates, type Template } from "./templates.ts";

/** An accepted call, as plain JSON: folding the same events in the same order gives the same world. */
export type WorldEvent =
  | {
      readonly type: "world_started";
      readonly scenario: ScenarioName;
      readonly seed: number;
      readonly clock: ClockState;
    }
  | {
      readonly type: "catalog_applied";
      readonly age: number;
      readonly branch: string;
      readonly event_id: string;
      readonly outcome: CatalogOutcome;
    }
  | {
      readonly type: "orders_placed";
      readonly age: number;
      readonly branch: string;
      readonly orders: readonly MockOrder[];
      readonly next_id: number;
    }
  | {
      readonly type: "order_status_set";
      readonly age: number;
      readonly order_id: number;
      readonly status: OrderState;
    }
  | { readonly type: "campaign_created"; readonly age: number; readonly campaign: Campaign }
  | { readonly type: "clock_moved"; readonly age: number; readonly clock: ClockState }
  | { readonly type: "template_put"; readonly age: number; readonly template: Template };

/** Everything that the events so far have made of the world, and the orders that arrived by themselves. */
export interface World {
  readonly scenario: ScenarioName;
  readonly seed: number;
  clock: ClockState;
  readonly catalogs: Map<string, Catalog>;
  readonly book: OrderBook;
  /** By branch: the number of the next order that arrives by itself. */
  readonly arrivals: Map<string, number>;
  readonly campaigns: Map<string, Campaign>;
  /** By API key and idempotency_key. */
  readonly sends: Map<string, Campaign>;
  readonly templates: Map<string, Template>;
}

/** The place of a send in `World.sends`. */
export const sendKey = (key: string, idempotencyKey: string): string => `${key} ${idempotencyKey}`;

const minute = 60_000;

/** The world of a scenario at age 0. */
export function startWorld(scenario: ScenarioName, seed: number, clock: ClockState): World {
  const world: World = {
    scenario,
    seed,
    clock,
    catalogs: new Map(),
    book: startBook(),
    arrivals: new Map(),
    campaigns: new Map(),
    sends: new Map(),
    templates: new Map(startingTemplates.map((template) => [template.name, template])),
  };
  const { catalog, startingOrders } = scenarios[scenario];
  for (const { branch } of activeKeys) {
    world.catalogs.set(branch, startCatalog(catalog[branch] ?? []));
    world.arrivals.set(branch, 1);
  }
  for (let index = startingOrders; index > 0; index--) {
    for (const { branch } of activeKeys) {
      const earlier = index * 2 * minute + (hash(seed, "starting", branch, index) % minute);
      arrive(world, branch, clock.origin - earlier);
    }
  }
  return world;
}

/** The order that a branch would get at a date (epoch milliseconds), not yet in the book. */
export function orderAt(
  world: World,
  given: Pick<OrderSeed, "branch" | "orderId" | "createdAt" | "deliveryType">,
): MockOrder {
  const catalog = world.catalogs.get(given.branch);
  return makeOrder({ ...given, seed: world.seed, products: catalog ? sellableProducts(catalog) : [] });
}

function arrive(world: World, branch: string, createdAt: number): void {
  const orderId = freeId(world.book);
  world.book.nextId = orderId + 1;
  addOrder(world.book, branch, orderAt(world, { branch, orderId, createdAt }));
}

/** The age at which order number `index` of a branch arrives; under half a step of jitter keeps them in order. */
function arrivalAge(world: World, branch: string, index: number, everyMs: number): number {
  const jitter = (hash(world.seed, "arrival", branch, index) / 2 ** 32 - 0.5) * 0.8 * everyMs;
  return Math.round(index * everyMs + jitter);
}

/**
 * Lets the orders arrive that the time up to `age` brings. Every event does this first, so an order holds the catalog
 * of its own instant, whether somebody looked in between or not.
 */
export function advance(world: World, age: number): void {
  const everyMs = scenarios[world.scenario].arrivalEveryMs;
  if (everyMs === null) return;
  for (;;) {
    let first: { branch: string; index: number; age: number } | undefined;
    for (const [branch, index] of world.arrivals) {
      const arrival = arrivalAge(world, branch, index, everyMs);
      if (arrival <= age && (!first || arrival < first.age)) first = { branch, index, age: arrival };
    }
    if (!first) return;
    arrive(world, first.branch, world.clock.origin + first.age);
    world.arrivals.set(first.branch, first.index + 1);
  }
}

const day = 24 * 60 * minute;

// A jump over months would bring hundreds of thousands of orders at once: only its last day brings any.
function skipArrivals(world: World, age: number): void {
  const everyMs = scenarios[world.scenario].arrivalEveryMs;
  if (everyMs === null) return;
  const resume = Math.ceil((age - day) / everyMs);
  for (const [branch, index] of world.arrivals) world.arrivals.set(branch, Math.max(index, resume));
}

/** Folds an event into the world, in place, and returns the world that goes on: another one after a restart. */
export function apply(world: World, event: WorldEvent): World {
  if (event.type === "world_started") return startWorld(event.scenario, event.seed, event.clock);
  advance(world, event.age);
  switch (event.type) {
    case "catalog_applied": {
      const catalog = world.catalogs.get(event.branch);
      if (catalog) applyEvent(catalog, event.event_id, event.outcome);
      break;
    }
    case "orders_placed":
      for (const order of event.orders) addOrder(world.book, event.branch, order);
      world.book.nextId = event.next_id;
      break;
    case "order_status_set":
      setStatus(world.book, event.order_id, event.status);
      break;
    case "campaign_created":
      world.campaigns.set(event.campaign.campaign_id, event.campaign);
      world.sends.set(sendKey(event.campaign.key, event.campaign.idempotency_key), event.campaign);
      break;
    case "clock_moved":
      world.clock = event.clock;
      skipArrivals(world, event.clock.ageAtAnchor);
      break;
    case "template_put":
      world.templates.set(event.template.name, event.template);
      break;
  }
  return world;
}
