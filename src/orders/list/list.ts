import type { Client } from "../../api/client.ts";
import { toNumber } from "../../api/json.ts";
import { countUntil, orderIdentity, orderIdText } from "../../api/pages.ts";
import { chosenObjects, fieldsCsv, onlyObjects } from "../../cli/display/fields.ts";
import { number } from "../../cli/display/format.ts";
import { toJson } from "../../cli/display/json.ts";
import { mayAsk } from "../../cli/display/output.ts";
import { exclusive, needsFlag, onlyGiven } from "../../cli/line/flags.ts";
import { readInstant } from "../../cli/line/instant.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session/session.ts";
import { isoWithOffset, type OrderState, orderStates } from "../../contract/limits.ts";
import type { Order, OrdersResponse } from "../../contract/order.ts";
import { BposError } from "../../errors.ts";
import type { ShowFlags } from "../show/command.ts";
import { orderTicket } from "../show/view.ts";
import type { ListFlags } from "./command.ts";
import { orderFields, ordersList } from "./view.ts";

const maxConcurrency = 8;

interface Listing extends Pick<ListFlags, "all" | "limit" | "page"> {
  states: readonly OrderState[];
  since?: string | undefined;
}

/** A state of which the service counts more orders than its pages held. */
type Unread = { state: OrderState } & Record<"read" | "total", number>;

/** One page of each state, with `all` or `limit` all of them: in the order of the states and then as the service sorts them, each order once. */
async function* listOrders(
  client: Client,
  { states, since, page = 1, all, limit = Number.POSITIVE_INFINITY }: Listing,
  signal: AbortSignal,
  unread: Unread[] = [],
) {
  const seen = new Set<string>();
  const isPaged = all !== true && limit === Number.POSITIVE_INFINITY;
  // Beyond a limit at most a fifth more is read.
  const concurrency = Math.max(1, Math.min(maxConcurrency, Math.floor(limit / 100)));
  let total = 0;
  let isLeft = false;
  for (const status of states) {
    const query = { status, ...(since !== undefined && { since }) };
    const pages = isPaged
      ? [await client.listOrders({ ...query, page }, { signal })]
      : client.orderPages(query, { signal, concurrency });
    const read = new Set<string>();
    let ofState: number | undefined;
    let counted = 0;
    let more = false;
    for await (const { body, mismatches } of pages) {
      // Only the orders are certain: a service may leave the rest of the envelope out.
      const envelope: Partial<OrdersResponse> = body;
      const unseen = new Map<string, Order>();
      // An order can move to a later state, or to another page, while the listing is read.
      for (const order of body.orders) {
        const id = orderIdentity(order);
        read.add(id);
        if (!seen.has(id) && !unseen.has(id)) unseen.set(id, order);
      }
      const fresh = [...unseen].slice(0, limit - seen.size);
      for (const [id] of fresh) seen.add(id);
      ofState ??= toNumber(envelope.total) ?? 0;
      counted = toNumber(envelope.total) ?? 0;
      // With `since` a service may count those before it, too.
      const isShort = counted > (isPaged ? countUntil(body, page) : read.size);
      const remain = envelope.has_more ?? isShort;
      more = fresh.length < unseen.size || remain || (isShort && since === undefined);
      const orders = fresh.map(([, order]) => order);
      const listing = { page, per_page: seen.size, total: total + ofState, has_more: isLeft || more };
      // One page of one state is the service's own answer, unknown fields included.
      const isAsCame = isPaged && states.length === 1;
      yield { response: isAsCame ? { ...body, orders } : { orders, ...listing }, mismatches };
      if (seen.size >= limit) break;
    }
    if (!isPaged && since === undefined && seen.size < limit && counted > read.size)
      unread.push({ state: status, read: read.size, total: counted });
    total += ofState ?? 0;
    isLeft ||= more;
  }
}

export async function list(runtime: Runtime, flags: ListFlags): Promise<void> {
  const { page, all, limit, status: states = ["pendiente"] as const, since: text } = flags;
  if (page !== undefined && all === true) throw exclusive("--page", "--all");
  if (page !== undefined && limit !== undefined) throw exclusive("--page", "--limit");
  const since =
    text === undefined ? undefined : isoWithOffset(await readInstant(runtime, { flag: "--since", text }));
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async ({ client, output, clockAheadMs }) => {
    const { fields } = runtime.flags;
    const { format } = output;
    const choose = (some: readonly Order[]) => chosenObjects(orderFields, some, { fields, format });
    const orders: Order[] = [];
    const mismatches: string[] = [];
    let last: object = {};
    const unread: Unread[] = [];
    const pages = listOrders(client, { states, since, page, all, limit }, runtime.signal, unread);
    for await (const { response, mismatches: odd } of pages) {
      last = response;
      mismatches.push(...odd);
      if (format !== "ndjson") orders.push(...response.orders);
      else for (const order of choose(response.orders)) await output.data(`${toJson(order)}\n`);
    }
    const objects = choose(orders);
    if (format === "json") await output.document({ ...last, orders: objects });
    if (format === "csv") await output.data(fieldsCsv(orderFields, fields, onlyObjects(orders), output.ui));
    const isPaged = all !== true && limit === undefined;
    if (format === "table")
      await output.list((ui) => {
        // How long they wait is by the clock that they were created by.
        const now = ui.now - (clockAheadMs() ?? 0);
        return ordersList({ ...last, orders }, { states, isPaged, fields }, { ...ui, now });
      });
    await output.mismatches(mismatches);
    const { texts } = output;
    for (const { state, ...of } of unread)
      await output.warning(
        texts.orders.unread(state, number(of.read, output.ui), number(of.total, output.ui)),
      );
  });
}

function checkOrderId(text: string): void {
  if (!/^\d+$/.test(text)) throw new BposError("usage_flag", { problem: { kind: "order_number", text } });
}

export async function show(runtime: Runtime, id: string | undefined, flags: ShowFlags): Promise<void> {
  const { print: isPrinted, printerLanguage, ...ofPrinter } = flags;
  const [lost] = Object.keys(onlyGiven({ ...ofPrinter, "printer-language": printerLanguage }));
  if (isPrinted !== true && lost !== undefined) throw needsFlag(`--${lost}`, "--print");
  if (id !== undefined) checkOrderId(id);
  else if (!mayAsk(runtime)) {
    const problem = { kind: "argument_missing", argument: "id", command: "bpos orders show" } as const;
    throw new BposError("usage_flag", { problem });
  }
  const needs = { address: "base_url", formats: ["table", "json", "ndjson"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { client, output } = session;
    const print =
      isPrinted === true
        ? (await import("../show/print.ts")).orderPrinter(runtime, session, flags)
        : undefined;
    const recent = { states: orderStates, limit: 20 };
    const choose = async (): Promise<string> => {
      const { chooseOrder } = await import("../show/choose.ts");
      return chooseOrder(runtime, listOrders(client, recent, runtime.signal), output.errorUi);
    };
    const orderId = id ?? (await choose());
    checkOrderId(orderId);
    // In the order in which orders pass through the states.
    for await (const { response } of listOrders(client, { states: orderStates, all: true }, runtime.signal)) {
      const order = response.orders.find((each) => orderIdText(each) === orderId);
      if (order === undefined) continue;
      if (output.format === "table") await output.data(orderTicket(order, output.ui));
      else await output.document(order);
      await print?.(order);
      return;
    }
    throw new BposError("order_not_found", { orderId });
  });
}
