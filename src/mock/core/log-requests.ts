import type { IncomingMessage } from "node:http";
import type { Hono } from "hono";
import { formatInstant } from "./clock.ts";
import type { HttpEnv } from "./http.ts";
import { replayHeader } from "./replay.ts";
import type { Exchange, RequestLog } from "./request-log.ts";
import type { LiveWorld } from "./world/live-world.ts";

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

/** Adds each request to the service, once it is answered, to the log. */
export function logRequests(app: Hono<HttpEnv>, live: LiveWorld, log: RequestLog): void {
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
