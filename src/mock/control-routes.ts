import type { Hono } from "hono";
import type { OrderState } from "../contract/order-states.ts";
import type { MockControl } from "./control.ts";
import { type Call, type HttpEnv, limitBody, readJson, requireJson, sendJson } from "./http.ts";
import { MockRefusal } from "./refusal.ts";

const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address);

// A web page that a person has open must not be able to change the world behind it.
function requireLocal(call: Call): void {
  if (!isLoopback(call.env.incoming.socket.remoteAddress ?? "")) {
    throw new MockRefusal(403, "the control API answers this machine only");
  }
  if (call.req.method === "GET" || call.req.method === "HEAD") return;
  const origin = call.req.header("origin");
  if (origin !== undefined && origin !== `http://${call.req.header("host") ?? ""}`) {
    throw new MockRefusal(403, "a page of another origin may not change the mock");
  }
  requireJson(call);
}

/** The control API over HTTP (`/_mock`). Its functions check what they are given, so the bodies go in as they came. */
export function controlRoutes(app: Hono<HttpEnv>, control: MockControl): void {
  app.use("/_mock/*", (call: Call, next) => {
    requireLocal(call);
    return limitBody(call, next);
  });
  const route = (method: string, path: string, answer: (call: Call, body: never) => Promise<unknown>) =>
    app.on(method, `/_mock/${path}`, async (call) => {
      const body = method === "GET" ? undefined : await readJson(call, {});
      return sendJson(call, 200, JSON.stringify(await answer(call, body as never)));
    });

  route("GET", "world", () => control.world());
  route("POST", "orders", async (_, body) => ({ orders: await control.placeOrders(body) }));
  route("PATCH", "orders/:id", (call, body: { status: OrderState } | null) =>
    control.setOrderStatus(Number(call.req.param("id")), body?.status as OrderState),
  );
  route("POST", "clock", (_, body) => control.moveClock(body));
  route("GET", "requests", async (call) => {
    const limit = call.req.query("limit");
    return { requests: await control.requests(limit === undefined ? undefined : Number(limit)) };
  });
  route("GET", "catalog", async (call) => ({ items: await control.catalog(call.req.query("branch")) }));
  route("GET", "campaigns", async () => ({ campaigns: await control.campaigns() }));
  route("GET", "messages", async () => ({ messages: await control.messages() }));
  route("GET", "replies", async () => ({ replies: await control.replies() }));
  route("POST", "replies", (_, body) => control.reply(body));
  route("POST", "replies/:id/send", (call) => control.resendReply(call.req.param("id") ?? ""));
  route("GET", "webhooks", async () => ({ webhooks: await control.webhooks() }));
  route("GET", "templates", async () => ({ templates: await control.templates() }));
  route("PUT", "templates/:name", (call, body) => control.putTemplate(call.req.param("name") ?? "", body));
  route("GET", "faults", async () => ({ faults: await control.faults() }));
  route("POST", "faults", (_, body) => control.addFault(body));
  route("DELETE", "faults", () => control.clearFaults().then(() => ({ faults: [] })));
  route("POST", "reset", (_, body) => control.reset(body));
}
