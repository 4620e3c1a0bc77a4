import { chosenObjects } from "../../cli/fields.ts";
import { exclusive, readInstant } from "../../cli/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session.ts";
import type { Order } from "../../contract/order.ts";
import type { ListFlags } from "./command.ts";

/** Runs `bpos orders list`. */
export async function list(runtime: Runtime, flags: ListFlags): Promise<void> {
  if (flags.page !== undefined && flags.all === true) throw exclusive("--page", "--all");
  if (flags.page !== undefined && flags.limit !== undefined) throw exclusive("--page", "--limit");
  const sinceMs =
    flags.since === undefined
      ? undefined
      : await readInstant(runtime, { flag: "--since", text: flags.since });
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async ({ client, output }) => {
    const { emptyListing, listOrders } = await import("./list.ts");
    const { isoWithOffset } = await import("../../contract/instants.ts");
    const { orderFields, ordersCsv, ordersList } = await import("./view.ts");
    const { toJson } = await import("../../cli/json.ts");
    const query = {
      states: flags.status ?? (["pendiente"] as const),
      since: sinceMs === undefined ? undefined : isoWithOffset(sinceMs),
      page: flags.page,
      all: flags.all,
      limit: flags.limit,
    };
    const { fields } = runtime.flags;
    const chosen = (some: readonly Order[]): Promise<unknown[]> =>
      chosenObjects(orderFields, some, { fields, format: output.format });
    const orders: Order[] = [];
    const mismatches: string[] = [];
    let last = emptyListing;
    for await (const { response, mismatches: odd } of listOrders(client, query, runtime.signal)) {
      last = response;
      mismatches.push(...odd);
      if (output.format === "ndjson") {
        const objects = await chosen(response.orders);
        await output.data(objects.map((order) => `${toJson(order)}\n`).join(""));
      } else orders.push(...response.orders);
    }
    const objects = await chosen(orders);
    const listing = { ...last, orders };
    if (output.format === "json") await output.document({ ...listing, orders: objects });
    if (output.format === "csv") await output.data(ordersCsv(orders, output.ui, fields));
    if (output.format === "table") {
      const paged = flags.all !== true && flags.limit === undefined;
      const listed = { states: query.states, paged, limited: flags.limit !== undefined, fields };
      await output.data(ordersList(listing, listed, output.ui));
    }
    await output.mismatches(mismatches);
  });
}
