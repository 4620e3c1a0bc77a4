import type { Hono, Next } from "hono";
import { isLoopback } from "../../contract/addresses.ts";
import type { OrderState } from "../../contract/limits.ts";
import { type Call, type HttpEnv, readJson, requireJson, sendJson } from "../core/http.ts";
import { MockRefusal } from "../core/refusal.ts";
import type { MockControl } from "./control.ts";

/** Refuses other machines, and pages from other origins: a web page that happens to be open must not change the world. */
export function requireLocal(call: Call, next: Next): Promise<void> {
  if (!isLoopback(call.env.incoming.socket.remoteAddress ?? ""))
    throw new MockRefusal(403, "the control API only accepts requests from this machine");

  const origin = call.req.header("origin");
  if (origin !== undefined && origin !== `http://${call.req.header("host") ?? ""}`)
    throw new MockRefusal(403, "a page from another origin cannot use the mock");

  if (call.req.method === "GET" || call.req.method === "HEAD") return next();
  requireJson(call);
  return next();
}

/** The control API, `/_mock`. */
export function controlRoutes(app: Hono<HttpEnv>, control: MockControl): void {
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
