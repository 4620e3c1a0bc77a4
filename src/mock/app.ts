import { Hono } from "hono";
import { endpoints } from "../contract/endpoints.ts";
import {
  denied,
  listOrders,
  type OrdersQuery,
  pushCatalog,
  readCampaign,
  readOrdersQuery,
  sendCampaign,
} from "./calls.ts";
import { controlRoutes } from "./control-routes.ts";
import { type FaultParts, faultMiddleware, lateMiddleware } from "./fault-effects.ts";
import { type Call, type HttpEnv, readKeyed, sendJson, sendRefusal, wrongMethod } from "./http.ts";
import type { LiveWorld } from "./live-world.ts";
import { campaignsBase } from "./paths.ts";
import { MockRefusal } from "./refusal.ts";
import { maskKey, type RequestLog } from "./request-log.ts";
import { formatInstant } from "./time.ts";

/** What an app is made of. */
export interface AppParts extends FaultParts {
  readonly log: RequestLog;
}

function logRequests(app: Hono<HttpEnv>, { live, log }: AppParts): void {
  app.use(async (call, next) => {
    if (call.req.path.startsWith("/_mock/")) return next();
    const began = live.real();
    const at = formatInstant(live.look().date);
    await next();
    const [path = "", query = ""] = (call.env.incoming.url ?? "").split("?", 2);
    const key = call.req.header("x-api-key");
    const fault = call.get("fault");
    log.add({
      at,
      method: call.req.method,
      path,
      query,
      status: call.env.outgoing.headersSent ? call.env.outgoing.statusCode : 0,
      ms: live.real() - began,
      key: key === undefined ? null : maskKey(key),
      ...call.get("bodyKey"),
      ...(fault !== undefined && { fault }),
    });
  });
}

const ordersQuery = (call: Call): OrdersQuery =>
  readOrdersQuery({
    status: call.req.query("status"),
    since: call.req.query("since"),
    page: call.req.query("page"),
  });

/** Keeps the JSON of pages until an order comes or changes: a poll mostly asks for what it asked for before. */
function cachedPages(live: LiveWorld): (call: Call) => string {
  const capacity = 256;
  const pages = new Map<string, string>();
  let book: unknown;
  let version = -1;
  return (call) => {
    const { branch } = call.get("key");
    const query = ordersQuery(call);
    const { world } = live.look();
    if (book !== world.book || version !== world.book.version || pages.size >= capacity) pages.clear();
    book = world.book;
    version = world.book.version;
    const name = `${branch} ${query.status} ${query.since} ${query.page}`;
    const page = pages.get(name) ?? listOrders(world, branch, query);
    pages.set(name, page);
    return page;
  };
}

function apiRoutes(app: Hono<HttpEnv>, parts: AppParts): void {
  const { live } = parts;
  const { listOrders: orders, pushCatalog: catalog, sendCampaign: send, readCampaign: status } = endpoints;
  for (const prefix of ["/v1/*", `${campaignsBase}/*`]) {
    app.use(prefix, faultMiddleware(parts), (call, next) => {
      const key = live.look().world.keys.get(call.req.header("x-api-key") ?? "");
      if (!key) throw denied();
      call.set("key", key);
      return next();
    });
  }
  const page = cachedPages(live);
  app.get(orders.path, lateMiddleware(parts, ordersQuery), (call) => sendJson(call, 200, page(call)));
  app.all(orders.path, wrongMethod("GET"));

  app.post(catalog.path, async (call) => {
    const body = await readKeyed(call);
    return sendJson(call, 200, JSON.stringify(pushCatalog(live, call.get("key"), body)));
  });
  app.all(catalog.path, wrongMethod("POST"));

  app.post(campaignsBase + send.path, async (call) => {
    const body = await readKeyed(call);
    return sendJson(call, 200, JSON.stringify(sendCampaign(live, call.get("key"), body)));
  });
  app.all(campaignsBase + send.path, wrongMethod("POST"));

  const one = campaignsBase + status.path.replace("{campaign_id}", ":campaign_id");
  app.get(one, (call) => {
    const answer = readCampaign(live, call.get("key"), call.req.param("campaign_id") ?? "");
    return sendJson(call, 200, JSON.stringify(answer));
  });
  app.all(one, wrongMethod("GET"));
}

function refusalFor(error: Error): MockRefusal {
  if (error instanceof MockRefusal) return error;
  const ofFile = "code" in error && String(error.code).startsWith("SQLITE_");
  if (ofFile) return new MockRefusal(503, `the file of the world cannot be used now: ${error.message}`);
  return new MockRefusal(500, "the mock has a defect");
}

/** The service as a hono app: the four endpoints of `spec.md` section 4, and the control API. */
export function createApp(parts: AppParts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError((error, call) => sendRefusal(call, refusalFor(error)));
  app.notFound((call) => sendRefusal(call, new MockRefusal(404, "there is nothing at this path")));
  logRequests(app, parts);
  apiRoutes(app, parts);
  controlRoutes(app, parts.control);
  return app;
}
