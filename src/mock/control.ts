import * as z from "zod";
import { type OrderState, orderStates } from "../contract/order-states.ts";
import { type CampaignRow, campaignRow, type MessageRow, messagesOf } from "./campaigns.ts";
import type { Product } from "./catalog.ts";
import { type ClockMove, moveClock } from "./clock.ts";
import { type ArmedFault, type FaultInput, readFault } from "./faults.ts";
import type { LiveWorld } from "./live-world.ts";
import { findOrder, freeId } from "./order-book.ts";
import { overridesSchema, withOverrides } from "./order-overrides.ts";
import type { MockOrder } from "./orders.ts";
import { parseInput } from "./parse.ts";
import { badInput, MockRefusal } from "./refusal.ts";
import {
  type GiveReply,
  giveReply,
  listReplies,
  type RepliesRow,
  type ReplyRow,
  resendReply,
} from "./replies.ts";
import type { RequestLog, RequestRow } from "./request-log.ts";
import { definitionOf, readScenario, type Scenario } from "./scenarios.ts";
import { type Template, type TemplateInput, templateSchema } from "./templates.ts";
import { formatInstant } from "./time.ts";
import type { Webhook, WebhookRow } from "./webhook.ts";
import { orderAt, type World } from "./world.ts";

/** Which orders to place. */
export interface PlaceOrders {
  /** 1 to 10,000; default 1. */
  readonly count?: number;
  /** Default the scenario's first. */
  readonly branch?: string;
  /** Parts of the order to set; the others are drawn from the seed and the catalog. */
  readonly order?: Readonly<Record<string, unknown>>;
}

/** The date of the world, RFC 3339. */
interface ClockReading {
  now: string;
}

/** What a world was started anew with. */
interface ResetResult extends ClockReading {
  /** The scenario's name. */
  scenario: string;
  seed: number;
}

/**
 * The control API (`/_mock`) as functions: the same code, without HTTP. What they are given wrong they throw as a
 * MockRefusal, with the status that HTTP would answer.
 */
export interface MockControl {
  /** Which world this is: another one after each start without `data`, and after a reset. */
  world(): Promise<{ world_id: string }>;
  /** Places orders that hold what the branch sells now, and returns them. */
  placeOrders(input?: PlaceOrders): Promise<MockOrder[]>;
  /** Moves an order to a state and returns it. */
  setOrderStatus(orderId: number, status: OrderState): Promise<MockOrder>;
  /** Moves the clock; a date in the past changes the date alone and takes back nothing that was reported. */
  moveClock(move: ClockMove): Promise<ClockReading>;
  /** The last `limit` requests to the service (default 100, at most 1,000), oldest first. */
  requests(limit?: number): Promise<RequestRow[]>;
  /** The products of a branch (default the scenario's first), deactivated ones too. */
  catalog(branch?: string): Promise<Product[]>;
  /** The campaigns of all keys, oldest first. */
  campaigns(): Promise<CampaignRow[]>;
  /** Every message that went out, one row each, oldest first. */
  messages(): Promise<MessageRow[]>;
  /** A person replies to the newest message that reached the phone, or to that of `campaign_id`. */
  reply(input: GiveReply): Promise<ReplyRow>;
  /** The replies so far, by persons and by time, oldest first, and what came of posting each to the webhook. */
  replies(): Promise<RepliesRow[]>;
  /** Each posting of a reply to the webhook since the mock started, oldest first, the last 10,000. */
  webhooks(): Promise<WebhookRow[]>;
  /** Posts a reply to the webhook again; answers after the first attempt, and is tried on when that fails. */
  resendReply(id: string): Promise<WebhookRow>;
  templates(): Promise<Template[]>;
  /** Adds or replaces a template. */
  putTemplate(name: string, template: TemplateInput): Promise<Template>;
  /** The faults that are armed, and how often each met a request and fired. */
  faults(): Promise<ArmedFault[]>;
  /** Arms a fault, for example `POST /campaigns status=502 times=2`, or the same as JSON. */
  addFault(rule: string | FaultInput): Promise<ArmedFault>;
  clearFaults(): Promise<void>;
  /** Everything from the start; scenario and seed stay as they are unless given. */
  reset(input?: { readonly scenario?: Scenario; readonly seed?: number }): Promise<ResetResult>;
}

const placeSchema = z.object({
  count: z.int().min(1).max(10_000).default(1),
  branch: z.string().optional(),
  order: overridesSchema.default({}),
});

/** The body of `PATCH /_mock/orders/ID`. */
export const statusSchema = z.object({ status: z.enum(orderStates) });

const moveSchema = z.union(
  [z.strictObject({ advance_ms: z.int().min(0) }), z.strictObject({ now: z.string() })],
  'either {"advance_ms":N}, a whole number from 0 up, or {"now":"…"} is required',
);

const resetSchema = z.object({ scenario: z.unknown().optional(), seed: z.int().optional() });

const limitSchema = z.int().min(1).max(1_000);

/** The branch of that name, or the scenario's first. */
function chooseBranch(world: World, branch: string | undefined): string {
  const names = [...world.catalogs.keys()];
  const chosen = branch ?? names[0] ?? "";
  if (!names.includes(chosen)) throw badInput(`unknown branch: ${chosen}; there are ${names.join(", ")}`);
  return chosen;
}

function placeOrders(live: LiveWorld, input: PlaceOrders): MockOrder[] {
  const { count, branch: wanted, order: given } = parseInput(placeSchema, input);
  const { world, age, date } = live.look();
  const branch = chooseBranch(world, wanted);
  const { order_id, delivery_type: deliveryType } = given;
  if (order_id !== undefined && (count > 1 || world.book.branchOf.has(order_id))) {
    throw badInput("order_id: taken already");
  }
  const orders: MockOrder[] = [];
  let next_id = world.book.nextId;
  for (let index = 0; index < count; index++) {
    const orderId = freeId(world.book, next_id);
    next_id = orderId + 1;
    const drawn = orderAt(world, { branch, orderId, createdAt: date, ...(deliveryType && { deliveryType }) });
    orders.push(withOverrides(drawn, given));
  }
  live.commit({ type: "orders_placed", age, branch, orders, next_id });
  return orders;
}

function setOrderStatus(live: LiveWorld, orderId: number, given: OrderState): MockOrder {
  const { status } = parseInput(statusSchema, { status: given });
  const { world, age } = live.look();
  const found = findOrder(world.book, orderId);
  if (!found) throw new MockRefusal(404, `there is no order ${orderId}`);
  live.commit({ type: "order_status_set", age, order_id: orderId, status });
  return { ...found.order, status };
}

function putTemplate(live: LiveWorld, name: string, given: unknown): Template {
  const template = { name, ...parseInput(templateSchema, given) };
  const { world, age } = live.look();
  for (const other of world.templates.values()) {
    if (other.id === template.id && other.name !== name) throw badInput(`id: ${other.name} has it already`);
  }
  live.commit({ type: "template_put", age, template });
  return template;
}

function addFault(live: LiveWorld, given: unknown): ArmedFault {
  const rule = readFault(given);
  return live.transact(() => {
    live.commit({ type: "fault_armed", age: live.look().age, rule });
    const { armed } = live.look().world.faults;
    return armed[armed.length - 1] as ArmedFault;
  });
}

// Promises, so that a world kept elsewhere can fit the same interface; the work itself waits for nothing.
const answer = <T>(work: () => T): Promise<T> =>
  new Promise((resolve) => {
    resolve(work());
  });

/** The control API over a world and its request log. */
export function createControl(live: LiveWorld, log: RequestLog, webhook: Webhook | null = null): MockControl {
  const change = <T>(work: () => T): Promise<T> => answer(() => live.transact(work));
  const reading = (): ClockReading => ({ now: formatInstant(live.look().date) });
  return {
    world: () => answer(() => ({ world_id: live.worldId() })),
    placeOrders: (input = {}) => change(() => placeOrders(live, input)),
    setOrderStatus: (orderId, status) => change(() => setOrderStatus(live, orderId, status)),
    moveClock: (input) =>
      change(() => {
        const move = parseInput(moveSchema, input);
        const { world, age } = live.look();
        live.commit({ type: "clock_moved", age, clock: moveClock(world.clock, age, live.real(), move) });
        return reading();
      }),
    requests: (limit = 100) => answer(() => log.last(parseInput(limitSchema, limit))),
    catalog: (branch) =>
      answer(() => {
        const { world } = live.look();
        const catalog = world.catalogs.get(chooseBranch(world, branch));
        return Array.from(catalog?.entries.values() ?? [], (entry) => entry.product);
      }),
    campaigns: () =>
      answer(() => {
        const { world, age } = live.look();
        return Array.from(world.campaigns.values(), (one) =>
          campaignRow(one, world.seed, age, world.replies.firstGiven.get(one.campaign_id)),
        );
      }),
    messages: () => answer(() => [...live.look().world.campaigns.values()].flatMap(messagesOf)),
    reply: (input) => change(() => giveReply(live, input)),
    replies: () => answer(() => listReplies(live, webhook)),
    webhooks: () => answer(() => webhook?.rows() ?? []),
    resendReply: (id) => resendReply(live, webhook, id),
    templates: () => answer(() => [...live.look().world.templates.values()]),
    putTemplate: (name, template) => change(() => putTemplate(live, name, template)),
    faults: () => answer(() => [...live.look().world.faults.armed]),
    addFault: (rule) => change(() => addFault(live, rule)),
    clearFaults: () =>
      change(() => {
        live.commit({ type: "faults_cleared", age: live.look().age });
      }),
    reset: (input = {}) =>
      change(() => {
        const given = parseInput(resetSchema, input);
        const { world } = live.look();
        const scenario = given.scenario === undefined ? world.scenario : readScenario(given.scenario);
        const seed = given.seed ?? world.seed;
        live.restart(scenario, seed);
        log.clear();
        return { scenario: definitionOf(scenario).name, seed, ...reading() };
      }),
  };
}
