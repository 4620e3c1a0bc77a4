import type {
  DispatchController,
  Dispatcher,
  DispatchHandler,
  DispatchOptions,
} from "../../src/api/transport.ts";
import type { OrderState } from "../../src/contract/limits.ts";

/** The life of one order in the model; all instants are epoch milliseconds. */
export interface ModelOrder {
  id: number;
  createdAt: number;
  /** From when on the service lists it. */
  appearsAt: number;
  /** The states it passes through, the first one from `appearsAt` on. */
  states: readonly { from: number; state: OrderState }[];
  /** When somebody edits it, each time into another total. */
  edits?: readonly number[];
  /** The order's lines after so many edits; nothing without it. */
  lines?: (edits: number) => readonly object[];
}

/** The service's answer instead of a page, once. */
export type ModelFault = "500" | "html" | "reset" | "429" | "busy" | "403";

const pageSize = 20;

/** The state of an order at an instant; undefined before it appears. */
export function stateAt(order: ModelOrder, instant: number): OrderState | undefined {
  if (instant < order.appearsAt) return undefined;
  return order.states.findLast(({ from }) => from <= instant)?.state;
}

/** Its total at an instant, which no two edits have alike. */
export const totalAt = ({ edits = [] }: ModelOrder, instant: number): number =>
  1 + edits.filter((from) => from <= instant).length;

function orderJson(order: ModelOrder, status: string, total: number): object {
  return {
    order_id: order.id,
    created_at: order.createdAt,
    created_at_iso: new Date(order.createdAt).toISOString(),
    status,
    delivery_type: "pick_up",
    delivery_address: null,
    cliente: { nombre: null, telefono: "+5491155550000" },
    pago: { modo: "en_entrega", pagado: false, monto: total },
    costo_envio: 0,
    total,
    lineas: order.lines?.(total - 1) ?? [],
  };
}

/** A page as the service lists it (`docs/reference/service.md` 4.1), of orders that are sorted. */
function pageOf(orders: readonly ModelOrder[], url: URL, now: number): object {
  const state = url.searchParams.get("status") ?? "pendiente";
  const since = Date.parse(url.searchParams.get("since") ?? "1970-01-01T00:00:00Z");
  const page = Number(url.searchParams.get("page") ?? "1");
  const listed = orders.filter((order) => order.createdAt > since && stateAt(order, now) === state);
  const shown = listed.slice((page - 1) * pageSize, page * pageSize);
  return {
    orders: shown.map((order) => orderJson(order, state, totalAt(order, now))),
    page,
    per_page: pageSize,
    total: listed.length,
    has_more: listed.length > page * pageSize,
  };
}

interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

function answerOf(fault: ModelFault, denied: string): Answer | undefined {
  switch (fault) {
    case "500":
      return { status: 500, body: "" };
    case "html":
      return { status: 200, body: "<html>sign in</html>" };
    case "429":
      return { status: 429, body: "", headers: { "retry-after": "90" } };
    case "busy":
      return { status: 429, body: "", headers: { "retry-after": "1" } };
    case "403":
      return { status: 403, body: denied };
    case "reset":
      return undefined;
  }
}

/**
 * A model of one branch that answers requests in memory, in place of a socket: the client above it is the real one.
 *
 * @param fault tells for each request what goes wrong with it.
 */
export function branchDispatcher(
  orders: readonly ModelOrder[],
  world: { now: () => number; fault: () => ModelFault | undefined },
): { dispatcher: Dispatcher; requests: URL[] } {
  const requests: URL[] = [];
  const sorted = [...orders].sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
  const denied = JSON.stringify({ code: "ERROR_CODE_ACCESS_DENIED", message: "no", payload: "" });
  const dispatch = (options: DispatchOptions, handler: DispatchHandler): boolean => {
    const controller: DispatchController = {
      pause: () => undefined,
      resume: () => undefined,
      abort: () => undefined,
    };
    queueMicrotask(() => {
      handler.onRequestStart(controller);
      const url = new URL(options.path, "http://model.test");
      requests.push(url);
      const fault = world.fault();
      const answer: Answer | undefined =
        fault === undefined
          ? { status: 200, body: JSON.stringify(pageOf(sorted, url, world.now())) }
          : answerOf(fault, denied);
      if (answer === undefined) {
        handler.onResponseError(controller, Object.assign(new Error("reset"), { code: "ECONNRESET" }));
        return;
      }
      const headers = { ...answer.headers, date: new Date(world.now()).toUTCString() };
      handler.onResponseStart(controller, answer.status, headers);
      handler.onResponseData(controller, Buffer.from(answer.body));
      handler.onResponseEnd();
    });
    return true;
  };
  return { dispatcher: { dispatch, destroy: () => Promise.resolve() }, requests };
}
