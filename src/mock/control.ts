import * as z from "zod";
import { type OrderState, orderStates } from "../contract/limits.ts";
import { campaignRow, messagesOf, timelineOf } from "./campaigns.ts";
import { type ClockMove, clockMoveSchema, formatInstant, moveClock } from "./clock.ts";
import { type ArmedFault, type FaultInput, readFault } from "./faults.ts";
import type { LiveWorld } from "./live-world.ts";
import { freeId } from "./order-book.ts";
import { type MockOrder, overridesSchema } from "./orders.ts";
import { badInput, MockRefusal, parseInput } from "./refusal.ts";
import { makeReply, type Reply, repliesUpTo } from "./replies.ts";
import type { RequestLog } from "./request-log.ts";
import { definitionOf, readScenario, type Scenario } from "./scenarios.ts";
import { type Template, type TemplateInput, templateSchema } from "./templates.ts";
import type { Webhook, WebhookRow } from "./webhook.ts";
import { orderAt, type World } from "./world.ts";

const placeSchema = z.object({
  /** 1 to 10,000; default 1. */
  count: z.int().min(1).max(10_000).default(1),
  branch: z.string().optional(),
  /** Parts of the order to set; the others are drawn from the seed and the catalog. */
  order: overridesSchema.default({}),
});
const statusSchema = z.object({ status: z.enum(orderStates) });
const resetSchema = z.object({ scenario: z.unknown().optional(), seed: z.int().optional() });
const limitSchema = z.int().min(1).max(1_000);
const replySchema = z.object({
  phone: z.string().min(1),
  text: z.string().min(1).max(4_096),
  /** Default the newest campaign whose message to that phone has not failed. */
  campaign_id: z.string().optional(),
});

type PlaceOrders = Omit<z.input<typeof placeSchema>, "order"> & { order?: Readonly<Record<string, unknown>> };

function chooseBranch(world: World, branch: string | undefined): string {
  const names = [...world.catalogs.keys()];
  const chosen = branch ?? names[0] ?? "";
  if (!names.includes(chosen)) throw badInput(`unknown branch: ${chosen}; there are ${names.join(", ")}`);
  return chosen;
}

function placeOrders(live: LiveWorld, input: unknown): MockOrder[] {
  const { count, branch: wanted, order: given } = parseInput(placeSchema, input);
  const { world, age, date: createdAt } = live.look();
  const branch = chooseBranch(world, wanted);
  if (given.order_id !== undefined && (count > 1 || world.book.byId.has(given.order_id))) {
    throw badInput("order_id: taken already");
  }
  const orders: MockOrder[] = [];
  let next_id = world.book.nextId;
  for (let index = 0; index < count; index++) {
    const orderId = freeId(world.book, next_id);
    next_id = orderId + 1;
    orders.push(orderAt(world, { branch, orderId, createdAt }, given));
  }
  live.commit({ type: "orders_placed", age, branch, orders, next_id });
  return orders;
}

function setOrderStatus(live: LiveWorld, orderId: number, given: unknown): MockOrder {
  const { status } = parseInput(statusSchema, { status: given });
  const { world, age } = live.look();
  const order = world.book.byId.get(orderId);
  if (!order) throw new MockRefusal(404, `there is no order ${orderId}`);
  live.commit({ type: "order_status_set", age, order_id: orderId, status });
  return { ...order, status };
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

const replyRow = ({ age: _, at, ...reply }: Reply) => ({ ...reply, at: formatInstant(at) });

/** A person replies now. Throws MockRefusal 400 when no message went to the phone, or each one failed. */
function giveReply(live: LiveWorld, input: unknown) {
  const { phone, text, campaign_id: wanted } = parseInput(replySchema, input);
  const { world, age } = live.look();
  const sent = [...world.campaigns.values()].filter(
    ({ campaign_id, recipients }) =>
      (wanted ?? campaign_id) === campaign_id && recipients.some((recipient) => recipient.phone === phone),
  );
  if (sent.length === 0) {
    throw badInput(`no message went to ${phone}${wanted === undefined ? "" : ` in campaign ${wanted}`}`);
  }
  const campaign = sent.findLast(
    ({ campaign_id, age: sentAt }) =>
      world.replies.firstGiven.get(campaign_id)?.has(phone) ||
      timelineOf(world.seed, campaign_id, phone).failed > age - sentAt,
  );
  if (!campaign) throw badInput(`the message to ${phone} failed: it cannot be replied to`);
  const reply = makeReply(world.replies, campaign, { phone, text, age });
  live.commit({ type: "reply_given", age, reply });
  return replyRow(reply);
}

function listReplies(live: LiveWorld, webhook: Webhook | null) {
  const { world, age } = live.look();
  // Of several postings of one reply the last stays.
  const posted = new Map(
    webhook
      ?.rows()
      .map(({ reply_id, state, attempts, status, error }) => [reply_id, { state, attempts, status, error }]),
  );
  return repliesUpTo(world.replies, age).map((reply) => ({
    ...replyRow(reply),
    webhook: posted.get(reply.id) ?? null,
  }));
}

async function resendReply(live: LiveWorld, webhook: Webhook | null, id: string): Promise<WebhookRow> {
  if (!webhook) throw badInput("there is no webhook: start the mock with the URL of one");
  const { world, age } = live.look();
  const reply = repliesUpTo(world.replies, age).find((one) => one.id === id);
  if (!reply) throw new MockRefusal(404, `there is no reply ${id}`);
  return webhook.send(reply);
}

function setClock(live: LiveWorld, input: ClockMove) {
  const move = parseInput(clockMoveSchema, input);
  const { world, age } = live.look();
  live.commit({ type: "clock_moved", age, clock: moveClock(world.clock, age, live.real(), move) });
  return { now: formatInstant(live.look().date) };
}

function addFault(live: LiveWorld, given: unknown): ArmedFault {
  const rule = readFault(given);
  const { world, age } = live.look();
  live.commit({ type: "fault_armed", age, rule });
  return world.faults.armed.at(-1) as ArmedFault;
}

function reset(live: LiveWorld, log: RequestLog, input: unknown) {
  const given = parseInput(resetSchema, input);
  const { world } = live.look();
  const scenario = given.scenario === undefined ? world.scenario : readScenario(given.scenario);
  const seed = given.seed ?? world.seed;
  live.restart(scenario, seed);
  log.clear();
  return { scenario: definitionOf(scenario).name, seed, now: formatInstant(live.look().date) };
}

/** The control API (`/_mock`) as functions, which throw as MockRefusal what HTTP would refuse. */
export type MockControl = ReturnType<typeof createControl>;

export function createControl(live: LiveWorld, log: RequestLog, webhook: Webhook | null = null) {
  // Promises, so that a world kept elsewhere can fit the same interface; the work itself waits for nothing.
  const change = <T>(work: () => T): Promise<T> => new Promise((resolve) => resolve(live.transact(work)));
  const read = <T>(work: (moment: ReturnType<LiveWorld["look"]>) => T): Promise<T> =>
    new Promise((resolve) => resolve(work(live.look())));
  return {
    /** Which world this is: another one after each start without `data`, and after a reset. */
    world: () => read(() => ({ world_id: live.worldId() })),
    /** Places orders that hold what the branch sells now, and returns them. */
    placeOrders: (input: PlaceOrders = {}) => change(() => placeOrders(live, input)),
    /** Moves an order to a state and returns it. */
    setOrderStatus: (orderId: number, status: OrderState) =>
      change(() => setOrderStatus(live, orderId, status)),
    /** Moves the clock; a date in the past changes the date alone and takes back nothing that was reported. */
    moveClock: (move: ClockMove) => change(() => setClock(live, move)),
    /** The last `limit` requests to the service (default 100, at most 1,000), oldest first. */
    requests: (limit = 100) => read(() => log.last(parseInput(limitSchema, limit))),
    /** The products of a branch (default the scenario's first), deactivated ones too. */
    catalog: (branch?: string) =>
      read(({ world }) => {
        const catalog = world.catalogs.get(chooseBranch(world, branch));
        return Array.from(catalog?.entries.values() ?? [], (entry) => entry.product);
      }),
    /** The campaigns of all keys, oldest first. */
    campaigns: () =>
      read(({ world, age }) =>
        Array.from(world.campaigns.values(), (one) =>
          campaignRow(one, world.seed, age, world.replies.firstGiven.get(one.campaign_id)),
        ),
      ),
    /** Every message that went out, one row each, oldest first. */
    messages: () => read(({ world }) => [...world.campaigns.values()].flatMap(messagesOf)),
    /** A person replies to the newest message that reached the phone, or to that of `campaign_id`. */
    reply: (input: z.input<typeof replySchema>) => change(() => giveReply(live, input)),
    /** The replies so far, by persons and by time, oldest first, and what came of posting each to the webhook. */
    replies: () => read(() => listReplies(live, webhook)),
    /** Each posting of a reply to the webhook since the mock started, oldest first, the last 10,000. */
    webhooks: () => read(() => webhook?.rows() ?? []),
    /** Posts a reply to the webhook again; answers after the first attempt, and is retried when that fails. */
    resendReply: (id: string) => resendReply(live, webhook, id),
    templates: () => read(({ world }) => [...world.templates.values()]),
    /** Adds or replaces a template. */
    putTemplate: (name: string, template: TemplateInput) => change(() => putTemplate(live, name, template)),
    /** The faults that are armed, and how often each met a request and fired. */
    faults: () => read(({ world }) => [...world.faults.armed]),
    /** Arms a fault, for example `POST /campaigns status=502 times=2`, or the same as JSON. */
    addFault: (rule: string | FaultInput) => change(() => addFault(live, rule)),
    clearFaults: () => change(() => live.commit({ type: "faults_cleared", age: live.look().age })),
    /** Everything from the start; scenario and seed stay as they are unless given. */
    reset: (input: { scenario?: Scenario; seed?: number } = {}) => change(() => reset(live, log, input)),
  };
}
