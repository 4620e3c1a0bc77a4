import type { CampaignCreated, CampaignStatus } from "../contract/campaign.ts";
import type { CatalogResult } from "../contract/catalog.ts";
import { limits } from "../contract/limits.ts";
import { type OrderState, orderStates } from "../contract/order-states.ts";
import {
  type Campaign,
  campaignAt,
  chooseTemplate,
  creationAnswer,
  defaultName,
  sendKeySchema,
  sendSchema,
  sortRecipients,
} from "./campaigns.ts";
import { decideEvent, envelopeSchema, mostItems } from "./catalog.ts";
import type { LiveWorld } from "./live-world.ts";
import { ordersIn } from "./order-book.ts";
import { parseInput } from "./parse.ts";
import { hash } from "./random.ts";
import { badInput, MockRefusal } from "./refusal.ts";
import type { MockKey } from "./scenarios.ts";
import { parseInstant } from "./time.ts";
import { sendKey, type World } from "./world.ts";

/** The answer of section 5 to a key that is missing, unknown or inactive, and to a store_id of another branch. */
export function denied(): MockRefusal {
  return new MockRefusal(403, "Invalid API key.");
}

/** The query of GET /v1/orders as it was written. */
export interface RawOrdersQuery {
  readonly status: string | undefined;
  readonly since: string | undefined;
  readonly page: string | undefined;
}

/** The query of GET /v1/orders as it is understood; `since` in epoch milliseconds. */
export interface OrdersQuery {
  readonly status: OrderState;
  readonly since: number;
  readonly page: number;
}

/** Reads the query of GET /v1/orders (`spec.md` 4.1). Throws MockRefusal 400. */
export function readOrdersQuery(raw: RawOrdersQuery): OrdersQuery {
  const status = orderStates.find((state) => state === (raw.status ?? "pendiente"));
  if (!status) throw badInput(`status must be one of ${orderStates.join(", ")}`);
  const since = raw.since === undefined ? -Infinity : parseInstant(raw.since);
  if (since === null) {
    throw badInput(
      "since must be an RFC 3339 date-time with seconds and an offset; write + as %2B in an address",
    );
  }
  const page = /^[0-9]+$/.test(raw.page ?? "1") ? Number(raw.page ?? "1") : 0;
  if (page < 1 || !Number.isSafeInteger(page)) throw badInput("page must be a whole number from 1 up");
  return { status, since, page };
}

/** GET /v1/orders (`spec.md` 4.1) as JSON text. */
export function listOrders(world: World, branch: string, query: OrdersQuery): string {
  const all = ordersIn(world.book, branch, query.status, query.since);
  const end = query.page * limits.ordersPerPage;
  return JSON.stringify({
    orders: all.slice(end - limits.ordersPerPage, end),
    page: query.page,
    per_page: limits.ordersPerPage,
    total: all.length,
    has_more: all.length > end,
  });
}

/** POST /v1/catalog/items (`spec.md` 4.2). Throws MockRefusal 403 for another branch's store_id, 400 for a broken envelope. */
export function pushCatalog(live: LiveWorld, key: MockKey, body: unknown): CatalogResult {
  const event = parseInput(envelopeSchema, body);
  if (event.items.length > mostItems) throw badInput(`items: at most ${mostItems} in one event`);
  if (event.store_id !== undefined && String(event.store_id) !== key.store_id) throw denied();
  return live.transact(() => {
    const { world, age } = live.look();
    const catalog = world.catalogs.get(key.branch);
    // Another process has just started a world without this branch.
    if (!catalog) throw denied();
    const earlier = catalog.answers.get(event.event_id);
    if (earlier) return { ...earlier, duplicate: true };
    const outcome = decideEvent(catalog, event);
    live.commit({
      type: "catalog_applied",
      age,
      branch: key.branch,
      event_id: event.event_id,
      outcome,
    });
    return outcome.result;
  });
}

// The number makes it unique in its world, the hash among all worlds.
function campaignId(world: World): string {
  const number = world.campaigns.size + 1;
  const digits = (value: number): string => value.toString(16).padStart(8, "0");
  return `cmp_${digits(hash(world.seed + world.numbering, "campaign", number))}${digits(number)}`;
}

/**
 * POST /campaigns (`spec.md` 4.3). A repeated key gets the original answer, whatever else the body says; deciding and
 * committing happen in one turn, so of many calls with one key exactly one sends. Throws MockRefusal 400.
 */
export function sendCampaign(live: LiveWorld, key: MockKey, body: unknown): CampaignCreated {
  const { idempotency_key } = parseInput(sendKeySchema, body);
  return live.transact(() => {
    const { world, age, date } = live.look();
    const earlier = world.sends.get(sendKey(key.key, idempotency_key));
    if (earlier) return creationAnswer(earlier, true);
    const send = parseInput(sendSchema, body);
    const { template, language } = chooseTemplate(world.templates.values(), send);
    const external_ref = send.external_ref ?? "";
    const campaign: Campaign = {
      campaign_id: campaignId(world),
      campaign_name: send.campaign_name || defaultName(template.name, external_ref),
      external_ref,
      branch: key.branch,
      key: key.key,
      idempotency_key,
      template: template.name,
      template_language: language,
      body: template.body,
      age,
      createdAt: date,
      ...sortRecipients(send.recipients, template.params),
    };
    live.commit({ type: "campaign_created", age, campaign });
    return creationAnswer(campaign, false);
  });
}

/** GET /campaigns/{campaign_id} (`spec.md` 4.4). Throws MockRefusal 400 for an unknown id or another key's. */
export function readCampaign(live: LiveWorld, key: MockKey, campaignId: string): CampaignStatus {
  const { world, age } = live.look();
  const campaign = world.campaigns.get(campaignId);
  if (campaign?.key !== key.key) throw badInput("campaign not found");
  return campaignAt(campaign, world.seed, age, world.replies.firstGiven.get(campaignId));
}
