import * as z from "zod";
import { type OrderState, orderStates } from "../../contract/limits.ts";
import { formatInstant } from "../core/clock.ts";
import { type ArmedFault, type FaultInput, readFault } from "../core/faults.ts";
import { chooseBranch, type PlaceOrders, placeOrders } from "../core/place-orders.ts";
import { badInput, MockRefusal, parseInput } from "../core/refusal.ts";
import { replayRequest } from "../core/replay.ts";
import type { RequestLog } from "../core/request-log.ts";
import {
  drawTimeline,
  listMessages,
  type TemplateInput,
  templateSchema,
  toCampaignRow,
} from "../core/shop/campaigns.ts";
import { maxPushes } from "../core/shop/catalog.ts";
import type { MockOrder } from "../core/shop/orders.ts";
import { listReplies, makeReply, type Reply } from "../core/shop/replies.ts";
import type { Webhook } from "../core/webhook.ts";
import type { LiveWorld } from "../core/world/live-world.ts";
import { defineScenario, readScenario, type Scenario } from "../core/world/scenarios.ts";
import { exportWorld, importWorld, type WorldDocument } from "./export.ts";
import { type ClockMove, clockMoveSchema, moveClock } from "./move-clock.ts";

const statusSchema = z.object({ status: z.enum(orderStates) });
const resetSchema = z.object({ scenario: z.unknown().optional(), seed: z.int().optional() });
const limitSchema = z.int().min(1).max(1_000);
const replySchema = z.object({
  phone: z.string().min(1),
  text: z.string().min(1).max(4_096),
  /** Default the newest campaign whose message to that phone has not failed. */
  campaign_id: z.string().optional(),
});

const webhookSchema = z.object({ url: z.string().nullable() });

type Moment = ReturnType<LiveWorld["look"]>;

const toReplyRow = ({ age: _, at, ...reply }: Reply) => ({ ...reply, at: formatInstant(at) });

function findRepliedCampaign({ world, age }: Moment, phone: string, wanted: string | undefined) {
  const campaigns = [...world.campaigns.values()].filter(
    (one) => (wanted ?? one.campaign_id) === one.campaign_id,
  );
  const sent = campaigns.filter(({ recipients }) => recipients.some((one) => one.phone === phone));
  if (sent.length === 0)
    throw badInput(`no message went to ${phone}${wanted === undefined ? "" : ` in campaign ${wanted}`}`);

  const campaign = sent.findLast(
    ({ campaign_id, age: sentAt }) =>
      world.replies.firstGiven.get(campaign_id)?.has(phone) ||
      drawTimeline(world.seed, campaign_id, phone).failed > age - sentAt,
  );
  if (!campaign) throw badInput(`the message to ${phone} failed: it cannot be replied to`);
  return campaign;
}

/** The control API (`/_mock`) as functions, which throw MockRefusal where HTTP would refuse. */
export class Control {
  readonly #live: LiveWorld;
  readonly #log: RequestLog;
  readonly #webhook: Webhook;

  constructor(live: LiveWorld, log: RequestLog, webhook: Webhook) {
    this.#live = live;
    this.#log = log;
    this.#webhook = webhook;
  }

  /** Promises, so that a world kept elsewhere can have the same interface; the work itself is synchronous. */
  #do<T>(work: (moment: Moment) => T): Promise<T> {
    const run = (): T => work(this.#live.look());
    return new Promise((resolve) => resolve(this.#live.transact(run)));
  }

  #clock() {
    const { world, date } = this.#live.look();
    const { speed } = world.clock;
    return { now: formatInstant(date), frozen: speed === 0, speed };
  }

  #world() {
    const { scenario, seed, catalogs } = this.#live.look().world;
    const started = { world_id: this.#live.worldId(), scenario: defineScenario(scenario).name, seed };
    return { ...started, ...this.#clock(), branches: [...catalogs.keys()] };
  }

  /** Identifies the world: `world_id` changes with each start without `data`, and with a reset. */
  world = () => this.#do(() => this.#world());

  /** Places orders for products that the branch sells now, and returns them. */
  placeOrders = (input: PlaceOrders = {}): Promise<MockOrder[]> =>
    this.#do(() => placeOrders(this.#live, input));

  /** The orders of a branch, or of all, in every state, each branch's oldest first. */
  orders = (branch?: string): Promise<MockOrder[]> =>
    this.#do(({ world }) => {
      const branches = branch === undefined ? [...world.catalogs.keys()] : [chooseBranch(world, branch)];
      const orders = branches.flatMap((one) => world.book.byBranch.get(one) ?? []);
      return orders.map((order) => ({ ...order }));
    });

  /** Moves an order to a state and returns it. */
  setOrderStatus = (orderId: number, given: OrderState): Promise<MockOrder> =>
    this.#do(({ world, age }) => {
      const { status } = parseInput(statusSchema, { status: given });
      const order = world.book.byId.get(orderId);
      if (!order) throw new MockRefusal(404, `order ${orderId} does not exist`);
      this.#live.commit({ type: "order_status_set", age, order_id: orderId, status });
      return { ...order, status };
    });

  /** Moves the clock, or sets how fast it goes; a date in the past changes only the date and undoes nothing that was reported. */
  moveClock = (input: ClockMove) =>
    this.#do(({ world, age }) => {
      const clock = moveClock(world.clock, age, this.#live.real(), parseInput(clockMoveSchema, input));
      this.#live.commit({ type: "clock_moved", age, clock });
      return this.#clock();
    });

  /** The last `limit` requests to the service and webhook attempts (default 100, at most 1,000), oldest first. */
  requests = (limit = 100) => this.#do(() => this.#log.rows.slice(-parseInput(limitSchema, limit)));

  /** A request with its bodies, each null if it was not kept: the newest 8 MiB are kept, but none over 1 MiB. */
  request = (id: number) =>
    this.#do(() => {
      const { row, exchange } = this.#log.find(id);
      const { request, response } = exchange;
      return {
        ...row,
        request_body: request?.toString() ?? null,
        response_body: response?.toString() ?? null,
      };
    });

  /** Sends a request again, with the key that it had, and returns the row of the new one. */
  replay = (id: number) => replayRequest(this.#log, id);

  /** The products of a branch (default the scenario's first), deactivated ones too. */
  catalog = (branch?: string) =>
    this.#do(({ world }) => {
      const catalog = world.catalogs.get(chooseBranch(world, branch));
      return Array.from(catalog?.entries.values() ?? [], ({ product, event_id }) => ({
        ...product,
        event_id,
      }));
    });

  /** The last 200 catalog events that were applied, of a branch or of all, oldest first; lists of codes hold 1,000 at most. */
  pushes = (branch?: string) =>
    this.#do(({ world }) => {
      const branches = branch === undefined ? [...world.catalogs.keys()] : [chooseBranch(world, branch)];
      const pushes = branches.flatMap((one) => world.catalogs.get(one)?.pushes ?? []);
      pushes.sort((one, other) => one.age - other.age);
      return pushes.slice(-maxPushes).map(({ row }) => row);
    });

  /** The campaigns of all keys, oldest first. */
  campaigns = () =>
    this.#do(({ world, age }) =>
      Array.from(world.campaigns.values(), (one) => toCampaignRow(one, world, age)),
    );

  /** Every sent message, one row each, oldest first. */
  messages = () =>
    this.#do(({ world, age }) =>
      [...world.campaigns.values()].flatMap((one) => listMessages(one, world, age)),
    );

  /** A person replies to the newest message that reached the phone, or to that of `campaign_id`. */
  reply = (input: z.input<typeof replySchema>) =>
    this.#do((moment) => {
      const { world, age } = moment;
      const { campaign_id, ...said } = parseInput(replySchema, input);
      const campaign = findRepliedCampaign(moment, said.phone, campaign_id);
      const reply = makeReply(world.replies, campaign, { ...said, age });
      this.#live.commit({ type: "reply_given", age, reply });
      return toReplyRow(reply);
    });

  /** The replies so far, manual and scheduled, oldest first, and the webhook result of each. */
  replies = () =>
    this.#do(({ world, age }) => {
      // Of several posts of one reply, the last one counts.
      const posted = new Map(
        this.#webhook
          .rows()
          .map(({ reply_id, branch: _branch, url: _url, at: _at, body: _body, ...row }) => [reply_id, row]),
      );
      return listReplies(world.replies, age).map((reply) => {
        return { ...toReplyRow(reply), webhook: posted.get(reply.id) ?? null };
      });
    });

  /** Each posting of a reply to the webhook since the mock started, oldest first, the last 10,000. */
  webhooks = () => this.#do(() => this.#webhook.rows());

  /** Returns the URL that replies are posted to, with hidden credentials; null for none. */
  webhook = () => this.#do(() => ({ url: this.#webhook.url() }));

  /** Posts the replies that become due from now on to a URL, http or https; null posts none. */
  setWebhook = (url: string | null) =>
    this.#do(() => {
      this.#webhook.setUrl(parseInput(webhookSchema, { url }).url);
      return { url: this.#webhook.url() };
    });

  /** Posts a reply to the webhook again; answers after the first attempt, and is retried when that fails. */
  resendReply = async (id: string) => {
    const { world, age } = this.#live.look();
    const reply = listReplies(world.replies, age).find((one) => one.id === id);
    if (!reply) throw new MockRefusal(404, `reply ${id} does not exist`);
    return this.#webhook.send(reply);
  };

  templates = () => this.#do(({ world }) => [...world.templates.values()]);

  /** Adds or replaces a template. */
  putTemplate = (name: string, given: TemplateInput) =>
    this.#do(({ world, age }) => {
      const template = { name, ...parseInput(templateSchema, given) };
      const other = [...world.templates.values()].find((one) => one.id === template.id && one.name !== name);
      if (other) throw badInput(`id: already used by ${other.name}`);
      this.#live.commit({ type: "template_put", age, template });
      return template;
    });

  /** The armed faults, and how often each matched a request and fired. */
  faults = () => this.#do(({ world }) => [...world.faults.armed]);

  /** Arms a fault, for example `POST /campaigns status=502 times=2`, or the same as JSON. */
  addFault = (rule: string | FaultInput): Promise<ArmedFault> =>
    this.#do(({ world, age }) => {
      this.#live.commit({ type: "fault_armed", age, rule: readFault(rule) });
      return world.faults.armed.at(-1) as ArmedFault;
    });

  removeFault = (id: number): Promise<void> =>
    this.#do(({ world, age }) => {
      if (!world.faults.armed.some((fault) => fault.id === id))
        throw new MockRefusal(404, "no fault has this id");
      this.#live.commit({ type: "fault_removed", age, id });
    });

  clearFaults = (): Promise<void> =>
    this.#do(({ age }) => this.#live.commit({ type: "faults_cleared", age }));

  /** The world as one JSON document, for `importWorld` of this or another mock. */
  exportWorld = (): Promise<WorldDocument> => this.#do(() => exportWorld(this.#live));

  /** Continues the world of an export from its date. Its `world_id` is new, as after a reset. */
  importWorld = (document: unknown) =>
    this.#do(() => {
      importWorld(this.#live, document);
      this.#log.clear();
      return this.#world();
    });

  /** Starts over; keeps scenario and seed unless given. */
  reset = (input: { scenario?: Scenario; seed?: number } = {}) =>
    this.#do(({ world }) => {
      const given = parseInput(resetSchema, input);
      const scenario = given.scenario === undefined ? world.scenario : readScenario(given.scenario);
      const seed = given.seed ?? world.seed;
      this.#live.restart(scenario, seed);
      this.#log.clear();
      return { scenario: defineScenario(scenario).name, seed, now: formatInstant(this.#live.look().date) };
    });
}

/** The public part of Control, so that tests can replace it. */
export type MockControl = Pick<Control, keyof Control>;
