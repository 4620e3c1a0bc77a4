import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session.ts";
import { BposError } from "../../errors.ts";
import { findOrder } from "../list/list.ts";
import { orderTicket } from "./view.ts";

/** Runs `bpos orders show`. */
export async function show(runtime: Runtime, orderId: string): Promise<void> {
  if (!/^\d+$/.test(orderId))
    throw new BposError("usage_flag", { problem: { kind: "order_number", text: orderId } });
  const needs = { address: "base_url", formats: ["table", "json", "ndjson"] } as const;
  await withSession(runtime, needs, async ({ client, output }) => {
    const order = await findOrder(client, orderId, runtime.signal);
    if (output.format === "table") await output.data(orderTicket(order, output.ui));
    else await output.document(order);
  });
}
