import type { Client } from "../../api/client.ts";
import { orderIdText } from "../../api/pages.ts";
import { createdTime, shown } from "../../cli/display/format.ts";
import { mayAsk } from "../../cli/display/output.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { needsFlag, onlyGiven } from "../../cli/line/flags.ts";
import { layoutPath, neededPrinter } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session/session.ts";
import { orderStates } from "../../contract/limits.ts";
import type { Order } from "../../contract/order.ts";
import { BposError } from "../../errors.ts";
import { listOrders } from "../list-orders.ts";
import type { ShowFlags } from "./command.ts";
import { customerName, orderTicket } from "./view.ts";

/** How many orders a person is offered to choose from. */
const maxChoices = 20;

export function checkOrderId(text: string): void {
  if (!/^\d+$/.test(text)) throw new BposError("usage_flag", { problem: { kind: "order_number", text } });
}

function checkFlags(runtime: Runtime, id: string | undefined, flags: ShowFlags): void {
  const { print, printerLanguage, ...ofPrinter } = flags;
  const [lost] = Object.keys(onlyGiven({ ...ofPrinter, "printer-language": printerLanguage }));
  if (print !== true && lost !== undefined) throw needsFlag(`--${lost}`, "--print");

  if (id !== undefined) checkOrderId(id);
  else if (!mayAsk(runtime)) {
    const problem = { kind: "argument_missing", argument: "id", command: "bpos orders show" } as const;
    throw new BposError("usage_flag", { problem });
  }
}

/** The id of one of the first orders, or another, as the person answers. */
async function chooseOrder(runtime: Runtime, client: Client, ui: Ui): Promise<string> {
  const values: { value: string; note: string }[] = [];
  const first = { states: orderStates, limit: maxChoices };
  for await (const { response } of listOrders(client, first, runtime.signal))
    for (const order of response.orders) {
      const about = [createdTime(order, ui), customerName(order, ui.texts), shown(order.status)];
      const value = orderIdText(order);
      if (value !== undefined) values.push({ value, note: about.join(" · ") });
    }

  const { askValue } = await import("../../cli/line/ask.ts");
  return askValue(runtime, ui.texts.notices.askOrder, { values });
}

export async function findOrder(client: Client, orderId: string, signal: AbortSignal): Promise<Order> {
  // In the order in which orders pass through the states.
  for await (const { response } of listOrders(client, { states: orderStates, all: true }, signal)) {
    const order = response.orders.find((each) => orderIdText(each) === orderId);
    if (order !== undefined) return order;
  }
  throw new BposError("order_not_found", { orderId });
}

/** Returns what prints an order. Throws `usage_flag` without a printer, before the service is asked anything. */
async function openPrinter(
  { system, signal }: Runtime,
  { output, settings, branchName: branch }: Session,
  flags: ShowFlags,
): Promise<(order: Order) => Promise<void>> {
  const { address, ...paper } = neededPrinter(flags, settings);
  const { printNow } = await import("../../delivery/printer.ts");
  const { orderReceipt } = await import("./receipt.ts");
  const { openLayout } = await import("./layout.ts");
  const layout = await openLayout(system, layoutPath(flags, settings));

  return async (order) => {
    // A watch may have printed it already, here or elsewhere: without the mark, the kitchen would cook it twice.
    const bytes = orderReceipt(order, { ...paper, ui: output.ui, branch, layout, repeated: true });
    await printNow({ address, language: paper.language, system }, bytes, signal);
    await output.notice(output.texts.printer.printed(shown(order.order_id), address.url));
  };
}

export async function show(runtime: Runtime, id: string | undefined, flags: ShowFlags): Promise<void> {
  checkFlags(runtime, id, flags);

  const needs = { address: "base_url", formats: ["table", "json", "ndjson"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { client, output } = session;
    const print = flags.print === true ? await openPrinter(runtime, session, flags) : undefined;

    const orderId = id ?? (await chooseOrder(runtime, client, output.errorUi));
    checkOrderId(orderId);
    const order = await findOrder(client, orderId, runtime.signal);

    if (output.format === "table") await output.data(orderTicket(order, output.ui));
    else await output.document(order);
    await print?.(order);
  });
}
