import type { Hono } from "hono";
import type { CampaignCreated, CampaignStatus } from "../../contract/campaign.ts";
import type { CatalogResult } from "../../contract/catalog.ts";
import { endpoints } from "../../contract/endpoints.ts";
import { limits, orderStates } from "../../contract/limits.ts";
import { parseInstant } from "./clock.ts";
import { type FaultParts, faultMiddleware, placeLate } from "./fault-effects.ts";
import { campaignsBase } from "./faults.ts";
import { type Call, type HttpEnv, readKeyed, sendJson } from "./http.ts";
import { badInput, MockRefusal, parseInput } from "./refusal.ts";
import { computeStatus, makeCampaign, sendKeySchema, toCreated } from "./shop/campaigns.ts";
import { decideEvent, envelopeSchema, maxItems } from "./shop/catalog.ts";
import type { LiveWorld } from "./world/live-world.ts";
import type { MockKey } from "./world/scenarios.ts";
import type { World } from "./world/world.ts";

/** The answer of section 5 to a key that is missing, unknown or inactive, and to a store_id of another branch. */
const newDenial = (): MockRefusal => new MockRefusal(403, "Invalid API key.");

/** `since` is in epoch milliseconds. */
function readOrdersQuery({ req }: Call) {
  const { status: state = "pendiente", since: after, page: number = "1" } = req.query();
  const status = orderStates.find((each) => each === state);
  if (!status) throw badInput(`status must be one of ${orderStates.join(", ")}`);

  const since = after === undefined ? -Infinity : parseInstant(after);
  if (since === null)
    throw badInput("since must be RFC 3339 with seconds and an offset; write + as %2B in an address");

  const page = /^[0-9]+$/.test(number) ? Number(number) : 0;
  if (page < 1 || !Number.isSafeInteger(page)) throw badInput("page must be a whole number from 1 up");

  return { status, since, page };
}

const maxPages = 256;

/** The book caches a page until an order arrives or changes: polls mostly repeat the same request. */
function readOrdersPage({ book }: World, branch: string, query: ReturnType<typeof readOrdersQuery>): Buffer {
  const { status, since, page } = query;
  const name = `${branch} ${status} ${since} ${page}`;
  const known = book.pages.get(name);
  if (known) return known;

  const per_page = limits.ordersPerPage;
  const end = page * per_page;
  const orders = book.byBranch.get(branch) ?? [];
  const all = orders.filter((order) => order.status === status && order.created_at > since);
  const total = all.length;
  const answer = { orders: all.slice(end - per_page, end), page, per_page, total, has_more: total > end };
  const bytes = Buffer.from(JSON.stringify(answer));
  if (book.pages.size < maxPages) book.pages.set(name, bytes);
  return bytes;
}

export function pushCatalog(live: LiveWorld, key: MockKey, body: unknown): CatalogResult {
  const event = parseInput(envelopeSchema, body);
  if (event.items.length > maxItems) throw badInput(`items: at most ${maxItems} in one event`);
  if (event.store_id !== undefined && String(event.store_id) !== key.store_id) throw newDenial();

  return live.transact(() => {
    const { world, age } = live.look();
    const catalog = world.catalogs.get(key.branch);
    // Another process has just started a world without this branch.
    if (!catalog) throw newDenial();

    const earlier = catalog.answers.get(event.event_id);
    if (earlier) return { ...earlier, duplicate: true };

    const outcome = decideEvent(catalog, event);
    live.commit({ type: "catalog_applied", age, branch: key.branch, event_id: event.event_id, outcome });
    return outcome.result;
  });
}

/** POST /campaigns (`docs/reference/service.md` 4.3). It decides and commits in one turn, so of many calls with one key exactly one sends. */
export function sendCampaign(live: LiveWorld, key: MockKey, body: unknown): CampaignCreated {
  const { idempotency_key } = parseInput(sendKeySchema, body);
  return live.transact(() => {
    const { world, age, date } = live.look();
    const earlier = [...world.campaigns.values()].find(
      (campaign) => campaign.idempotency_key === idempotency_key && campaign.key === key.key,
    );
    if (earlier) return toCreated(earlier, true);

    const campaign = makeCampaign(world, key, body, { age, createdAt: date });
    live.commit({ type: "campaign_created", age, campaign });
    return toCreated(campaign, false);
  });
}

export function readCampaign(live: LiveWorld, key: MockKey, campaignId: string): CampaignStatus {
  const { world, age } = live.look();
  const campaign = world.campaigns.get(campaignId);
  if (campaign?.key !== key.key) throw badInput("campaign not found");
  return computeStatus(campaign, world, age);
}

/** The endpoints of `docs/reference/service.md`, with the faults that act on them. */
export function serviceRoutes(app: Hono<HttpEnv>, parts: FaultParts): void {
  const { live } = parts;
  for (const prefix of ["/v1/*", `${campaignsBase}/*`]) {
    // Faults act before the key is checked, as a gateway does. A wrong key is refused whatever the body is.
    app.use(prefix, faultMiddleware(parts), (call: Call, next) => {
      const key = live.look().world.keys.get(call.req.header("x-api-key") ?? "");
      if (!key) throw newDenial();
      call.set("key", key);
      return next();
    });
  }

  app.get(endpoints.listOrders.path, (call) => {
    const query = readOrdersQuery(call);
    placeLate(live, call, query.status);
    const { world } = live.look();
    return sendJson(call, 200, readOrdersPage(world, call.get("key").branch, query));
  });

  app.post(endpoints.pushCatalog.path, async (call) => {
    const body = await readKeyed(call);
    const result = pushCatalog(live, call.get("key"), body);
    return sendJson(call, 200, JSON.stringify(result));
  });

  app.post(campaignsBase + endpoints.sendCampaign.path, async (call) => {
    const body = await readKeyed(call);
    const created = sendCampaign(live, call.get("key"), body);
    return sendJson(call, 200, JSON.stringify(created));
  });

  const campaignPath = endpoints.readCampaign.path.replace("{campaign_id}", ":campaign_id");
  app.get(campaignsBase + campaignPath, (call) => {
    const status = readCampaign(live, call.get("key"), call.req.param("campaign_id") ?? "");
    return sendJson(call, 200, JSON.stringify(status));
  });
}
