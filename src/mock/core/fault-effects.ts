import type { MiddlewareHandler } from "hono";
import type { OrderState } from "../../contract/limits.ts";
import type { OrdersResponse } from "../../contract/order.ts";
import { type ArmedFault, type FaultCount, formatEffect, mayFire, meetFaults } from "./faults.ts";
import {
  answered,
  type Call,
  type HttpEnv,
  jsonHeaders,
  keepAnswer,
  readKeyed,
  sendJson,
  sendText,
} from "./http.ts";
import { placeOrders } from "./place-orders.ts";
import { MockRefusal } from "./refusal.ts";
import type { Sleep } from "./webhook.ts";
import type { LiveWorld } from "./world/live-world.ts";

export type FaultParts = Readonly<{
  live: LiveWorld;
  sleep: Sleep;
  closing: AbortSignal;
}>;

const proxyPage =
  "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<h1>502 Bad Gateway</h1>\r\n</body>\r\n</html>\r\n";

// It has control characters, which a client must not print when it quotes the response.
const garbage = '}\u0000\u001b[31m{"orders": NaN, not JSON';

/** The effects that let the call be applied: a refused call does not use them up. */
const needsGoodCall = ["commit-status", "commit-drop", "truncate", "shift", "late"];

const recordCount = (live: LiveWorld, { id }: ArmedFault, what: FaultCount): void =>
  live.commit({ type: "fault_counted", age: live.look().age, id, what });

function fire(live: LiveWorld, call: Call, fault: ArmedFault): void {
  recordCount(live, fault, "fired");
  call.set("fault", formatEffect(fault));
}

/** Fires a fault that waited for its call, unless another call has used it up or `act` finds nothing to do. */
const fireNow = (live: LiveWorld, call: Call, fault: ArmedFault, act = (): boolean => true): boolean =>
  live.transact(() => {
    const fires = mayFire(live.look().world.faults, fault.id) && act();
    if (fires) fire(live, call, fault);
    return fires;
  });

function resetConnection(call: Call): Response {
  call.env.incoming.socket.resetAndDestroy();
  return answered;
}

function sendHalf(call: Call, json: string): Response {
  const { incoming, outgoing } = call.env;
  const whole = Buffer.from(json);
  outgoing.writeHead(200, { ...jsonHeaders, "content-length": whole.length });

  const half = whole.subarray(0, whole.length >> 1);
  keepAnswer(call, half);
  outgoing.write(half, () => incoming.socket.destroySoon());
  return answered;
}

/** Not as a refusal: the log has the effect itself. */
function refuse(call: Call, status: number, fault: ArmedFault, headers = {}): Response {
  const refusal = new MockRefusal(status, `requested fault: ${formatEffect(fault)}`);
  return sendJson(call, status, refusal.toBody(), headers);
}

function shiftPage(live: LiveWorld, json: string): boolean {
  const [order] = (JSON.parse(json) as OrdersResponse).orders;
  if (!order) return false;

  const left = order.status === "pendiente" ? "en_preparacion" : "cancelado";
  const status = order.status === left ? "rechazado" : left;
  const { age } = live.look();
  live.commit({ type: "order_status_set", age, order_id: Number(order.order_id), status });
  return true;
}

function buildStandIn(live: LiveWorld, call: Call, fault: ArmedFault): (json: string) => Response {
  return (json) => {
    const fires = fireNow(live, call, fault, () => fault.effect !== "shift" || shiftPage(live, json));
    if (fires && fault.effect === "commit-status") return refuse(call, fault.status, fault);
    if (fires && fault.effect === "commit-drop") return resetConnection(call);
    if (fires && fault.effect === "truncate") return sendHalf(call, json);
    return sendJson(call, 200, json);
  };
}

function meet(live: LiveWorld, call: Call): ArmedFault | undefined {
  if (live.look().world.faults.armed.length === 0) return undefined;

  return live.transact(() => {
    const { world } = live.look();
    const { met, taken } = meetFaults(world.faults, world.seed, call.req.method, call.req.path);
    for (const fault of met) recordCount(live, fault, "matched");
    if (taken && !needsGoodCall.includes(taken.effect)) fire(live, call, taken);
    return taken;
  });
}

/** Applies the faults to a request to the API. Effects on accepted calls happen once the call has its response. */
export function faultMiddleware({ live, sleep, closing }: FaultParts): MiddlewareHandler<HttpEnv> {
  return async (call, next) => {
    const fault = meet(live, call);
    if (!fault) return next();

    // The whole request comes in first, as at a gateway: the log shows its key, and a client may leave meanwhile.
    if (call.req.method === "POST") await readKeyed(call).catch(() => undefined);

    switch (fault.effect) {
      case "status":
        return refuse(call, fault.status, fault);
      case "retry-after":
        return refuse(call, 429, fault, { "retry-after": String(fault.seconds) });
      case "html":
        return sendText(call, 502, proxyPage, { "content-type": "text/html" });
      case "garbage":
        return sendText(call, 200, garbage, jsonHeaders);
      case "drop":
        return resetConnection(call);
      case "delay":
        await sleep(fault.ms, closing);
        return closing.aborted ? resetConnection(call) : next();
      case "late":
        call.set("late", fault);
        return next();
      default:
        call.set("standIn", buildStandIn(live, call, fault));
        return next();
    }
  };
}

/** Places an order with an earlier `created_at` than the newest, where the fault `late` waited for this list. */
export function placeLate(live: LiveWorld, call: Call, status: OrderState): void {
  const fault = call.get("late");
  if (!fault || !fireNow(live, call, fault)) return;

  const { branch } = call.get("key");
  const { world, date } = live.look();
  const newest = world.book.byBranch.get(branch)?.at(-1)?.created_at ?? date;
  const created_at = Math.max(0, newest - 10 * 60_000);
  live.transact(() => placeOrders(live, { branch, order: { created_at, status } }));
}
