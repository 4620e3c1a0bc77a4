import type { IncomingMessage } from "node:http";
import { Hono, type Next } from "hono";
import { isLoopback } from "../../contract/addresses.ts";
import type { CampaignCreated, CampaignStatus } from "../../contract/campaign.ts";
import type { CatalogResult } from "../../contract/catalog.ts";
import { endpoints } from "../../contract/endpoints.ts";
import { limits, type OrderState, orderStates } from "../../contract/limits.ts";
import type { Language } from "../../texts/texts.ts";
import type { MockControl } from "../control/control.ts";
import { formatInstant, parseInstant } from "./clock.ts";
import { type FaultParts, faultMiddleware, placeLate } from "./fault-effects.ts";
import { campaignsBase } from "./faults.ts";
import { type Call, type HttpEnv, readJson, readKeyed, requireJson, sendJson, sendRefusal } from "./http.ts";
import { hash } from "./random.ts";
import { badInput, MockRefusal, parseInput } from "./refusal.ts";
import { replayHeader } from "./replay.ts";
import type { Exchange, RequestLog } from "./request-log.ts";
import {
  type Campaign,
  chooseTemplate,
  computeStatus,
  sendKeySchema,
  sendSchema,
  sortRecipients,
  toCreated,
} from "./shop/campaigns.ts";
import { decideEvent, envelopeSchema, maxItems } from "./shop/catalog.ts";
import type { PageTools } from "./shop/orders.ts";
import type { Webhook } from "./webhook.ts";
import type { LiveWorld } from "./world/live-world.ts";
import type { MockKey } from "./world/scenarios.ts";
import type { World } from "./world/world.ts";

type AppParts = FaultParts &
  PageTools &
  Readonly<{ log: RequestLog; webhook: Webhook; lang: Language | undefined }>;

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

/** The book keeps a page until an order comes or changes: a poll mostly asks for what it asked for before. */
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

// The number makes it unique in its world (and is what a campaign's course is drawn by), the hash among all worlds.
function makeCampaignId({ campaigns, seed, numbering }: World): string {
  const number = campaigns.size + 1;
  const digits = (value: number): string => value.toString(16).padStart(8, "0");
  return `cmp_${digits(hash(seed + numbering, "campaign", number))}${digits(number)}`;
}

const makeCampaignName = (template: string, external_ref: string): string =>
  ["API", template, external_ref].filter(Boolean).join(" - ");

/** POST /campaigns (`docs/service.md` 4.3). It decides and commits in one turn, so of many calls with one key exactly one sends. */
export function sendCampaign(live: LiveWorld, key: MockKey, body: unknown): CampaignCreated {
  const { idempotency_key } = parseInput(sendKeySchema, body);
  return live.transact(() => {
    const { world, age, date } = live.look();
    const earlier = [...world.campaigns.values()].find(
      (campaign) => campaign.idempotency_key === idempotency_key && campaign.key === key.key,
    );
    if (earlier) return toCreated(earlier, true);

    const send = parseInput(sendSchema, body);
    const { template, language } = chooseTemplate(world.templates.values(), send);
    const external_ref = send.external_ref ?? "";
    const campaign: Campaign = {
      campaign_id: makeCampaignId(world),
      campaign_name: send.campaign_name || makeCampaignName(template.name, external_ref),
      external_ref,
      branch: key.branch,
      key: key.key,
      idempotency_key,
      template: template.name,
      template_language: language,
      body: template.body,
      header_media_url: template.header === "none" ? null : (send.header_media_url ?? null),
      age,
      createdAt: date,
      ...sortRecipients(send.recipients, template.params),
    };

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

/** A key that can be shown: `bpk_…ntro`. Too short a one shows nothing. */
const maskKey = (key: string): string =>
  key.length < 12 ? "…" : `${/^[a-z]{1,8}_/.exec(key)?.[0] ?? ""}…${key.slice(-4)}`;

/** The control API and the page that a person looks at. */
const isLogged = (path: string): boolean => !/^\/(?:$|_mock\/|console(?:\/|$)|openapi\.json$)/.test(path);

function openExchange({ headers }: IncomingMessage): Exchange {
  const {
    "content-length": length = "0",
    "transfer-encoding": coding,
    "content-type": contentType,
  } = headers;
  const [key, replay] = [headers["x-api-key"], headers[replayHeader]].map((each) => each?.toString());
  const request = length === "0" && coding === undefined ? "" : null;
  return { key, contentType, replay, request, response: null };
}

function logRequests(app: Hono<HttpEnv>, { live, log }: AppParts): void {
  app.use(async (call, next) => {
    if (!isLogged(call.req.path)) return next();

    const { incoming, outgoing } = call.env;
    const began = live.real();
    const { world, date } = live.look();
    const exchange = openExchange(incoming);
    call.set("exchange", exchange);
    const { key } = exchange;
    const branch = world.keys.get(key ?? "")?.branch ?? null;

    await next();

    const [path = "", ...query] = (incoming.url ?? "").split("?");
    const [fault, error] = [call.get("fault"), call.get("error")];
    const row = {
      at: formatInstant(date),
      method: call.req.method,
      path,
      query: query.join("?"),
      status: outgoing.headersSent ? outgoing.statusCode : 0,
      ms: live.real() - began,
      key: key === undefined ? null : maskKey(key),
      branch,
      ...call.get("bodyKey"),
      ...(fault !== undefined && { fault }),
      ...(error !== undefined && { error }),
    };

    log.add(row, exchange);
    // The log has a copy.
    call.set("body", undefined);
  });
}

function apiRoutes(app: Hono<HttpEnv>, parts: AppParts): void {
  const { live } = parts;
  for (const prefix of ["/v1/*", `${campaignsBase}/*`]) {
    // A fault comes before the key is checked: a gateway does not look at keys. A wrong key is refused whatever the body is.
    app.use(prefix, faultMiddleware(parts), (call: Call, next) => {
      const key = live.look().world.keys.get(call.req.header("x-api-key") ?? "");
      if (!key) throw newDenial();
      call.set("key", key);
      return next();
    });
  }

  app.get(endpoints.listOrders.path, async (call) => {
    const query = readOrdersQuery(call);
    await placeLate(parts, call, query.status);
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

// A web page that a person has open must not be able to change the world behind it.
function requireLocal(call: Call, next: Next): Promise<void> {
  if (!isLoopback(call.env.incoming.socket.remoteAddress ?? ""))
    throw new MockRefusal(403, "the control API answers this machine only");

  const origin = call.req.header("origin");
  if (origin !== undefined && origin !== `http://${call.req.header("host") ?? ""}`)
    throw new MockRefusal(403, "a page of another origin may not use the mock");

  if (call.req.method === "GET" || call.req.method === "HEAD") return next();
  requireJson(call);
  return next();
}

function controlRoutes(app: Hono<HttpEnv>, control: MockControl): void {
  app.use("/_mock/*", requireLocal);
  const route = (method: string, path: string, answer: (call: Call, body: never) => Promise<unknown>) =>
    app.on(method, `/_mock/${path}`, async (call) => {
      const body = method === "GET" ? undefined : await readJson(call, {});
      const result = await answer(call, body as never);
      return sendJson(call, 200, JSON.stringify(result));
    });

  route("GET", "world", () => control.world());
  route("GET", "orders", async (call) => ({ orders: await control.orders(call.req.query("branch")) }));
  route("POST", "orders", async (_, body) => ({ orders: await control.placeOrders(body) }));
  route("PATCH", "orders/:id", (call, body: { status: OrderState } | null) =>
    control.setOrderStatus(Number(call.req.param("id")), body?.status as OrderState),
  );
  route("POST", "clock", (_, body) => control.moveClock(body));
  route("GET", "requests", async (call) => {
    const limit = call.req.query("limit");
    return { requests: await control.requests(limit === undefined ? undefined : Number(limit)) };
  });
  route("GET", "requests/:id", (call) => control.request(Number(call.req.param("id"))));
  route("POST", "requests/:id/replay", (call) => control.replay(Number(call.req.param("id"))));
  route("GET", "catalog", async (call) => ({ items: await control.catalog(call.req.query("branch")) }));
  for (const list of ["campaigns", "messages", "replies", "webhooks", "templates", "faults"] as const)
    route("GET", list, async () => ({ [list]: await control[list]() }));
  route("GET", "webhook", () => control.webhook());
  route("PUT", "webhook", (_, body: { url: string | null } | null) =>
    control.setWebhook(body?.url as string | null),
  );
  route("POST", "replies", (_, body) => control.reply(body));
  route("POST", "replies/:id/send", (call) => control.resendReply(call.req.param("id") ?? ""));
  route("PUT", "templates/:name", (call, body) => control.putTemplate(call.req.param("name") ?? "", body));
  route("GET", "pushes", async (call) => ({ pushes: await control.pushes(call.req.query("branch")) }));

  route("POST", "faults", (_, body) => control.addFault(body));
  route("DELETE", "faults/:id", async (call) => {
    await control.removeFault(Number(call.req.param("id")));
    return { faults: await control.faults() };
  });
  route("DELETE", "faults", async () => {
    await control.clearFaults();
    return { faults: [] };
  });
  route("GET", "export", () => control.exportWorld());
  route("POST", "import", (_, body) => control.importWorld(body));
  route("POST", "reset", (_, body) => control.reset(body));
}

/** Loaded at the first look: a mock for tests starts without its page. */
function consoleRoutes(app: Hono<HttpEnv>, parts: AppParts): void {
  let loaded: Promise<Hono<HttpEnv>> | undefined;
  const load = async () => (await import("../console/console.ts")).createConsole(parts);
  for (const path of ["/", "/openapi.json", "/console/*"])
    app.get(path, requireLocal, async (call) => {
      loaded ??= load();
      return (await loaded).fetch(call.req.raw, call.env);
    });
}

function toRefusal(error: Error): MockRefusal {
  if (error instanceof MockRefusal) return error;
  if ("code" in error && String(error.code).startsWith("SQLITE_"))
    return new MockRefusal(503, `the file of the world cannot be used now: ${error.message}`);
  return new MockRefusal(500, "the mock has a defect");
}

export function createApp(parts: AppParts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError((error, call: Call) => sendRefusal(call, toRefusal(error)));
  app.notFound((call: Call) => {
    const isTaken = (method: string): boolean =>
      app.router.match(method, call.req.path)[0].some(([[, route]]) => route.method === method);
    const allow = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(isTaken).join(", ");
    if (allow === "") return sendRefusal(call, new MockRefusal(404, "there is nothing at this path"));
    return sendRefusal(call, new MockRefusal(405, `the method must be ${allow}`, { allow }));
  });
  logRequests(app, parts);
  apiRoutes(app, parts);
  controlRoutes(app, parts.control);
  consoleRoutes(app, parts);
  return app;
}
