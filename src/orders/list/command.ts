import * as z from "zod";
import { chosenObjects, fieldsShape } from "../../cli/fields.ts";
import { parseFlags, states, whole } from "../../cli/flag-values.ts";
import { globalShape } from "../../cli/global-flags.ts";
import { readInstant } from "../../cli/instant-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session.ts";
import type { Order } from "../../contract/order.ts";
import { BposError } from "../../errors.ts";

const listFlags = z.strictObject({
  ...globalShape,
  ...fieldsShape,
  status: states.optional(),
  since: z.string().optional(),
  page: whole(1).optional(),
  all: z.boolean().optional(),
  limit: whole(1).optional(),
});
const showFlags = z.strictObject(globalShape);
/** Runs `bpos orders list`: raw flags in, output and `runtime.exitCode` out. */
export async function list(runtime: Runtime, raw: unknown): Promise<void> {
  const flags = parseFlags(listFlags, raw);
  if (flags.page !== undefined && (flags.all === true || flags.limit !== undefined)) {
    throw new BposError("usage_flag", { problem: { kind: "page_and_more" } });
  }
  const sinceMs =
    flags.since === undefined
      ? undefined
      : await readInstant(runtime, { flag: "--since", text: flags.since });
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, flags, needs, async ({ client, output }) => {
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
    const { fields } = flags;
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

/** Runs `bpos orders show`: raw flags in, output and `runtime.exitCode` out. */
export async function show(runtime: Runtime, orderId: string, raw: unknown): Promise<void> {
  const flags = parseFlags(showFlags, raw);
  if (!/^\d+$/.test(orderId))
    throw new BposError("usage_flag", { problem: { kind: "order_number", text: orderId } });
  await withSession(
    runtime,
    flags,
    { address: "base_url", formats: ["table", "json", "ndjson"] },
    async ({ client, output }) => {
      const { findOrder } = await import("./list.ts");
      const { orderTicket } = await import("../show/view.ts");
      const order = await findOrder(client, orderId, runtime.signal);
      if (output.format === "table") await output.data(orderTicket(order, output.ui));
      else await output.document(order);
    },
  );
}
