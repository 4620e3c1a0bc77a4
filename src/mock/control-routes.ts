import type { Hono } from "hono";
import type { ClockMove } from "./clock.ts";
import { type MockControl, type PlaceOrders, statusSchema } from "./control.ts";
import type { FaultInput } from "./faults.ts";
import { type Call, type HttpEnv, readJson, requireJson, sendJson, wrongMethod } from "./http.ts";
import { parseInput } from "./parse.ts";
import { MockRefusal } from "./refusal.ts";
import type { GiveReply } from "./replies.ts";
import type { TemplateInput } from "./templates.ts";

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
  const json = (call: Call, value: unknown): Response => sendJson(call, 200, JSON.stringify(value));
  app.use("/_mock/*", (call: Call, next) => {
    requireLocal(call);
    return next();
  });
  changes(app, control, json);

  app.get("/_mock/requests", async (call) => {
    const limit = call.req.query("limit");
    return json(call, { requests: await control.requests(limit === undefined ? undefined : Number(limit)) });
  });
  app.get("/_mock/world", async (call) => json(call, await control.world()));
  app.get("/_mock/catalog", async (call) =>
    json(call, { items: await control.catalog(call.req.query("branch")) }),
  );
  app.get("/_mock/campaigns", async (call) => json(call, { campaigns: await control.campaigns() }));
  app.get("/_mock/messages", async (call) => json(call, { messages: await control.messages() }));
  app.get("/_mock/webhooks", async (call) => json(call, { webhooks: await control.webhooks() }));
  app.get("/_mock/templates", async (call) => json(call, { templates: await control.templates() }));
  for (const list of ["world", "requests", "catalog", "campaigns", "messages", "webhooks", "templates"]) {
    app.all(`/_mock/${list}`, wrongMethod("GET"));
  }
}

function changes(
  app: Hono<HttpEnv>,
  control: MockControl,
  json: (call: Call, value: unknown) => Response,
): void {
  app.post("/_mock/orders", async (call) =>
    json(call, { orders: await control.placeOrders((await readJson(call, {})) as PlaceOrders) }),
  );
  app.all("/_mock/orders", wrongMethod("POST"));

  app.patch("/_mock/orders/:id", async (call) => {
    const { status } = parseInput(statusSchema, await readJson(call));
    return json(call, await control.setOrderStatus(Number(call.req.param("id")), status));
  });
  app.all("/_mock/orders/:id", wrongMethod("PATCH"));

  app.post("/_mock/clock", async (call) =>
    json(call, await control.moveClock((await readJson(call)) as ClockMove)),
  );
  app.all("/_mock/clock", wrongMethod("POST"));

  app.get("/_mock/replies", async (call) => json(call, { replies: await control.replies() }));
  app.post("/_mock/replies", async (call) =>
    json(call, await control.reply((await readJson(call)) as GiveReply)),
  );
  app.all("/_mock/replies", wrongMethod("GET", "POST"));

  app.post("/_mock/replies/:id/send", async (call) =>
    json(call, await control.resendReply(call.req.param("id"))),
  );
  app.all("/_mock/replies/:id/send", wrongMethod("POST"));

  app.put("/_mock/templates/:name", async (call) =>
    json(call, await control.putTemplate(call.req.param("name"), (await readJson(call)) as TemplateInput)),
  );
  app.all("/_mock/templates/:name", wrongMethod("PUT"));

  app.get("/_mock/faults", async (call) => json(call, { faults: await control.faults() }));
  app.post("/_mock/faults", async (call) =>
    json(call, await control.addFault((await readJson(call)) as FaultInput)),
  );
  app.delete("/_mock/faults", async (call) => {
    await control.clearFaults();
    return json(call, { faults: [] });
  });
  app.all("/_mock/faults", wrongMethod("GET", "POST", "DELETE"));

  app.post("/_mock/reset", async (call) =>
    json(call, await control.reset((await readJson(call, {})) as object)),
  );
  app.all("/_mock/reset", wrongMethod("POST"));
}
