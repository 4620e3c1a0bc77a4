import type { OrderState } from "../../../contract/limits.ts";
import { type ClockState, formatInstant, parseDuration } from "../clock.ts";
import {
  armFault,
  countFault,
  type FaultCount,
  type FaultRule,
  removeFault,
  startFaults,
} from "../faults.ts";
import { hash, scatter } from "../random.ts";
import { type Campaign, makeCampaign, type Template } from "../shop/campaigns.ts";
import { applyEvent, type CatalogOutcome, decideEvent, listSellable, startCatalog } from "../shop/catalog.ts";
import { drawCalmLife, drawCalmRest, drawLife } from "../shop/lives.ts";
import {
  addOrder,
  findFreeId,
  type MockOrder,
  makeOrder,
  moveOrders,
  type OrderOverrides,
  type OrderPlace,
  scheduleSteps,
  setStatus,
  startBook,
} from "../shop/orders.ts";
import { addReply, expectReplies, type Reply, startReplies } from "../shop/replies.ts";
import { defineScenario, type MockKey, type Scenario, type ScenarioDefinition } from "./scenarios.ts";
import { campaignAge, drawRecipients, pushAge, type Story } from "./story.ts";

/** The facts of each event; `age` is the world's age at that instant, milliseconds. */
interface Events {
  /** The user's own scenario is stored whole: its file may change or disappear. */
  world_started: { scenario: Scenario; seed: number; clock: ClockState };
  catalog_applied: { age: number; branch: string; event_id: string; outcome: CatalogOutcome };
  orders_placed: { age: number; branch: string; orders: readonly MockOrder[]; next_id: number };
  order_status_set: { age: number; order_id: number; status: OrderState };
  campaign_created: { age: number; campaign: Campaign };
  reply_given: { age: number; reply: Reply };
  clock_moved: { age: number; clock: ClockState };
  /** The events before it are those of another world, which continues here. */
  world_imported: { age: number; clock: ClockState };
  /** No other event came from `age` on until the world had the age `until`. */
  time_passed: { age: number; until: number };
  template_put: { age: number; template: Template };
  fault_armed: { age: number; rule: FaultRule };
  fault_counted: { age: number; id: number; what: FaultCount };
  fault_removed: { age: number; id: number };
  faults_cleared: { age: number };
}

/** An accepted call, as plain JSON: folding the same events in the same order gives the same world. */
export type WorldEvent = { [T in keyof Events]: Readonly<{ type: T } & Events[T]> }[keyof Events];

type Arrival = Readonly<{ index: number; age: number }>;

/** The state of the world after its events so far, and the orders that arrived on their own. */
export type World = ReturnType<typeof createWorld>;

const minute = 60_000;

/** Numbers are counted from here: with seed 1 and this beginning, as in the examples of the docs, orders begin at 1001. */
const firstBeginning = Date.UTC(2026, 0, 1, 15);

/** The id of the first order of that world. */
const firstOrderId = 1001;

/** Other worlds have other numbers: 32 bits from seed and start. */
const computeNumbering = (seed: number, { began }: ClockState): number =>
  scatter((began - firstBeginning) ^ Math.imul(seed - 1, 0x9e3779b1));

function createWorld(scenario: Scenario, seed: number, clock: ClockState) {
  const { branches, templates, order_every } = defineScenario(scenario);
  const numbering = computeNumbering(seed, clock);
  return {
    scenario,
    seed,
    numbering,
    clock,
    /** The age up to which what was scheduled has happened, milliseconds. */
    age: 0,
    /** The greatest age recorded by an event: a reopened world continues from it. */
    recordedAge: 0,
    /** The age at which the world was imported; earlier due times belong to the exported world. */
    importedAge: -1,
    keys: new Map<string, MockKey>(
      branches.flatMap(({ branch, store_id, keys }) => keys.map((key) => [key, { branch, store_id, key }])),
    ),
    /** Mean milliseconds between two orders of a branch; null when none arrives by itself. */
    arrivalEveryMs: order_every === null ? null : parseDuration(order_every),
    catalogs: new Map(branches.map(({ branch, catalog }) => [branch, startCatalog(catalog)])),
    // Seven digits at most.
    book: startBook(firstOrderId + (numbering >>> 9)),
    arrivals: new Map<string, Arrival>(),
    campaigns: new Map<string, Campaign>(),
    replies: startReplies(),
    faults: startFaults(),
    templates: new Map(templates.map((template) => [template.name, template])),
  };
}

function startWorld(scenario: Scenario, seed: number, clock: ClockState): World {
  const world = createWorld(scenario, seed, clock);
  const { branches, stories = [] } = defineScenario(scenario);

  for (const { branch } of branches) scheduleArrival(world, branch, 1);
  placeStartingOrders(world, branches);
  if (isCalm(world)) placeEarlierOrders(world, branches);
  for (const story of stories) tell(world, story);
  return world;
}

const isCalm = ({ scenario }: World): boolean => defineScenario(scenario).moving === "calm";

/** The states of the orders of a branch that are on their way or done when a calm world begins, the newest first. */
const earlierStates: readonly OrderState[] = [
  "en_preparacion",
  "en_preparacion",
  "listo",
  "listo",
  "asignado",
  "en_camino",
  "en_camino",
  "cancelado",
  "entregado",
  "rechazado",
];

/** Their numbers are those before the first, so that the orders that wait have the same ones in every scenario. */
function placeEarlierOrders(world: World, branches: ScenarioDefinition["branches"]): void {
  const { seed, clock, book } = world;
  for (const [index, status] of earlierStates.entries())
    for (const [n, { branch }] of branches.entries()) {
      const ago = (4 + index + hash(seed, "earlier", branch, index) / 2 ** 32) * minute;
      const orderId = book.firstId - index * branches.length - n - 1;
      // A scenario may use this number.
      if (book.byId.has(orderId)) continue;

      const isDelivery = status === "asignado" || status === "en_camino";
      const given = { status, ...(isDelivery && { delivery_type: "delivery" as const }) };
      const createdAt = clock.origin - Math.round(ago);
      const order = addOrder(book, branch, makeOrderFor(world, { branch, orderId, createdAt }, given));
      const number = readNumber(world, orderId);
      scheduleSteps(book, order, 0, drawCalmRest(seed, { ...order, number }));
    }
}

/** Does what a story says, as calls would have done it then. */
function tell(world: World, { branch, before, wrong, campaign }: Story): void {
  const { catalogs, clock, seed } = world;
  const catalog = catalogs.get(branch);
  const key = [...world.keys.values()].find((each) => each.branch === branch);
  if (!catalog || !key) return;

  const items = Array.from(catalog.entries.values(), ({ product: { codigo, precio } }) => ({
    codigo,
    precio,
  }));
  for (const entry of catalog.entries.values()) {
    const precio = before[entry.product.codigo];
    if (precio !== undefined) entry.product = { ...entry.product, precio };
  }

  const event_id = `precios-${branch}`;
  const occurred_at = formatInstant(clock.origin + pushAge);
  const push = { event_id, occurred_at, action: "upsert" as const, items: [...items, ...wrong] };
  apply(world, {
    type: "catalog_applied",
    age: pushAge,
    branch,
    event_id,
    outcome: decideEvent(catalog, push),
  });
  if (!campaign) return;

  const send = { ...campaign, idempotency_key: campaign.external_ref, recipients: drawRecipients(seed) };
  const when = { age: campaignAge, createdAt: clock.origin + campaignAge };
  apply(world, {
    type: "campaign_created",
    age: campaignAge,
    campaign: makeCampaign(world, key, send, when),
  });
}

// Oldest first; the gap between two of them is three times that of those to come, two minutes at most. In a calm world
// none has waited longer than one waits there.
function placeStartingOrders(world: World, branches: ScenarioDefinition["branches"]): void {
  const { seed, clock, arrivalEveryMs } = world;
  const every = arrivalEveryMs ?? minute;
  const gap = Math.min(2 * minute, isCalm(world) ? every : 3 * every);
  const starting = branches.flatMap(({ branch, orders }) => {
    const given = typeof orders === "number" ? Array.from<undefined>({ length: orders }) : orders;
    return given.map((order, position) => ({ branch, order, index: given.length - position }));
  });

  // The orders whose id the file names come first: no other order may draw that id.
  const countId = ({ order }: { order?: OrderOverrides | undefined }) =>
    Number(order?.order_id !== undefined);
  starting.sort((a, b) => countId(b) - countId(a) || b.index - a.index);

  for (const { branch, order, index } of starting) {
    const earlier = index * gap + (hash(seed, "starting", branch, index) % (gap / 2));
    // Orders that wait when a calm world starts are still waiting at the first look.
    const soonest = minute / 2 + (hash(seed, "soonest", branch, index) % (2 * minute));
    const staysUntil = isCalm(world) && !order ? soonest : undefined;
    arrive(world, { branch, createdAt: clock.origin - earlier, given: order, staysUntil });
  }
}

/** Which order of its world has an id that the mock chose. */
const readNumber = ({ book }: World, orderId: number): number => orderId - book.firstId + firstOrderId;

export function makeOrderFor(world: World, place: OrderPlace, overrides?: OrderOverrides): MockOrder {
  const { seed, catalogs } = world;
  const catalog = catalogs.get(place.branch);
  const products = catalog ? listSellable(catalog) : [];
  const findProduct = (codigo: string) => catalog?.entries.get(codigo)?.product;
  const number = overrides?.order_id ?? readNumber(world, place.orderId);
  return makeOrder({ ...place, number, seed, products, findProduct }, overrides);
}

type Entry = Readonly<{
  number: number;
  born: number;
  placed: boolean;
  /** The age of the world until which it is what it was when it was entered. */
  staysUntil?: number | undefined;
}>;

/** Adds an order and schedules its states. A state that a person set stays: time moves only pendiente orders. */
function enter(world: World, branch: string, given: MockOrder, entry: Entry): void {
  const { number, born, placed, staysUntil = -Infinity } = entry;
  const order = addOrder(world.book, branch, given);
  const { moving } = defineScenario(world.scenario);
  if (!moving || order.status !== "pendiente") return;

  const drawn = { ...order, number };
  const life = moving === "calm" ? drawCalmLife(world.seed, drawn) : drawLife(world.seed, drawn, placed);
  const late = staysUntil - born - (life[0]?.at ?? 0);
  scheduleSteps(world.book, order, born + Math.max(0, late), life);
}

type Arriving = Readonly<{ branch: string; createdAt: number; given?: OrderOverrides | undefined }> &
  Pick<Entry, "staysUntil">;

function arrive(world: World, { branch, createdAt, given, staysUntil }: Arriving): void {
  const orderId = given?.order_id ?? findFreeId(world.book);
  if (given?.order_id === undefined) world.book.nextId = orderId + 1;
  const order = makeOrderFor(world, { branch, orderId, createdAt }, given);

  // An order listed in a scenario starts with the world, so that it is there as written.
  const at = given ? { born: 0, placed: true } : { born: createdAt - world.clock.origin, placed: false };
  const number = given?.order_id ?? readNumber(world, orderId);
  enter(world, branch, order, { ...at, number, staysUntil });
}

/**
 * Sets when order number `index` of a branch arrives; under half a step of jitter keeps them in order. In a calm world the
 * branches take turns, and the first order comes soon.
 */
function scheduleArrival(world: World, branch: string, index: number): void {
  const everyMs = world.arrivalEveryMs;
  if (everyMs === null) return;

  const branches = [...world.catalogs.keys()];
  const turn = isCalm(world) ? (branches.indexOf(branch) + 0.7) / branches.length - 1 : 0;
  const spread = isCalm(world) ? 0.25 : 0.8;
  const jitter = (hash(world.seed, "arrival", branch, index) / 2 ** 32 - 0.5) * spread * everyMs;
  world.arrivals.set(branch, { index, age: Math.round((index + turn) * everyMs + jitter) });
}

/** Every event does this first, so an order uses the catalog of its instant, whether somebody looked in between or not. */
export function advance(world: World, age: number): void {
  for (;;) {
    let first: (Arrival & { readonly branch: string }) | undefined;
    for (const [branch, next] of world.arrivals) {
      if (next.age <= age && (!first || next.age < first.age)) first = { branch, ...next };
    }
    if (!first) break;

    arrive(world, { branch: first.branch, createdAt: world.clock.origin + first.age });
    scheduleArrival(world, first.branch, first.index + 1);
  }

  moveOrders(world.book, age);
  world.age = Math.max(world.age, age);
}

const day = 24 * 60 * minute;
const maxArrivals = 5_000;

// A jump over months would bring hundreds of thousands of orders: only its last day brings any, or less in a rush.
const computeJump = (everyMs: number): number => Math.min(day, maxArrivals * everyMs);

function passTime(world: World, age: number): void {
  const everyMs = world.arrivalEveryMs ?? day;
  const resume = Math.ceil((age - computeJump(everyMs)) / everyMs);
  for (const [branch, { index }] of world.arrivals) {
    if (index < resume) scheduleArrival(world, branch, resume);
  }

  world.recordedAge = Math.max(world.recordedAge, age);
}

/**
 * The event to record before a look at `age` when no event came for half of what a jump brings. That half happens, since
 * somebody may have seen it; the world skips the rest: one that nobody looked at stays cheap, and is the same when reopened.
 */
export function findPassedTime(world: World, age: number): WorldEvent | null {
  const seen = world.recordedAge + computeJump(world.arrivalEveryMs ?? day) / 2;
  return age > seen ? { type: "time_passed", age: seen, until: age } : null;
}

const folds: {
  readonly [T in Exclude<keyof Events, "world_started">]: (world: World, event: Events[T]) => void;
} = {
  catalog_applied: ({ catalogs, clock }, { branch, event_id, age, outcome }) => {
    const catalog = catalogs.get(branch);
    if (catalog) applyEvent(catalog, { branch, event_id, age, date: clock.origin + age }, outcome);
  },
  orders_placed: (world, { branch, orders, age, next_id }) => {
    for (const order of orders) {
      const { order_id } = order;
      const isChosen = order_id >= world.book.nextId && order_id < next_id;
      const number = isChosen ? readNumber(world, order_id) : order_id;
      // Manually placed orders in a calm world do not move: an integrator's test finds them unchanged.
      if (isCalm(world)) addOrder(world.book, branch, order);
      else enter(world, branch, order, { number, born: age, placed: true });
    }
    world.book.nextId = next_id;
  },
  order_status_set: ({ book }, { order_id, status }) => setStatus(book, order_id, status),
  campaign_created: ({ campaigns, replies, seed }, { campaign }) => {
    campaigns.set(campaign.campaign_id, campaign);
    expectReplies(replies, campaign, seed);
  },
  reply_given: ({ replies, campaigns }, { reply }) =>
    addReply(replies, reply, campaigns.get(reply.campaign_id)?.age ?? 0),
  clock_moved: (world, { clock }) => {
    world.clock = clock;
    passTime(world, clock.ageAtAnchor);
  },
  world_imported: (world, { age, clock }) => {
    world.clock = clock;
    world.importedAge = age;
  },
  time_passed: (world, { until }) => passTime(world, until),
  template_put: ({ templates }, { template }) => void templates.set(template.name, template),
  fault_armed: ({ faults }, { rule }) => armFault(faults, rule),
  fault_counted: ({ faults }, { id, what }) => countFault(faults, id, what),
  fault_removed: ({ faults }, { id }) => removeFault(faults, id),
  // Ids continue, so that a fault is not mistaken for an earlier one.
  faults_cleared: ({ faults }) => void faults.armed.splice(0),
};

export function apply(world: World, event: WorldEvent): World {
  if (event.type === "world_started") return startWorld(event.scenario, event.seed, event.clock);

  advance(world, event.age);
  world.recordedAge = Math.max(world.recordedAge, event.age);
  (folds[event.type] as (world: World, event: WorldEvent) => void)(world, event);
  return world;
}
