import * as z from "zod";
import { orderSchema, wireInteger } from "../../contract/order.ts";

const about = { at: z.string(), branch: z.string() };
const failure = { reason: z.string(), status: z.int().optional() };
const standby = { ...about, holder: z.string().optional().describe("host:pid") };

const line = z.discriminatedUnion("event", [
  z.object({ event: z.literal("order.new"), ...about, order: orderSchema, repeated: z.boolean() }),
  z.object({
    event: z.literal("order.changed"),
    ...about,
    order_id: wireInteger,
    from: z.string(),
    to: z.string(),
    changes: z.array(z.string()).optional().describe("The fields that were edited."),
    order: orderSchema.optional().describe("Only with changes."),
  }),
  z.object({ event: z.literal("watch.outage"), ...about, since: z.string(), ...failure }),
  z.object({ event: z.literal("watch.recovered"), ...about, after_s: z.int() }),
  z.object({ event: z.literal("watch.stopped"), ...about, since: z.string().optional(), ...failure }),
  z.object({ event: z.literal("watch.standby"), ...standby }),
  z.object({ event: z.literal("watch.active"), ...standby }),
]);
export const forms = { line };
