import { chosenObjects, fieldsCsv } from "../../cli/display/fields.ts";
import { toJson } from "../../cli/display/json.ts";
import { onlyObjects } from "../../cli/display/values.ts";
import { exclusive } from "../../cli/line/flags.ts";
import { readInstant } from "../../cli/line/instant.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session/session.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { Order } from "../../contract/order.ts";
import { listOrders } from "../list-orders.ts";
import { type Unread, unreadText } from "../unread.ts";
import type { ListFlags } from "./command.ts";
import { orderFields, ordersList } from "./view.ts";

export async function list(runtime: Runtime, flags: ListFlags): Promise<void> {
  const { page, all, limit, status: states = ["pendiente"] as const } = flags;
  if (page !== undefined && all === true) throw exclusive("--page", "--all");
  if (page !== undefined && limit !== undefined) throw exclusive("--page", "--limit");
  const since = await readSince(runtime, flags.since);

  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async ({ client, output, clockAheadMs }) => {
    const { fields } = runtime.flags;
    const { format, texts } = output;
    const choose = (some: readonly Order[]) => chosenObjects(orderFields, some, { fields, format });
    const orders: Order[] = [];
    const mismatches: string[] = [];
    const unread: Unread[] = [];
    let last: object = {};

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
        // Ages are by the clock of the service, which created the orders.
        const now = runtime.system.clock.now() - (clockAheadMs() ?? 0);
        return ordersList({ ...last, orders }, { states, isPaged, fields }, { ...ui, now });
      });

    await output.mismatches(mismatches);
    for (const each of unread) await output.warning(unreadText(each, output.ui, texts.t));
  });
}

async function readSince(runtime: Runtime, text: string | undefined): Promise<string | undefined> {
  if (text === undefined) return undefined;
  return isoWithOffset(await readInstant(runtime, { flag: "--since", text }));
}
