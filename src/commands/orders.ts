import type { Command } from "commander";
import * as z from "zod";
import type { Order } from "../contract/order.ts";
import { BposError } from "../errors.ts";
import { parseFlags, parseInstant, states, whole } from "./flag-values.ts";
import { globalShape } from "./global-flags.ts";
import { addExamples } from "./help-text.ts";
import { declareWatch } from "./orders-watch.ts";
import type { Runtime } from "./runtime.ts";
import { withSession } from "./session.ts";

const listFlags = z.strictObject({
  ...globalShape,
  status: states.optional(),
  since: z.string().optional(),
  page: whole(1).optional(),
  all: z.boolean().optional(),
  limit: whole(1).optional(),
});
const showFlags = z.strictObject(globalShape);
async function list(runtime: Runtime, raw: unknown): Promise<void> {
  const flags = parseFlags(listFlags, raw);
  const now = runtime.system.clock.now();
  if (flags.page !== undefined && (flags.all === true || flags.limit !== undefined)) {
    throw new BposError("usage_flag", { detail: "--page shows one page: leave out --all and --limit" });
  }
  const sinceMs = flags.since === undefined ? undefined : parseInstant(flags.since, now);
  if (flags.since !== undefined && sinceMs === undefined) {
    throw new BposError("usage_flag", {
      detail: `--since: "${flags.since}" is not a time such as 2026-01-31T08:00:00-03:00, 2h, today or yesterday`,
    });
  }
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, flags, needs, async ({ client, output }) => {
    const { emptyListing, listOrders } = await import("../flows/list-orders.ts");
    const { isoWithOffset } = await import("../flows/instants.ts");
    const { ordersCsv, ordersList } = await import("../view/orders-list.ts");
    const { toJson } = await import("../view/json.ts");
    const query = {
      states: flags.status ?? (["pendiente"] as const),
      since: sinceMs === undefined ? undefined : isoWithOffset(sinceMs),
      page: flags.page,
      all: flags.all,
      limit: flags.limit,
    };
    const orders: Order[] = [];
    const mismatches: string[] = [];
    let last = emptyListing;
    for await (const { response, mismatches: odd } of listOrders(client, query, runtime.signal)) {
      last = response;
      mismatches.push(...odd);
      if (output.format === "ndjson")
        await output.data(response.orders.map((order) => `${toJson(order)}\n`).join(""));
      else orders.push(...response.orders);
    }
    const listing = { ...last, orders };
    if (output.format === "json") await output.document(listing);
    if (output.format === "csv") await output.data(ordersCsv(orders, output.ui));
    if (output.format === "table") {
      const paged = flags.all !== true && flags.limit === undefined;
      await output.data(
        ordersList(listing, { states: query.states, paged, limited: flags.limit !== undefined }, output.ui),
      );
    }
    await output.mismatches(mismatches);
  });
}

async function show(runtime: Runtime, orderId: string, raw: unknown): Promise<void> {
  const flags = parseFlags(showFlags, raw);
  if (!/^\d+$/.test(orderId))
    throw new BposError("usage_flag", { detail: `"${orderId}" is not an order's number` });
  await withSession(
    runtime,
    flags,
    { address: "base_url", formats: ["table", "json", "ndjson"] },
    async ({ client, output }) => {
      const { findOrder } = await import("../flows/list-orders.ts");
      const { orderTicket } = await import("../view/order-ticket.ts");
      const order = await findOrder(client, orderId, runtime.signal);
      if (output.format === "table") await output.data(orderTicket(order, output.ui));
      else await output.document(order);
    },
  );
}

/** Declares `bpos orders …`. */
export function declareOrders(program: Command, runtime: Runtime): void {
  const words = runtime.texts.help.orders;
  const orders = addExamples(
    program.command("orders").description(words.description),
    words.examples,
    runtime.texts,
  );
  addExamples(orders.command("list").description(words.list.description), words.list.examples, runtime.texts)
    .option("--status <states>", words.list.status)
    .option("--since <time>", words.list.since)
    .option("--page <n>", words.list.page)
    .option("--all", words.list.all)
    .option("--limit <n>", words.list.limit)
    .action((_options, command: Command) => list(runtime, command.optsWithGlobals()));
  addExamples(orders.command("show").description(words.show.description), words.show.examples, runtime.texts)
    .argument("<id>", words.show.id)
    .action((id: string, _options, command: Command) => show(runtime, id, command.optsWithGlobals()));
  declareWatch(orders, runtime);
}
